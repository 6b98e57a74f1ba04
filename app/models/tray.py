"""The downloads in the head of the window: how far they are, and all of them on a press."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from app import strokes
from app.controls import IconButton, Text, scrolling
from app.models.fetch_list import FetchList
from app.models.fetches import Fetches
from app.models.popover import Popover
from app.panel import numbers
from app.theme import Role, Theme, Type
from engine.models.downloads import State, Status

_WIDTH = 112  # units of space
_WAITING = frozenset({State.WAITING, State.RUNNING, State.PAUSED, State.FAILED})
_AROUND = 5760  # a whole circle, in the painter's sixteenths of a degree


class TrayButton(IconButton):
    """A ring around the picture tells how far all downloads are; there while there are any."""

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


class Tray(Popover):
    """The list of downloads below its button."""

    def __init__(self, theme: Theme, fetches: Fetches, window: QWidget) -> None:
        super().__init__(theme, window, self.tr("Downloads"), _WIDTH)
        self._fetches = fetches
        self._head = Text(theme, self.tr("DOWNLOADS"), Type.LABEL, Role.FAINT)
        self.list = FetchList(theme, fetches, framed=False)
        self._inner = scrolling(self.list)
        self.clear = QPushButton(self.tr("Clear what is finished"))
        self.clear.setProperty("look", "quiet")
        self.clear.clicked.connect(self._clear)
        for widget in (self._head, self._inner, self.clear):
            self.column.addWidget(widget)
        self.column.setStretch(1, 1)
        self.list.resized.connect(self._refresh)
        self.list.used.connect(lambda _pair: self.close_quietly())
        fetches.changed.connect(self._refresh)
        theme.changed.connect(self._measure)
        self._measure()

    def wanted_height(self, width: int) -> int:
        """The list at its full height, and what lies around it."""
        inner = self.list.layout()
        assert inner is not None
        margins = self.column.contentsMargins()
        rows = inner.totalHeightForWidth(width - margins.left() - margins.right())
        rest = self._head.sizeHint().height() + margins.top() + margins.bottom()
        rest += 0 if self.clear.isHidden() else self.clear.sizeHint().height()
        return rows + rest + 2 * self.column.spacing()

    def _refresh(self) -> None:
        finished = [s for s in self._fetches.statuses if s.state is State.DONE]
        self.clear.setVisible(bool(finished))
        if not self._fetches.statuses:
            self.close_quietly()
        self.place()

    def _clear(self) -> None:
        for status in self._fetches.statuses:
            if status.state is State.DONE:
                self._fetches.cancel(status.key)

    def _measure(self) -> None:
        space = self.theme.space
        self._head.setContentsMargins(space(2), 0, 0, 0)
        self.column.setContentsMargins(space(2), space(3), space(2), space(2))
        self.column.setSpacing(space(1))
