"""What the drafts of a conversation so far say about the next ones, at every γ. Pure.

The tuned chances by place in a round give the shape; how far this conversation's text lies above or
below them is one number, the shift of their log-odds, found from the live counts. So a place that
the present γ never reaches is judged by those it does, and a few unlucky rounds move little.

Whether the next reply will be like the last ones is not known either: it is for as much of the time
as the counts foretold earlier replies better than the tuning did, and else of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log, sqrt
from operator import mul

from engine.speedup import Pace
from engine.stats import Figures

HALF_LIFE = 192.0
"""Tested tokens after which an earlier one counts half: texts change in a conversation."""

_PRIOR = 1.0  # standard deviation of the shift, before anything is counted
_STREAKS = 2.0  # tested tokens come in streaks: so many tell as much as one that stands alone
_FAR = 8.0  # the shift lies between −8 and 8: chances of 0.03 % and 99.97 % at even odds
_FORGOTTEN = 0.8  # of what earlier replies said about that, for each reply since
_MOST_TOLD = 3.0  # by one reply, and by all together: 95 % sure
_LIMIT = 0.002  # no chance is taken to be nearer to 0 or 1


@dataclass(frozen=True)
class Band:
    """A ratio of speeds, and what it lies between nine times in ten."""

    mean: float
    low: float
    high: float


class Outlook:
    """How often drafted tokens will pass, from the tuned chances and the live counts."""

    def __init__(self, pace: Pace, survival: Sequence[float]) -> None:
        """``survival``: s_1 … s_16 of the tuning, for text of all kinds."""
        before = [1.0, *survival]
        ratios = (now / max(then, 1e-9) for then, now in zip(before, survival, strict=False))
        chances = [min(max(ratio, _LIMIT), 1 - _LIMIT) for ratio in ratios]
        self._odds = [log(chance / (1 - chance)) for chance in chances]
        self.pace = pace
        self.passed = [0.0] * len(survival)
        self.tested = [0.0] * len(survival)
        self._shift, self._deviation = 0.0, _PRIOR
        self._likeness = 0.0
        self._survivals: dict[float, list[float]] = {}  # by shift, as long as the counts stand

    @property
    def gammas(self) -> range:
        """The γ it can speak about."""
        return range(min(len(self._odds), len(self.pace.passes) - 1) + 1)

    @property
    def weight(self) -> float:
        """How many tested tokens it rests on; old ones count less."""
        return sum(self.tested)

    def count(self, figures: Figures) -> None:
        """Take in a finished reply."""
        if any(self.tested):
            told = self._foretold(figures, self._shift) - self._foretold(figures, 0.0)
            told = min(max(told / _STREAKS, -_MOST_TOLD), _MOST_TOLD)
            likeness = _FORGOTTEN * self._likeness + told
            self._likeness = min(max(likeness, -_MOST_TOLD), _MOST_TOLD)
        self._forget(sum(figures.tested_by_position))
        for i, tested in enumerate(figures.tested_by_position[: len(self.tested)]):
            self.tested[i] += tested
            self.passed[i] += figures.accepted_by_position[i]
        self._settle()

    def age(self, tokens: float) -> None:
        """So many tokens were written since: what was counted before says less."""
        self._forget(tokens)
        self._settle()

    def _forget(self, tokens: float) -> None:
        kept = 0.5 ** (tokens / HALF_LIFE)
        self.tested = [kept * count for count in self.tested]
        self.passed = [kept * count for count in self.passed]

    def _foretold(self, figures: Figures, shift: float) -> float:
        """The log-likelihood of a reply's counts."""
        rows = zip(
            figures.accepted_by_position,
            figures.tested_by_position,
            self._chances(shift),
            strict=False,
        )
        return sum(stood * log(c) + (n - stood) * log(1 - c) for stood, n, c in rows)

    @property
    def likeness(self) -> float:
        """How likely the next reply is to be like the last ones."""
        return 1 / (1 + exp(-self._likeness))

    def _settle(self) -> None:
        """The likeliest shift, by halving: the slope of its log-likelihood falls all the way."""
        self._survivals.clear()
        low, high = -_FAR, _FAR
        while high - low > 1e-3:
            shift = (low + high) / 2
            low, high = (shift, high) if self._slope(shift) > 0 else (low, shift)
        self._shift = low
        chances = self._chances(low)
        known = sum(n * c * (1 - c) for n, c in zip(self.tested, chances, strict=True)) / _STREAKS
        self._deviation = 1 / sqrt(known + 1 / _PRIOR**2)

    def _slope(self, shift: float) -> float:
        rows = zip(self.passed, self.tested, self._chances(shift), strict=True)
        return sum(stood - n * c for stood, n, c in rows) / _STREAKS - shift / _PRIOR**2

    def _chances(self, shift: float) -> list[float]:
        return [1 / (1 + exp(-(odds + shift))) for odds in self._odds]

    def speed_up(self, gamma: int, errors: float = 0.0) -> float:
        """S(γ) for the next reply, with the shift so many standard errors off."""
        alike = self.likeness
        return 1 / (alike / self.present(gamma, errors) + (1 - alike) / self.usual(gamma))

    def present(self, gamma: int, errors: float = 0.0) -> float:
        """S(γ) for text like this conversation's last."""
        shift = min(max(self._shift + errors * self._deviation, -_FAR), _FAR)
        return self._speed_up(gamma, shift)

    def usual(self, gamma: int, errors: float = 0.0) -> float:
        """S(γ) for text of any kind, whatever this conversation says."""
        return self._speed_up(gamma, errors * _PRIOR)

    def _speed_up(self, gamma: int, shift: float) -> float:
        if shift not in self._survivals:
            self._survivals[shift] = list(accumulate(self._chances(shift), mul))
        return self.pace.speed_up(self._survivals[shift][:gamma])

    def gain(self, gamma: int, over: int, errors: float) -> Band:
        """How much faster γ is than another one, for text like the last: a ratio of speeds."""
        ratios = [
            self.present(gamma, off) / self.present(over, off) for off in (-errors, 0.0, errors)
        ]
        return Band(ratios[1], min(ratios), max(ratios))

    def best(self) -> int:
        """The γ that is fastest for text like the last, the smaller of equals."""
        return max(self.gammas, key=self.present)
