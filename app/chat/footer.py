"""The line under a message: its figures at one end, what can be done with it at the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from app.chat.controls import Caption, IconButton, Pictures, ink, mirrored
from app.theme import Role, Theme

COPY, EDIT, REGENERATE, CONTINUE, DELETE = "copy", "edit", "regenerate", "continue", "delete"
"""What can be done with a message; also the names of the icons."""

ALWAYS = (COPY,)
"""What may be done even while a reply is written."""

_MOST_BUTTONS = 4


class Footer(QWidget):
    """Buttons appear when the message is pointed at or has the focus; their place is kept.

    Signals:
        pressed: The name of an action.
    """

    pressed = Signal(str)

    def __init__(self, theme: Theme, pictures: Pictures, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = pictures
        self._actions: Sequence[str] = ()
        self._is_idle = True
        self.buttons: dict[str, IconButton] = {}
        self._line: Caption | None = None

    @property
    def words(self) -> str:
        """What it says."""
        return self._line.text() if self._line is not None else ""

    def say(self, words: str, *, warn: bool = False) -> None:
        """Write ``words`` at the beginning of the line."""
        if self._line is None:
            if not words:
                return
            self._line = Caption(self._theme, "", self)
            self._line.setWordWrap(True)
            self._line.show()
        self._line.setText(words)
        ink(self._line, self._theme, Role.WARNING if warn else Role.FAINT)

    def offer(self, actions: Sequence[str]) -> None:
        """The actions that make sense for this message."""
        if tuple(actions) != tuple(self._actions):
            self._actions = actions
            shown = bool(self.buttons)
            self.hide_buttons()
            if shown:
                self.show_buttons()

    def set_idle(self, is_idle: bool) -> None:
        """Whether the engine is free for what the buttons ask of it."""
        self._is_idle = is_idle
        for name, button in self.buttons.items():
            button.setEnabled(is_idle or name in ALWAYS)

    def show_buttons(self) -> None:
        """Show the buttons; they are made now, since most messages never need any."""
        if self.buttons or not self._actions:
            return
        self.buttons = {name: self._made(name) for name in self._actions}
        self._place()
        for button in self.buttons.values():
            button.show()  # last: the mouse may enter it at once, and we are asked again

    def _made(self, name: str) -> IconButton:
        button = IconButton(self._theme, self._pictures.get(name), self._words(name), self)
        button.setEnabled(self._is_idle or name in ALWAYS)
        button.clicked.connect(lambda: self.pressed.emit(name))
        return button

    def hide_buttons(self) -> None:
        """Take the buttons away."""
        for button in self.buttons.values():
            button.hide()
            button.deleteLater()
        self.buttons.clear()

    def height_for(self, width: int) -> int:
        """The height at ``width``: the words may need a second line where they are large."""
        least = self._theme.space(7)
        tall = self._line.heightForWidth(self._room(width)) if self._line is not None else 0
        self.resize(width, max(least, tall))
        self._place()
        return self.height()

    def _room(self, width: int) -> int:
        """How wide the words may be: the buttons' place is always theirs."""
        return max(width // 3, width - self._theme.space(7) * _MOST_BUTTONS)

    def _place(self) -> None:
        right, height = self.width(), self._theme.space(7)
        for button in reversed(self.buttons.values()):
            right -= button.width()
            place = QRect(right, (height - button.height()) // 2, button.width(), button.height())
            button.setGeometry(mirrored(self, place, self.width()))
        if self._line is not None:
            place = QRect(0, 0, self._room(self.width()), self.height())
            self._line.setGeometry(mirrored(self, place, self.width()))

    def _words(self, name: str) -> str:
        words = {
            COPY: self.tr("Copy"),
            EDIT: self.tr("Edit and send again"),
            REGENERATE: self.tr("Write this reply again"),
            CONTINUE: self.tr("Go on with this reply"),
            DELETE: self.tr("Delete"),
        }
        return words[name]
