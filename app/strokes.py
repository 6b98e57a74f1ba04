"""A few shapes that controls are drawn from. All of them are sharp at every scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

Points = Sequence[tuple[float, float]]

CHECK: Points = ((-0.28, 0.02), (-0.08, 0.22), (0.3, -0.2))
DOWN: Points = ((-0.25, -0.12), (0.0, 0.14), (0.25, -0.12))
MINUS: Points = ((-0.3, 0.0), (0.3, 0.0))
UPRIGHT: Points = ((0.0, -0.3), (0.0, 0.3))
RIGHT: Points = ((-0.12, -0.25), (0.14, 0.0), (-0.12, 0.25))
"""Open lines around (0, 0), in parts of the square's side."""

_STROKE = 1.7 / 24  # that of the icons


@contextmanager
def smooth(painter: QPainter) -> Iterator[QPainter]:
    """``painter`` with smooth edges and its old state afterwards."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    yield painter
    painter.restore()


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: QColor | None = None,
    line: QColor | None = None,
    width: float = 1.0,
) -> None:
    """A rectangle with round corners; ``line`` lies wholly inside it."""
    inset = width / 2 if line is not None else 0.0
    with smooth(painter):
        painter.setPen(QPen(line, width) if line is not None else Qt.PenStyle.NoPen)
        painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
        inner = rect.adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(inner, radius - inset, radius - inset)


def stroke(painter: QPainter, rect: QRectF, points: Points, color: QColor) -> None:
    """``points`` joined, in the square around the middle of ``rect``."""
    side, middle = min(rect.width(), rect.height()), rect.center()
    corners = [QPointF(middle.x() + x * side, middle.y() + y * side) for x, y in points]
    with smooth(painter):
        painter.setPen(_pen(color, max(1.2, side * _STROKE)))
        painter.drawPolyline(QPolygonF(corners))


def words(
    painter: QPainter,
    rect: QRect,
    text: str,
    upright: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> None:
    """``text`` where lines begin, be it left or right; within itself it reads in its own way."""
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
    painter.save()
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    painter.drawText(rect, side | Qt.AlignmentFlag.AlignAbsolute | upright, text)
    painter.restore()


def mixed(color: QColor, other: QColor, part: float) -> QColor:
    """``color`` with so large a ``part`` (0 to 1) of ``other`` in it."""
    channels = zip(color.getRgbF()[:3], other.getRgbF()[:3], strict=True)  # type: ignore[index]
    return QColor.fromRgbF(*(a + (b - a) * part for a, b in channels))


def _pen(color: QColor, width: float) -> QPen:
    return QPen(
        color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )
