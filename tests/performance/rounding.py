"""Where the rows of wide passes round otherwise, and what the two exact rules accept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from engine.llama.context import common_prefix
from tests.performance.bench import SAMPLED, Bench
from tests.performance.data import Result, Table
from tests.performance.ours import Ours

GAMMA = 3


def rounding(bench: Bench) -> Iterator[Result | Table]:
    """With the coupled rule both texts are drawn with the same noise: only rounding parts them."""
    rows, rules = [], []
    for exact in (False, True):
        with closing(Ours(bench.target, bench.draft, exact=exact)) as ours:
            for kind in ("code", "story"):
                parted = same = 0
                for seed, messages in enumerate(bench.prompts[kind], start=1):
                    prompt = ours.tokens(messages)
                    how = {"tokens": bench.tokens(120), "sampling": SAMPLED, "seed": seed}
                    texts = [
                        ours.reply(prompt, gamma=gamma, rule="coupled", **how)[0]
                        for gamma in (0, GAMMA)
                    ]
                    prefix = common_prefix(*texts)
                    same += prefix
                    parted += prefix < min(map(len, texts))
                rows.append([kind, exact, parted, same])
                if not exact:
                    rules += [[kind, rule, *_accepted(ours, bench, kind, rule)] for rule in RULES]
    yield Table("parted", ["kind", "exact", "parted", "same_tokens"], rows)
    yield Table("rules", ["kind", "rule", "acceptance_rate", "alpha"], rules)
    parted = sum(row[2] for row in rows if row[1])
    yield Result("exact arithmetic: replies that parted", [float(parted)], at_most=0)


RULES = ("ratio", "coupled")


def _accepted(ours: Ours, bench: Bench, kind: str, rule: str) -> tuple[float, float]:
    """Acceptance rate and α of a rule over a kind's prompts, at T = 0.8."""
    drafted = accepted = tested = 0
    for seed, messages in enumerate(bench.prompts[kind], start=1):
        prompt, tokens = ours.tokens(messages), bench.tokens(120)
        how = {"gamma": GAMMA, "tokens": tokens, "sampling": SAMPLED, "seed": seed}
        figures = ours.write(prompt, rule=rule, **how)
        drafted += figures.drafted
        accepted += figures.accepted
        tested += figures.accepted + figures.rejected
    return accepted / max(drafted, 1), accepted / max(tested, 1)
