"""Pieces of the window for its tests, and what they are fed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from app.cards import Card, Undo
from app.conversations import Conversations
from app.drafts import Drafts
from app.edits import Edits
from app.engine_life import EngineLife
from app.history import Store
from app.pairs import Pair
from app.phases import Phase
from app.session import Session
from app.settings.choices import Choices
from app.speeds import PlainSpeeds
from app.window import Window
from tests.support.stub_bridge import StubBridge

OpenWindow = Callable[..., Window]
"""Opens one with a fake engine's options, and with a pair loaded where one is given."""

SLOW = ("--pace", "0.02", "--repeat", "20")
CODE_WORDS = "def add"


@dataclass
class Desk:
    """A session over a stubbed engine, and what it told."""

    bridge: StubBridge
    life: EngineLife
    conversations: Conversations
    session: Session
    edits: Edits
    cards: list[Card | None]
    undos: list[Undo]

    @classmethod
    def make(cls, folder: Path) -> Desk:
        bridge = StubBridge()
        life = EngineLife(bridge)  # type: ignore[arg-type]
        drafts = Drafts(folder / "drafts.json")
        conversations = Conversations(Store(folder / "conversations.db"), drafts)
        speeds = PlainSpeeds(folder / "speeds.json")
        session = Session(life, conversations, Choices(), speeds)
        edits = Edits(session)
        desk = cls(bridge, life, conversations, session, edits, [], [])
        session.card.connect(desk.cards.append)
        edits.undoable.connect(desk.undos.append)
        conversations.undoable.connect(desk.undos.append)
        return desk

    def load(self, draft: Path | None = Path("/models/draft.gguf")) -> None:
        """Have a pair loaded."""
        self.life.load(Pair(Path("/models/target.gguf"), draft), self.session.settings)
        self.bridge.be_ready()

    def say(self, text: str, reply: str = "A reply.") -> None:
        """One message and its reply."""
        assert self.session.send(text)
        self.bridge.write(reply)
        self.bridge.finish(reply)

    @property
    def card(self) -> Card | None:
        """The card that is shown."""
        return self.cards[-1] if self.cards else None

    @property
    def said(self) -> list[tuple[str, str, str]]:
        """The open conversation: role, text and state of each entry."""
        return [(view.role, view.text, str(view.state)) for view in self.session.views()]

    def stored(self, entry: int) -> tuple[str, str]:
        """Text and state of an entry as they lie on the disk."""
        found = self.conversations.store.entry(entry)
        return found.content, str(found.state)

    def undo(self) -> None:
        """Take back what was done last."""
        self.conversations.undo(self.undos[-1])


def until(true: Callable[[], object], seconds: float = 10.0) -> None:
    """Let the window live until something is so."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        QTest.qWait(5)


def until_phase(window: Window, phase: Phase) -> None:
    until(lambda: window.parts.session.phase is phase)


def delete_now() -> None:
    """Carry out what `deleteLater` put off."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def write(window: Window, text: str) -> None:
    """Type a message and press Enter."""
    box = window.chat.composer.box
    box.setFocus()
    box.setPlainText(text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def ask(window: Window, text: str = "Hello") -> None:
    """A message, and its reply to the end."""
    write(window, text)
    until_phase(window, Phase.READY)


def said(window: Window) -> list[tuple[str, str]]:
    """What the transcript shows."""
    window.chat.transcript.flush()
    return [(row.entry.role, row.text) for row in window.chat.transcript._rows]


def state(window: Window) -> str:
    return str(window.parts.session.views()[-1].state)


def trigger(window: Window, command: str) -> None:
    action = window.actions_[command]
    assert action.isEnabled(), command
    action.trigger()
