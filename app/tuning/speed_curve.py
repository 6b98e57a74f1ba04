"""Predicted speed-up against γ, with its band, what was tried in fact, and the γ in force."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app import strokes
from app.panel import numbers
from app.panel.explain import Key
from app.theme import Role, Theme, Type
from app.tuning import words
from app.tuning.chart import Chart, dashed
from app.tuning.reading import GAMMAS, Reading
from engine.tunings import MAX_GAMMA

translate = QCoreApplication.translate

_DOT, _SMALL, _MARK = 3.0, 2.0, 4.0
_EVEN = (3.0, 3.0)
_HEADROOM = 0.15  # of the span, for the word above the best


class SpeedCurve(Chart):
    """The curve. Left and right move γ, Home and End go to its ends.

    Signals:
        gamma_chosen: A person moved γ.
    """

    gamma_chosen = Signal(int)

    def __init__(self, theme: Theme, height: float, parent: QWidget | None = None) -> None:
        super().__init__(theme, Key.CURVE, height, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def span(self, reading: Reading) -> tuple[float, float]:
        curve, tried = reading.curve, reading.measured.values()
        drawn = (*curve.low, *curve.high, *tried, 1.0)
        low, high = min(drawn), max(drawn)
        return low, high + _HEADROOM * (high - low)

    def level(self, value: float) -> str:
        return numbers.times(value)

    def told(self, reading: Reading, column: int) -> str:
        return words.speed(reading, column)

    def whole(self, reading: Reading) -> str:
        here = words.speed(reading, reading.gamma)
        return f"{here}. {words.summary(reading)} {super().whole(reading)}"

    def here(self, reading: Reading) -> int | None:
        return reading.gamma

    def paint(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        self._draw_band(painter, reading, frame)
        self._draw_even(painter, frame)
        self._draw_line(painter, reading, frame)
        self._draw_best(painter, reading, frame)
        self._draw_tried(painter, reading, frame)
        self._draw_now(painter, reading, frame)
        if self.hasFocus():
            color = self.theme.color(Role.FOCUS)
            around = self.theme.space(1)
            ring = frame.adjusted(-around, -around, around, around)
            strokes.rounded(painter, ring, self.theme.space(1.5), line=color, width=2)

    def _place(self, frame: QRectF, gamma: int, value: float) -> QPointF:
        return QPointF(self.at_column(frame, gamma), self.at_value(frame, value))

    def _draw_band(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        curve = reading.curve
        there = [self._place(frame, g, curve.high[g]) for g in GAMMAS]
        back = [self._place(frame, g, curve.low[g]) for g in reversed(GAMMAS)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(Role.UNTESTED))
        painter.drawPolygon(QPolygonF([*there, *back]))

    def _draw_even(self, painter: QPainter, frame: QRectF) -> None:
        y = round(self.at_value(frame, 1.0)) + 0.5
        painter.setPen(dashed(QPen(self.theme.color(Role.NEUTRAL), 1), _EVEN))
        painter.drawLine(QLineF(frame.left(), y, frame.right(), y))

    def _draw_line(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        """A dot is hollow where the pass of that γ was not timed itself."""
        speeds = reading.curve.speed_up
        places = [self._place(frame, g, speeds[g]) for g in GAMMAS]
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.4))
        painter.drawLines([QLineF(start, end) for start, end in pairwise(places)])
        for gamma, place in zip(GAMMAS, places, strict=True):
            fill = Role.TEXT if reading.is_timed(gamma + 1) else Role.RAISED
            painter.setBrush(self.theme.color(fill))
            painter.drawEllipse(place, _SMALL, _SMALL)

    def _draw_tried(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.4))
        painter.setBrush(self.theme.color(Role.RAISED))
        for gamma, speed in reading.measured.items():
            place = self._place(frame, gamma, speed)
            corners = [(0, -_MARK), (_MARK, 0), (0, _MARK), (-_MARK, 0)]
            painter.drawPolygon(QPolygonF([place + QPointF(*corner) for corner in corners]))

    def _draw_best(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        """The top of the curve, named above it."""
        best = reading.best
        place = self._place(frame, best, reading.curve.speed_up[best])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(Role.TEXT))
        painter.drawEllipse(place, _DOT + 1, _DOT + 1)
        high = min(place.y(), self.at_value(frame, reading.curve.high[best]))
        highest = frame.top() + self.metrics(Type.SECONDARY).capHeight()
        baseline = max(high - self.theme.space(1.5) - _MARK, highest)
        self.centre(painter, place.x(), baseline, translate("Tuning", "best"), Role.TEXT)

    def _draw_now(self, painter: QPainter, reading: Reading, frame: QRectF) -> None:
        """The γ in force: an upright line, a ring, and its number in full ink below."""
        gamma = reading.gamma
        place = self._place(frame, gamma, reading.curve.speed_up[gamma])
        painter.setPen(QPen(self.theme.color(Role.SECONDARY), 1))
        x = round(place.x()) + 0.5
        painter.drawLine(QLineF(x, place.y() + _MARK + 2, x, frame.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color(Role.TEXT), 1.6))
        painter.drawEllipse(place, _MARK + 2, _MARK + 2)

    # Moving γ ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        reading = self.reading
        forth, back = Qt.Key.Key_Right, Qt.Key.Key_Left
        if self.isRightToLeft():
            forth, back = back, forth
        now = reading.gamma if reading else 0
        wanted = {forth: now + 1, back: now - 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: MAX_GAMMA}
        gamma = wanted.get(Qt.Key(event.key()))
        if reading is None or gamma is None or event.modifiers() & ~_KEYPAD:
            super().keyPressEvent(event)
            return
        self._point(None)
        gamma = min(max(gamma, 0), MAX_GAMMA)
        if gamma != now:
            self.gamma_chosen.emit(gamma)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        super().focusOutEvent(event)
        self.update()


_KEYPAD = Qt.KeyboardModifier.KeypadModifier
