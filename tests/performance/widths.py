"""What a pass costs by its width, and where the time of a reply goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from statistics import median

from engine import costs
from tests.performance.bench import GREEDY, Bench
from tests.performance.data import Table
from tests.performance.ours import Ours

STARTER, INFLATED = "starter target", "inflated target"
DEPTHS = {STARTER: (256, 1024), INFLATED: (256,)}


def passes(bench: Bench) -> Iterator[Table]:
    """The cost of a target pass over 1 to 17 tokens, and of a draft step."""
    widths = (1, 2, 4) if bench.is_quick else range(1, 18)
    rows, steps = [], []
    for name, target in ((STARTER, bench.target), (INFLATED, bench.inflated)):
        with closing(Ours(target, bench.draft)) as ours:
            for depth in DEPTHS[name]:
                timed = [
                    costs.measure(ours.lane, widths, depth=depth, repeats=3)
                    for _again in range(1 if bench.is_quick else 2)
                ]
                passes = {w: median(each.passes[w] for each in timed) for w in widths}
                rows += [[name, depth, w, passes[w], passes[w] / passes[1]] for w in widths]
                draft = median(each.draft_step for each in timed)
                steps.append([name, depth, draft, draft / passes[1]])
    yield Table("passes", ["target", "depth", "width", "seconds", "v"], rows)
    yield Table("draft step", ["target", "depth", "seconds", "c"], steps)


def parts(bench: Bench) -> Iterator[Table]:
    """Milliseconds of a token: drafting, the target's pass, everything else."""
    rows = []
    with closing(Ours(bench.target, bench.draft)) as ours:
        for kind in ("code", "story"):
            prompt = ours.tokens(bench.prompts[kind][0])
            for gamma in (0, 3) if bench.is_quick else (0, 1, 2, 3, 5, 7, 11, 15):
                run = ours.write(prompt, gamma=gamma, tokens=bench.tokens(120), sampling=GREEDY)
                times = (run.draft_seconds, run.verify_seconds, run.other_seconds)
                each = [1000 * time / run.tokens for time in times]
                rows.append([kind, gamma, *each, run.tokens_per_round, run.acceptance_rate])
    columns = ["kind", "gamma", "draft_ms", "verify_ms", "other_ms"]
    yield Table("parts", [*columns, "tokens_per_round", "acceptance_rate"], rows)
