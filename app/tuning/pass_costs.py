"""What a pass of the target costs against its width, with the steps of the hardware."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.panel import numbers
from app.panel.explain import Key
from app.theme import Role, Theme
from app.tuning import words
from app.tuning.chart import Chart
from app.tuning.reading import Reading

_BAR = 0.62  # of a column
_CAP = 2.5  # half the end of a mark of spread, in pixels


class PassCosts(Chart):
    """A bar for each width from 1 to 17 tokens, in plain passes; hollow where it was not timed."""

    FIRST: ClassVar[int] = 1
    LAST: ClassVar[int] = 17

    def __init__(self, theme: Theme, height: float, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.PASSES, height, parent)

    def span(self, reading: Reading) -> tuple[float, float]:
        return 0.0, max(reading.passes)

    def level(self, value: float) -> str:
        return numbers.number(value)

    def axis(self) -> str:
        return ""

    def told(self, reading: Reading, column: int) -> str:
        return words.passed(reading, column)

    def here(self, reading: Reading) -> int | None:
        return reading.gamma + 1

    def paint(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        for width in range(self.FIRST, self.LAST + 1):
            self._draw_bar(painter, reading, frame, width)
        painter.setPen(QPen(self.theme.color(Role.SECONDARY), 1))
        for width, (low, high) in reading.spread.items():
            if self.FIRST <= width <= self.LAST:
                x, bottom, top = (
                    self.at_column(frame, width),
                    self.at_value(frame, low),
                    self.at_value(frame, high),
                )
                ends = [QLineF(x - _CAP, y, x + _CAP, y) for y in (bottom, top)]
                painter.drawLines([QLineF(x, bottom, x, top), *ends])

    def _draw_bar(self, painter: QPainter, reading: Reading, frame: QRectF, width: int) -> None:
        wide = _BAR * self.pitch(frame)
        top = self.at_value(frame, reading.passes[width - 1])
        bar = QRectF(self.at_column(frame, width) - wide / 2, top, wide, frame.bottom() - top)
        if reading.is_timed(width):
            role = Role.TEXT if width == reading.gamma + 1 else Role.NEUTRAL
            painter.fillRect(bar, self.theme.color(role))
            return
        is_here = width == reading.gamma + 1
        painter.fillRect(bar, self.theme.color(Role.UNTESTED))
        painter.setPen(QPen(self.theme.color(Role.TEXT if is_here else Role.NEUTRAL), 1))
        painter.drawLine(bar.topLeft(), bar.topRight())
