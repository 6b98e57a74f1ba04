"""Which γ this conversation should use: advice that a person may follow, and Auto, which does.

Both rest on a stored tuning, for what passes cost here, and on how often this conversation's drafts
were accepted. Pure, and the same for the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.outlook import Outlook
from engine.stats import Figures
from engine.tunings import Record

Z = 1.645
"""Standard errors of the interval shown: nine conversations in ten lie in it."""

ENOUGH = 48
"""Tested tokens before anything is said."""

_WORTH = 1.05  # a gain that is worth a word
_STALE = 1.02  # what was said is taken back below this
_BETTER = 1.03  # another γ takes the place of the one that was named


@dataclass(frozen=True)
class Advice:
    """Another γ would be faster for this conversation.

    ``gain``: by how much, 0.12 for 12 %; ``low`` to ``high``: its interval; ``tested``: how many
    tested tokens that rests on.
    """

    gamma: int
    gain: float
    low: float
    high: float
    tested: int


def outlook_of(record: Record, temperature: float) -> Outlook:
    """What to expect before a conversation has said anything: the tuning's everyday curve."""
    curve = record.curve(temperature=temperature)
    return Outlook(record.pace(temperature), curve.survival if curve else ())


class Adviser:
    """Watches a conversation at a γ the user chose, and names a faster one when it is sure.

    A γ that was named stays until it is no longer worth it, or another is clearly better: what a
    person is about to click on must not flicker.
    """

    def __init__(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self._tested = 0
        self._named: int | None = None

    def heed(self, figures: Figures, gamma: int) -> Advice | None:
        """Take in a finished reply, written with ``gamma``; what to say now, None for nothing."""
        self._outlook.count(figures)
        self._tested += sum(figures.tested_by_position)
        return self.advice(gamma)

    def advice(self, gamma: int) -> Advice | None:
        """What to say where the next reply is to be written with ``gamma``."""
        self._named = self._choice(gamma) if gamma in self._outlook.gammas else None
        if self._named is None:
            return None
        band = self._outlook.gain(self._named, gamma, Z)
        return Advice(self._named, band.mean - 1, band.low - 1, band.high - 1, self._tested)

    def _choice(self, gamma: int) -> int | None:
        if self._tested < ENOUGH:
            return None
        best, named = self._outlook.best(), self._named
        if named is not None:
            kept = self._outlook.gain(named, gamma, Z).mean >= _STALE
            if kept and self._outlook.gain(best, named, Z).mean < _BETTER:
                return named
        band = self._outlook.gain(best, gamma, Z)
        return best if best != gamma and band.mean >= _WORTH and band.low > 1 else None


_SURE = 1.0  # standard errors that a change of γ must be sure by
_CHANGE = 1.03  # and the least gain that it must promise
_LOSING = 24  # tested tokens after which drafting that costs time is given up
_SHARE, _START = 0.01, 0.1  # of the time so far, and of one reply, that trying may cost
_TYPICAL = 128.0  # tokens of a reply, before there was one
_CORRECTION = 0.3  # how fast measured times correct the tuned ones


class Auto:
    """Chooses γ anew for each reply; within a reply it is fixed.

    It begins with the tuned γ and moves on evidence alone. Plain decoding shows nothing of what a
    draft would do, so from there a reply is drafted to see as soon as that is safe: where all that
    drafting has cost so far, and the most that this reply may, stay within a hundredth of the time
    that plain decoding would have taken, and a tenth of one reply. The first reply goes on the
    tuning's word alone. So over some forty replies of the kinds that were tuned with, mixed or one
    of them alone, it is not slower than plain by more than two in a hundred.
    """

    def __init__(self, outlook: Outlook, gamma: int) -> None:
        """``gamma``: the tuned one."""
        self._outlook = outlook
        self.gamma = gamma if gamma in outlook.gammas else 0
        self._replies = 0
        self._tokens = 0.0
        self._lost = 0.0  # in plain tokens; negative where drafting gained
        self._drift = {False: 1.0, True: 1.0}  # measured ÷ tuned time: of plain, of drafting rounds

    def learn(self, figures: Figures) -> None:
        """Take in a finished reply, and choose γ for the next one."""
        if not figures.tokens:
            return
        self._keep_accounts(figures)
        if figures.drafted:
            self._outlook.count(figures)
        else:
            self._outlook.age(figures.tokens)
        self.gamma = self._choice()

    def _keep_accounts(self, figures: Figures) -> None:
        """What this reply cost more than a plain one, by the clock as far as it can be compared."""
        pace, gamma = self._outlook.pace, figures.gamma
        survival = [*figures.survival(), *[0.0] * gamma][:gamma]
        tuned = pace.seconds(survival) if gamma in self._outlook.gammas else pace.plain
        measured = figures.seconds / figures.tokens
        is_drafting = figures.drafted > 0
        ratio = min(max(measured / tuned, 0.5), 2.0)
        self._drift[is_drafting] += _CORRECTION * (ratio - self._drift[is_drafting])
        self._replies += 1
        self._tokens += figures.tokens
        if is_drafting:
            self._lost += figures.tokens * (tuned / pace.plain * self._correction - 1)

    @property
    def _correction(self) -> float:
        """How much dearer drafting rounds are than plain ones, against the tuning."""
        return self._drift[True] / self._drift[False]

    def _speed_up(self, gamma: int, errors: float = 0.0) -> float:
        speed = self._outlook.speed_up(gamma, errors)
        return speed / self._correction if gamma else speed

    def _choice(self) -> int:
        safe = [gamma for gamma in self._outlook.gammas if self._is_safe(gamma)]
        best = max(safe, key=self._speed_up)
        if self.gamma == 0:
            return self._tried(safe)
        if self.gamma not in safe:
            return best
        if self._speed_up(self.gamma) < 1 and self._outlook.weight >= _LOSING:
            return best
        ratios = [
            self._speed_up(best, off) / self._speed_up(self.gamma, off)
            for off in (-_SURE, 0.0, _SURE)
        ]
        return best if ratios[1] > _CHANGE and min(ratios) > 1 else self.gamma

    def _is_safe(self, gamma: int) -> bool:
        """Whether the next reply may be written with γ, were its text as bad as can be expected.

        Where γ gains on text of all kinds together, so will it again: that is safe while drafting
        has not cost too much yet.
        """
        if gamma == 0:
            return True
        outlook, dearer = self._outlook, self._correction
        if outlook.usual(gamma) / dearer > 1:
            return self._lost <= self._allowance
        alike = outlook.likeness
        cost = alike * max(dearer / outlook.present(gamma, -Z) - 1, 0.0)
        cost += (1 - alike) * max(dearer / outlook.usual(gamma, -Z) - 1, 0.0)
        return self._lost + self._reply * cost <= self._allowance

    def _tried(self, safe: Sequence[int]) -> int:
        """From plain decoding: the γ to see again what drafting does, 0 where none is safe."""
        return max(safe, key=lambda gamma: self._speed_up(gamma) if gamma else 0.0)

    @property
    def _reply(self) -> float:
        """Tokens of a reply, on average."""
        return self._tokens / self._replies if self._replies else _TYPICAL

    @property
    def _allowance(self) -> float:
        """How many plain tokens' time drafting may have cost by now."""
        return _SHARE * self._tokens + _START * self._reply
