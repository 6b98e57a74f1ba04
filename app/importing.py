"""Exported chats on their way in; the window goes on meanwhile. (Of a large one that another
program laid out anew the reading may hold it for a moment: that is one call of Python's.)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.cards import Card, Matter
from app.drafts import Edits
from app.history import Incoming
from app.jobs import Job, Jobs
from app.session import Session
from engine.errors import FileUnreadable, ForewordError

_AT_ONCE = 2**18
"""Bytes of a file that is read and written before the next frame."""


@dataclass(eq=False)
class _Import:
    """One on its way. ``place``: which chat was open when it began, and what stood in its box and
    in its messages' editors; ``number``: the id of the new chat, once it has one."""

    name: str
    place: tuple[int | None, str, Edits]
    pieces: Iterator[int] = field(default_factory=lambda: iter(()))
    number: int = 0


class Importing(QObject):
    """Adds exported chats. Whatever ends one early, nothing is left of it.

    Signals:
        taken: A chat is there, and open, at once.
    """

    taken = Signal()

    def __init__(self, jobs: Jobs, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._session = session
        self._conversations = session.conversations
        self._under_way: list[_Import] = []
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._step)
        self._conversations.closing.connect(self._next.stop)

    def start(self, path: Path, size: int) -> None:
        """Add the chat in a file of so many bytes. It is opened, unless a person has gone on with
        something else by then."""
        if size <= _AT_ONCE:
            with self._conversations.telling():
                if self._conversations.take_in(_read(path)):
                    self.taken.emit()
            return
        coming = _Import(path.name, self._place)
        self._under_way.append(coming)
        self._tell()
        self._jobs.start(
            lambda job: Incoming(_read(path), lambda: _stop_if_cancelled(job)),
            done=lambda incoming: self._write(coming, incoming),
            failed=lambda error: self._fail(coming, error),
        )

    @property
    def _place(self) -> tuple[int | None, str, Edits]:
        chats = self._conversations
        number = chats.current.id if chats.current else None
        return number, chats.unsent, dict(chats.drafts.edits(number))

    def _write(self, coming: _Import, incoming: Incoming) -> None:
        coming.pieces = self._conversations.store.take_in(incoming)
        self._next.start()

    def _step(self) -> None:
        """Write a piece of each that was read."""
        for coming in list(self._under_way):
            try:
                number = next(coming.pieces, None)
            except ForewordError as error:
                self._fail(coming, error)
            else:
                if number is not None:
                    coming.number = number
                elif coming.number:
                    self._end(coming)
        if not any(coming.number for coming in self._under_way):
            self._next.stop()

    def _end(self, coming: _Import) -> None:
        self._under_way.remove(coming)
        self._conversations.listed.emit()
        self._tell()
        if coming.place == self._place and self._session.work is None:
            self._conversations.open(coming.number)  # below a page, where one is shown by now
        else:
            done = self.tr("{name} is imported: it stands in the list of chats.")
            said = Card(done.format(name=coming.name), is_trouble=False)
            self._session.board.show_also(said)

    def _fail(self, coming: _Import, error: ForewordError) -> None:
        self._under_way.remove(coming)
        self._tell()
        self._session.show(Card.of(error))

    def _tell(self) -> None:
        """What is under way."""
        coming = self.tr("{name} is being imported. You can go on meanwhile.")
        sentence = " ".join(coming.format(name=each.name) for each in self._under_way)
        card = Card(sentence, is_trouble=False) if sentence else None
        self._session.board.show(card, Matter.IMPORT)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from None


def _stop_if_cancelled(job: Job) -> None:
    if job.cancelled():
        raise ForewordError("the window closes")
