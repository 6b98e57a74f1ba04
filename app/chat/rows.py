"""The messages of a transcript: what is known of each, shown or not. No widgets in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from app.chat.figures import figures_line, joined, state_words, writing_words
from app.chat.model import (
    ASSISTANT,
    LENGTH,
    LOST,
    STOPPED,
    USER,
    WRITING,
    EntryView,
    Span,
    Version,
    Writing,
    spans_of,
)
from app.chat.segments import RESTING, Segment, Segmenter
from engine.protocol import Piece, Token

if TYPE_CHECKING:
    from app.chat.message import MessageWidget

LONGEST_TYPED = 20_000
"""Characters of what a person wrote that are shown before they ask for all of it."""

_UNFINISHED = (STOPPED, LENGTH, LOST, WRITING)


@dataclass(eq=False)
class Row:
    """One message.

    Attributes:
        height: In pixels, the space below included; a guess until ``width`` is what it is shown at.
        writing: While it is written: its text so far and where that came from.
        status: What is said under it while it is written, where there is more to say than that.
        segmenter: What cut it into segments as it was written; None where that is to be done anew.
        is_waiting: Nothing of what it is to say has come yet.
        line: Its figures, as the window put them.
        is_reasoning_open: As a person left it; None where they did not touch it.
        draft: What stands in its editor; None where it is not being edited.
        had_focus: Whether a person was in it when its widget was given up.
        has_question: Whether a message of a person's stands anywhere above it.
        version: Which of several versions it is, where the others may be shown.
    """

    entry: EntryView
    height: int = 0
    width: int = 0
    widget: MessageWidget | None = None
    writing: Writing | None = None
    segmenter: Segmenter | None = None
    status: str = ""
    is_waiting: bool = False
    line: str | None = None
    is_reasoning_open: bool | None = None
    is_whole: bool = False
    draft: str | None = None
    had_focus: bool = False
    is_last: bool = False
    has_question: bool = True
    version: Version | None = None
    _spans: list[Span] | None = field(default=None, repr=False)

    @property
    def is_reply(self) -> bool:
        return self.entry.role == ASSISTANT

    @property
    def is_typed(self) -> bool:
        return self.entry.role == USER

    @property
    def text(self) -> str:
        return self.writing.text if self.writing is not None else self.entry.text

    @property
    def spans(self) -> list[Span]:
        """Where its words came from."""
        if self.writing is not None:
            return self.writing.spans
        if self._spans is None:
            self._spans = spans_of(self.entry.sources)
        return self._spans

    @property
    def is_cut(self) -> bool:
        """Whether only its beginning is shown: a person pasted a book."""
        return self.is_typed and not self.is_whole and len(self.entry.text) > LONGEST_TYPED

    @property
    def can_go_on(self) -> bool:
        return self.is_last and self.writing is None and self.entry.state in _UNFINISHED

    @property
    def shown_version(self) -> Version | None:
        """Which version it is, where that is to be told: nothing depends on which one it is."""
        return self.version if self.is_last and self.writing is None else None

    def segments(self) -> list[Segment]:
        """What it shows, segment by segment."""
        if self.segmenter is not None:
            return self.segmenter.segments
        segmenter = Segmenter(markdown=not self.is_typed, grain=RESTING)
        segmenter.feed(self.entry.text[:LONGEST_TYPED] if self.is_cut else self.entry.text)
        segmenter.finish()
        return segmenter.segments

    def answer(self) -> str:
        """Its text without the reasoning, as it is copied."""
        if not self.is_reply:
            return self.entry.text
        segmenter = Segmenter(grain=RESTING)
        segmenter.feed(self.text)
        segmenter.finish()
        return segmenter.answer

    def become(self, entry: EntryView) -> None:
        """Another version of it stands in its place."""
        self.entry = entry
        self.line = self.is_reasoning_open = self._spans = self.segmenter = None

    # While it is written -----------------------------------------------------------------------

    def begin(self) -> None:
        """It is written from now on; what it has already is gone on with."""
        self.writing = Writing(self.entry.text, list(self.spans))
        self.is_waiting = True
        self.segmenter = Segmenter()
        self.segmenter.feed(self.entry.text)

    def grow(self, pieces: Sequence[Piece], tokens: Sequence[Token]) -> int | None:
        """Take more of it in; the place of the first segment that changed, None for none did."""
        if self.writing is None or self.segmenter is None:
            return None
        added = self.writing.take(pieces, tokens)
        if not added:
            return None
        if self.is_waiting:
            self.is_waiting, self.status = False, ""
        return self.segmenter.feed(added)

    def end(self, state: str, line: str, notes: Sequence[str], *, in_use: bool = False) -> None:
        """It is over. ``in_use``: a person has selected something in it, so that its segments stay
        as they are; else it is cut anew, into larger ones."""
        if self.writing is not None:
            self._spans = self.writing.spans
        self.entry = replace(self.entry, text=self.text, state=state, notes=tuple(notes))
        if in_use and self.segmenter is not None:
            self.segmenter.finish()
        else:
            self.segmenter = None
        self.writing = None
        self.status, self.line = "", line

    def footer(self) -> str:
        """The line under it."""
        if not self.is_reply:
            return ""
        if self.writing is not None:
            return self.status or writing_words(self.is_waiting)
        line = figures_line(self.entry.figures) if self.line is None else self.line
        return joined(state_words(self.entry.state), line)

    @property
    def is_troubled(self) -> bool:
        return self.entry.state == LOST and self.writing is None and self.is_reply


def guessed_height(row: Row, columns: int, line: int) -> int:
    """About how tall a row is that nobody has seen yet: ``columns`` a line, each ``line`` tall."""
    text = row.entry.text
    lines = text.count("\n") + len(text) // max(1, columns) + 1
    return min(lines * line, 400 * line) + 3 * line


def tops(rows: Sequence[Row], first: int) -> list[int]:
    """Where each row begins, and where the last one ends, from ``first`` on."""
    return list(accumulate((row.height for row in rows), initial=first))
