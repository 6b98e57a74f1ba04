"""Small bar charts: accepted tokens by round, and acceptance by place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.panel.explain import Key, title
from app.panel.plate import Plate
from app.theme import Role, Theme, Type

_WIDEST = 28.0
_GAP = 0.22  # of a bar's pitch
_CLEAR = 0.75  # units of space between a bar and what is written over it


class Bars(Plate):
    """A bar for each of a few numbers, with what stands for it below and, with room, above.

    ``first``: what the first bar is called; the others count on.
    """

    def __init__(self, theme: Theme, key: Key, first: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, key, parent)
        self._first = first
        self._shares: Sequence[float | None] = ()
        self._labels: Sequence[str] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_shares(self, shares: Sequence[float | None], labels: Sequence[str]) -> None:
        """Show these from now on: heights from 0 to 1, and what each is in words."""
        self._shares, self._labels = shares, labels
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self.theme.space(20), self.theme.space(18))

    def draw(self, painter: QPainter) -> None:
        metrics = self.metrics(Type.SECONDARY)
        room = float(self.width())
        name = metrics.elidedText(title(self.key), Qt.TextElideMode.ElideRight, room)
        at = QPointF(0, metrics.ascent())
        self.write(painter, at, name, Type.SECONDARY, Role.SECONDARY)
        foot = round(self.height() - metrics.height()) + 0.5
        painter.setPen(QPen(self.theme.color(Role.LINE), 1))
        painter.drawLine(QPointF(0, foot), QPointF(self.width(), foot))
        if self._shares:
            self._draw_bars(painter, foot)

    def _pitch(self) -> float:
        return min(_WIDEST * self.theme.scale, self.width() / max(1, len(self._shares)))

    def _draw_bars(self, painter: QPainter, foot: float) -> None:
        line = self.metrics(Type.SECONDARY).height()
        pitch, tallest = self._pitch(), foot - 2 * line - self.theme.space(_CLEAR)
        spelled, named = self._spelled(pitch), self._named(pitch)
        below = self.height() - self.metrics(Type.SECONDARY).descent()
        for i, share in enumerate(self._shares):
            left, tall = i * pitch, max(1.0, tallest * (share or 0.0))
            bar = QRectF(left, foot - tall, pitch * (1 - _GAP), tall)
            role = Role.ACCEPTED if share else Role.UNTESTED
            painter.fillRect(bar, self.theme.color(role))
            if spelled:
                over = bar.top() - self.theme.space(_CLEAR)
                self._write_over(painter, bar, over, self._labels[i], Role.FAINT)
            if i in named:
                self._write_over(painter, bar, below, str(self._first + i), Role.FAINT)

    def _write_over(
        self, painter: QPainter, bar: QRectF, baseline: float, text: str, role: Role
    ) -> None:
        width = self.metrics(Type.SECONDARY).horizontalAdvance(text)
        left = min(max(0.0, bar.center().x() - width / 2), self.width() - width)
        self.write(painter, QPointF(left, baseline), text, Type.SECONDARY, role)

    def _spelled(self, pitch: float) -> bool:
        """Whether there is room for every number above its bar."""
        metrics = self.metrics(Type.SECONDARY)
        return all(metrics.horizontalAdvance(label) < pitch for label in self._labels)

    def _named(self, pitch: float) -> set[int]:
        """The bars whose names stand below them: where they are narrow, some do without."""
        count = len(self._shares)
        if pitch > self.metrics(Type.SECONDARY).horizontalAdvance("00"):
            return set(range(count))
        inner = [i for i in range(count - 3) if (i + self._first) % 4 == 0]
        return {0, count - 1, *inner}

    def hint_at(self, place: QPoint) -> str:
        i = int(place.x() // self._pitch())
        if not 0 <= i < len(self._labels):
            return super().hint_at(place)
        return f"{self._first + i}: {self._labels[i]}. {super().hint_at(place)}"
