"""What a reply has shown so far: counted from the protocol's events alone. No Qt, no clock.

Everything the panel paints of a run is here or follows from `Run.figures`; nothing is estimated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from engine.protocol import CHAT, SPECULATIVE, Done, Emitted, Figures, RoundTimes, Source, Token

LAST_ROUNDS = 64
"""How many rounds the strip can show at the most."""

WINDOW_SECONDS = 1.0
"""The speed over time is that of so much writing."""

MOST_POINTS = 160
"""The curve of speed holds between half as many points and so many, whatever the reply's length."""


class State(Enum):
    """Where a run stands."""

    EMPTY = auto()
    READING = auto()
    WRITING = auto()
    OVER = auto()
    LOST = auto()


@dataclass(frozen=True, slots=True)
class Shape:
    """One round as the strip draws it, in tokens; ``seconds`` of the lane's own clock.

    Of the ``drafted`` tokens ``accepted`` passed; the next one was ``corrected``, or, where the
    reply ended first, not tested. ``plain`` is the one token of a round that drafted nothing.
    """

    drafted: int
    accepted: int
    corrected: bool
    bonus: bool
    plain: bool
    seconds: float

    @classmethod
    def of(cls, round_: RoundTimes, tokens: Sequence[Token]) -> Shape:
        """The shape of the round that emitted ``tokens``."""
        sources = [token.source for token in tokens]
        return cls(
            drafted=round_.drafted,
            accepted=sources.count(Source.ACCEPTED),
            corrected=Source.CORRECTED in sources,
            bonus=Source.BONUS in sources,
            plain=Source.PLAIN in sources,
            seconds=round_.seconds,
        )


class Speeds:
    """Tokens per second over the last second of writing, as a curve of bounded length."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []
        self._window: deque[tuple[float, int]] = deque([(0.0, 0)])
        self._every = 1
        self._rounds = 0

    def add(self, seconds: float, tokens: int) -> None:
        """Count one more round."""
        then, before = self._window[-1]
        now, count = then + seconds, before + tokens
        self._window.append((now, count))
        while len(self._window) > 2 and self._window[1][0] <= now - WINDOW_SECONDS:
            self._window.popleft()
        self._rounds += 1
        start, earlier = self._window[0]
        if now > start and self._rounds % self._every == 0:
            self.points.append((now, (count - earlier) / (now - start)))
            self._thin()

    def _thin(self) -> None:
        """Drop every other point of a curve that has become too long."""
        if len(self.points) > MOST_POINTS:
            del self.points[::2]
            self._every *= 2


class Run:
    """One reply, from its first event to its last; the plain lane of a comparison is passed over.

    ``gamma``: what was asked for; ``shapes``: the last rounds; ``lengths[k]``: rounds that drafted
    and of which exactly k tokens were accepted; ``reading``: tokens of the prompt read, and all.
    ``plain``: the figures of the plain lane beside it, once that is over; ``is_exact``: exact
    arithmetic takes longer, so that the pair's usual speed is no measure for it; ``is_outdated``:
    the pair was tuned since.
    """

    def __init__(
        self, gamma: int = 0, state: State = State.EMPTY, *, is_exact: bool = False
    ) -> None:
        self.gamma = gamma
        self.state = state
        self.is_exact = is_exact
        self.is_outdated = False
        self.plain: Figures | None = None
        self.figures = Figures()
        self.shapes: deque[Shape] = deque(maxlen=LAST_ROUNDS)
        self.lengths = [0] * (gamma + 1)
        self.speeds = Speeds()
        self.reading = (0, 0)

    def prompt(self, done: int, total: int) -> None:
        """So much of the prompt is read."""
        self.state = State.READING
        self.reading = (done, total)

    def emitted(self, event: Emitted) -> None:
        """One round or several."""
        if event.lane not in (CHAT, SPECULATIVE):
            return
        self.state = State.WRITING
        self.figures = event.figures
        start = 0
        for round_ in event.rounds:
            end = start + round_.emitted
            self._add(Shape.of(round_, event.tokens[start:end]))
            self.speeds.add(round_.seconds, round_.emitted)
            start = end

    def _add(self, shape: Shape) -> None:
        self.shapes.append(shape)
        if shape.drafted:
            missing = max(shape.drafted, shape.accepted) + 1 - len(self.lengths)
            self.lengths.extend([0] * missing)
            self.lengths[shape.accepted] += 1

    def finish(self, event: Done) -> None:
        """A lane is over; its figures are the last word."""
        if event.lane in (CHAT, SPECULATIVE):
            self.figures = event.figures
            self.state = State.OVER
        else:
            self.plain = event.figures

    def failed(self) -> None:
        """It ended in an error: what was counted stays."""
        if self.busy:
            self.state = State.OVER

    def lost(self) -> None:
        """The engine died: what was counted stays."""
        if self.state in (State.READING, State.WRITING):
            self.state = State.LOST

    @property
    def busy(self) -> bool:
        """Whether more is to come."""
        return self.state in (State.READING, State.WRITING)

    @property
    def drafting(self) -> bool:
        """Whether this run drafted anything."""
        return self.figures.drafted > 0

    @property
    def widest(self) -> int:
        """The largest γ of the run, as asked for or as it came."""
        return max(self.gamma, self.figures.gamma, len(self.lengths) - 1)

    def by_position(self) -> list[float | None]:
        """How often the token drafted at place 1 … γ was accepted when tested; None: never was."""
        figures = self.figures
        pairs = list(zip(figures.accepted_by_position, figures.tested_by_position, strict=False))
        shares = [accepted / tested if tested else None for accepted, tested in pairs]
        return shares + [None] * (self.widest - len(shares))
