"""What was measured, section by section: docs/performance.json and its shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
DATA = DOCS / "performance.json"

_INNERMOST_LIST = re.compile(r"\[[^\[\]{}]*\]")


@dataclass(frozen=True)
class Result:
    """A measure: its samples (one per alternation), the median, and what it must reach.

    ``at_least`` or ``at_most`` None: no bound on that side; ``detail``: the figures behind it.
    """

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


@dataclass(frozen=True)
class Table:
    """Measured rows that have no bound: what figures are drawn from."""

    name: str
    columns: list[str]
    rows: list[list[Any]]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def where(self, **values: object) -> list[dict[str, Any]]:
        """The rows that hold these values."""
        return [row for row in self if all(row[name] == value for name, value in values.items())]

    def values(self, column: str) -> list[Any]:
        """The different values of a column, in the order of their first appearance."""
        return list(dict.fromkeys(row[column] for row in self))


@dataclass(frozen=True)
class Measured:
    """One section's last run. ``seconds``: how long it took; ``repeats`` as asked for."""

    machine: dict[str, Any]
    date: str
    seconds: float
    repeats: int
    results: list[Result] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass
class Data:
    """Every section's last run, by its name."""

    sections: dict[str, Measured] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path = DATA) -> Data:
        """What was measured before; nothing where there is no file."""
        if not path.exists():
            return cls()
        told = json.loads(path.read_text(encoding="utf-8"))["sections"]
        return cls({name: _section(row) for name, row in told.items()})

    def save(self, path: Path = DATA) -> None:
        """Write the file; lists of samples and rows of tables take a line each."""
        told = {"sections": {name: asdict(section) for name, section in self.sections.items()}}
        text = json.dumps(told, indent=1, ensure_ascii=False)
        text = _INNERMOST_LIST.sub(lambda found: re.sub(r"\s*\n\s*", " ", found[0]), text)
        path.write_text(text + "\n", encoding="utf-8")

    def table(self, section: str, name: str) -> Table | None:
        """A table; None where that section was not measured yet."""
        found = self.sections.get(section)
        tables = found.tables if found else []
        return next((table for table in tables if table.name == name), None)

    def result(self, section: str, measure: str) -> Result | None:
        """A result; None where that section was not measured yet."""
        found = self.sections.get(section)
        results = found.results if found else []
        return next((result for result in results if result.measure == measure), None)


def _section(row: dict[str, Any]) -> Measured:
    results = [Result(**each) for each in row.pop("results")]
    tables = [Table(**each) for each in row.pop("tables")]
    return Measured(**row, results=results, tables=tables)
