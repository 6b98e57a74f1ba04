"""What a person said: a bubble no wider than its words, which can be edited in its place."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app import strokes
from app.chat.chips import ChipRow
from app.chat.column import Column, View
from app.chat.controls import Pictures, WordButton, mirrored
from app.chat.editor import Editor
from app.chat.model import Attachment
from app.chat.rows import Row
from app.chat.tint import Tint
from app.panel.numbers import whole
from app.theme import Role, Theme

_WIDEST = 0.85  # of the page, so that it is plain who speaks


class Typed(QWidget):
    """The words of a person, and what they attached.

    Signals:
        resent: The edited text is to be sent in its place.
        resized: It has another height now.
        link: Never; a reply's counterpart.
        copied: Text to be put on the clipboard.
        left: The editor was shut.
        drafted: What stands in the editor is another text, or the editor was shut.
    """

    resent = Signal(str)
    resized = Signal()
    link = Signal(str)
    copied = Signal(str)
    left = Signal()
    drafted = Signal()

    def __init__(self, theme: Theme, pictures: Pictures, row: Row, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._row = row
        self._is_idle = True
        self._editor: Editor | None = None
        self._more: WordButton | None = None
        self.bubble = QRect()
        self._column = Column(theme, parent=self)
        self._column.copied.connect(self.copied)
        self._chips: ChipRow | None = None
        if row.entry.attachments:
            self._chips = ChipRow(theme, pictures, parent=self)
            self._chips.show_attachments([Attachment.of(each) for each in row.entry.attachments])

    @property
    def views(self) -> list[View]:
        """The views of its segments, from the top."""
        return self._column.views

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it, from the top."""
        if self._editor is not None:
            return self._editor.controls()
        chips = [chip.face for chip in self._chips.chips] if self._chips is not None else []
        return [*chips, *self._column.controls(), *([self._more] if self._more else [])]

    def show_from(self, first: int) -> None:
        """Show the segments from place ``first`` on: those before are as they were."""
        self._column.show_segments(self._row.segments(), first)
        self._offer_all()

    def set_tint(self, tint: Tint | None) -> None:
        """Nothing: a person's words come from no draft."""

    def set_idle(self, is_idle: bool) -> None:
        """Whether the engine is free for what is edited."""
        self._is_idle = is_idle
        if self._editor is not None:
            self._editor.set_idle(is_idle)

    # Editing -----------------------------------------------------------------------------------

    def edit(self, text: str, *, take_focus: bool = True) -> None:
        """Put an editor with ``text`` in the place of the words."""
        if self._editor is not None:
            return
        self._editor = Editor(self._theme, text, self)
        self._editor.set_idle(self._is_idle)
        self._editor.changed.connect(self._keep)
        self._editor.sent.connect(self._send)
        self._editor.left.connect(self.stop_editing)
        self._editor.resized.connect(self.resized)
        self._keep(text)
        self._column.hide()
        self._editor.show()
        self.resized.emit()
        if take_focus:
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop_editing(self) -> None:
        """Show the words as they were."""
        if self._editor is not None:
            self._editor.hide()
            self._editor.deleteLater()
            self._editor = None
            self._row.draft = None
            self.drafted.emit()
            self._column.show()
            self.resized.emit()
            self.left.emit()

    def _keep(self, text: str) -> None:
        self._row.draft = text
        self.drafted.emit()

    def _send(self, text: str) -> None:
        self.stop_editing()
        self.resent.emit(text)

    # A long one --------------------------------------------------------------------------------

    def _offer_all(self) -> None:
        """A button for the rest, where only the beginning is shown."""
        if self._row.is_cut and self._more is None:
            length = whole(len(self._row.entry.text))
            words = self.tr("Show all {n} characters").format(n=length)
            self._more = WordButton(self._theme, words, self)
            self._more.clicked.connect(self._show_whole)
            self._more.show()
        elif not self._row.is_cut and self._more is not None:
            self._more.hide()
            self._more.deleteLater()
            self._more = None

    def _show_whole(self) -> None:
        self._row.is_whole = True
        self.show_from(0)
        self.resized.emit()

    # Places ------------------------------------------------------------------------------------

    def arrange(self, width: int) -> int:
        """Put everything in its place for ``width``; the height it takes."""
        side, edge = self._theme.space(3.5), self._theme.space(2.25)
        inner = self._inner_width(width, side)
        left, top = width - inner - side, edge
        for widget, height in self._parts(inner):
            widget.setGeometry(mirrored(self, QRect(left, top, inner, height), width))
            top += height + self._theme.space(1.5)
        bottom = top - self._theme.space(1.5) + edge
        self.bubble = mirrored(self, QRect(left - side, 0, inner + 2 * side, bottom), width)
        return bottom

    def _inner_width(self, width: int, side: int) -> int:
        widest = round(width * _WIDEST) - 2 * side
        if self._editor is not None:
            return widest
        chips = self._chips.ideal_width() if self._chips is not None else 0
        return max(self._theme.space(4), min(widest, max(chips, self._column.ideal_width())))

    def _parts(self, inner: int) -> list[tuple[QWidget, int]]:
        """What the bubble holds, from the top, and how tall each is."""
        parts: list[tuple[QWidget, int]] = []
        if self._chips is not None:
            parts.append((self._chips, self._chips.height_for(inner)))
        if self._editor is not None:
            parts.append((self._editor, self._editor.height_for(inner)))
        elif self._column.views:
            parts.append((self._column, self._column.height_for(inner)))
        if self._more is not None and self._editor is None:
            parts.append((self._more, self._more.sizeHint().height()))
        return parts

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        painter = QPainter(self)
        fill, radius = self._theme.color(Role.MESSAGE), self._theme.space(3)
        strokes.rounded(painter, QRectF(self.bubble), radius, fill)
        painter.end()
