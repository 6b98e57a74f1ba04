"""Going from token to token of a tinted reply by keyboard, to see what decided about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QTextCursor

from app.chat.column import View
from app.chat.model import Span
from app.chat.sources import Stretch


class Place(NamedTuple):
    """Where a token is shown."""

    view: View
    stretch: Stretch

    @property
    def span(self) -> Span:
        """The token."""
        return self.stretch.span

    def rect(self) -> QRect:
        """The token, or its first line, in its editor's viewport."""
        editor = self.view.editor
        cursor = QTextCursor(editor.document())
        cursor.setPosition(self.stretch.start)
        begin = editor.cursorRect(cursor)
        cursor.setPosition(self.stretch.end)
        end = editor.cursorRect(cursor)
        return begin.united(end) if end.top() == begin.top() else begin

    def scroll_sideways(self, margin: int) -> None:
        """Have it in view where its text is wider than the page, with so many pixels around."""
        bar, rect = self.view.editor.horizontalScrollBar(), self.rect()
        beyond = rect.right() + margin - self.view.editor.viewport().width()
        bar.setValue(bar.value() + max(0, beyond))
        bar.setValue(bar.value() + min(0, self.rect().left() - margin))


class Walk:
    """Where the keyboard is among the tokens of one reply: nowhere at first."""

    def __init__(self, views: Callable[[], Sequence[View]]) -> None:
        """``views``: those of the reply at any time, from the top."""
        self._views = views
        self._at: int | None = None  # where its token begins in the reply: more may come below

    def step(self, by: int) -> Place | None:
        """Go to the next token (1) or to the one before (-1), and mark it. None where there is
        none: then all stays as it is."""
        places = [Place(view, each) for view in self._views() for each in view.tinted.stretches]
        found = next((each for each in places[::by] if self._is_beyond(each.span, by)), None)
        if found is not None:
            self.clear()
            self._at = found.span.start
            found.view.tinted.mark(found.stretch)
        return found

    def clear(self) -> None:
        """Mark nothing; the next step goes on from here."""
        for view in self._views():
            view.tinted.mark(None)

    def _is_beyond(self, span: Span, by: int) -> bool:
        return self._at is None or (span.start - self._at) * by > 0
