"""Replies that the disk refused: kept in memory, and tried again with the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.replies import Reply
from app.telling import Telling
from engine.errors import ForewordError


class Unsaved:
    """Nothing that was received is lost to a full disk while the window is open."""

    def __init__(self, tell: Callable[[ForewordError], None]) -> None:
        """``tell`` hears of each refusal."""
        self._tell = tell
        self.replies: dict[int, Reply] = {}

    def saving(self, replies: Iterable[Reply]) -> Telling:
        """A block that saves ``replies``; what is refused is kept here."""

        def keep(error: ForewordError) -> None:
            self.replies |= {reply.entry.id: reply for reply in replies}
            self._tell(error)

        return Telling(keep)

    def try_again(self) -> None:
        """Save what was refused before. Raises HistoryUnsaved."""
        for number, reply in list(self.replies.items()):
            reply.save()
            del self.replies[number]
