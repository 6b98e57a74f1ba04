"""A part of the panel: its head, and below it one line until there is something to show."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.controls import Text
from app.theme import Role, Theme, Type


class Words(Text):
    """A wrapped line that takes no room while it says nothing."""

    def __init__(self, theme: Theme, type_: Type, role: Role, text: str = "") -> None:
        super().__init__(theme, text, type_, role, wrap=True)

    def say(self, text: str) -> None:
        """Show ``text``."""
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))


class Head(Text):
    """A section's head: letter-spaced capitals."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(theme, text, Type.LABEL, Role.FAINT)

    def _dress(self) -> None:
        super()._dress()
        capitals = QFont(self.font())
        capitals.setCapitalization(QFont.Capitalization.AllUppercase)
        self.setFont(capitals)


class Section(QWidget):
    """A head, and below it rows of widgets, or ``promise`` while there is nothing to show."""

    def __init__(self, theme: Theme, head: str, promise: str) -> None:
        super().__init__()
        self._theme = theme
        self.head = Head(theme, head)
        self._promise = Words(theme, Type.SECONDARY, Role.SECONDARY, promise)
        self._content = QWidget()
        self._inner = QVBoxLayout(self._content)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        for widget in (self.head, self._promise, self._content):
            self._outer.addWidget(widget)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.fill(False)

    def add(self, *widgets: QWidget) -> None:
        """One more row; several widgets stand side by side."""
        if len(widgets) == 1:
            self._inner.addWidget(widgets[0])
        else:
            self._inner.addLayout(side_by_side(self._theme, *widgets))

    def fill(self, filled: bool) -> None:
        """Show the rows, or the promise."""
        self._content.setVisible(filled)
        self._promise.setVisible(not filled)

    def _restyle(self) -> None:
        self._outer.setSpacing(self._theme.space(1.5))
        self._inner.setSpacing(self._theme.space(1.5))


def side_by_side(theme: Theme, *widgets: QWidget) -> QHBoxLayout:
    """A row without margins."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(theme.space(3))
    for widget in widgets:
        row.addWidget(widget)
    return row
