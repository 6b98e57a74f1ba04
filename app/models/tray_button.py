"""How far all downloads are, in the head of the window."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app import strokes
from app.controls import IconButton
from app.models.fetches import Fetches
from app.panel import numbers
from app.theme import Role, Theme
from engine.models.downloads import State, Status

_WAITING = frozenset({State.WAITING, State.RUNNING, State.PAUSED, State.FAILED})
_AROUND = 5760  # a whole circle, in the painter's sixteenths of a degree


class TrayButton(IconButton):
    """A ring around the picture tells how far all downloads are; there while there are any.

    Signals:
        refreshed: It may have come into sight, or gone.
    """

    refreshed = Signal()

    def __init__(self, theme: Theme, fetches: Fetches, parent: QWidget | None = None) -> None:
        super().__init__(theme, "download", "", parent=parent)
        self._fetches = fetches
        fetches.changed.connect(self.refresh)
        self.refresh()

    @property
    def part(self) -> float:
        """How far all are, 0 to 1."""
        total = sum(status.total for status in self._open())
        return sum(status.done for status in self._open()) / total if total else 0.0

    def refresh(self) -> None:
        """Show how things stand."""
        self.setVisible(bool(self._fetches.statuses))
        self.set_name(self._words())
        self.update()
        self.refreshed.emit()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As large as every button of the head."""
        return self.minimumSize()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The picture, and the ring while something is to come."""
        super().paintEvent(event)
        if not self._open():
            return
        painter = QPainter(self)
        width = self._theme.space(0.5)
        rect = QRectF(self.rect()).adjusted(width, width, -width, -width)
        with strokes.smooth(painter):
            painter.setPen(QPen(self._theme.color(Role.LINE), width))
            painter.drawEllipse(rect)
            ink = Role.DANGER if self._has_trouble() else Role.ACCENT
            pen = QPen(self._theme.color(ink), width)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawArc(rect, _AROUND // 4, -round(_AROUND * self.part))
        painter.end()

    def _open(self) -> list[Status]:
        return [status for status in self._fetches.statuses if status.state in _WAITING]

    def _has_trouble(self) -> bool:
        return any(status.error for status in self._open())

    def _words(self) -> str:
        if self._has_trouble():
            return self.tr("Downloads: one cannot go on")
        if self._open():
            return self.tr("Downloads: {part} are here").format(part=numbers.percent(self.part))
        return self.tr("Downloads: all finished")
