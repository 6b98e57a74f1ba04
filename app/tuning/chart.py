"""What the charts share: a frame with axes, columns that are read, and a line of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel.explain import Key, sentence
from app.panel.plate import Plate
from app.theme import Role, Theme, Type
from app.tuning.axes import ticks
from app.tuning.reading import Reading

_MOST_TICKS = 6
_TICK = 1.7  # lines of text from one number of the upright axis to the next, at the least
_GAP = 1.5  # units between the numbers of the upright axis and the frame


class Chart(Plate):
    """Columns from ``FIRST`` to ``LAST``, each with a reading in words; all of it in one font.

    A subclass says what the upright axis spans, and draws inside the frame.
    """

    FIRST: ClassVar[int] = 0
    LAST: ClassVar[int] = 16

    def __init__(
        self, theme: Theme, key: Key, height: float, parent: QWidget | None = None
    ) -> None:
        """``height``: in units of space."""
        super().__init__(theme, key, parent)
        self.reading: Reading | None = None
        self._height = height
        self._pointed: int | None = None
        self._levels: list[float] = [0.0, 1.0]
        self._metrics: dict[Type, QFontMetricsF] = {}
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # What a chart says of itself ---------------------------------------------------------------

    def span(self, reading: Reading) -> tuple[float, float]:
        """The least and the greatest that is drawn."""
        raise NotImplementedError

    def level(self, value: float) -> str:
        """A number of the upright axis."""
        raise NotImplementedError

    def told(self, reading: Reading, column: int) -> str:
        """A column in words."""
        raise NotImplementedError

    def whole(self, reading: Reading) -> str:
        """All columns in words."""
        columns = range(self.FIRST, self.LAST + 1)
        return "; ".join(self.told(reading, column) for column in columns)

    def here(self, reading: Reading) -> int | None:
        """The column that is read where the pointer is elsewhere."""
        raise NotImplementedError

    def paint(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        """Draw what is measured."""
        raise NotImplementedError

    # Showing -----------------------------------------------------------------------------------

    def show_reading(self, reading: Reading | None) -> None:
        """Show this from now on."""
        self.reading = reading
        if reading is not None:
            self._set_levels(reading)
            self.speak(self.whole(reading))
        self.update()

    def _set_levels(self, reading: Reading) -> None:
        room = self.frame().height() / (_TICK * self.metrics(Type.SECONDARY).height())
        low, high = self.span(reading)
        self._levels = ticks(low, high, min(_MOST_TICKS, max(3, 1 + int(room))))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        if self.reading is not None:
            self._set_levels(self.reading)

    def metrics(self, type_: Type) -> QFontMetricsF:
        """As any plate's, made once: a chart asks a hundred times."""
        if type_ not in self._metrics:
            self._metrics[type_] = super().metrics(type_)
        return self._metrics[type_]

    def _restyle(self) -> None:
        self._metrics.clear()
        super()._restyle()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(50), self.theme.space(self._height))

    def draw(self, painter: QPainter) -> None:
        reading = self.reading
        if reading is None:
            return
        frame = self.frame()
        self._draw_levels(painter, frame)
        self._draw_columns(painter, frame)
        column = self.here(reading) if self._pointed is None else self._pointed
        if self._pointed is not None:
            self._draw_pointed(painter, frame, self._pointed)
        self.paint(painter, reading, frame)
        if column is not None:
            at = QPointF(0, self.metrics(Type.SECONDARY).ascent())
            self.write(painter, at, self.told(reading, column), Type.SECONDARY, Role.SECONDARY)

    def hint_at(self, place: QPoint) -> str:
        column = self.column_at(place.x())
        if self.reading is None or column is None:
            return super().hint_at(place)
        return f"{self.told(self.reading, column)}. {sentence(self.key)}"

    # Places ------------------------------------------------------------------------------------

    def frame(self) -> QRectF:
        """Where columns and levels lie: below the line of values, above the columns' numbers."""
        line = self.metrics(Type.SECONDARY).height()
        widest = max(self._advance(self.level(value)) for value in self._levels)
        left = widest + self.theme.space(_GAP)
        bottom = self.height() - line - self.theme.space(1)
        top = line + self.theme.space(2)
        return QRectF(left, top, max(1.0, self.width() - left - self.end_margin()), bottom - top)

    def end_margin(self) -> float:
        """Room that is kept free where lines end."""
        return self.theme.space(1.5)

    def pitch(self, frame: QRectF) -> float:
        """From one column to the next."""
        return frame.width() / (self.LAST - self.FIRST + 1)

    def at_column(self, frame: QRectF, column: int) -> float:
        """The middle of a column."""
        return frame.left() + (column - self.FIRST + 0.5) * self.pitch(frame)

    def at_value(self, frame: QRectF, value: float) -> float:
        """How high a value lies."""
        low, high = self._levels[0], self._levels[-1]
        return frame.bottom() - (value - low) / (high - low) * frame.height()

    def column_at(self, x: float) -> int | None:
        """The column at a place, counted from where lines begin; None beside all of them."""
        frame = self.frame()
        column = self.FIRST + int((x - frame.left()) // self.pitch(frame))
        return column if self.FIRST <= column <= self.LAST else None

    # Drawing -----------------------------------------------------------------------------------

    def _draw_levels(self, painter: QPainter, frame: QRectF) -> None:
        metrics = self.metrics(Type.SECONDARY)
        painter.setPen(QPen(self.theme.color(Role.LINE), 1))
        heights = [round(self.at_value(frame, value)) + 0.5 for value in self._levels]
        painter.drawLines([QLineF(frame.left(), y, frame.right(), y) for y in heights])
        for value, y in zip(self._levels, heights, strict=True):
            text = self.level(value)
            at = QPointF(
                frame.left() - self.theme.space(_GAP) - self._advance(text),
                y + metrics.capHeight() / 2,
            )
            self.write(painter, at, text, Type.SECONDARY, Role.FAINT)

    def _draw_columns(self, painter: QPainter, frame: QRectF) -> None:
        """As many of the columns' numbers as there is room for."""
        room = self._advance("00") + self.theme.space(1)
        step = next(n for n in (1, 2, 4, 8) if n * self.pitch(frame) >= room or n == 8)
        baseline = self.height() - self.metrics(Type.SECONDARY).descent()
        for column in range(self.FIRST, self.LAST + 1, step):
            self.centre(painter, self.at_column(frame, column), baseline, str(column), Role.FAINT)
        self.write(painter, QPointF(0, baseline), self.axis(), Type.SECONDARY, Role.FAINT)

    def axis(self) -> str:
        """What the columns count, in a letter; "" where the title says it."""
        return "γ"

    def _draw_pointed(self, painter: QPainter, frame: QRectF, column: int) -> None:
        painter.setPen(QPen(self.theme.color(Role.BORDER), 1))
        x = round(self.at_column(frame, column)) + 0.5
        painter.drawLine(QLineF(x, frame.top(), x, frame.bottom()))

    def centre(self, painter: QPainter, x: float, baseline: float, text: str, role: Role) -> None:
        """Write around ``x``, as far as the plate reaches."""
        wide = self._advance(text)
        left = min(max(0.0, x - wide / 2), self.width() - wide)
        self.write(painter, QPointF(left, baseline), text, Type.SECONDARY, role)

    def _advance(self, text: str) -> float:
        return self.metrics(Type.SECONDARY).horizontalAdvance(text)

    # The pointer -------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        x = event.position().x()
        self._point(self.column_at(self.width() - 1 - x if self.isRightToLeft() else x))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        self._point(None)
        super().leaveEvent(event)

    def _point(self, column: int | None) -> None:
        if column != self._pointed:
            self._pointed = column
            self.update()


def dashed(pen: QPen, pattern: Sequence[float]) -> QPen:
    """The same pen, broken; solid where there is no pattern."""
    if pattern:
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern(list(pattern))
    return pen
