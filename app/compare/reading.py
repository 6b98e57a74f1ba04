"""A lane's text as the chat would show it: it grows, follows its reader, and can have one token
marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QTextEdit, QWidget

from app.chat.column import View
from app.chat.controls import Pictures
from app.chat.frames import Arrived, Frames
from app.chat.model import ASSISTANT, COMPLETE, EntryView, Span
from app.chat.reply import Reply
from app.chat.rows import Row
from app.chat.selecting import Selecting
from app.chat.sources import Stretch
from app.chat.tint import PARTED, Tint
from app.theme import Theme, Type
from engine.protocol import Piece, Token

_NEAR_BOTTOM = 4  # pixels that still count as the bottom
_ONLY = 0  # the one reply's number


class Reading(QScrollArea):
    """One reply, read only.

    Signals:
        link: A person pressed this http or https address.
        copied: Text to be put on the clipboard.
        focused: Whether the keyboard is in it.
    """

    link = Signal(str)
    copied = Signal(str)
    focused = Signal(bool)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = Pictures(theme)
        self._mark: tuple[int, int] | None = None
        self._sheet = QWidget()
        self._sheet.setAutoFillBackground(True)
        self._frames = Frames(self._grow, self)
        self._selecting = Selecting(self._editors, self)
        self._selecting.copied.connect(self.copied)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setWidget(self._sheet)
        self._row = _begun()
        self._reply = self._made()
        theme.changed.connect(self._restyle)

    # What it shows -----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What the lane wrote, as far as it is shown."""
        return self._row.text

    def clear(self) -> None:
        """Begin anew."""
        self._frames.forget()
        self._mark = None
        self._row = _begun()
        self._renew()

    def write(self, pieces: Sequence[Piece], tokens: Sequence[Token]) -> None:
        """Take in more. It is shown with the next frame; the end stays in view for who is there."""
        self._frames.take(_ONLY, pieces, tokens)

    def flush(self) -> None:
        """Show what has arrived without waiting for the next frame."""
        self._frames.flush()

    def end(self) -> None:
        """The lane is over."""
        self._frames.flush()
        if self._row.writing is not None:
            self._row.end(COMPLETE, "", (), in_use=bool(self._selecting.text()))
            self._reply.show_from(0)
            self._arrange()

    def _grow(self, arrived: Mapping[int, Arrived]) -> None:
        more = arrived[_ONLY]
        first = self._row.grow(more.pieces, more.tokens)
        if first is not None:
            self._reply.show_from(first)
            self._arrange()

    # The mark ----------------------------------------------------------------------------------

    def mark(self, start: int, end: int) -> None:
        """Mark the text from ``start`` to ``end`` (characters of the reply) and have it seen.

        Where none of it is shown, as of a token that ends a reply or is a mark of Markdown, what
        stands before it is marked.
        """
        self.flush()
        self._mark = (start, end)
        if any(each.reasoning and each.start <= start < each.end for each in self._row.segments()):
            self._row.is_reasoning_open = True
            self._reply.show_from(0)
        self._show_mark()

    @property
    def marked(self) -> str:
        """The text that is marked."""
        return "".join(_text_of(view, stretch) for view, stretch in self._stretches())

    def _show_mark(self) -> None:
        if self._mark is None:
            return
        start, end = self._mark
        back = int(start == end)
        while True:
            span = Span(max(0, start - back), end, PARTED, 0.0, None)
            self._reply.set_tint(Tint(self._theme, self._row.text, [span]))
            if self._stretches() or back > start:
                break
            back = 2 * back + 1
        self._arrange()
        self._center()

    def _stretches(self) -> list[tuple[View, Stretch]]:
        return [(view, each) for view in self._reply.views for each in view.tinted.stretches]

    def _center(self) -> None:
        """Have the marked place in the middle, as far as there is text around it."""
        for view, stretch in self._stretches()[:1]:
            editor = view.editor
            cursor = editor.textCursor()
            cursor.setPosition(stretch.start)
            place = editor.viewport().mapTo(self._sheet, editor.cursorRect(cursor).center())
            self.verticalScrollBar().setValue(place.y() - self.viewport().height() // 2)

    # Places ------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - _NEAR_BOTTOM and self._row.writing is not None
        edge, width = self._theme.space(3), self.viewport().width()
        page = max(self._theme.space(20), width - 2 * edge)
        height = self._reply.arrange(page)
        self._reply.setGeometry(edge, edge, page, height)
        self._sheet.resize(width, max(height + 2 * edge, self.viewport().height()))
        self._selecting.watch()
        for view in self._reply.controls():
            view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if follows:
            bar.setValue(bar.maximum())

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Some lines; it takes whatever room there is."""
        return QSize(self._theme.space(60), self._theme.space(42))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._theme.space(20), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self._arrange()
        if self._mark is not None:
            self._center()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._arrange()  # Qt lays out nothing that is hidden

    # Making ------------------------------------------------------------------------------------

    def _made(self) -> Reply:
        reply = Reply(self._theme, self._pictures, self._row, self._sheet)
        reply.link.connect(self.link)
        reply.copied.connect(self.copied)
        reply.resized.connect(self._arrange)
        reply.show()
        return reply

    def _renew(self) -> None:
        self._reply.hide()
        self._reply.deleteLater()
        self._reply = self._made()
        self._reply.show_from(0)
        self._arrange()

    def _editors(self) -> list[QTextEdit]:
        return [view.editor for view in self._reply.views]

    def _restyle(self) -> None:
        self._pictures = Pictures(self._theme)
        self._sheet.setFont(self._theme.font(Type.BODY))
        self._renew()
        self._show_mark()

    # The keyboard ------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit(self._selecting.text() or self._row.answer())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.focused.emit(False)


def _text_of(view: View, stretch: Stretch) -> str:
    cursor = QTextCursor(view.editor.document())
    cursor.setPosition(stretch.start)
    cursor.setPosition(stretch.end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def _begun() -> Row:
    row = Row(EntryView(_ONLY, ASSISTANT, ""))
    row.begin()
    return row
