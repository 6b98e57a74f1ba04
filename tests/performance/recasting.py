"""What recasting a draft gains in time and loses in acceptance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from statistics import fmean

from engine import costs
from tests.performance.bench import GREEDY, SAMPLED, Bench
from tests.performance.data import Result, Table
from tests.performance.ours import Ours

GAMMA = 3


def recasting(bench: Bench) -> Iterator[Result | Table]:
    """The same pair with its draft as it is and recast, in turns."""
    steps: dict[bool, list[float]] = {False: [], True: []}
    replies: dict[tuple[str, str, bool], list[tuple[float, float]]] = {}
    for repeat in range(min(3, bench.repeats)):
        for recast, timed in steps.items():
            with closing(Ours(bench.target, bench.draft, recast=recast)) as ours:
                timed.append(costs.measure(ours.lane, (1,), depth=256).draft_step)
                for kind, prompts in bench.prompts.items():
                    prompt = ours.tokens(prompts[repeat % len(prompts)])
                    how = {"gamma": GAMMA, "tokens": bench.tokens(64), "seed": repeat + 1}
                    for name, sampling in (("greedy", GREEDY), ("T = 0.8", SAMPLED)):
                        run = ours.write(prompt, sampling=sampling, **how)
                        tested = max(run.accepted + run.rejected, 1)
                        figures = (run.tokens_per_second, run.accepted / tested)
                        replies.setdefault((kind, name, recast), []).append(figures)
    ratios = [after / before for before, after in zip(steps[False], steps[True], strict=True)]
    yield Result("a draft step, recast ÷ as it is", ratios)
    rows = []
    for kind in bench.prompts:
        for name in ("greedy", "T = 0.8"):
            before, after = (replies[kind, name, recast] for recast in (False, True))
            speeds = [x[0] / y[0] for x, y in zip(after, before, strict=True)]
            yield Result(f"tokens/s at γ = {GAMMA}, {name}, {kind}: recast ÷ as it is", speeds)
            rows.append([kind, name, *(fmean(x[1] for x in side) for side in (before, after))])
    yield Table("recast", ["kind", "sampling", "alpha_as_it_is", "alpha_recast"], rows)
