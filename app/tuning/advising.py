"""γ for each conversation: the tuned one, advice on another, and Auto, with its reason. No Qt."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum, auto

from engine.advice import Advice, Adviser, Auto, outlook_of
from engine.outlook import Outlook
from engine.protocol import Figures, Ready, Record


class Why(Enum):
    """Why Auto chose its γ."""

    TUNED = auto()
    """Nothing is known of this conversation's text yet."""
    KEPT = auto()
    CHANGED = auto()
    PLAIN = auto()
    """Drafting would cost time."""
    TRIAL = auto()
    """Replies were plain so far; this one shows what drafting would do."""


@dataclass(frozen=True)
class Choice:
    """Auto's γ for the next reply, and what it rests on.

    ``before``: the last reply's γ; ``speed_up``: what is expected of ``gamma`` here;
    ``tested``: so many drafted tokens, of which the share ``accepted`` passed.
    """

    gamma: int
    why: Why
    before: int = 0
    speed_up: float = 1.0
    tested: int = 0
    accepted: float = 0.0


@dataclass(frozen=True)
class _Heard:
    """A finished reply: its figures, γ as asked, and whether it had the engine to itself."""

    figures: Figures
    gamma: int
    is_alone: bool


class _Watch:
    """One conversation, seen with one tuning in one way of sampling."""

    def __init__(self, record: Record, temperature: float) -> None:
        self.record, self.temperature = record, temperature
        self._adviser = Adviser(outlook_of(record, temperature))
        self._outlook: Outlook = outlook_of(record, temperature)
        self._auto = Auto(self._outlook, record.gamma_at(temperature))
        self._before: int | None = None
        self._tested = self._passed = 0

    def learn(self, heard: _Heard) -> None:
        self._adviser.heed(heard.figures, heard.gamma)
        if not heard.is_alone:
            return
        self._before = heard.gamma
        self._tested += sum(heard.figures.tested_by_position)
        self._passed += sum(heard.figures.accepted_by_position)
        self._auto.learn(heard.figures)

    def advice(self, gamma: int) -> Advice | None:
        return self._adviser.advice(gamma)

    @property
    def choice(self) -> Choice:
        gamma = self._auto.gamma
        speed_up = self._outlook.speed_up(gamma) if gamma else 1.0
        accepted = self._passed / self._tested if self._tested else 0.0
        before = self._before or 0
        return Choice(gamma, self._why(gamma), before, speed_up, self._tested, accepted)

    def _why(self, gamma: int) -> Why:
        if self._before is None:
            return Why.TUNED
        if gamma == 0:
            return Why.PLAIN
        if self._before == 0:
            return Why.TRIAL
        return Why.KEPT if gamma == self._before else Why.CHANGED


class Advising:
    """Remembers the figures of every conversation's replies since the pair was loaded.

    A conversation is a number, None for one that has no message yet. Without a tuning no costs are
    known: then there is neither advice nor Auto.
    """

    def __init__(self) -> None:
        self._heard: defaultdict[int | None, list[_Heard]] = defaultdict(list)
        self._watches: dict[int | None, _Watch] = {}
        self._pair: tuple[str, str | None] | None = None

    def follow(self, ready: Ready | None) -> None:
        """This is loaded now. What another pair accepted says nothing about it."""
        if ready is None:
            return
        pair = ready.target.path, ready.draft.path if ready.draft else None
        if pair != self._pair:
            self._pair = pair
            self._heard.clear()
            self._watches.clear()

    def learn(
        self, conversation: int, figures: Figures, gamma: int, *, is_alone: bool = True
    ) -> None:
        """Take in a finished reply that was asked for with ``gamma``.

        ``is_alone``: False for a lane of a comparison, whose times are not those of a reply.
        """
        heard = _Heard(figures, gamma, is_alone)
        self._heard[conversation].append(heard)
        if conversation in self._watches:
            self._watches[conversation].learn(heard)

    def advice(
        self, conversation: int | None, ready: Ready | None, temperature: float, gamma: int
    ) -> Advice | None:
        """What to say where the next reply is to be written with ``gamma``."""
        watch = self._watch(conversation, ready, temperature)
        return watch.advice(gamma) if watch else None

    def choice(
        self, conversation: int | None, ready: Ready | None, temperature: float
    ) -> Choice | None:
        """What Auto would write the next reply with; None without a tuning."""
        watch = self._watch(conversation, ready, temperature)
        return watch.choice if watch else None

    def _watch(
        self, conversation: int | None, ready: Ready | None, temperature: float
    ) -> _Watch | None:
        record = ready.tuning if ready is not None and ready.draft is not None else None
        if record is None:
            return None
        watch = self._watches.get(conversation)
        if watch is None or watch.record is not record or watch.temperature != temperature:
            watch = self._watches[conversation] = _Watch(record, temperature)
            for heard in self._heard.get(conversation, ()):
                watch.learn(heard)
        return watch


def usual_gamma(ready: Ready | None, temperature: float) -> int:
    """The γ of the loaded pair at ``temperature``: as tuned, else the engine's guess."""
    if ready is None:
        return 0
    return ready.gamma if ready.tuning is None else ready.tuning.gamma_at(temperature)
