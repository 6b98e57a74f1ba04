"""The line under a message: its figures at one end, what can be done with it at the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from app.chat.controls import Caption, IconButton, Pictures, ink, mirrored
from app.chat.model import Version
from app.chat.pager import Pager
from app.theme import Role, Theme

COPY, EDIT, REGENERATE, CONTINUE, DELETE = "copy", "edit", "regenerate", "continue", "delete"
"""What can be done with a message; also the names of the icons."""

ALWAYS = (COPY,)
"""What may be done even while a reply is written."""

_MOST_BUTTONS = 4

_ACTIONS = {REGENERATE: "reply.regenerate", CONTINUE: "reply.continue"}
"""Those of the window's table that do the same to the last reply, which alone has these buttons."""


class Footer(QWidget):
    """Buttons appear when the message is pointed at or has the focus; their place is kept. Where
    there are several versions of the message, their pager is always there.

    Signals:
        pressed: The name of an action, or of a button of the pager's.
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
        self._pager: Pager | None = None

    @property
    def pager(self) -> Pager | None:
        """The pager, where it is offered."""
        return None if self._pager is None or self._pager.isHidden() else self._pager

    @property
    def controls(self) -> dict[str, QToolButton]:
        """What the keyboard can reach in it, by what is pressed."""
        return {**(self.pager.buttons if self.pager is not None else {}), **self.buttons}

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

    def page(self, version: Version | None) -> None:
        """Offer the other versions, or none."""
        if version is not None:
            if self._pager is None:
                self._pager = Pager(self._theme, self._pictures, self)
                self._pager.pressed.connect(self.pressed)
            self._pager.show_version(version)
            self._pager.show()
        elif self._pager is not None:
            self._pager.hide()

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
        picture, words = self._pictures.get(name), self._words(name)
        button = IconButton(self._theme, picture, words, self, action=_ACTIONS.get(name, ""))
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
        row, place = self._theme.space(7), self._words_place(width)
        tall = self._line.heightForWidth(place.width()) if self._line is not None else 0
        self.resize(width, max(row, place.top() + tall))
        self._place()
        return self.height()

    def _words_place(self, width: int) -> QRect:
        """Where the words may be, but for their height: the buttons' place is always theirs. Where
        the pager leaves the words too little, they go below it."""
        row, pager = self._theme.space(7), self.pager
        room = width - row * _MOST_BUTTONS
        if pager is None:
            return QRect(0, 0, max(width // 3, room), row)
        left = pager.sizeHint().width() + self._theme.space(1.5)
        if room - left < width // 3:
            return QRect(0, row, width, row)
        return QRect(left, 0, room - left, row)

    def _place(self) -> None:
        right, height = self.width(), self._theme.space(7)
        for button in reversed(self.buttons.values()):
            right -= button.width()
            place = QRect(right, (height - button.height()) // 2, button.width(), button.height())
            button.setGeometry(mirrored(self, place, self.width()))
        if self._line is not None:
            place = self._words_place(self.width())
            place.setBottom(self.height() - 1)
            self._line.setGeometry(mirrored(self, place, self.width()))
        if self.pager is not None:
            place = QRect(0, 0, self.pager.sizeHint().width(), height)
            self.pager.setGeometry(mirrored(self, place, self.width()))

    def _words(self, name: str) -> str:
        words = {
            COPY: self.tr("Copy"),
            EDIT: self.tr("Edit and send again"),
            REGENERATE: self.tr("Write this reply again"),
            CONTINUE: self.tr("Go on with this reply"),
            DELETE: self.tr("Delete"),
        }
        return words[name]
