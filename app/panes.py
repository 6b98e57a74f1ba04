"""The three areas of the window side by side: which are shown, how wide, and what is remembered."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from app.theme import Theme

# In units of space: the width at first, the least, the most.
_SIDEBAR = (62, 50, 90)
_PANEL = (75, 65, 105)

_SHEET, _SHEET_BESIDE = 75, 93  # the least of the chat alone, and of the chat beside a pane
_GAP = 2

PANEL_NEEDS, SIDEBAR_NEEDS = 270, 205
"""How wide, in units, the window must be for a pane to be shown by itself."""


class Panes(QSplitter):
    """Sidebar, sheet and panel. What a person hides stays hidden; what has no room comes back.
    Where there is room for one pane only, it is the one that was asked for last.

    Signals:
        changed: Another pane is shown or hidden.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        sidebar: QWidget,
        sheet: QWidget,
        panel: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.sidebar, self.sheet, self.panel = sidebar, sheet, panel
        self._wanted = {sidebar: True, panel: True}
        self._forced: set[QWidget] = set()
        self._last = panel
        self._width = 0
        for pane in (sidebar, sheet, panel):
            self.addWidget(pane)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(1, 1)
        theme.changed.connect(self._measure)
        self._measure()
        self.setSizes([theme.space(_SIDEBAR[0]), theme.space(200), theme.space(_PANEL[0])])

    def createHandle(self) -> QSplitterHandle:  # noqa: N802
        """A piece of the desk that can be dragged."""
        return _Handle(self.orientation(), self)

    @property
    def least_sheet(self) -> int:
        """How narrow the sheet may be, as far as this splitter has a say."""
        return self._theme.space(_SHEET)

    def is_shown(self, pane: QWidget) -> bool:
        """Whether a pane is shown, as far as this splitter has a say."""
        return not pane.isHidden()

    def want(self, pane: QWidget, wanted: bool) -> None:
        """Show or hide a pane, as a person says; even where there is little room."""
        self._wanted[pane] = wanted
        self._last = pane if wanted else self._last
        self._forced.discard(pane)
        if wanted and not self._has_room(pane):
            self._forced.add(pane)
        self._arrange()

    def save(self, settings: QSettings) -> None:
        """Remember widths and what is hidden."""
        settings.setValue("panes", self.saveState())
        settings.setValue("sidebar", self._wanted[self.sidebar])
        settings.setValue("panel", self._wanted[self.panel])

    def restore(self, settings: QSettings) -> None:
        """Show what was remembered."""
        state = settings.value("panes")
        if state is not None:
            self.restoreState(state)
        for name, pane in (("sidebar", self.sidebar), ("panel", self.panel)):
            self._wanted[pane] = bool(settings.value(name, True, type=bool))
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Hide what has no room any more, and show what has it again."""
        if self.width() != self._width:
            self._width = self.width()
            self._forced = {pane for pane in self._forced if not self._has_room(pane)}
            self._arrange()
        super().resizeEvent(event)

    def _has_room(self, pane: QWidget) -> bool:
        needed = PANEL_NEEDS if pane is self.panel else SIDEBAR_NEEDS
        return self.width() >= self._theme.space(needed)

    def _have_room(self) -> bool:
        """Whether both panes fit beside the chat."""
        least = _SIDEBAR[1] + _GAP + _SHEET_BESIDE + _GAP + _PANEL[1]
        return self.width() >= self._theme.space(least)

    def _arrange(self) -> None:
        before = [pane.isHidden() for pane in self._wanted]
        shown = [
            pane
            for pane, wanted in self._wanted.items()
            if wanted and (pane in self._forced or self._has_room(pane))
        ]
        if len(shown) > 1 and not self._have_room():
            shown = [self._last] if self._last in shown else shown[:1]
        for pane in self._wanted:
            pane.setVisible(pane in shown)
        if before != [pane.isHidden() for pane in self._wanted]:
            self.changed.emit()

    def _measure(self) -> None:
        space = self._theme.space
        self.setHandleWidth(space(_GAP))
        for pane, (_first, least, most) in ((self.sidebar, _SIDEBAR), (self.panel, _PANEL)):
            pane.setMinimumWidth(space(least))
            pane.setMaximumWidth(space(most))
        self.sheet.setMinimumWidth(self.least_sheet)
        self._arrange()


class _Handle(QSplitterHandle):
    """Nothing to see: the pointer tells."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        return


def state_of(window: QObject | None = None) -> QSettings:
    """Where the window's measures are remembered."""
    from engine import paths

    path = paths.config_folder() / "window-state.ini"
    return QSettings(str(path), QSettings.Format.IniFormat, window)
