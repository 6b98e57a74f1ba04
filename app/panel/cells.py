"""The cells of the strip: one token each, told apart by shape as well as by colour."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from app.panel.run import Shape
from app.theme import Role, Theme

_SLASH = 1.6  # pixels: the mark across a corrected cell


class Cell(Enum):
    """What became of one token of a round."""

    ACCEPTED = auto()
    CORRECTED = auto()
    BONUS = auto()
    UNTESTED = auto()
    PLAIN = auto()


_FILLS = {
    Cell.ACCEPTED: Role.ACCEPTED,
    Cell.CORRECTED: Role.CORRECTED,
    Cell.BONUS: Role.BONUS,
    Cell.PLAIN: Role.NEUTRAL,
}


def paint_cell(painter: QPainter, theme: Theme, cell: Cell, rect: QRectF) -> None:
    """Paint one: full, struck through (corrected), round (bonus) or hollow (never tested)."""
    radius = min(2.0, rect.height() / 4)
    if cell is Cell.UNTESTED:
        painter.setPen(QPen(theme.color(Role.BORDER), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        return
    if cell is Cell.BONUS:
        radius = min(rect.width(), rect.height()) / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(_FILLS[cell]))
    painter.drawRoundedRect(rect, radius, radius)
    if cell is Cell.CORRECTED:
        _strike(painter, theme, rect, radius)


def _strike(painter: QPainter, theme: Theme, rect: QRectF, radius: float) -> None:
    shape = QPainterPath()
    shape.addRoundedRect(rect, radius, radius)
    painter.save()
    painter.setClipPath(shape)
    painter.setPen(QPen(theme.color(Role.SURFACE), _SLASH))
    painter.drawLine(QLineF(rect.bottomLeft(), rect.topRight()))
    painter.restore()


def cells_of(shape: Shape) -> tuple[Cell, ...]:
    """A round's column, from the bottom up."""
    if shape.plain:
        return (Cell.PLAIN,)
    tested = (Cell.ACCEPTED,) * shape.accepted + (Cell.CORRECTED,) * shape.corrected
    untested = (Cell.UNTESTED,) * (shape.drafted - len(tested))
    return tested + untested + (Cell.BONUS,) * shape.bonus


class Columns:
    """Columns of cells, each kind painted once: a strip has many rounds, few of them different."""

    def __init__(self, theme: Theme, cell: QSize, pitch: int, scale: float) -> None:
        """``pitch``: from one cell to the next above; ``scale``: screen pixels to one of ours."""
        self._theme = theme
        self._cell = cell
        self._pitch = pitch
        self.scale = scale
        self._drawn: dict[tuple[Cell, ...], QPixmap] = {}

    def draw(self, painter: QPainter, shape: Shape, left: float, bottom: float) -> None:
        """Put a round's column where its foot's left corner is."""
        cells = cells_of(shape)
        if cells not in self._drawn:
            self._drawn[cells] = self._painted(cells)
        painter.drawPixmap(QPointF(left, bottom - len(cells) * self._pitch), self._drawn[cells])

    def _painted(self, cells: tuple[Cell, ...]) -> QPixmap:
        size = QSize(self._cell.width(), len(cells) * self._pitch)
        pixmap = QPixmap(size * self.scale)
        pixmap.setDevicePixelRatio(self.scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, cell in enumerate(cells, 1):
            corner = QPointF(0, size.height() - i * self._pitch)
            paint_cell(painter, self._theme, cell, QRectF(corner, self._cell))
        painter.end()
        return pixmap
