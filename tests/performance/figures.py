"""The figures of the docs, drawn from what was measured: a PNG and, beside it, its numbers as CSV.

A PNG carries the digest of its CSV, so that a test sees when the two do not belong together.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.performance import drawing, numbers
from tests.performance.data import Data, Table

FOLDER = "figures"
DIGEST = "Description"
"""The PNG's text field that holds the digest."""

_SIZE, _DPI = (7.2, 4.2), 130


@dataclass(frozen=True)
class Figure:
    """``section``: under which it stands; ``numbers``: its CSV, None until that was measured."""

    caption: str
    section: str
    numbers: Callable[[Data], Table | None]
    draw: Callable[[Any, Table], None]


def csv_text(table: Table) -> str:
    """The table as CSV; numbers to six digits, more than any of them is good for."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_short(value) for value in row] for row in table.rows)
    return out.getvalue()


def _short(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def digest(text: str) -> str:
    """What a PNG says of the numbers it shows."""
    return hashlib.sha256(text.encode()).hexdigest()


def draw_all(data: Data, docs: Path) -> None:
    """Draw every figure whose numbers are there into ``docs``/figures."""
    folder = docs / FOLDER
    folder.mkdir(exist_ok=True)
    for name, figure in FIGURES.items():
        table = figure.numbers(data)
        if table is not None:
            text = csv_text(table)
            (folder / f"{name}.csv").write_text(text, encoding="utf-8")
            _save(folder / f"{name}.png", figure, table, digest(text))


def _save(path: Path, figure: Figure, table: Table, about: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet(figsize=_SIZE, dpi=_DPI, layout="constrained")
    FigureCanvasAgg(sheet)
    axes = sheet.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.draw(axes, table)
    sheet.savefig(path, metadata={DIGEST: about, "Software": None})


FIGURES = {
    "speed-up": Figure(
        "Speed-up against γ by kind of text, starter pair, greedy. Lines: predicted, with the band "
        "in which it lies nine times in ten; marks: measured; dotted: break-even.",
        "choice",
        numbers.joined("choice"),
        drawing.speed_up,
    ),
    "speed-up-inflated": Figure(
        "The same with the target that costs five times as much.",
        "inflated-tuned",
        numbers.joined("inflated-tuned"),
        drawing.speed_up,
    ),
    "predicted-measured": Figure(
        "Every γ that was both predicted and tried; on the dotted line both agree.",
        "prediction",
        numbers.pairs,
        drawing.pairs,
    ),
    "peers": Figure(
        "Ours against llama.cpp's own speculative decoding.",
        "server",
        numbers.peers,
        drawing.peers,
    ),
    "passes": Figure(
        "The cost of a target pass by its width, in plain steps.",
        "passes",
        numbers.table_of("passes", "passes"),
        drawing.passes,
    ),
    "parts": Figure(
        "Where a token's time goes, greedy, starter pair; γ = 0 is plain decoding.",
        "parts",
        numbers.parts,
        drawing.parts,
    ),
    "survival": Figure(
        "How often the first i drafted tokens all pass. Solid: greedy; dashed: sampled.",
        "choice",
        numbers.table_of("choice", "survival"),
        drawing.chances,
    ),
    "acceptance-rate": Figure(
        "The acceptance rate falls with γ: what follows a rejection is drafted in vain.",
        "choice",
        numbers.rates,
        drawing.rates,
    ),
}
