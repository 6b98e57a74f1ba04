"""The queue of downloads in Qt's terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.jobs import Job, Jobs
from app.models import moving
from app.notices import UNDO_SECONDS
from app.pairs import Pair
from engine.errors import ForewordError, NameTaken
from engine.models.downloads import Downloads, State, Status
from engine.models.item import Item

_LIVE = frozenset({State.WAITING, State.RUNNING})
_EVERY = 1000  # milliseconds between looks at a speed that falls while nothing comes
_UNDO = UNDO_SECONDS * 1000  # milliseconds until what came of a cancelled one goes


@dataclass(frozen=True)
class _Leaving:
    """One that was cancelled: what ends the wait for an undo, and whether it was under way."""

    timer: QTimer
    was_live: bool


class Fetches(QObject):
    """Every download of the window, on threads of the queue's own.

    One that is cancelled while some of it is here rests for a while first, and can be had back.

    Signals:
        changed: One did; its Status.
        arrived: One is whole; its Status.
        cleared: What came of a cancelled one is off the disk.
    """

    changed = Signal(object)
    arrived = Signal(object)
    cleared = Signal()
    _told = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        parent: QObject | None = None,
        *,
        more_folders: Callable[[], Sequence[Path]] = tuple,
        **queue: Any,
    ) -> None:
        """``more_folders``: those that the user added, of which some was the models folder once;
        ``queue``: of `Downloads`, a test's own sources."""
        super().__init__(parent)
        self._jobs = jobs
        self._more_folders = more_folders
        self._known: dict[str, Status] = {}
        self._then: dict[str, Callable[[Pair], None]] = {}
        self._leaving: dict[str, _Leaving] = {}
        self._downloads = Downloads(self._told.emit, cleared=self.cleared.emit, **queue)
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._look = QTimer(self, interval=_EVERY)
        self._look.timeout.connect(self._refresh)
        self._is_closed = False

    @property
    def statuses(self) -> list[Status]:
        """How each stands, in the order in which they were asked for."""
        return list(self._known.values())

    @property
    def is_busy(self) -> bool:
        """Whether one is under way or waits for its turn."""
        return any(status.state in _LIVE for status in self._known.values())

    def of(self, item: Item) -> Status | None:
        """How the download of ``item`` stands; None where nobody asked for it."""
        for status in reversed(self.statuses):
            if _places(status.item) == _places(item):
                return status
        return None

    def add(self, item: Item, folder: Path, then: Callable[[Pair], None] | None = None) -> None:
        """Fetch it when its turn comes. ``then``: called with what has come, once it is whole."""
        before = self.of(item)
        if before is not None and isinstance(before.error, NameTaken):
            if then is not None:
                self._then[before.key] = then
            self.move(before, folder, failed=lambda _error: self.resume(before.key))
        else:
            self._add(item, folder, then)

    def _add(self, item: Item, folder: Path, then: Callable[[Pair], None] | None) -> None:
        key = self._downloads.add(item, folder)
        self._stays(key)
        if then is not None:
            self._then[key] = then
        self._refresh()

    def restore(self, folder: Path) -> None:
        """Find what an earlier start left; it waits, paused, for a person's word."""
        folders = dict.fromkeys((folder, *self._more_folders()))

        def work(_job: Job) -> None:
            for each in folders:
                self._downloads.restore(each)

        self._jobs.start(work, done=lambda _none: None)

    def pause(self, key: str) -> None:
        """Let it rest."""
        self._downloads.pause(key)

    def resume(self, key: str) -> None:
        """Go on."""
        self._stays(key)
        self._downloads.resume(key)

    def cancel(self, key: str) -> None:
        """Give it up; what came goes when nobody has taken that back for a while (`take_back`).

        Of one that is whole the files stay.
        """
        status = self._known.get(key)
        if status is None or status.state is State.DONE or _is_empty(status):
            self._drop(key)
        elif key not in self._leaving:
            self._downloads.pause(key)
            timer = QTimer(self, singleShot=True, interval=_UNDO)
            timer.timeout.connect(lambda: self._drop(key))
            timer.start()
            self._leaving[key] = _Leaving(timer, was_live=status.state in _LIVE)
            self.changed.emit(status)

    def is_leaving(self, key: str) -> bool:
        """Whether it was cancelled and can still be had back."""
        return key in self._leaving

    def take_back(self, key: str) -> None:
        """It was not to be cancelled: it stands as it stood, or goes on."""
        left = self._stays(key)
        if left is None:
            return
        if left.was_live:
            self._downloads.resume(key)
        self.changed.emit(self._known[key])

    def move(
        self,
        status: Status,
        folder: Path,
        failed: Callable[[ForewordError], None],
        moved: Callable[[], None] = lambda: None,
    ) -> None:
        """Go on in another folder, with what has come so far; ``moved``: called when it does."""

        def work(_job: Job) -> bool:
            return moving.move(status.item, status.folder, folder)

        def done(has_moved: bool) -> None:
            if self.is_leaving(status.key) or status.key not in self._known:
                return  # it was given up meanwhile
            if has_moved:
                then = self._then.get(status.key)
                self._drop(status.key)
                self._add(status.item, folder, then)
            else:  # that would remove what has come
                self.resume(status.key)
            moved()

        self._jobs.start(work, done=done, failed=failed)

    def close(self) -> None:
        """End all threads; what came is kept, but of those that were cancelled."""
        self._is_closed = True
        self._look.stop()
        for key in list(self._leaving):
            self._drop(key)
        self._downloads.close()

    def _drop(self, key: str) -> None:
        """Off the list, and what came off the disk."""
        self._stays(key)
        self._then.pop(key, None)
        self._downloads.cancel(key)

    def _stays(self, key: str) -> _Leaving | None:
        """Nothing waits to remove it any more."""
        left = self._leaving.pop(key, None)
        if left is not None:
            left.timer.stop()
            left.timer.deleteLater()
        return left

    def _refresh(self) -> None:
        for status in self._downloads.statuses():
            self._hear(status)

    def _hear(self, status: Status) -> None:
        if self._is_closed:  # it was told before, and comes only now
            return
        before = self._known.get(status.key)
        if status.state is State.GONE:
            self._known.pop(status.key, None)
        else:
            self._known[status.key] = status
        if status.state is State.DONE:  # the last byte came as it was cancelled
            self._stays(status.key)
        if self.is_busy != self._look.isActive():
            (self._look.start if self.is_busy else self._look.stop)()
        if status != before:
            self.changed.emit(status)
        if status.state is State.DONE and (before is None or before.state is not State.DONE):
            self._arrive(status)

    def _arrive(self, status: Status) -> None:
        self.arrived.emit(status)
        then = self._then.pop(status.key, None)
        if then is not None:
            then(pair_in(status))


def _is_empty(status: Status) -> bool:
    """Whether nothing of it came; of one that was under way some may have since it was told."""
    return not status.done and status.state in (State.WAITING, State.FAILED)


def _places(item: Item) -> list[tuple[str, str]]:
    """Its files where they come from: publishers call their versions of a model alike."""
    return [(file.repo, file.path or file.name) for file in item.files]


def pair_in(status: Status) -> Pair:
    """What has come: a target, or whatever came first, and the draft that came with it."""
    roles = list(zip((file.role for file in status.item.files), status.paths, strict=True))
    drafts = [path for role, path in roles if role == "draft"]
    others = [path for role, path in roles if role != "draft"]
    if not others:
        return Pair(drafts[0])
    return Pair(others[0], drafts[0] if drafts else None)
