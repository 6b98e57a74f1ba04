"""Paging between the versions of a reply."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.chat.model import ASSISTANT, Version
from app.phases import Phase
from app.session import Session

_AT_REST = (Phase.READY, Phase.EMPTY, Phase.LOST)  # nothing is under way, anywhere


class Versions(QObject):
    """The versions of the open conversation's last reply: what follows an earlier one depends on
    the version that counts.

    Signals:
        turned: Where the reply of this entry stood, another version does (an EntryView).
    """

    turned = Signal(int, object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._store = session.conversations.store

    @property
    def shown(self) -> Version | None:
        """Which one is shown; None where there is but one, or it is being written."""
        session, current = self._session, self._session.conversations.current
        if current is None or session.is_at_work_in(current.id):
            return None
        last = self._store.entries(current.id, limit=1)
        if not last or last[0].role != ASSISTANT:
            return None
        entry = last[0].id
        ids = self._store.versions(entry)
        if len(ids) == 1:
            return None
        return Version(entry, ids.index(entry) + 1, len(ids), session.phase in _AT_REST)

    def turn(self, step: int) -> None:
        """Show the version so many places on: the conversation goes on from that one."""
        with self._session.conversations.telling():
            shown = self.shown
            if shown is not None and shown.has(step):
                to = self._store.versions(shown.entry)[shown.place - 1 + step]
                self._store.choose(to)
                self.tell(to, in_place_of=shown.entry)

    def tell(self, version: int, *, in_place_of: int) -> None:
        """Another version counts now."""
        self.turned.emit(in_place_of, self._session.view(self._store.entry(version)))
        self._session.changed.emit()
