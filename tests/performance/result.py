"""One measured figure with its target, and the report made of all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

DOCS = Path(__file__).parents[2] / "docs"
DATA = DOCS / "performance.json"
REPORT = DOCS / "performance.md"


@dataclass(frozen=True)
class Result:
    """A measure: its samples (one per alternation), the median, and what it must reach.

    ``at_least`` or ``at_most`` None: no bound on that side; ``detail``: the figures behind it.
    """

    section: str
    measure: str
    samples: list[float]
    at_least: float | None = None
    at_most: float | None = None
    unit: str = ""
    detail: str = ""

    @property
    def value(self) -> float:
        return median(self.samples)

    @property
    def reached(self) -> bool:
        low = self.at_least is None or self.value >= self.at_least
        return low and (self.at_most is None or self.value <= self.at_most)

    @property
    def bound(self) -> str:
        """The target in words."""
        if self.at_least is not None and self.at_most is not None:
            return f"{self.at_least:g} to {self.at_most:g}{self.unit}"
        if self.at_least is not None:
            return f"≥ {self.at_least:g}{self.unit}"
        return f"≤ {self.at_most:g}{self.unit}" if self.at_most is not None else "—"

    @property
    def shown(self) -> str:
        """Median and, where there are several samples, their range."""
        text = f"{self.value:.3g}{self.unit}"
        if len(self.samples) < 2:
            return text
        return f"{text} ({min(self.samples):.3g}-{max(self.samples):.3g}, n = {len(self.samples)})"


def merge(results: Sequence[Result], machine: dict[str, object]) -> None:
    """Keep these results and, of sections not run now, the earlier ones; rewrite the report."""
    kept: list[Result] = []
    if DATA.exists():
        now = {result.section for result in results}
        rows = json.loads(DATA.read_text())["results"]
        kept = [Result(**row) for row in rows if row["section"] not in now]
    every = [*kept, *results]
    data = {"machine": machine, "results": [asdict(result) for result in every]}
    DATA.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    REPORT.write_text(render(every, machine))


def render(results: Sequence[Result], machine: dict[str, object]) -> str:
    """docs/performance.md; every figure comes from the data."""
    facts = ", ".join(f"{name} {value}" for name, value in machine.items())
    lines = [
        "# Performance",
        "",
        "Measured by `make bench`, which rewrites this page and `performance.json` beside it.",
        "The machine is shared and noisy, so speeds are ratios to a peer that ran in turns with",
        "ours. A value is the median of its samples; their range and number follow in brackets.",
        "One section alone: `.venv/bin/python -m tests.performance SECTION`.",
        "",
        f"Machine: {facts}.",
    ]
    for section in dict.fromkeys(result.section for result in results):
        lines += ["", f"## {section}", "", "| measure | measured | target | |", "|---|---|---|---|"]
        rows = [result for result in results if result.section == section]
        lines += [f"| {row.measure} | {row.shown} | {row.bound} | {_mark(row)} |" for row in rows]
        details = [f"- {row.measure}: {row.detail}" for row in rows if row.detail]
        lines += ["", *details] if details else []
    return "\n".join(lines) + "\n"


def _mark(result: Result) -> str:
    if result.at_least is None and result.at_most is None:
        return ""
    return "reached" if result.reached else "**missed**"
