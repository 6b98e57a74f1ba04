"""Ours against llama-server, through ``foreword bench --peer``: what a user would do."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.performance.bench import Bench
from tests.performance.data import Result, Table

GAMMA = 3
BOUNDS = {0.0: 1.10, 0.8: 1.25}
KINDS = ("code", "structured output", "everyday", "story")


def server(bench: Bench) -> Iterator[Result | Table]:
    """The same pair, draft length and sampling, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        each = 1 if bench.is_quick else 2
        prompts = bench.prompts_file(KINDS, each, Path(folder))
        told = bench.foreword(
            *("bench", "--target", bench.target, "--draft", bench.draft),
            *("--gamma", GAMMA, "--temperature", *BOUNDS, "--prompts", prompts),
            *("--max-tokens", bench.tokens(100), "--peer", bench.programs.folder),
        )
    matches, summary = told["peer"]["matches"], told["peer"]["summary"]
    for temperature, bound in BOUNDS.items():
        rows = [row for row in summary if row["temperature"] == temperature]
        kinds = ", ".join(f"{row['kind']} {row['ratio']:.2f}" for row in rows)
        ratios = [row["ratio"] for row in matches if row["temperature"] == temperature]
        if ratios:
            yield Result(
                f"γ = {GAMMA}, T = {temperature:g}: ours ÷ llama-server",
                ratios,
                at_least=bound,
                detail=f"median ratio of {kinds}",
            )
    columns = ["kind", "temperature", "ratio", "ratio_low", "ratio_high", "matches"]
    columns += ["tokens_per_second", "peer_tokens_per_second"]
    yield Table("by kind", columns, [[row[name] for name in columns] for row in summary])
    names = ["kind", "temperature", "acceptance_rate"]
    rows = [
        [*(row[name] for name in names), _their_rate(matches, row["kind"], row["temperature"])]
        for row in told["summary"]
        if row["gamma"] == GAMMA
    ]
    yield Table("acceptance", [*names, "peer_acceptance_rate"], rows)


def _their_rate(matches: list[dict[str, Any]], kind: str, temperature: float) -> float:
    """The peer's accepted ÷ drafted."""
    rows = [m for m in matches if (m["kind"], m["temperature"]) == (kind, temperature)]
    accepted, drafted = (sum(m[name] for m in rows) for name in ("peer_accepted", "peer_drafted"))
    return accepted / drafted if drafted else 0.0
