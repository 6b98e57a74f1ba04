"""What drafting was worth on a run, against the plain speed measured with the same pair. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from engine.protocol import Costs, Figures
from engine.speedup import best_gamma, break_even, predicted_speed_up, time_saved

SAME = 0.03
"""Speeds closer than this are called the same: two runs of one setting differ as much."""

ENOUGH_TOKENS = 24
"""A shorter reply is no ground for a judgement."""


class Judgement(Enum):
    """Does drafting pay?"""

    PAYS = auto()
    """It is faster, and was so on this reply."""
    LATER = auto()
    """It writes faster, but this reply was too short to make up for the draft's reading."""
    SAME = auto()
    COSTS = auto()


@dataclass(frozen=True)
class Worth:
    """``speed_up``: plain time per token ÷ speculative; ``saved``: seconds on this reply, prompt
    included; ``break_even``: tokens of reply from which any are saved, None for never."""

    speed_up: float
    saved: float
    break_even: float | None

    @property
    def judgement(self) -> Judgement:
        if abs(self.speed_up - 1) < SAME:
            return Judgement.SAME
        if self.speed_up < 1:
            return Judgement.COSTS
        return Judgement.LATER if self.saved < 0 else Judgement.PAYS


def worth(figures: Figures, plain_speed: float | None) -> Worth | None:
    """None where nothing was drafted, or plain decoding is not measured (tokens/s)."""
    if not (plain_speed and figures.drafted and figures.tokens and figures.seconds > 0):
        return None
    token, plain = figures.seconds / figures.tokens, 1 / plain_speed
    draft_prompt = figures.draft_prompt_seconds
    enough = break_even(plain_token=plain, token=token, draft_prompt=draft_prompt)
    return Worth(
        speed_up=plain / token,
        saved=time_saved(
            plain_token=plain, token=token, tokens=figures.tokens, draft_prompt=draft_prompt
        ),
        break_even=None if enough == float("inf") else enough,
    )


def worth_of(drafted: Figures, plain: Figures) -> Worth | None:
    """Of two replies to one message, each by its own clock. None where either is too short.

    What ``saved`` tells is how far their clocks lie apart, for as many plain tokens as were drafted
    and a prompt of which the target read as much both times.
    """
    if min(drafted.tokens, plain.tokens) < ENOUGH_TOKENS or not plain.seconds:
        return None
    if drafted.target_prompt_evaluated != plain.target_prompt_evaluated:
        return worth(drafted, plain.tokens_per_second)
    reading = drafted.prompt_seconds - plain.prompt_seconds
    return worth(replace(drafted, draft_prompt_seconds=reading), plain.tokens_per_second)


@dataclass(frozen=True)
class Ledger:
    """The mean round of a run, in seconds.

    ``plain_step``: what one token takes plain, None where it is not measured. What a round gains is
    ``skipped - drafting - wider - rest``, which is ``net``: its tokens' plain time less its own.
    """

    tokens: float
    drafting: float
    checking: float
    rest: float
    plain_step: float | None

    @property
    def total(self) -> float:
        return self.drafting + self.checking + self.rest

    @property
    def skipped(self) -> float:
        """What the target steps would have taken that this round did without; 0 if not known."""
        return (self.tokens - 1) * (self.plain_step or 0.0)

    @property
    def wider(self) -> float:
        """What the one pass took more than a plain step."""
        return self.checking - (self.plain_step or 0.0)

    @property
    def net(self) -> float:
        return self.tokens * (self.plain_step or 0.0) - self.total


def ledger(figures: Figures, plain_speed: float | None) -> Ledger | None:
    """None before the first round."""
    rounds = figures.rounds
    if not rounds:
        return None
    return Ledger(
        tokens=figures.tokens_per_round,
        drafting=figures.draft_seconds / rounds,
        checking=figures.verify_seconds / rounds,
        rest=figures.other_seconds / rounds,
        plain_step=1 / plain_speed if plain_speed and figures.drafted else None,
    )


def smaller_gamma(figures: Figures, costs: Costs | None) -> int:
    """A γ below this run's that its acceptance, and the costs timed at load, say would be faster
    than plain; 0 for none. Only widths that were timed are considered."""
    if costs is None or not figures.rounds or not costs.passes.get(1):
        return 0
    step, survival = costs.passes[1], figures.survival()
    overhead = figures.other_seconds / figures.rounds / step

    def speed_up(gamma: int) -> float:
        return predicted_speed_up(
            survival[:gamma],
            draft_cost=costs.draft_step / step,
            catch_up=costs.catch_up / step,
            pass_cost=costs.passes[gamma + 1] / step,
            overhead=overhead,
        )

    known = min(len(survival), figures.gamma - 1)
    found = best_gamma(speed_up, [width - 1 for width in costs.passes if width - 1 <= known])
    return found if found and speed_up(found) > 1 + SAME else 0
