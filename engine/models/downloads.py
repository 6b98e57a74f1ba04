"""The queue of downloads: what is to come, one after the other, and how far each is.

Nothing is contacted but for what somebody added or resumed. What an earlier start left is found
again (`Downloads.restore`) and waits, paused, for a person's word.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from engine.errors import (
    FetchCancelled,
    FetchFailed,
    ForewordError,
    HubBusy,
    HubFailing,
    HubStrange,
    HubUnreachable,
    NoSpace,
)
from engine.models.arriving import Doing, Progress
from engine.models.download import Source, bring, discard, installed, missing
from engine.models.item import Item, place, remove_note, unfinished, write_note
from engine.models.meter import Meter
from engine.models.sources import sources_for
from engine.models.standing import Entry, State, Status

__all__ = ["Downloads", "State", "Status"]

log = logging.getLogger("engine.models")

_PASSING = (FetchFailed, HubBusy, HubFailing, HubStrange, HubUnreachable, NoSpace)
"""Errors after which the same download may go on later, unchanged."""


def _ask_the_hub(item: Item, check: Callable[[], None]) -> Item:
    # Only here: HTTP takes longer to import than all the rest.
    from engine.models.hub import Hub

    return Hub().known(item, check=check)


def _here(item: Item, folder: Path) -> int:
    """Bytes of ``item`` that need not come any more."""
    return sum(file.size - missing(file, folder) for file in item.files)


class Downloads:
    """Several downloads in order, one or two at a time, on threads of their own.

    Every verb returns at once. ``changed`` is called with the new Status of whatever changed: on
    one of the queue's threads or on the one that used the verb, never on two at once, about ten
    times a second while bytes come. It may use the verbs. While nothing comes it is silent: ask
    `statuses` once a second for a speed that falls.
    """

    def __init__(
        self,
        changed: Callable[[Status], None],
        *,
        cleared: Callable[[], None] = lambda: None,
        at_once: int = 1,
        sources: Callable[[Item], Sequence[Source]] = sources_for,
        known: Callable[[Item, Callable[[], None]], Item] = _ask_the_hub,
    ) -> None:
        """``cleared``: called like ``changed``, when what came of a cancelled one is off the disk;
        ``sources``, ``known``: where bytes, and missing sizes and checksums, come from."""
        self._changed = changed
        self._cleared = cleared
        self._at_once = at_once
        self._sources = sources
        self._known = known
        self._entries: list[Entry] = []
        self._leaving: list[Entry] = []  # cancelled ones whose thread is not through yet
        self._keys = itertools.count(1)
        self._lock = threading.Lock()
        self._telling = threading.RLock()
        self._is_closed = False

    def statuses(self) -> list[Status]:
        """All downloads, in the order in which they were added."""
        with self._lock:
            return [entry.status() for entry in self._entries]

    # Verbs ---------------------------------------------------------------------------------------

    def add(self, item: Item, folder: Path) -> str:
        """Fetch ``item`` into ``folder`` when its turn comes; returns its key.

        One that is on the list already keeps its key, and goes on if it was paused or failed.
        """
        where, asked = place(item, folder), time.time()
        with self._lock:
            there = self._unfinished(item, where)
        if there:
            self.resume(there.key)
            return there.key
        try:
            write_note(item, where, asked)  # so that a later start knows of it, come what may
            error = None
        except ForewordError as problem:
            error = problem
        state = State.FAILED if error else State.WAITING
        entry = self._enter(item, where, asked, state, error)
        if not error:
            self.resume(entry.key)
        return entry.key

    def restore(self, folder: Path) -> list[str]:
        """Find what earlier starts left in ``folder``; it waits, paused. Returns the keys.

        Reads notes on the disk; nothing is contacted.
        """
        keys = []
        for kept in unfinished(folder):
            if all(installed(file, kept.folder) for file in kept.item.files):
                remove_note(kept.item, kept.folder)  # the program ended just before it would
            else:
                entry = self._enter(kept.item, kept.folder, kept.asked, State.PAUSED)
                keys.append(entry.key)
        return keys

    def pause(self, key: str) -> None:
        """Let it rest; what came is kept."""
        self._set(key, State.PAUSED, {State.WAITING, State.RUNNING})

    def resume(self, key: str) -> None:
        """Go on with one that was paused or failed, when its turn comes."""
        self._set(key, State.WAITING, {State.PAUSED, State.FAILED})

    def cancel(self, key: str) -> None:
        """Take it off the list, and remove what came of it, as browsers do (`pause` keeps it).

        Of one that is done the files stay.
        """
        with self._lock:
            entry = self._entry(key)
            if entry is None:
                return
            self._entries.remove(entry)
            was_done, entry.state = entry.state is State.DONE, State.GONE
            entry.stop.set()
            if not was_done:
                self._leaving.append(entry)
                if entry.thread is None:
                    self._start(entry, self._leave)
        self._tell(entry)

    def close(self, patience: float = 2.0) -> None:
        """End all threads, within ``patience`` seconds; what came is kept. Nothing is told then."""
        with self._lock:
            self._is_closed = True
            entries = self._entries + self._leaving
            threads = [entry.thread for entry in entries if entry.thread]
            for entry in entries:
                entry.stop.set()
        deadline = time.monotonic() + patience
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    # Taking turns --------------------------------------------------------------------------------

    def _entry(self, key: str) -> Entry | None:
        return next((entry for entry in self._entries if entry.key == key), None)

    def _unfinished(self, item: Item, folder: Path) -> Entry | None:
        there = (entry for entry in self._entries if entry.brings(item, folder))
        return next((entry for entry in there if entry.state is not State.DONE), None)

    def _enter(
        self,
        item: Item,
        folder: Path,
        asked: float,
        state: State,
        error: ForewordError | None = None,
    ) -> Entry:
        """Put it on the list, unless it is there."""
        done = _here(item, folder)
        with self._lock:
            if there := self._unfinished(item, folder):
                return there
            entry = Entry(str(next(self._keys)), item, folder, asked, state, done, error)
            self._entries.append(entry)
        self._tell(entry)
        self._go_on()
        return entry

    def _set(self, key: str, state: State, before: set[State]) -> None:
        with self._lock:
            entry = self._entry(key)
            if entry is None or entry.state not in before:
                return
            entry.state, entry.error = state, None
            if state is State.PAUSED:
                entry.stop.set()
        self._tell(entry)
        self._go_on()

    def _go_on(self) -> None:
        """Start what is next, as far as there is room."""
        started = []
        with self._lock:
            busy = sum(entry.thread is not None for entry in self._entries)
            for entry in self._entries:
                if busy < self._at_once and self._may_start(entry):
                    entry.state = State.RUNNING
                    entry.stop.clear()
                    entry.meter, entry.progress = Meter(), None
                    self._start(entry, self._run)
                    started.append(entry)
                    busy += 1
        for entry in started:
            self._tell(entry)

    def _may_start(self, entry: Entry) -> bool:
        """Whether it waits, and no file of it is being removed."""
        if self._is_closed or entry.state is not State.WAITING or entry.thread is not None:
            return False
        return not any(other.shared(entry.item, entry.folder) for other in self._leaving)

    def _start(self, entry: Entry, work: Callable[[Entry], None]) -> None:
        name = f"download-{entry.key}"
        entry.thread = threading.Thread(target=work, args=(entry,), name=name, daemon=True)
        entry.thread.start()

    # On a download's own thread ------------------------------------------------------------------

    def _run(self, entry: Entry) -> None:
        error: ForewordError | None = None
        paths: tuple[Path, ...] = ()
        try:
            paths = self._bring(entry)
        except ForewordError as problem:
            error = problem
        except Exception as problem:  # a fault of ours must reach the person who waits
            log.exception("A download failed")
            error = ForewordError(repr(problem))
        done = _here(entry.item, entry.folder)
        with self._lock:
            entry.done = done
            is_gone = entry.state is State.GONE
            if not is_gone:
                entry.thread = None
                self._end(entry, paths, error)
        if is_gone:
            self._leave(entry)
        else:
            self._tell(entry)
            self._go_on()

    def _bring(self, entry: Entry) -> tuple[Path, ...]:
        """Fetch it; first ask for what is not known of it, which may change where it goes."""
        item, folder = entry.item, entry.folder
        if not item.is_known:
            item = self._known(item, entry.check)
            folder = place(item, folder)
            if folder != entry.folder:
                remove_note(entry.item, entry.folder)
            with self._lock:
                entry.item, entry.folder = item, folder
        return bring(
            item,
            folder,
            self._sources(item),
            progress=lambda progress: self._progress(entry, progress),
            cancelled=entry.stop.is_set,
            asked=entry.asked,
        )

    def _end(self, entry: Entry, paths: tuple[Path, ...], error: ForewordError | None) -> None:
        """How it stands now that its thread is through; a person may have changed that already."""
        if paths:
            entry.state, entry.paths, entry.error = State.DONE, paths, None
        elif entry.state is State.RUNNING and error is not None:
            entry.state = State.PAUSED if isinstance(error, _PASSING) else State.FAILED
            entry.error = None if isinstance(error, FetchCancelled) else error

    def _leave(self, entry: Entry) -> None:
        """Remove what came of one that was cancelled, less what others on the list want too."""
        with self._lock:
            wanted = [other.shared(entry.item, entry.folder) for other in self._entries]
            again = self._unfinished(entry.item, entry.folder)
        if again is None:
            discard(entry.item, entry.folder, kept=frozenset().union(*wanted))
        with self._lock:
            self._leaving.remove(entry)
            again = self._unfinished(entry.item, entry.folder)
            if again is not None:  # it was wanted again meanwhile, and its note went just now
                with suppress(ForewordError):
                    write_note(again.item, again.folder, again.asked)
        self._go_on()
        with self._telling:
            if not self._is_closed:
                self._cleared()

    def _progress(self, entry: Entry, progress: Progress) -> None:
        with self._lock:
            entry.progress = progress
            if progress.doing is not Doing.CHECKING:
                entry.done = progress.done
                entry.meter.tell(progress.done)
            is_running = entry.state is State.RUNNING
        if is_running:
            self._tell(entry)

    def _tell(self, entry: Entry) -> None:
        """Tell how it stands now; what is told later is never older."""
        with self._telling:
            with self._lock:
                if self._is_closed:
                    return
                status = entry.status()
            self._changed(status)
