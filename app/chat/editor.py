"""The editor in a message that is changed and sent again."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPushButton, QWidget

from app.chat.controls import Caption, mirrored
from app.chat.textbox import TextBox
from app.theme import Role, Theme, Type


class Editor(QWidget):
    """A text box with "Send" and "Cancel" under it, and a line on what could not be put in.

    Signals:
        sent: The new text.
        left: Nothing is to change.
        changed: What stands in it now.
        resized: It wants another height.
    """

    sent = Signal(str)
    left = Signal()
    changed = Signal(str)
    resized = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.box = TextBox(theme, self)
        self.box.is_for_short_texts = False
        self.box.setPlainText(text)
        self.box.moveCursor(QTextCursor.MoveOperation.End)
        self.box.setAccessibleName(self.tr("Your message"))
        self.send = QPushButton(self.tr("Send"), self)
        self.send.setProperty("look", "primary")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        for button in (self.send, self.cancel):
            button.setFont(theme.font(Type.SECONDARY))
            button.setAutoDefault(False)
        self.box.entered.connect(self._send)
        self.box.escaped.connect(self.left)
        self.box.textChanged.connect(self._tell)
        self.box.pasted.connect(self._refuse_paste)
        self.box.dropped.connect(self._refuse_files)
        self.note = Caption(theme, "", self, role=Role.WARNING)
        self.note.setWordWrap(True)
        self.note.hide()
        self.send.clicked.connect(self._send)
        self.cancel.clicked.connect(self.left)
        self.setFocusProxy(self.box)
        self._height = 0

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it."""
        return [self.box, self.send, self.cancel]

    def set_idle(self, is_idle: bool) -> None:
        """Whether the engine is free for it."""
        self.send.setEnabled(is_idle)

    def height_for(self, width: int) -> int:
        """The height at ``width``; everything is put in its place."""
        gap = self._theme.space(2)
        self._height = self.box.height_for(width)
        self.box.setGeometry(0, 0, width, self._height)
        top = self._height + gap
        if not self.note.isHidden():
            self.note.setGeometry(0, top, width, self.note.heightForWidth(width))
            top += self.note.height() + gap
        right = width
        for button in (self.send, self.cancel):
            size = button.sizeHint()
            right -= size.width()
            place = QRect(right, top, size.width(), size.height())
            button.setGeometry(mirrored(self, place, width))
            right -= gap
        return top + self.send.sizeHint().height()

    def _send(self) -> None:
        text = self.box.toPlainText().strip()
        if not text:
            return
        if self.send.isEnabled():
            self.sent.emit(text)
        else:
            self._say(
                self.tr("This can be sent once a model is loaded and no reply is being written.")
            )

    def _tell(self) -> None:
        self.changed.emit(self.box.toPlainText())
        had_note = not self.note.isHidden()
        self.note.hide()
        if had_note or self.box.height_for(self.box.width()) != self._height:
            self.resized.emit()

    def _refuse_paste(self) -> None:
        self._say(
            self.tr("That is too long to be put in here. Paste it into the box for a new message.")
        )

    def _refuse_files(self) -> None:
        self._say(self.tr("Files go with a new message: drop them on the box for it."))

    def _say(self, words: str) -> None:
        self.note.setText(words)
        self.note.show()
        self.resized.emit()
