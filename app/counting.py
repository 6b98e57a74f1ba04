"""How many tokens the conversation and what is typed would take, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from app import asking
from app.chat.model import USER, Attachment, as_sent
from app.phases import Phase
from app.session import Session
from engine.plain import is_whole
from engine.protocol import Counted, Message

_REST = 350  # milliseconds without typing after which it is counted
_MOST_CHARACTERS = 200_000
"""Of a conversation: a longer one fills any usual context, and counting it would cost more than it
tells. What the last reply read and wrote is shown instead, and what is typed is counted alone."""

_MOST_TOKENS = 10**9
"""Beyond, a number in a file that somebody wrote is no count."""


class _Asked(Enum):
    NOTHING = auto()
    CONVERSATION = auto()
    WHOLE = auto()
    TYPED = auto()


class Counting(QObject):
    """Counts when the typing rests and the engine is free.

    Signals:
        counted: Tokens of what is typed, of the conversation without it, and of the context; all 0
            where nothing is known.
    """

    counted = Signal(int, int, int)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._typed = ""
        self._messages: tuple[Message, ...] = ()
        self._used = 0
        self._asked = _Asked.NOTHING
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self._begin)
        session.life.counted.connect(self._hear)
        session.changed.connect(self._follow)
        session.conversations.opened.connect(self._rest.start)

    def typed(self, text: str, attachments: Sequence[Attachment] = ()) -> None:
        """Something is typed now."""
        typed = as_sent(text, attachments)
        if typed != self._typed:
            self._typed = typed
            self._rest.start()
            if not typed.strip():
                self._tell_empty()

    def stop(self) -> None:
        """Count no more: the window closes."""
        self._rest.stop()
        self._rest.timeout.disconnect(self._begin)
        self._session.changed.disconnect(self._follow)

    def _tell_empty(self) -> None:
        """The box is empty: what is on its way is of what stood there."""
        self._asked = _Asked.NOTHING
        ready = self._session.life.ready
        known = (self._used, ready.n_ctx) if ready is not None and self._used else (0, 0)
        self.counted.emit(0, *known)

    def _follow(self) -> None:
        """Another phase: what was counted may be wrong, or nothing may be loaded any more."""
        if self._session.phase is Phase.READY:
            self._rest.start()
        elif self._session.life.ready is None:
            self.counted.emit(0, 0, 0)

    def _begin(self) -> None:
        if self._session.phase is not Phase.READY:
            return
        with self._session.conversations.telling():
            if self._is_endless():
                self._used = self._used_last()
                self._count_typed()
                return
            self._messages = self._conversation()
            if self._messages:
                self._ask(_Asked.CONVERSATION, self._messages)
            else:
                self._used = 0
                self._count_whole()

    def _is_endless(self) -> bool:
        current = self._session.conversations.current
        store = self._session.conversations.store
        return current is not None and store.characters(current.id) > _MOST_CHARACTERS

    def _conversation(self) -> tuple[Message, ...]:
        """What was said, as the engine would read it; nothing in a new chat."""
        session = self._session
        current = session.conversations.current
        if current is None:
            return ()
        store = session.conversations.store
        last = store.entries(current.id, limit=1)
        return asking.messages(store, session.settings, last[0]) if last else ()

    def _ask(self, what: _Asked, messages: tuple[Message, ...]) -> None:
        self._asked = what
        self._session.life.count(messages)

    def _hear(self, counted: Counted) -> None:
        asked, self._asked = self._asked, _Asked.NOTHING
        if asked is _Asked.CONVERSATION:
            self._used = counted.tokens
            if self._typed.strip():
                self._count_whole()
            else:
                self.counted.emit(0, self._used, counted.limit)
        elif asked is _Asked.WHOLE:
            self.counted.emit(max(0, counted.tokens - self._used), self._used, counted.limit)
        elif asked is _Asked.TYPED:
            self.counted.emit(counted.tokens, self._used, counted.limit)

    def _count_whole(self) -> None:
        if self._typed.strip():
            self._ask(_Asked.WHOLE, (*self._messages, Message(USER, self._typed)))
        else:
            self.counted.emit(0, 0, 0)

    def _count_typed(self) -> None:
        if self._typed.strip():
            self._ask(_Asked.TYPED, (Message(USER, self._typed),))
        else:
            self._tell_empty()

    def _used_last(self) -> int:
        """What the last reply read and wrote; 0 where there is none, or its figures are not."""
        views = self._session.views(limit=1)
        figures = (views[-1].figures if views else None) or {}
        counts = [figures.get(name) for name in ("prompt_tokens", "tokens")]
        return sum(count for count in counts if is_whole(count) and 0 < count < _MOST_TOKENS)
