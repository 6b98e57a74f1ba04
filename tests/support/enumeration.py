"""The exact law of a program that draws uniform numbers: by cases, not by luck.

A program that asks for numbers in [0, 1) and does finitely many things with each has a law that
can be computed: the unit interval falls into stretches on which nothing changes, and a stretch
weighs its length. Where they end is found by halving, in the program's own arithmetic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_FINEST = 2.0**-52

Uniform = Callable[[], float]
Note = Callable[[Hashable], None]
Program = Callable[[Uniform, Note], Hashable]
"""Called with a source of uniforms and a notebook; returns what comes out. It notes what it does
between two draws, so that two stretches with different futures can be told apart."""


class _AsksForMore(Exception):
    """The program wants more numbers than were scripted."""


def script(numbers: Sequence[float]) -> Uniform:
    """A source that returns ``numbers`` one by one and refuses to go on."""
    left = list(reversed(numbers))

    def uniform() -> float:
        if not left:
            raise _AsksForMore
        return left.pop()

    return uniform


def exact_law(
    program: Program, hints: Iterable[float] = (), *, resolution: float = _FINEST
) -> dict[Hashable, float]:
    """The probability of every outcome.

    ``hints``: numbers at which something may change. A stretch shorter than 1/16 is only found
    where a hint points at it, so give all cumulative sums and ratios of the case. ``resolution``:
    how exactly the end of a stretch is found.
    """
    law: defaultdict[Hashable, float] = defaultdict(float)
    _branch(program, [], 1.0, _Cuts(_grid(hints), resolution), law)
    return dict(law)


def _grid(hints: Iterable[float]) -> list[float]:
    points = {i / 16 for i in range(16)} | {1 - _FINEST}
    for hint in hints:
        points |= {hint - _FINEST, hint, hint + _FINEST}
    return sorted(point for point in points if 0 <= point < 1)


def _branch(
    program: Program,
    drawn: list[float],
    weight: float,
    cuts: _Cuts,
    law: defaultdict[Hashable, float],
) -> None:
    finished, outcome, _notes = _run(program, drawn)
    if finished:
        law[outcome] += weight
        return
    for start, end in cuts.stretches(lambda u: _run(program, [*drawn, u])):
        _branch(program, [*drawn, (start + end) / 2], weight * (end - start), cuts, law)


def _run(program: Program, drawn: Sequence[float]) -> tuple[bool, Hashable, tuple[Hashable, ...]]:
    notes: list[Hashable] = []
    try:
        return True, program(script(drawn), notes.append), tuple(notes)
    except _AsksForMore:
        return False, None, tuple(notes)


@dataclass(frozen=True)
class _Cuts:
    """How the unit interval is looked through: from point to point, then by halving."""

    grid: list[float]
    resolution: float

    def stretches(self, state: Callable[[float], Hashable]) -> Iterable[tuple[float, float]]:
        """The unit interval cut wherever the program's state changes."""
        start, before = 0.0, state(self.grid[0])
        for left, right in pairwise(self.grid):
            after = state(right)
            if after == before:
                continue
            low, high = left, right
            while high - low > self.resolution:
                middle = (low + high) / 2
                low, high = (middle, high) if state(middle) == before else (low, middle)
            yield start, high
            start, before = high, after
        yield start, 1.0
