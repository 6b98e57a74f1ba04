"""One lane of a comparison as its events tell it, and where each token's text stands. No Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import Enum, auto

from engine.protocol import Compared, Done, Emitted, Figures


class Lane:
    """A reply on its way. ``read``: the part of the prompt that is read, 0 to 1."""

    def __init__(self) -> None:
        self.figures = Figures()
        self.done: Done | None = None
        self.read = 0.0
        self.text = ""
        self._tokens: list[int] = []
        self._ends: list[int] = []

    def take(self, event: Emitted) -> None:
        """Take in some rounds."""
        self.figures = event.figures
        self.read = 1.0
        for piece in event.pieces:
            self.text += piece.text
            self._tokens.append(piece.token)
            self._ends.append(len(self.text))

    def finish(self, done: Done) -> None:
        """The lane is over; its figures are the last word."""
        self.done = done
        self.figures = done.figures

    @property
    def clock(self) -> float:
        """Seconds that this lane has computed, prompt included."""
        return self.figures.prompt_seconds + self.figures.seconds

    def span(self, token: int) -> tuple[int, int]:
        """Where the text of that token of the reply begins and ends; empty where it has none."""
        first, behind = bisect_left(self._tokens, token), bisect_right(self._tokens, token)
        start = self._ends[first - 1] if first else 0
        return start, self._ends[behind - 1] if behind > first else start


class Sameness(Enum):
    """How the two replies compare, word by word."""

    SAME = auto()
    AS_FAR = auto()
    """One is longer; up to where the other ends they are the same."""
    PARTED = auto()
    UNLOOKED = auto()
    """They part, and the comparison was stopped before that place was looked at."""


@dataclass(frozen=True)
class Outcome:
    """What came of a comparison. ``count``: tokens that are the same, from the beginning."""

    compared: Compared
    sameness: Sameness
    count: int

    @property
    def parts_at(self) -> int | None:
        """The first token that differs, counted from 0."""
        apart = self.sameness in (Sameness.PARTED, Sameness.UNLOOKED)
        return self.count if apart else None


def outcome(compared: Compared, speculative: Lane, plain: Lane) -> Outcome:
    """The result, held against how far both lanes came."""
    count = compared.same_tokens
    if compared.parting is not None:
        return Outcome(compared, Sameness.PARTED, compared.parting.index)
    lengths = [len(lane.done.tokens) if lane.done else 0 for lane in (speculative, plain)]
    if count == min(lengths):
        same = Sameness.SAME if lengths[0] == lengths[1] else Sameness.AS_FAR
        return Outcome(compared, same, count)
    return Outcome(compared, Sameness.UNLOOKED, count)
