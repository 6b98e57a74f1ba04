"""What the panel knows, and what it advises. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from app.panel.run import Run, State
from app.panel.worth import (
    ENOUGH_TOKENS,
    Judgement,
    Ledger,
    Worth,
    ledger,
    smaller_gamma,
    worth,
)
from engine.protocol import Ready


@dataclass
class Facts:
    """The loaded pair, its measured plain speed (tokens/s) and the run that is shown.

    ``is_auto``: γ is chosen anew for each reply, so no other is offered.
    """

    ready: Ready | None = None
    plain_speed: float | None = None
    run: Run = field(default_factory=Run)
    is_auto: bool = False

    @property
    def worth(self) -> Worth | None:
        """What drafting is worth on this run, once there is enough of it to tell."""
        if self.run.figures.tokens < ENOUGH_TOKENS:
            return None
        return worth(self.run.figures, self.plain_speed)

    @property
    def ledger(self) -> Ledger | None:
        return ledger(self.run.figures, self.plain_speed)

    @property
    def context_used(self) -> int:
        """Tokens of prompt and reply; while the prompt is read it is not known yet."""
        return self.run.figures.prompt_tokens + self.run.figures.tokens


class Kind(Enum):
    """What there is to say."""

    NO_MODEL = auto()
    NO_DRAFT = auto()
    NO_GAIN_GUESSED = auto()
    WAITING = auto()
    READING = auto()
    LOST = auto()
    PLAIN = auto()
    TOO_SHORT = auto()
    UNMEASURED = auto()
    PAYS = auto()
    LATER = auto()
    SAME = auto()
    COSTS = auto()


class Act(Enum):
    """What the button does."""

    NOTHING = auto()
    COMPARE = auto()
    GO_PLAIN = auto()
    DRAFT = auto()
    SET_GAMMA = auto()


@dataclass(frozen=True)
class Advice:
    """What to say, and what the button beside it does; ``gamma`` is for SET_GAMMA and DRAFT."""

    kind: Kind
    act: Act = Act.NOTHING
    gamma: int = 0


_OF_JUDGEMENT = (
    (Judgement.PAYS, Advice(Kind.PAYS, Act.COMPARE)),
    (Judgement.LATER, Advice(Kind.LATER, Act.COMPARE)),
    (Judgement.SAME, Advice(Kind.SAME, Act.COMPARE)),
)


def advice(facts: Facts) -> Advice:
    """The one thing to say about the pair and the run."""
    ready, run = facts.ready, facts.run
    if run.state is State.LOST:
        return Advice(Kind.LOST)
    if ready is None:
        return Advice(Kind.NO_MODEL)
    if ready.draft is None:
        return Advice(Kind.NO_DRAFT)
    if run.state is State.EMPTY:
        return _before_any_run(ready)
    if run.state is State.READING:
        return Advice(Kind.READING)
    return _of_run(facts, ready)


def _before_any_run(ready: Ready) -> Advice:
    if ready.gamma:
        return Advice(Kind.WAITING)
    return Advice(Kind.NO_GAIN_GUESSED, Act.COMPARE)


def _of_run(facts: Facts, ready: Ready) -> Advice:
    run = facts.run
    if not run.drafting:
        if run.gamma:
            return Advice(Kind.TOO_SHORT)
        can_draft = ready.gamma and not facts.is_auto
        return Advice(Kind.PLAIN, Act.DRAFT, ready.gamma) if can_draft else Advice(Kind.PLAIN)
    if not facts.plain_speed:
        return Advice(Kind.UNMEASURED, Act.COMPARE)
    found = facts.worth
    if found is None:
        return Advice(Kind.TOO_SHORT)
    if found.judgement is Judgement.COSTS and facts.is_auto:
        return Advice(Kind.COSTS)
    if found.judgement is Judgement.COSTS:
        smaller = smaller_gamma(run.figures, ready.costs)
        if smaller:
            return Advice(Kind.COSTS, Act.SET_GAMMA, smaller)
        return Advice(Kind.COSTS, Act.GO_PLAIN)
    return next(said for judgement, said in _OF_JUDGEMENT if judgement is found.judgement)
