"""The list of downloads below its button."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from app.controls import Text, scrolling
from app.models.fetch_list import FetchList
from app.models.fetches import Fetches
from app.models.popover import Popover
from app.theme import Role, Theme, Type
from engine.models.downloads import State

_WIDTH = 112  # units of space


class Tray(Popover):
    """Every download, and a way to take those that are finished off the list."""

    def __init__(self, theme: Theme, fetches: Fetches, window: QWidget) -> None:
        super().__init__(theme, window, self.tr("Downloads"), _WIDTH)
        self._fetches = fetches
        self._head = Text(theme, self.tr("DOWNLOADS"), Type.LABEL, Role.FAINT)
        self.list = FetchList(theme, fetches, framed=False)
        self._inner = scrolling(self.list)
        for part in (self._inner.viewport(), self.list):  # the card itself is the ground
            part.setAutoFillBackground(False)
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
        self._refresh()

    def wanted_height(self, width: int) -> int:
        """The list at its full height, and what lies around it."""
        inner = self.list.layout()
        assert inner is not None
        margins = self.column.contentsMargins()
        rows = inner.totalHeightForWidth(width - margins.left() - margins.right())
        rest = self._head.sizeHint().height() + margins.top() + margins.bottom()
        rest += 0 if self.clear.isHidden() else self.clear.sizeHint().height()
        return rows + rest + 3 * self.column.spacing()

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
