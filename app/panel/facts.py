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
    worth_of,
)
from engine.protocol import Ready


@dataclass
class Facts:
    """The loaded pair, its measured plain speed (tokens/s) and the run that is shown.

    ``is_auto``: γ is chosen anew for each reply, so no other is offered; ``advised``: the γ that is
    advised for the open chat, None for none; ``chat_tokens``: of the open chat, as far as known,
    while there is no run.
    """

    ready: Ready | None = None
    plain_speed: float | None = None
    run: Run = field(default_factory=Run)
    is_auto: bool = False
    advised: int | None = None
    chat_tokens: int = 0

    @property
    def measure(self) -> float | None:
        """The plain speed that the run is held against; None where it is not known. A lane of a
        comparison is held against the other one, once that is over."""
        plain = self.run.plain
        if self.run.is_outdated:
            return None
        if plain is not None and plain.tokens >= ENOUGH_TOKENS:
            return plain.tokens_per_second
        return None if self.run.is_exact else self.plain_speed

    @property
    def worth(self) -> Worth | None:
        """What drafting is worth on this run, once there is enough of it to tell."""
        if self.run.figures.tokens < ENOUGH_TOKENS:
            return None
        both = worth_of(self.run.figures, self.run.plain) if self.run.plain else None
        return both if both and self.measure else worth(self.run.figures, self.measure)

    @property
    def ledger(self) -> Ledger | None:
        return ledger(self.run.figures, self.measure)

    @property
    def context_used(self) -> int:
        """Tokens of prompt and reply; while the prompt is read it is not known yet."""
        if self.run.state is State.EMPTY:
            return self.chat_tokens
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
    BEFORE_TUNING = auto()
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
    if run.is_outdated:
        return Advice(Kind.BEFORE_TUNING)
    if not facts.measure:
        return Advice(Kind.UNMEASURED, Act.COMPARE)
    found = facts.worth
    if found is None:
        return Advice(Kind.TOO_SHORT)
    if found.judgement is Judgement.COSTS and facts.is_auto:
        return Advice(Kind.COSTS)
    if found.judgement is Judgement.COSTS:
        return _instead(facts, ready)
    return next(said for judgement, said in _OF_JUDGEMENT if judgement is found.judgement)


def _instead(facts: Facts, ready: Ready) -> Advice:
    """What to do where drafting cost time. A tuned pair's advice is the chat's own, or none."""
    if ready.tuning is not None and facts.advised is None:
        return Advice(Kind.COSTS, Act.COMPARE)
    gamma = facts.advised
    if gamma is None:
        gamma = smaller_gamma(facts.run.figures, ready.costs)
    return Advice(Kind.COSTS, Act.SET_GAMMA, gamma) if gamma else Advice(Kind.COSTS, Act.GO_PLAIN)
