"""What the live panel hears, and what becomes of what is pressed there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.chat.model import EntryView
from app.contest import Contest
from app.engine_life import Life
from app.panel.panel import LivePanel
from app.parts import Parts
from app.phases import Mode
from engine.plain import is_whole
from engine.protocol import CHAT, SPECULATIVE, Done, Emitted, Event, Failed, Prompt

_LANES = (CHAT, SPECULATIVE)

_LAST = 2
"""Entries of a chat among which its last reply is."""


def wire_panel(panel: LivePanel, parts: Parts) -> None:
    """Have the panel show what the session does, whichever conversation is open."""
    _Wires(panel, parts)


class _Wires(QObject):
    """Lives as long as the panel."""

    def __init__(self, panel: LivePanel, parts: Parts) -> None:
        super().__init__(panel)
        self._panel, self._session, self._life = panel, parts.session, parts.life
        self._shown: int | None = None  # the conversation whose figures the panel has
        session, life = self._session, self._life
        life.changed.connect(self._follow_life)
        life.died.connect(self._lose)
        session.changed.connect(self._follow_session)
        session.conversations.opened.connect(self._follow_session)
        session.conversations.opened.connect(self._follow_chat)
        session.told.connect(self._hear)
        session.begun.connect(self._begin)
        session.compared.connect(self._begin_contest)
        session.plain_speed.connect(panel.set_plain_speed)
        panel.gamma_chosen.connect(session.choose_gamma)
        panel.mode_chosen.connect(self._choose_mode)
        panel.compare_requested.connect(parts.edits.compare_last)

    def _follow_life(self) -> None:
        if self._life.ready is not None:
            self._panel.ready(self._life.ready)
            self._panel.set_plain_speed(self._session.known_plain_speed)
        elif self._life.life is Life.EMPTY:
            self._panel.unloaded()

    def _lose(self) -> None:
        self._panel.lost()

    def _follow_session(self) -> None:
        session = self._session
        self._panel.set_auto(session.auto is not None)
        if session.work is None:
            advice = session.advice
            self._panel.set_advised(advice.gamma if advice else None)

    def _follow_chat(self) -> None:
        """Figures of another chat say nothing in this one; what is being written stays in sight."""
        session = self._session
        current = session.conversations.current
        now = current.id if current else None
        if session.work is None and now != self._shown:
            self._shown = now
            self._panel.clear(_tokens(session.views(_LAST)))

    def _begin(self, conversation: int, _view: EntryView, gamma: int) -> None:
        self._shown = conversation
        self._panel.begin(gamma)

    def _begin_contest(self, contest: Contest) -> None:
        self._shown = contest.prompt.conversation
        self._panel.begin(contest.gamma, exact=contest.exact)

    def _hear(self, event: Event) -> None:
        match event:
            case Emitted() if event.lane in _LANES:
                self._panel.emitted(event)
            case Prompt() if event.lane in _LANES:
                self._panel.prompt(event.done, event.total)
            case Done():
                self._panel.finish(event)
            case Failed():
                self._panel.failed()

    def _choose_mode(self, mode: str) -> None:
        self._session.choose_mode(Mode(mode))


def _tokens(views: Sequence[EntryView]) -> int:
    """What a chat took of the context after its last reply; 0 where that is not known."""
    figures = next((view.figures for view in reversed(views) if view.figures), {})
    counts = [figures.get(name) for name in ("prompt_tokens", "tokens")]
    return sum(count for count in counts if is_whole(count) and count > 0)
