"""Two lanes on one machine, taking turns.

Two llama.cpp passes at once on one processor fall to a tenth of their speed (their threads wait for
each other in spinning barriers), so lanes never compute together: the one that has computed least
so far takes the next step, and each is timed by its own clock alone. Both stream side by side, each
at about half its true pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar


class Timed(Protocol):
    """A step that knows how long it computed, in seconds."""

    @property
    def seconds(self) -> float: ...


Step = TypeVar("Step", bound=Timed)


def race(lanes: Mapping[str, Iterator[Step]]) -> Iterator[tuple[str, Step]]:
    """The steps of all lanes, by name, in the order of their own clocks."""
    clocks = dict.fromkeys(lanes, 0.0)
    while clocks:
        name = min(clocks, key=lambda lane: clocks[lane])
        step = next(lanes[name], None)
        if step is None:
            del clocks[name]
            continue
        clocks[name] += step.seconds
        yield name, step
