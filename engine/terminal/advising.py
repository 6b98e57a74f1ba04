"""Advice on γ, and Auto, in a conversation in the terminal."""

from __future__ import annotations

from engine.advice import Advice, Adviser, Auto, outlook_of
from engine.protocol import Done, Ready
from engine.settings import Settings
from engine.terminal.options import sampling
from engine.terminal.words import percent
from engine.tunings import temperature_of

NEEDS_TUNING = (
    "Auto needs to know what passes cost here: `foreword tune` measures it, and Auto works from "
    "the next start on."
)


class Advising:
    """Watches one conversation. Without a stored tuning it knows no costs and says nothing.

    Attributes:
        is_auto: Whether γ is chosen anew for each reply.
    """

    def __init__(self, ready: Ready, settings: Settings) -> None:
        self.is_auto = settings.auto_gamma
        self._record = ready.tuning if ready.draft else None
        self._temperature = temperature_of(sampling(settings))
        self.begin()

    @property
    def is_able(self) -> bool:
        """Whether there is a tuning to go by."""
        return self._record is not None

    def begin(self) -> None:
        """A new conversation: nothing is known of its text."""
        self._said: int | None = None
        if self._record is None:
            return
        self._adviser = Adviser(outlook_of(self._record, self._temperature))
        usual = self._record.gamma_at(self._temperature)
        self._auto = Auto(outlook_of(self._record, self._temperature), usual)

    @property
    def usual(self) -> int | None:
        """The tuned γ for these settings; None without a tuning."""
        return self._record.gamma_at(self._temperature) if self._record else None

    @property
    def gamma(self) -> int | None:
        """Auto's γ for the next reply; None where Auto is off or cannot be."""
        return self._auto.gamma if self.is_auto and self._record else None

    def learn(self, done: Done, gamma: int) -> str:
        """Take in a reply; what to say before the next one, to be written with ``gamma``."""
        if self._record is None:
            return ""
        self._auto.learn(done.figures)
        advice = self._adviser.heed(done.figures, gamma)
        if self.is_auto or advice is None or advice.gamma == self._said:
            return ""
        self._said = advice.gamma
        return said(advice)


def said(advice: Advice) -> str:
    """The advice in a sentence."""
    low, high = percent(max(advice.low, 0.0)), percent(advice.high)
    what = f"γ {advice.gamma}" if advice.gamma else "Plain decoding (γ 0)"
    return (
        f"{what} would be about {percent(advice.gain)} faster for this conversation "
        f"({low} to {high}); /gamma {advice.gamma} uses it."
    )
