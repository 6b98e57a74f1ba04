"""How far drafting would have come along a reply that was written plainly, for every γ at once.

One pass of the draft over a plain reply gives, for each of its tokens x, r = min(1, q(x) ÷ p(x)).
A reply that the ``ratio`` rule writes has the target's own law, and given its text each tested
token was accepted with chance r, independently of the others: it comes out accepted with chance
min(p, q) and corrected with p − min(p, q), together p (Leviathan et al. 2023, theorem 3.5). So the
rounds along the text are a Markov chain, and everything asked here is a sum over it.

Given the text this is exact, greedy (r is 1 where the argmaxes agree, else 0) and sampled, although
drafting would have tried other tokens after a rejection: those are thrown away and decide nothing.
Averaged over replies drawn from p it is unbiased. What it does not know is another text. Under the
``coupled`` rule a little less is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from engine.speedup import expected_tokens


@dataclass(frozen=True)
class Walk:
    """The rounds of one γ along one reply or several.

    ``survival``: s_1 … s_γ, the chance that the first i drafted tokens of a round all pass;
    ``tokens_per_round``: E; ``error``: its standard error.
    """

    survival: tuple[float, ...]
    tokens_per_round: float
    error: float


def walk(replies: Sequence[Sequence[float]], gamma: int) -> Walk:
    """The rounds of ``gamma`` along all ``replies``, each a sequence of r, token by token.

    A round that the end of a reply cuts short counts as far as it was tested.
    """
    reached, passed = [0.0] * gamma, [0.0] * gamma
    for chances in replies:
        for start, alive in enumerate(_starts(chances, gamma)):
            for i, chance in enumerate(chances[start : start + gamma]):
                reached[i] += alive
                alive *= chance
                passed[i] += alive
    survival = _product(passed, reached, 0.0)
    expected = expected_tokens(survival)
    rounds = sum(len(chances) for chances in replies) / expected
    # A few rounds that all ended alike must not look certain: half of one would have ended else.
    deviation = _deviation(_product(passed, reached, 0.5))
    return Walk(tuple(survival), expected, deviation / sqrt(max(rounds, 1.0)))


def _product(passed: Sequence[float], reached: Sequence[float], doubt: float) -> list[float]:
    """s_i as the product of the chances at each place so far.

    A place that no round reached is taken to be like all that were.
    """
    usual = (sum(passed) + doubt) / (sum(reached) + 2 * doubt) if sum(reached) > 0 else 0.0
    survival, chance = [], 1.0
    for stood, tested in zip(passed, reached, strict=True):
        chance *= (stood + doubt) / (tested + 2 * doubt) if tested > 0 else usual
        survival.append(chance)
    return survival


def _starts(chances: Sequence[float], gamma: int) -> list[float]:
    """The expected number of rounds that begin at each token; averaged over where they fall.

    Where the bonus token lands is never tested, so one walk from the first token would leave out
    what another, begun a token later, counts: all γ + 1 of them are taken, each with equal weight.
    """
    starts = [0.0] * (len(chances) + gamma + 2)
    for first in range(min(gamma + 1, len(chances))):
        starts[first] += 1.0 / (gamma + 1)
    for start in range(len(chances)):
        alive = starts[start]
        if alive == 0.0:
            continue
        for i in range(gamma):
            chance = chances[start + i] if start + i < len(chances) else 1.0
            starts[start + i + 1] += alive * (1.0 - chance)  # corrected there: the next begins
            alive *= chance
        starts[start + gamma + 1] += alive
    return starts[: len(chances)]


def _deviation(survival: Sequence[float]) -> float:
    """The standard deviation of what a round emits: Σ (2i − 1) s_i − (Σ s_i)², i from 1."""
    square = sum((2 * i - 1) * chance for i, chance in enumerate(survival, start=1))
    return sqrt(max(square - sum(survival) ** 2, 0.0))


def pooled(walks: Sequence[Walk]) -> Walk:
    """Several kinds of text together, each writing equally many tokens."""
    gamma = len(walks[0].survival)
    rounds = [1.0 / each.tokens_per_round for each in walks]  # of each kind, for one token
    whole = sum(rounds)
    survival = tuple(
        sum(n * each.survival[i] for n, each in zip(rounds, walks, strict=True)) / whole
        for i in range(gamma)
    )
    expected = len(walks) / whole
    # The variance of a sum of 1 ÷ E, each with error ÷ E² of its own.
    spread = sqrt(sum((each.error * n * n) ** 2 for n, each in zip(rounds, walks, strict=True)))
    return Walk(survival, expected, spread / whole * expected)
