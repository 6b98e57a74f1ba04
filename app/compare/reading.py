"""A lane's text: it grows at the end, stays where the reader is, and can have one token marked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from app.theme import Role, Theme, Type

_NEAR_END = 1
"""Lines from the bottom at which a reader counts as following."""


class Reading(QPlainTextEdit):
    """Plain, read-only text: what a model wrote is shown as it is."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mark: tuple[int, int] | None = None
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        theme.changed.connect(self._restyle)
        self._restyle()

    def clear(self) -> None:
        """Begin anew."""
        super().clear()
        self._mark = None
        self.setExtraSelections([])

    def grow(self, text: str) -> None:
        """Add ``text`` at the end; the view follows where its reader was at the bottom."""
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - _NEAR_END
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText(text)
        if follows:
            bar.setValue(bar.maximum())

    def mark(self, start: int, end: int) -> None:
        """Mark the text from ``start`` to ``end`` (characters) and have it seen.

        Where there is none, as for the token that ends a reply, the last character before it.
        """
        if start == end:
            start = max(0, end - 1)
        self._mark = (start, end)
        self._show_mark()
        seen = self.textCursor()
        seen.setPosition(_utf16(self.toPlainText(), end))
        self.setTextCursor(seen)
        self._center()

    @property
    def marked(self) -> str:
        """The text that is marked."""
        return "".join(selection.cursor.selectedText() for selection in self.extraSelections())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        if self._mark is not None:
            self._center()

    def _center(self) -> None:
        """Have the marked place in the middle, as far as there is text around it."""
        bar = self.verticalScrollBar()
        bar.setValue(0)
        below = self.cursorRect().bottom() - self.viewport().height() // 2
        if below > 0:
            bar.setValue(round(below / max(1, self.cursorRect().height())))

    def _show_mark(self) -> None:
        if self._mark is None:
            return
        text = self.toPlainText()
        start, end = (_utf16(text, place) for place in self._mark)
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setBackground(self._theme.color(Role.CORRECTED_TINT))
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(self._theme.color(Role.CORRECTED))
        selection.cursor, selection.format = cursor, look
        self.setExtraSelections([selection])

    def _restyle(self) -> None:
        self.setFont(self._theme.font(Type.BODY))
        self.document().setDocumentMargin(self._theme.space(3))
        self._show_mark()


def _utf16(text: str, place: int) -> int:
    """The place as Qt counts it: a character beyond the first 65,536 is two."""
    return len(text[:place].encode("utf-16-le")) // 2
