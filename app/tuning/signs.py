"""What the signs of the curve mean, painted as the curve paints them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel.explain import Key
from app.panel.plate import Plate
from app.theme import Role, Theme, Type
from app.tuning.chart import dashed

translate = QCoreApplication.translate

_WIDE = 16.0  # pixels of a sign


class Signs(Plate):
    """A line of signs and words; another line where there is no room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.CURVE, parent)
        self._signs: list[tuple[Callable[[QPainter, QPointF], None], str]] = [
            (self._dot, translate("Tuning", "predicted")),
            (self._hollow, translate("Tuning", "pass not timed itself")),
            (self._band, translate("Tuning", "nine times in ten")),
            (self._diamond, translate("Tuning", "tried in fact")),
            (self._even, translate("Tuning", "breaks even with plain")),
            (self._ring, translate("Tuning", "γ in force")),
        ]
        self.speak(", ".join(said for _sign, said in self._signs))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        return round((1 + max(row for row, _x in self._places(width))) * self._line())

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        width = self.theme.space(100)
        return QSize(width, self.heightForWidth(width))

    def draw(self, painter: QPainter) -> None:
        metrics = self.metrics(Type.SECONDARY)
        places = self._places(self.width())
        for (sign, text), (row, x) in zip(self._signs, places, strict=True):
            baseline = row * self._line() + metrics.ascent()
            sign(painter, QPointF(x + _WIDE / 2, baseline - metrics.xHeight() / 2))
            at = QPointF(x + _WIDE + self.theme.space(1.5), baseline)
            self.write(painter, at, text, Type.SECONDARY, Role.SECONDARY)

    def _places(self, width: int) -> list[tuple[int, float]]:
        """Row and beginning of each."""
        metrics, found, row, x = self.metrics(Type.SECONDARY), [], 0, 0.0
        for _sign, text in self._signs:
            wide = _WIDE + self.theme.space(1.5) + metrics.horizontalAdvance(text)
            if x and x + wide > width:
                row, x = row + 1, 0.0
            found.append((row, x))
            x += wide + self.theme.space(4)
        return found

    def _line(self) -> float:
        return self.metrics(Type.SECONDARY).height() + self.theme.space(0.5)

    # The signs ---------------------------------------------------------------------------------

    def _dot(self, painter: QPainter, at: QPointF) -> None:
        self._stroke(painter, at)
        painter.setBrush(self.theme.color(Role.TEXT))
        painter.drawEllipse(at, 2.0, 2.0)

    def _hollow(self, painter: QPainter, at: QPointF) -> None:
        self._stroke(painter, at)
        painter.setBrush(self.theme.color(Role.RAISED))
        painter.drawEllipse(at, 2.0, 2.0)

    def _stroke(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.4))
        painter.drawLine(QLineF(at.x() - _WIDE / 2, at.y(), at.x() + _WIDE / 2, at.y()))

    def _band(self, painter: QPainter, at: QPointF) -> None:
        band = QRectF(at.x() - _WIDE / 2, at.y() - 4, _WIDE, 8)
        painter.fillRect(band, self.theme.color(Role.UNTESTED))

    def _diamond(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.4))
        painter.setBrush(self.theme.color(Role.RAISED))
        corners = [(0, -4), (4, 0), (0, 4), (-4, 0)]
        painter.drawPolygon(QPolygonF([at + QPointF(*corner) for corner in corners]))

    def _even(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(dashed(QPen(self.theme.color(Role.NEUTRAL), 1), (3.0, 3.0)))
        y = round(at.y()) + 0.5
        painter.drawLine(QLineF(at.x() - _WIDE / 2, y, at.x() + _WIDE / 2, y))

    def _ring(self, painter: QPainter, at: QPointF) -> None:
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, 5.0, 5.0)
