"""Bytes of caches and buffers against γ."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.panel import numbers
from app.panel.explain import Key
from app.theme import Role, Theme
from app.tuning import words
from app.tuning.chart import Chart
from app.tuning.reading import GAMMAS, Reading

_BAR = 0.62  # of a column


class MemoryBars(Chart):
    """A bar for each γ: the caches below, the buffers on top of them."""

    def __init__(self, theme: Theme, height: float, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.BYTES, height, parent)

    def span(self, reading: Reading) -> tuple[float, float]:
        return 0.0, max(reading.caches(gamma) + reading.buffers(gamma) for gamma in GAMMAS)

    def level(self, value: float) -> str:
        return numbers.size(round(value)) if value else numbers.number(0)

    def told(self, reading: Reading, column: int) -> str:
        return words.memory(reading, column)

    def here(self, reading: Reading) -> int | None:
        return reading.gamma

    def paint(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        wide = _BAR * self.pitch(frame)
        for gamma in GAMMAS:
            is_here = gamma == reading.gamma
            caches = reading.caches(gamma)
            left, base = self.at_column(frame, gamma) - wide / 2, self.at_value(frame, caches)
            top = self.at_value(frame, caches + reading.buffers(gamma))
            below = QRectF(left, base, wide, frame.bottom() - base)
            painter.fillRect(below, self.theme.color(Role.TEXT if is_here else Role.NEUTRAL))
            above = QRectF(left, top, wide, base - top - 1)
            painter.fillRect(above, self.theme.color(Role.SECONDARY if is_here else Role.UNTESTED))
