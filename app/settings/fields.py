"""What a setting is changed with: a stepper, a row of choices, a path, a text.

Each takes a value by `show_value` and tells what a person made of it by `edited`.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from app.controls import Card, IconButton, Segments
from app.icons import icon
from app.settings import words
from app.settings.stepping import stepped
from app.theme import Role, Theme
from engine.errors import BadSetting
from engine.settings import Kind, Setting, Value


class NumberField(QLineEdit):
    """A number between a minus and a plus, or a word such as auto.

    Signals:
        edited: What is written there now, as the setting's `parse` takes it.
    """

    edited = Signal(object)

    def __init__(self, theme: Theme, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._setting = theme, setting
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        lead, trail = (
            QLineEdit.ActionPosition.LeadingPosition,
            QLineEdit.ActionPosition.TrailingPosition,
        )
        self._less = self._button("minus", self.tr("Less"), lead, -1)
        self._more = self._button("plus", self.tr("More"), trail, 1)
        self.textEdited.connect(self._tell)
        theme.changed.connect(self._measure)
        self._measure()

    def show_value(self, value: Value) -> None:
        """Show ``value``, unless that is what is written there already, in whatever way."""
        if not self.text() or self._value() != value:
            self.setText(words.shown(self._setting, value))
        self._offer()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, here and below)
        """Up and down count."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if steps:
            self._step(steps)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """A page that is scrolled must not change what the pointer happens to lie on."""
        event.ignore()

    def _button(
        self, drawing: str, name: str, where: QLineEdit.ActionPosition, steps: int
    ) -> QAction:
        action = QAction(icon(self._theme, drawing, Role.SECONDARY), name, self)
        action.triggered.connect(lambda: self._step(steps))
        self.addAction(action, where)
        return action

    def _step(self, steps: int) -> None:
        value = stepped(self._setting, self._value(), steps)
        self.setText(words.shown(self._setting, value))
        self._tell()

    def _tell(self) -> None:
        self._offer()
        self.edited.emit(words.typed(self._setting, self.text()))

    def _offer(self) -> None:
        """Enable the minus and the plus where there is something below and above."""
        value = self._value()
        for action, steps in ((self._less, -1), (self._more, 1)):
            action.setEnabled(stepped(self._setting, value, steps) != value)

    def _value(self) -> Value:
        """What is written there; the default where that is no value."""
        try:
            return self._setting.parse(words.typed(self._setting, self.text()))
        except BadSetting:
            return self._setting.default

    def _measure(self) -> None:
        self.setFixedWidth(self._theme.space(38))


class ChoiceField(Segments):
    """One of a few words.

    Signals:
        edited: The word.
    """

    edited = Signal(object)

    def __init__(self, theme: Theme, setting: Setting, parent: QWidget | None = None) -> None:
        titles = [(known, words.word(known).capitalize()) for known in setting.words]
        super().__init__(theme, titles, words.title(setting), parent)
        self._setting = setting
        self.chosen.connect(self.edited.emit)

    def show_value(self, value: Value) -> None:
        """Show ``value``; where it is none of the words, as in a chat from elsewhere, no word
        holds."""
        written = self._setting.written(value)
        is_word = isinstance(written, str) and written in self._setting.words
        self.choose(str(written) if is_word else None)


class PathField(QWidget):
    """A folder, typed or looked for. What is typed holds when it is finished: of half a path, all
    of another folder would be looked through.

    Signals:
        edited: The path as text, or the word for none.
    """

    edited = Signal(object)

    def __init__(self, theme: Theme, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setting = setting
        self._line = QLineEdit(self)
        self._line.setAccessibleName(words.title(setting))
        self._line.editingFinished.connect(self._finish)
        look = IconButton(theme, "folder", self.tr("Look for a folder"))
        look.clicked.connect(self._look)
        self.setFocusProxy(self._line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._line)
        row.addWidget(look)

    def show_value(self, value: Value) -> None:
        """Show ``value``."""
        text = words.shown(self._setting, value)
        if words.typed(self._setting, self._line.text()) != words.typed(self._setting, text):
            self._line.setText(text)

    def _finish(self) -> None:
        if self._line.isModified():
            self._choose(self._line.text())

    def _look(self) -> None:
        dialog = QFileDialog(self.window(), words.title(self._setting))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._choose)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose(self, folder: str) -> None:
        text = words.typed(self._setting, folder)
        if text and text not in self._setting.words:
            text = os.path.abspath(os.path.expanduser(text))
        self._line.setText(text)
        self.edited.emit(text)


class TextField(Card):
    """A few lines of text.

    Signals:
        edited: The text.
    """

    edited = Signal(object)

    def __init__(self, theme: Theme, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(theme, line=Role.BORDER, radius=2, parent=parent)
        self._theme = theme
        self._text = QPlainTextEdit(self)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setTabChangesFocus(True)
        self.show_hint()
        self._text.setAccessibleName(words.title(setting))
        self._text.textChanged.connect(lambda: self.edited.emit(self._text.toPlainText()))
        self._text.installEventFilter(self)
        self.setFocusProxy(self._text)
        row = QHBoxLayout(self)
        row.setContentsMargins(*[theme.space(1)] * 4)
        row.addWidget(self._text)
        theme.changed.connect(self._measure)
        self._measure()

    def show_value(self, value: Value) -> None:
        """Show ``value``."""
        if self._text.toPlainText() != value:
            self._text.setPlainText(str(value))

    def show_hint(self, text: str = "") -> None:
        """Show ``text`` where nothing is typed, else that this is so."""
        self._text.setPlaceholderText(text or self.tr("Nothing yet"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Show in the line around whether the keyboard is inside."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            inside = event.type() == QEvent.Type.FocusIn
            self.set_line(Role.FOCUS if inside else Role.BORDER)
        return super().eventFilter(watched, event)

    def _measure(self) -> None:
        self.setFixedHeight(self._theme.space(24))


Field = NumberField | ChoiceField | PathField | TextField


def field(theme: Theme, setting: Setting, parent: QWidget) -> Field:
    """What ``setting`` is changed with."""
    kinds: dict[Kind, type[ChoiceField | PathField | TextField]] = {
        Kind.CHOICE: ChoiceField,
        Kind.PATH: PathField,
        Kind.TEXT: TextField,
    }
    made = kinds.get(setting.kind, NumberField)(theme, setting, parent)
    made.setAccessibleName(words.title(setting))
    made.setAccessibleDescription(words.description(setting))
    return made
