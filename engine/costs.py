"""What passes cost on this machine with this pair: the c and v(n) of the speed-up formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from engine.decoding import Lane
from engine.errors import RewindFailed
from engine.llama.context import Context
from engine.speedup import best_gamma, independent_survival, predicted_speed_up

TYPICAL_ALPHA = 0.75
"""Per-token acceptance assumed before anything is measured."""

GUESS_WIDTHS = (1, 4, 8)


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
    assert lane.draft is not None
    drafting = _time(lane.draft, [1, 2], depth, repeats)
    passes = _time(lane.target, sorted(widths), depth, repeats)
    return Costs(drafting[1], passes, max(drafting[2] - drafting[1], 0.0))


def _time(context: Context, widths: Sequence[int], depth: int, repeats: int) -> dict[int, float]:
    token = max(context.model.vocabulary.bos, 0)
    context.clear()
    try:
        while missing := depth - len(context.tokens):
            context.decode([token] * min(missing, context.options.chunk), outputs=0)
        return {width: _pass(context, [token] * width, depth, repeats) for width in widths}
    finally:
        context.clear()


def _pass(context: Context, tokens: list[int], depth: int, repeats: int) -> float:
    times = []
    for _repeat in range(repeats + 1):
        started = perf_counter()
        context.decode(tokens, outputs=min(len(tokens), context.options.outputs))
        times.append(perf_counter() - started)
        with suppress(RewindFailed):  # a hybrid memory: some tokens deeper costs it nothing
            context.rewind(depth)
    return median(times[1:])  # the first builds the graph for this width


def guess_gamma(costs: Costs) -> int:
    """The γ to begin with, of those whose width was timed: a guess until a tuner measures more."""

    def speed_up(gamma: int) -> float:
        survival = independent_survival(TYPICAL_ALPHA, gamma)
        return predicted_speed_up(
            survival,
            draft_cost=costs.c,
            pass_cost=costs.v(gamma + 1),
            catch_up=costs.catch_up / costs.passes[1],
        )

    return best_gamma(speed_up, [width - 1 for width in costs.passes])
