"""The method made visible: the last rounds, a column each, and the legend of their cells."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel import numbers
from app.panel.cells import Cell, Columns, paint_cell
from app.panel.explain import Key
from app.panel.plate import Plate
from app.panel.run import Shape
from app.theme import Role, Theme, Type

translate = QCoreApplication.translate

_COLUMN, _GAP = 8, 2
_TALLEST, _LOWEST, _STRIP = 14, 5, 64
"""Height of a cell with its gap, at most and at least, and of the strip in between."""


class Strip(Plate):
    """The last rounds; the newest stands at the right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.ROUNDS, parent)
        self._shapes: Sequence[Shape] = ()
        self._gamma = 0
        self._columns: Columns | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._forget)

    def show_rounds(self, shapes: Sequence[Shape], gamma: int) -> None:
        """Show these from now on, in columns of γ + 1 cells."""
        self._shapes = shapes
        if gamma != self._gamma:
            self._gamma = gamma
            self._columns = None
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(40), self._pitch * (self._gamma + 1))

    @property
    def _pitch(self) -> int:
        scale = self.theme.scale
        even = _STRIP * scale / (self._gamma + 1)
        return round(max(_LOWEST, min(_TALLEST * scale, even)))

    @property
    def _across(self) -> int:
        return round((_COLUMN + _GAP) * self.theme.scale)

    def visible(self) -> list[Shape]:
        """The rounds that there is room for, the newest last."""
        room = (self.width() + _GAP) // self._across
        return list(self._shapes)[-room:] if room > 0 else []

    def draw(self, painter: QPainter) -> None:
        columns, bottom = self._made(), self.height()
        for i, shape in enumerate(self.visible()):
            columns.draw(painter, shape, i * self._across, bottom)

    def _made(self) -> Columns:
        scale = self.devicePixelRatioF()
        if self._columns is None or self._columns.scale != scale:
            gap = 2 if self._pitch > _LOWEST + 1 else 1
            size = QSize(self._across - _GAP, self._pitch - gap)
            self._columns = Columns(self.theme, size, self._pitch, scale)
        return self._columns

    def _forget(self) -> None:
        self._columns = None

    def hint_at(self, place: QPoint) -> str:
        shown = self.visible()
        column = place.x() // self._across
        if not 0 <= column < len(shown):
            return super().hint_at(place)
        return f"{told(shown[column])} {super().hint_at(place)}"


def told(shape: Shape) -> str:
    """One round in a sentence."""
    took = numbers.milliseconds(shape.seconds)
    if not shape.drafted:
        return translate("Panel", "A plain token, {time}.").format(time=took)
    text = translate("Panel", "{accepted} of {drafted} accepted, {time}.")
    return text.format(accepted=shape.accepted, drafted=shape.drafted, time=took)


class Legend(Plate):
    """What the cells mean, in as many rows as it takes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.ROUNDS, parent)
        self.setAccessibleName(translate("Panel", "Legend"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def entries(self) -> list[tuple[Cell, str]]:
        """Each kind of cell and its name."""
        return [
            (Cell.ACCEPTED, translate("Panel", "accepted")),
            (Cell.CORRECTED, translate("Panel", "corrected")),
            (Cell.BONUS, translate("Panel", "bonus")),
            (Cell.UNTESTED, translate("Panel", "untested")),
        ]

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        rows = 1 + max((row for row, _x in self._places()), default=0)
        return QSize(self.theme.space(40), round(rows * self._row()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self.updateGeometry()

    def draw(self, painter: QPainter) -> None:
        metrics = self.metrics(Type.SECONDARY)
        side = self.theme.space(2)
        for (row, x), (cell, name) in zip(self._places(), self.entries(), strict=True):
            top = row * self._row()
            middle = top + metrics.height() / 2
            paint_cell(painter, self.theme, cell, QRectF(x, middle - side / 2, side, side))
            at = QPointF(x + side + self.theme.space(1), top + metrics.ascent())
            self.write(painter, at, name, Type.SECONDARY, Role.SECONDARY)

    def _row(self) -> float:
        return self.metrics(Type.SECONDARY).height() + 1

    def _places(self) -> list[tuple[int, float]]:
        """Row and left edge of each item: all in one row, else in even columns."""
        metrics, space = self.metrics(Type.SECONDARY), self.theme.space
        widths = [space(3) + metrics.horizontalAdvance(name) for _cell, name in self.entries()]
        between = (self.width() - sum(widths)) / (len(widths) - 1)
        if between >= space(1):
            gap = min(between, space(3))
            return [(0, sum(widths[:i]) + i * gap) for i in range(len(widths))]
        across = max(widths) + space(2)
        columns = 2 if 2 * across <= self.width() + space(2) else 1
        return [(i // columns, i % columns * across) for i in range(len(widths))]
