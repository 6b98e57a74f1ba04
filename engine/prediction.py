"""From what was measured to S(γ) for every γ, with its band, and the γ to recommend."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot

from engine.acceptance import Walk, pooled, walk
from engine.speedup import Pace, best_gamma
from engine.tunings import EVERYDAY, Curve

Z = 1.645
"""Standard errors that nine results in ten lie within."""

ROUNDS = 4
"""A γ is known once the replies hold so many of its rounds: a streak is not a habit."""


WORTH = 1.03
"""Plain decoding is recommended unless drafting is predicted to be faster than so many times: two
plain replies of one minute differ by as much, and a draft takes memory."""


@dataclass(frozen=True)
class Measured:
    """What predictions are made from.

    ``replies``: by kind, each reply's r token by token; ``doubt``: the relative standard error of a
    ratio of two times.
    """

    temperature: float
    pace: Pace
    replies: Mapping[str, Sequence[Sequence[float]]]
    doubt: float


def curves(measured: Measured, gammas: Collection[int]) -> tuple[Curve, ...]:
    """One for each kind of text, and EVERYDAY's; the best γ of each is one of ``gammas`` whose
    rounds the replies are long enough for, and 0 where none of those gains enough."""
    walks = {
        kind: [walk(replies, gamma) for gamma in measured.pace.gammas]
        for kind, replies in measured.replies.items()
    }
    tokens = {kind: sum(map(len, replies)) for kind, replies in measured.replies.items()}
    everyday = [pooled(each) for each in zip(*walks.values(), strict=True)]
    walks[EVERYDAY], tokens[EVERYDAY] = everyday, sum(tokens.values())
    return tuple(_curve(measured, kind, walks[kind], tokens[kind], gammas) for kind in walks)


def _curve(
    measured: Measured, kind: str, walks: Sequence[Walk], tokens: int, gammas: Collection[int]
) -> Curve:
    speeds = [measured.pace.speed_up(each.survival) for each in walks]
    doubts = [_doubt(each, measured.doubt) for each in walks]
    curve = Curve(
        kind=kind,
        temperature=measured.temperature,
        tokens=tokens,
        survival=walks[-1].survival,
        tokens_per_round=tuple(each.tokens_per_round for each in walks),
        speed_up=tuple(speeds),
        low=tuple(s * (1 - Z * doubt) for s, doubt in zip(speeds, doubts, strict=True)),
        high=tuple(s * (1 + Z * doubt) for s, doubt in zip(speeds, doubts, strict=True)),
        gamma=0,
    )
    known = [gamma for gamma in gammas if ROUNDS * (gamma + 1) <= tokens]
    gains = [gamma for gamma in known if speeds[gamma] > WORTH]
    return replace(curve, gamma=next(iter(best_two(curve, gains)), 0))


def _doubt(walked: Walk, times: float) -> float:
    """The relative standard error of S; at γ = 0 there is none."""
    if not walked.survival:
        return 0.0
    return min(hypot(walked.error / walked.tokens_per_round, times), 1 / Z)


def best_two(curve: Curve, gammas: Collection[int]) -> list[int]:
    """The two γ above 0 with the largest predicted speed-up, the best first.

    Half-way to the lower end of the band counts: what a few long rounds promise of a large γ is
    less sure than what many short ones show of a small one.
    """

    def surely(gamma: int) -> float:
        return curve.speed_up[gamma] + curve.low[gamma]

    return sorted(set(gammas) - {0}, key=lambda gamma: (-surely(gamma), gamma))[:2]


def settled(curve: Curve, found: Mapping[int, float], usual: float) -> int:
    """The best γ of a curve once some were tried: ``found``, measured ÷ predicted by γ.

    The curve is scaled by ``usual``, the mean of those.
    """
    speeds = {gamma: curve.speed_up[gamma] / usual * ratio for gamma, ratio in found.items()}
    return best_gamma(speeds.__getitem__, [g for g, speed in speeds.items() if speed > WORTH])
