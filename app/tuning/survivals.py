"""Acceptance by position: how often the first i drafted tokens all pass, for each kind of text."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.panel import numbers
from app.panel.explain import Key
from app.theme import Role, Theme, Type
from app.tuning import words
from app.tuning.chart import Chart, dashed
from app.tuning.reading import Reading

_PATTERNS: tuple[tuple[float, ...], ...] = (
    (6.0, 2.0),
    (2.0, 2.0),
    (8.0, 2.0, 2.0, 2.0),
    (1.0, 3.0),
    (4.0, 4.0),
    (10.0, 4.0),
)


class Survivals(Chart):
    """A line for each kind, told apart by its dashes and the name at its end; the one that is read
    is solid."""

    FIRST: ClassVar[int] = 1
    LAST: ClassVar[int] = 16

    def __init__(self, theme: Theme, height: float, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.SURVIVAL, height, parent)
        self._lines: list[tuple[str, str, tuple[float, ...]]] = []

    def span(self, reading: Reading) -> tuple[float, float]:
        return 0.0, 1.0

    def level(self, value: float) -> str:
        return numbers.percent(value)

    def axis(self) -> str:
        return ""

    def told(self, reading: Reading, column: int) -> str:
        return words.survived(reading, column)

    def show_reading(self, reading: Reading | None) -> None:
        known = reading.survivals.items() if reading else ()
        self._lines = [(kind, words.kind(kind), survival) for kind, survival in known]
        super().show_reading(reading)

    def whole(self, reading: Reading) -> str:
        shares = [", ".join(map(numbers.percent, survival)) for *_, survival in self._lines]
        names = [name for _kind, name, _survival in self._lines]
        return "; ".join(f"{name}: {said}" for name, said in zip(names, shares, strict=True))

    def here(self, reading: Reading) -> int | None:
        return reading.gamma or 1

    def end_margin(self) -> float:
        widest = max((self._advance(name) for _kind, name, _survival in self._lines), default=0.0)
        return widest + self.theme.space(2)

    def paint(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        patterns = iter(_PATTERNS * 2)
        for kind, _name, survival in self._lines:
            is_read = kind == reading.curve.kind
            pattern = () if is_read else next(patterns)
            pen = QPen(self.theme.color(Role.TEXT if is_read else Role.SECONDARY))
            pen.setWidthF(2.0 if is_read else 1.2)
            painter.setPen(dashed(pen, pattern))
            places = [
                QPointF(self.at_column(frame, i), self.at_value(frame, share))
                for i, share in enumerate(survival, start=1)
            ]
            painter.drawLines([QLineF(start, end) for start, end in pairwise(places)])
        self._draw_names(painter, reading, frame)

    def _draw_names(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        """At the lines' ends, moved apart where they would lie on each other."""
        metrics = self.metrics(Type.SECONDARY)
        ends = sorted((-survival[-1], kind, name) for kind, name, survival in self._lines)
        line = min(metrics.height() * 0.95, frame.height() / max(1, len(ends) - 1))
        wanted = [self.at_value(frame, -end) for end, _kind, _name in ends]
        for i, baseline in enumerate(spread(wanted, line, frame.top(), frame.bottom())):
            _end, kind, name = ends[i]
            role = Role.TEXT if kind == reading.curve.kind else Role.SECONDARY
            at = QPointF(frame.right() + self.theme.space(1.5), baseline + metrics.capHeight() / 2)
            self.write(painter, at, name, Type.SECONDARY, role)


def spread(wanted: list[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places in order, no two nearer than ``gap``, moved up where they would leave the bottom."""
    placed: list[float] = []
    for place in wanted:
        placed.append(max(place, placed[-1] + gap if placed else top))
    limit = bottom
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - gap
    return placed
