"""One setting on the page: its words, what it is changed with, what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from app.controls import IconButton, Text
from app.settings import words
from app.settings.fields import PathField, TextField, field
from app.theme import Role, Theme, Type
from engine.errors import BadSetting
from engine.settings import Kind, Setting, Value

_ROOM = 120  # units of space below which what a setting is changed with goes under its words

_LARGEST_MARGIN = 20


class SettingRow(QWidget):
    """A title, a sentence, a field; a line on what is allowed while what is typed is not.

    Signals:
        chosen: The name of the setting and a value that it may hold.
        reset: The name of a setting that shall hold its default again.
    """

    chosen = Signal(str, object)
    reset = Signal(str)

    def __init__(
        self, theme: Theme, setting: Setting, value: Value, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._default = setting.default
        self._theme, self._setting = theme, setting
        self.field = field(theme, setting, self)
        self._title = Text(theme, words.title(setting), Type.BODY)
        self._title.setBuddy(self.field)
        self._description = Text(
            theme, words.description(setting), Type.SECONDARY, Role.SECONDARY, wrap=True
        )
        self._trouble = Text(theme, words.allowed(setting), Type.SECONDARY, Role.DANGER, wrap=True)
        self._trouble.hide()
        self._reset = IconButton(theme, "undo", "", side=6)
        self.set_default(setting.default, self.tr("Back to the default: {value}"))
        self._reset.clicked.connect(lambda: self.reset.emit(setting.name))
        self.field.edited.connect(self._take)
        self._lay_out()
        theme.changed.connect(self._measure)
        self._measure()
        self.show_value(value)

    @property
    def trouble(self) -> str:
        """What is wrong with what is typed; empty where nothing is."""
        return "" if self._trouble.isHidden() else self._trouble.text()

    def show_value(self, value: Value) -> None:
        """Show ``value``."""
        self.field.blockSignals(True)
        self.field.show_value(value)
        self.field.blockSignals(False)
        self._trouble.setVisible(not self._allows(value))
        self._reset.setVisible(value != self._default)

    def set_default(self, value: Value, back: str, holds: Value = "") -> None:
        """What the row goes back to, and how its button says that, with a {value}; ``holds``: what
        comes to hold then, where it is another."""
        self._default = value
        shown = words.brief(self._setting, holds or value) or self.tr("nothing")
        self._reset.set_name(back.format(value=shown))

    def matches(self, text: str) -> bool:
        """Whether ``text`` is found in its words."""
        where = f"{self._title.text()} {self._description.text()} {self._setting.name}"
        return text.casefold() in where.casefold()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Stand in one line or in two."""
        super().resizeEvent(event)
        self._place()

    def _allows(self, value: object) -> bool:
        """Whether the setting may hold ``value``; a chat from elsewhere may have one it may not."""
        try:
            self._setting.check(value)
        except BadSetting:
            return False
        return True

    def _take(self, value: object) -> None:
        """Pass on what was typed, if the setting may hold it."""
        try:
            kind = self._setting.kind
            text = kind is not Kind.TEXT and isinstance(value, str)
            checked = self._setting.parse(str(value)) if text else self._setting.check(value)
        except BadSetting:
            self._trouble.show()
        else:
            self._trouble.hide()
            self.chosen.emit(self._setting.name, checked)

    def _lay_out(self) -> None:
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addStretch(1)
        for text in (self._title, self._description, self._trouble):
            said.addWidget(text)
        said.addStretch(1)
        self._control = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._control.addWidget(self.field)
        self._control.addWidget(self._reset)
        self._grid = QGridLayout(self)
        self._grid.addLayout(said, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._place()

    def _place(self) -> None:
        """What a setting is changed with stands at the end of the line, or under the words."""
        wide = isinstance(self.field, TextField | PathField)
        below = wide or self.width() < self._theme.space(_ROOM)
        self._grid.removeItem(self._control)
        if wide:
            self._grid.addLayout(self._control, 1, 0)
        elif below:
            self._grid.addLayout(self._control, 1, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self._grid.addLayout(self._control, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        keeps = self._reset.sizePolicy()
        keeps.setRetainSizeWhenHidden(not below)  # so that the words are not set anew for it
        self._reset.setSizePolicy(keeps)
        direction = QBoxLayout.Direction
        self._control.setDirection(direction.LeftToRight if below else direction.RightToLeft)

    def _measure(self) -> None:
        space = self._theme.space
        side = min(space(4), _LARGEST_MARGIN)
        self._grid.setContentsMargins(side, space(3), side, space(3))
        self._grid.setHorizontalSpacing(space(4))
        self._grid.setVerticalSpacing(space(2))
