"""What passes cost on this machine with this pair: the c and v(n) of the speed-up formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from engine.decoding import Lane
from engine.errors import RewindFailed
from engine.llama.context import MAX_GAMMA, Context
from engine.speedup import best_gamma, independent_survival, predicted_speed_up

TYPICAL_ALPHA = 0.75
"""Per-token acceptance assumed before anything is measured."""

GUESS_WIDTHS = (1, 2, 4, 8)

TUNED_WIDTHS = (1, 2, 3, 4, 5, 8, 9, 12, 13, 16, 17)
"""Many kernels take 4, 8 or 16 rows at a time: the widths on both sides of each step, and the
first four one by one."""

GROUP = 4
"""The fewest rows that such a kernel takes at a time."""

_ASTRAY = 64
"""How many tokens deeper than meant a memory that does not rewind may be timed."""

_GRAIN = 4e-3
"""Seconds that a scheduler may add to anything; no spread of the machine's."""


@dataclass(frozen=True)
class Costs:
    """Seconds of one draft step, and of a target pass by its width in tokens.

    ``catch_up``: seconds that a draft's pass over two tokens takes more than over one.
    """

    draft_step: float
    passes: dict[int, float]
    catch_up: float = 0.0

    @property
    def c(self) -> float:
        """One draft step ÷ one plain target step."""
        return self.draft_step / self.passes[1]

    def v(self, width: int) -> float:
        """A target pass over ``width`` tokens ÷ over one."""
        return self.passes[width] / self.passes[1]


def measure(lane: Lane, widths: Iterable[int], *, depth: int = 32, repeats: int = 3) -> Costs:
    """Time both models at ``depth`` tokens into their memories, which are left empty.

    Each figure is a median of ``repeats``. Raises Stopped where the flag is up.
    """
    timings = Timings(lane, widths, depth)
    timings.close()
    try:
        timings.sweep()  # the first pass of a width builds its graph
        timings.forget()
        for _repeat in range(repeats):
            timings.sweep()
        return timings.costs()
    finally:
        timings.close()


class Timings:
    """Both models timed at one depth, sweep by sweep, every width once in each.

    So a machine that slows down in the middle slows all widths alike.
    """

    def __init__(self, lane: Lane, widths: Iterable[int], depth: int) -> None:
        """``lane`` has a draft, and room for ``depth`` and the widest pass."""
        assert lane.draft is not None
        self._target, self._draft = lane.target, lane.draft
        self.depth = depth
        self.passes: dict[int, list[float]] = {width: [] for width in sorted(set(widths))}
        self.drafting: dict[int, list[float]] = {1: [], 2: []}

    def fill(self, told: Callable[[], None] = lambda: None) -> None:
        """Bring both memories to the depth, whatever they hold; ``told`` after each pass."""
        for context in (self._target, self._draft):
            if not self.depth <= len(context.tokens) <= self.depth + _ASTRAY:
                _deepen(context, self.depth, told)

    def sweep(self, told: Callable[[], None] = lambda: None) -> None:
        """Time each width once; ``told`` after each."""
        self.fill(told)
        for times, context in ((self.drafting, self._draft), (self.passes, self._target)):
            for width, seconds in times.items():
                seconds.append(_pass(context, width, self.depth))
                told()

    def forget(self) -> None:
        """Leave out what was timed so far."""
        for times in (self.passes, self.drafting):
            for seconds in times.values():
                seconds.clear()

    def costs(self) -> Costs:
        """The medians."""
        step, two = median(self.drafting[1]), median(self.drafting[2])
        passes = {width: median(seconds) for width, seconds in self.passes.items()}
        return Costs(step, passes, max(two - step, 0.0))

    def deviations(self) -> list[float]:
        """How far each sample lies from its width's median, relative to it."""
        samples = [*self.passes.values(), *self.drafting.values()]
        return [abs(x - median(each)) / (median(each) + _GRAIN) for each in samples for x in each]

    def spread(self, share: float = 0.8) -> float:
        """How far from its median, relative to it, this ``share`` of all samples lies at most."""
        deviations = sorted(self.deviations())
        return deviations[min(int(share * len(deviations)), len(deviations) - 1)]

    def close(self) -> None:
        """Leave both memories empty."""
        self._target.clear()
        self._draft.clear()


def _deepen(context: Context, depth: int, told: Callable[[], None]) -> None:
    token = max(context.model.vocabulary.bos, 0)
    if len(context.tokens) > depth:
        context.clear()
    while missing := depth - len(context.tokens):
        context.decode([token] * min(missing, context.options.chunk), outputs=0)
        told()


def _pass(context: Context, width: int, depth: int) -> float:
    token = max(context.model.vocabulary.bos, 0)
    started = perf_counter()
    context.decode([token] * width, outputs=min(width, context.options.outputs))
    seconds = perf_counter() - started
    with suppress(RewindFailed):  # a hybrid memory: some tokens deeper costs it nothing
        context.rewind(depth)
    return seconds


def every_width(passes: Mapping[int, float], most: int = MAX_GAMMA + 1) -> dict[int, float]:
    """A pass of each width up to ``most``; those not timed as the first four suggest.

    Kernels work by groups of rows, so a width between two that were timed lies on the line between
    them only as far as 2 and 3 lie on the line from 1 to 4: a processor that does what is left of a
    group row by row shows the same tooth in every group. ``passes`` has 1 to 4 and ``most``.
    """
    known = sorted(passes)
    tooth = {j: passes[j] - _line(passes, 1, GROUP, j) for j in range(1, GROUP + 1)}
    found = {}
    for width in range(1, most + 1):
        if width in passes:
            found[width] = passes[width]
            continue
        before = max(each for each in known if each < width)
        after = min(each for each in known if each > width)
        bend = tooth[(width - 1) % GROUP + 1]
        found[width] = max(_line(passes, before, after, width) + bend, passes[1])
    return found


def _line(passes: Mapping[int, float], a: int, b: int, width: int) -> float:
    return passes[a] + (passes[b] - passes[a]) * (width - a) / (b - a)


def guess_gamma(costs: Costs) -> int:
    """The γ to begin with, of those whose width was timed: a guess until a tuner measures more."""
    return best_gamma(lambda gamma: typical_speed_up(costs, gamma), _timed(costs))


def typical_speed_up(costs: Costs, gamma: int, alpha: float = TYPICAL_ALPHA) -> float:
    """S(γ) of a text whose drafted tokens all pass with the same chance."""
    return predicted_speed_up(
        independent_survival(alpha, gamma),
        draft_cost=costs.c,
        pass_cost=costs.v(gamma + 1),
        catch_up=costs.catch_up / costs.passes[1],
    )


def best_drafting(costs: Costs, alpha: float = TYPICAL_ALPHA) -> float:
    """The greatest S(γ) of the γ above 0 whose width was timed."""
    return max(typical_speed_up(costs, gamma, alpha) for gamma in _timed(costs) if gamma)


def _timed(costs: Costs) -> list[int]:
    return [width - 1 for width in costs.passes]
