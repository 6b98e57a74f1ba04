"""How what is being written comes to the disk, and what becomes of what the disk refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from app.replies import Reply
from app.telling import Telling
from engine.errors import ForewordError

SAVE_EVERY = 0.5
"""Seconds for which what came of a reply may be in memory alone. With the pause of the history's
flusher it is less than the second that a power cut may cost."""

TRY_AGAIN_EVERY = 3.0
"""Seconds after which what the disk refused is tried again."""


class Saving(QObject):
    """Saves replies as they grow. Nothing that was received is lost to a full disk while the window
    is open: it is kept here, and tried again.

    Attributes:
        refused: What was received and is not on the disk, by entry.

    Signals:
        failed: The disk refused (a ForewordError).
        mended: Nothing is refused any more.
    """

    failed = Signal(object)
    mended = Signal()

    def __init__(
        self, writing: Callable[[], Sequence[Reply]], parent: QObject | None = None
    ) -> None:
        """``writing`` tells which replies grow just now."""
        super().__init__(parent)
        self._writing = writing
        self.refused: dict[int, Reply] = {}
        self._soon = QTimer(self, singleShot=True, interval=round(SAVE_EVERY * 1000))
        self._soon.timeout.connect(self.now)
        self._again = QTimer(self, interval=round(TRY_AGAIN_EVERY * 1000))
        self._again.timeout.connect(self.again)

    def soon(self) -> None:
        """More came: save it shortly. What comes meanwhile does not put that off."""
        if not self._soon.isActive():
            self._soon.start()

    def now(self) -> None:
        """Bring what is being written up to date on the disk."""
        self._soon.stop()
        replies = self._writing()
        with self.keeping(replies):
            for reply in replies:
                reply.save()

    def again(self) -> None:
        """Try once more what the disk refused."""
        with self.keeping(()):
            self.retry()
            self._again.stop()
            self.mended.emit()

    def retry(self) -> None:
        """Save what was refused before. Raises HistoryUnsaved."""
        for number, reply in list(self.refused.items()):
            reply.save()
            del self.refused[number]

    def keeping(self, replies: Sequence[Reply]) -> Telling:
        """A block that saves ``replies``; what is refused of them is kept here."""

        def keep(error: ForewordError) -> None:
            self.refused |= {reply.entry.id: reply for reply in replies}
            if self.refused:
                self._again.start()
            self.failed.emit(error)

        return Telling(keep)

    def stop(self) -> None:
        """The history closes: nothing is saved after this."""
        self._soon.stop()
        self._again.stop()
