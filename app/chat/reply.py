"""What a model said: its reasoning, folded away, and its answer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.chat.column import Column, View
from app.chat.controls import Pictures
from app.chat.reasoning import Reasoning
from app.chat.rows import Row
from app.chat.tint import Tint
from app.theme import Theme


class Reply(QWidget):
    """The words of a reply.

    Signals:
        resized: It has another height now.
        link: An address was pressed.
        copied: Text to be put on the clipboard.
    """

    resized = Signal()
    link = Signal(str)
    copied = Signal(str)

    def __init__(self, theme: Theme, pictures: Pictures, row: Row, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = pictures
        self._row = row
        self._tint: Tint | None = None
        self._reasoning: Reasoning | None = None
        self._column = Column(theme, parent=self)
        self._column.link.connect(self.link)
        self._column.copied.connect(self.copied)

    @property
    def views(self) -> list[View]:
        """The views of its segments that can be seen, from the top."""
        reasoned = self._reasoning.views if self._reasoning is not None else []
        return [*reasoned, *self._column.views]

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it, from the top."""
        reasoned = self._reasoning.controls() if self._reasoning is not None else []
        return [*reasoned, *self._column.controls()]

    def show_from(self, first: int) -> None:
        """Show the segments from place ``first`` on: those before are as they were."""
        if self._tint is not None:
            self._tint.text, self._tint.spans = self._row.text, self._row.spans
        segments = self._row.segments()
        reasoned = sum(segment.reasoning for segment in segments)
        if reasoned:
            self._show_reasoning(first, reasoned)
        elif self._reasoning is not None:  # another version had some
            self._reasoning.hide()
            self._reasoning.deleteLater()
            self._reasoning = None
        self._column.show_segments(segments[reasoned:], max(0, first - reasoned))

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self._tint = tint
        self._column.set_tint(tint)
        if self._reasoning is not None:
            self._reasoning.set_tint(tint)

    def arrange(self, width: int) -> int:
        """Put everything in its place for ``width``; the height it takes."""
        top = 0
        if self._reasoning is not None:
            height = self._reasoning.height_for(width)
            self._reasoning.setGeometry(0, 0, width, height)
            top = height + self._theme.space(2)
        height = self._column.height_for(width)
        self._column.setGeometry(0, top, width, height)
        return top + height

    def _show_reasoning(self, first: int, reasoned: int) -> None:
        segmenter, wanted = self._row.segmenter, self._row.is_reasoning_open
        is_written = self._row.writing is not None and bool(segmenter and segmenter.is_reasoning)
        is_open = is_written if wanted is None else wanted
        if self._reasoning is None:
            first = 0
            self._reasoning = self._made(is_open=is_open)
        shown = self._row.segments()[:reasoned]
        self._reasoning.show_segments(shown, min(first, reasoned), is_written=is_written)
        self._reasoning.set_open(is_open)

    def _made(self, *, is_open: bool) -> Reasoning:
        reasoning = Reasoning(self._theme, self._pictures, is_open=is_open, parent=self)
        reasoning.toggled.connect(self._keep)
        reasoning.link.connect(self.link)
        reasoning.copied.connect(self.copied)
        reasoning.set_tint(self._tint)
        reasoning.show()
        return reasoning

    def _keep(self, is_open: bool) -> None:
        self._row.is_reasoning_open = is_open
        self.resized.emit()
