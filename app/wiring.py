"""What the live panel hears, and what becomes of what is pressed there."""

from __future__ import annotations

from app.contest import Contest
from app.engine_life import Life
from app.panel.panel import LivePanel
from app.parts import Parts
from app.phases import Mode
from engine.protocol import CHAT, SPECULATIVE, Done, Emitted, Event, Prompt

_LANES = (CHAT, SPECULATIVE)


def wire_panel(panel: LivePanel, parts: Parts) -> None:
    """Have the panel show what the session does, whichever conversation is open."""
    session, life = parts.session, parts.life

    def follow_life() -> None:
        if life.ready is not None:
            panel.ready(life.ready)
        elif life.life is Life.EMPTY:
            panel.unloaded()

    def hear(event: Event) -> None:
        match event:
            case Emitted() if event.lane in _LANES:
                panel.emitted(event)
            case Prompt() if event.lane in _LANES:
                panel.prompt(event.done, event.total)
            case Done() if event.lane in _LANES:
                panel.finish(event)

    def begin_contest(contest: Contest) -> None:
        panel.begin(contest.gamma)

    life.changed.connect(follow_life)
    session.changed.connect(lambda: panel.set_auto(session.auto is not None))
    life.died.connect(lambda *_: panel.lost())
    session.told.connect(hear)
    session.begun.connect(lambda _conversation, _view, gamma: panel.begin(gamma))
    session.compared.connect(begin_contest)
    session.plain_speed.connect(panel.set_plain_speed)
    panel.gamma_chosen.connect(session.choose_gamma)
    panel.mode_chosen.connect(lambda mode: session.choose_mode(Mode(mode)))
    panel.compare_requested.connect(parts.edits.compare_last)
