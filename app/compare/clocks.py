"""Both lanes' times to scale: what each took for the prompt, and for writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel import numbers
from app.panel.explain import Key
from app.panel.plate import Plate
from app.theme import Role, Theme, Type

translate = QCoreApplication.translate

_BAR = 2  # units of space


@dataclass(frozen=True)
class Time:
    """A lane's seconds so far; ``reading``: of its prompt, both models together."""

    name: str
    reading: float
    writing: float

    @property
    def total(self) -> float:
        return self.reading + self.writing


class Clocks(Plate):
    """A bar for each lane, from the moment it began."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.CLOCK, parent)
        self._times: Sequence[Time] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_times(self, times: Sequence[Time]) -> None:
        """Show these from now on."""
        if times != self._times:
            self._times = times
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(100), round(2 * self._row()))

    def _row(self) -> float:
        return self.metrics(Type.SECONDARY).height() + self.theme.space(1)

    def draw(self, painter: QPainter) -> None:
        metrics = self.metrics(Type.SECONDARY)
        left = self._left()
        right = metrics.horizontalAdvance("000.0 min") + self.theme.space(2)
        longest = max((time.total for time in self._times), default=0.0)
        scale = max(0.0, self.width() - left - right) / longest if longest else 0.0
        for i, time in enumerate(self._times):
            baseline = i * self._row() + metrics.ascent()
            self.write(painter, QPointF(0, baseline), time.name, Type.SECONDARY, Role.SECONDARY)
            end = self._draw_bar(painter, time, QPointF(left, baseline), scale)
            text = numbers.seconds(time.total) if time.total else ""
            at = QPointF(end + self.theme.space(2), baseline)
            self.write(painter, at, text, Type.SECONDARY, Role.TEXT)

    def _draw_bar(self, painter: QPainter, time: Time, at: QPointF, scale: float) -> float:
        """Reading pale, writing dark; where the bar ends."""
        height = self.theme.space(_BAR)
        middle = at.y() - self.metrics(Type.SECONDARY).xHeight() / 2
        bar = QRectF(at.x(), round(middle - height / 2), time.reading * scale, height)
        painter.fillRect(bar, self.theme.color(Role.UNTESTED))
        writing = QRectF(bar.right(), bar.top(), time.writing * scale, height)
        painter.fillRect(writing, self.theme.color(Role.SECONDARY))
        return writing.right()

    def _left(self) -> float:
        metrics = self.metrics(Type.SECONDARY)
        widths = [metrics.horizontalAdvance(time.name) for time in self._times]
        return max(widths, default=0.0) + self.theme.space(3)

    def hint_at(self, place: QPoint) -> str:
        i = int(place.y() // self._row())
        if not 0 <= i < len(self._times):
            return super().hint_at(place)
        return f"{told(self._times[i])} {super().hint_at(place)}"


def told(time: Time) -> str:
    """A lane's times in a sentence."""
    text = translate("Compare", "{lane}: {reading} for the prompt, {writing} for writing.")
    return text.format(
        lane=time.name,
        reading=numbers.seconds(time.reading),
        writing=numbers.seconds(time.writing),
    )
