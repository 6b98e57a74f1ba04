"""Tokens per second over time, beside the dashed line of plain decoding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel import numbers
from app.panel.explain import Key
from app.panel.plate import Plate
from app.theme import Role, Theme, Type

translate = QCoreApplication.translate

_HEADROOM = 1.12
_DOT = 2.5


class Curve(Plate):
    """Speed from the reply's beginning to now; the axis begins at zero."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.OVER_TIME, parent)
        self._points: Sequence[tuple[float, float]] = ()
        self._plain: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_speeds(self, points: Sequence[tuple[float, float]], plain: float | None) -> None:
        """Show these from now on: (seconds of writing, tokens/s), and the plain speed."""
        self._points, self._plain = points, plain
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(40), self.theme.space(12))

    def draw(self, painter: QPainter) -> None:
        if len(self._points) < 2:
            return
        chart = self._chart()
        self._draw_foot(painter, chart)
        if self._plain:
            self._draw_plain(painter, chart, self._plain)
        # Lines, not a polyline: Qt takes forty times as long to join three hundred of them.
        places = self._places(chart)
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.2))
        painter.drawLines([QLineF(start, end) for start, end in pairwise(places)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(Role.TEXT))
        painter.drawEllipse(places[-1], _DOT, _DOT)

    def _chart(self) -> QRectF:
        foot = self.metrics(Type.SECONDARY).height()
        return QRectF(self.rect()).adjusted(0, 1, -_DOT, -foot)

    def _top(self) -> float:
        return _HEADROOM * max(self._plain or 0.0, *(speed for _at, speed in self._points))

    def _places(self, chart: QRectF) -> list[QPointF]:
        right, up = chart.width() / self._points[-1][0], chart.height() / self._top()
        left, bottom = chart.left(), chart.bottom()
        return [QPointF(left + right * at, bottom - up * speed) for at, speed in self._points]

    def _draw_foot(self, painter: QPainter, chart: QRectF) -> None:
        painter.setPen(QPen(self.theme.color(Role.LINE), 1))
        painter.drawLine(QLineF(0, chart.bottom(), self.width(), chart.bottom()))
        metrics = self.metrics(Type.SECONDARY)
        baseline = chart.bottom() + metrics.ascent()
        end = numbers.seconds(self._points[-1][0])
        at = QPointF(self.width() - metrics.horizontalAdvance(end), baseline)
        self.write(painter, at, end, Type.SECONDARY, Role.FAINT)

    def _draw_plain(self, painter: QPainter, chart: QRectF, plain: float) -> None:
        y = round(chart.bottom() - chart.height() * plain / self._top()) + 0.5
        pen = QPen(self.theme.color(Role.NEUTRAL), 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(QPointF(chart.left(), y), QPointF(self.width(), y))
        text = translate("Panel", "plain {rate}").format(rate=numbers.rate(plain))
        baseline = chart.bottom() + self.metrics(Type.SECONDARY).ascent()
        self._draw_dash(painter, baseline, pen)
        at = QPointF(self.theme.space(5), baseline)
        self.write(painter, at, text, Type.SECONDARY, Role.FAINT)

    def _draw_dash(self, painter: QPainter, baseline: float, pen: QPen) -> None:
        """The beginning of the plain speed's name: a bit of its line."""
        y = round(baseline - self.metrics(Type.SECONDARY).xHeight() / 2) + 0.5
        painter.setPen(pen)
        painter.drawLine(QPointF(0, y), QPointF(self.theme.space(4), y))

    def hint_at(self, place: QPoint) -> str:
        if len(self._points) < 2:
            return super().hint_at(place)
        at = self._points[-1][0] * place.x() / max(1.0, self._chart().width())
        when, speed = min(self._points, key=lambda point: abs(point[0] - at))
        text = translate("Panel", "{rate} tokens/s after {time}.")
        told = text.format(rate=numbers.rate(speed), time=numbers.seconds(when))
        return f"{told} {super().hint_at(place)}"
