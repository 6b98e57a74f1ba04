"""Replies as a pair with chosen costs and acceptances would write them, counted and timed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import mean

from engine.accept import Source, Token
from engine.speedup import Pace, independent_survival
from engine.stats import Figures, Round


def reply(
    random: Random, pace: Pace, gamma: int, alpha: float, tokens: int = 128, *, noise: float = 0.02
) -> Figures:
    """One reply, each drafted token of which passes with chance ``alpha``."""
    if gamma == 0:
        seconds = sum(pace.plain * (1 + random.gauss(0, noise)) for _token in range(tokens))
        return Figures(tokens=tokens, rounds=tokens, seconds=seconds)
    figures = Figures()
    while figures.tokens < tokens:
        drafted = min(gamma, tokens - figures.tokens - 1)
        passed = next((i for i in range(drafted) if random.random() >= alpha), drafted)
        drafting = drafted * pace.draft_step + (passed == drafted > 0) * pace.catch_up
        own = pace.step + pace.row * (drafted + passed)
        seconds = (drafting + pace.passes[drafted] + own) * (1 + random.gauss(0, noise))
        figures.add(Round(_emitted(drafted, passed), drafted, seconds, 0.0, 0.0))
    return figures


def _emitted(drafted: int, passed: int) -> list[Token]:
    last = Source.BONUS if passed == drafted else Source.CORRECTED
    accepted = [Token(0, Source.ACCEPTED, 1.0, 1.0)] * passed
    return [*accepted, Token(0, last if drafted else Source.PLAIN, 1.0)]


def mixed_survival(alphas: Sequence[float]) -> list[float]:
    """s_1 … s_16 of text of all these kinds together, each writing equally many tokens."""
    rounds = [1 / (1 + sum(independent_survival(alpha, 16))) for alpha in alphas]
    return [
        sum(n * alpha**i for n, alpha in zip(rounds, alphas, strict=True)) / sum(rounds)
        for i in range(1, 17)
    ]


def true_speed_up(pace: Pace, alphas: Sequence[float], gamma: int) -> float:
    """S(γ) over text of these kinds, each writing equally many tokens."""
    return 1 / mean(1 / pace.speed_up(independent_survival(alpha, gamma)) for alpha in alphas)
