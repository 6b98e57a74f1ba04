"""A box to type a message into. It grows with the text, up to a point."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette, QTextOption
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from app.chat.controls import ink
from app.chat.model import is_long
from app.theme import Role, Theme, Type

_MOST_LINES = 10
MOST_CHARACTERS = 32_000
"""That pastes may fill it with: Qt lays out what has no spaces in quadratic time."""


class TextBox(QTextEdit):
    """Plain text only. Enter is a signal, Shift+Enter a line break.

    Signals:
        entered: Enter was pressed.
        escaped: Escape was pressed.
        pasted: A paste that is too long for the box; it is not in it.
        dropped: Paths of files that were dropped or pasted.
    """

    entered = Signal()
    escaped = Signal()
    pasted = Signal(str)
    dropped = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.is_for_short_texts = True
        """Whether a paste of many lines is too long, be there room for it or not."""
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.restyle()

    def restyle(self) -> None:
        """Take the theme's fonts and colours."""
        self.setFont(self._theme.font(Type.BODY))
        self.document().setDefaultFont(self.font())
        ink(self, self._theme, Role.TEXT)
        palette = self.palette()  # the strip under the scroll bar is filled with it
        for part in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
            palette.setColor(part, self._theme.color(Role.RAISED))
        self.setPalette(palette)
        self._forget_looks()

    def _forget_looks(self) -> None:
        """How it looks is nothing to take back, but Qt's document counts it so."""
        if self.document().isEmpty():
            self.document().clearUndoRedoStacks()

    def set_margin(self, pixels: int) -> None:
        """Leave so much room around the text."""
        if self.document().documentMargin() != pixels:
            self.document().setDocumentMargin(pixels)
            self._forget_looks()

    def height_for(self, width: int) -> int:
        """The height at ``width``: as the text is tall, between one line and ten."""
        margins = 2 * self.document().documentMargin()
        line = self.fontMetrics().lineSpacing() + margins
        if width > 0 and self.width() != width:
            self.resize(width, self.height())
        wanted = math.ceil(self.document().size().height())
        tallest = round(_MOST_LINES * self.fontMetrics().lineSpacing() + margins)
        as_needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(as_needed if wanted > tallest else off)
        return min(max(wanted, round(line)), tallest)

    def event(self, event: QEvent) -> bool:
        """With nothing of its own to take back, the keys for that are the window's."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Undo)
        ):
            event.setAccepted(self.document().isUndoAvailable())
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802
        return source.hasText() or source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if paths:
            self.dropped.emit(paths)
            return
        text = source.text().replace("\r\n", "\n").replace("\r", "\n")
        is_full = self.document().characterCount() + len(text) > MOST_CHARACTERS
        if is_full or (self.is_for_short_texts and is_long(text)):
            self.pasted.emit(text)
        elif text:
            self.insertPlainText(text)
