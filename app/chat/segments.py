"""A reply as it grows, cut into segments: prose, code, tables, and the reasoning before them.

Only the last segment is open; those before it never change again, so that only a little is parsed
anew with every token. No Qt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from app.chat.lines import (
    DELIMITER,
    FENCE,
    ITEM,
    PARTIAL_FENCE,
    bare_row,
    begun_tag,
    cells,
    decided,
    dedented,
    without_last_break,
)
from app.chat.tail import settled

STREAMING, RESTING = 1_500, 16_000
"""Characters of prose after which a new segment may begin: while it grows, and once it is over.

Small pieces are quick to parse anew; large ones let a person select across paragraphs."""

_ENDLESS = 6_000  # characters of one line that are cut even where nothing invites to
_OPEN, _CLOSE = "<think>", "</think>"


class Kind(StrEnum):
    """What a segment is shown as."""

    PROSE = "prose"
    CODE = "code"
    TABLE = "table"
    TEXT = "text"
    """What a person typed: shown as it is, never read as Markdown."""


@dataclass(slots=True)
class Segment:
    """One stretch of a message.

    Attributes:
        text: What to show, ready for its kind: Markdown, or code without its fences.
        start: Where the source of ``text`` begins in the message.
        end: Where the segment ends in the message, its closing fence included.
        language: Of code, as the fence names it.
        reasoning: It lies within <think> … </think>.
        open: It may still grow.
    """

    kind: Kind
    start: int
    end: int
    text: str = ""
    language: str = ""
    reasoning: bool = False
    open: bool = True


class Segmenter:
    """Takes a message's text in pieces; `segments` is always what can be shown of it."""

    def __init__(self, *, markdown: bool = True, grain: int = STREAMING) -> None:
        self.segments: list[Segment] = []
        self.text = ""
        self._markdown = markdown
        self._grain = grain
        self._at = 0  # everything before is in segments
        self._begun = not markdown  # whether it is known if the message begins with reasoning
        self._reasoning = False
        self._reasoned = False
        self._answer_at = 0
        self._open: Segment | None = None
        self._changed = 0
        self._source, self._end = "", 0  # of the open segment, in whole lines
        self._fence = ""
        self._indent = 0  # of the fence, which lines below it share
        self._header: tuple[int, int] | None = None  # a line that may be the head of a table
        self._blank = False

    @property
    def is_reasoning(self) -> bool:
        """Whether the text so far ends within reasoning."""
        return self._reasoning

    @property
    def answer(self) -> str:
        """The text without the reasoning before it."""
        return self.text[self._answer_at :].strip() if self._answer_at else self.text

    def feed(self, text: str) -> int:
        """Take more text in; the place of the first segment that is new or other than before."""
        self._changed = max(0, len(self.segments) - 1)
        self.text += text
        if self._begin():
            self._take_lines()
            self._show_rest()
        return self._changed

    def finish(self) -> int:
        """The message is over: what was held back is text after all. As `feed`."""
        self._changed = max(0, len(self.segments) - 1)
        self._begun = True
        self._take_lines()
        if self._at < len(self.text):
            self._line(len(self.text))
        self._close()
        return self._changed

    # Reasoning ---------------------------------------------------------------------------------

    def _begin(self) -> bool:
        """Look for the opening tag; False while it may still come."""
        if self._begun:
            return True
        lead = len(self.text) - len(self.text.lstrip())
        if len(self.text) - lead < len(_OPEN) and _OPEN.startswith(self.text[lead:]):
            return False
        self._begun = True
        if self.text.startswith(_OPEN, lead):
            self._reasoning = True
            self._at = lead + len(_OPEN)
        return True

    def _end_reasoning(self, after: int) -> None:
        self._close()
        self._reasoning, self._reasoned = False, True
        self._at = self._answer_at = after

    def _was_reasoning(self, line: str) -> bool:
        """Whether a closing tag without an opening one says that all before was reasoning.

        Some templates put the opening tag into the prompt.
        """
        in_code = self._open is not None and self._open.kind is Kind.CODE
        alone = self._markdown and line.strip() == _CLOSE
        if not alone or in_code or self._reasoned:
            return False
        self._close()
        for segment in self.segments:
            segment.reasoning = True
        self._changed = 0
        return True

    # Lines -------------------------------------------------------------------------------------

    def _take_lines(self) -> None:
        while self._at < len(self.text):
            end = self.text.find("\n", self._at) + 1
            tag = self.text.find(_CLOSE, self._at, end or None) if self._reasoning else -1
            if tag >= 0:
                if tag > self._at:
                    self._line(tag)
                self._end_reasoning(tag + len(_CLOSE))
            elif end:
                self._line(end)
            elif not self._cut_endless():
                break

    def _cut_endless(self) -> bool:
        """Cut a line that never ends, so that a frame never costs more than a bounded time."""
        if len(self.text) - self._at < _ENDLESS or self._is(Kind.CODE) or not self._markdown:
            return False
        cut = self.text.rfind(" ", self._at, self._at + _ENDLESS)
        self._line(cut + 1 if cut > self._at else self._at + _ENDLESS)
        self._close()
        return True

    def _line(self, end: int) -> None:
        """Sort one whole line in, from where we are to ``end``."""
        start, self._at = self._at, end
        line = self.text[start:end]
        if self._is(Kind.CODE):
            self._code_line(line, end)
        elif self._is(Kind.TABLE) and "|" in line:
            self._add(line, end)
        elif self._was_reasoning(line):
            self._end_reasoning(end)
        else:
            if self._is(Kind.TABLE):
                self._close()
            self._prose_line(line, start, end)

    def _code_line(self, line: str, end: int) -> None:
        bare = line.strip()
        closes = len(bare) >= len(self._fence) and not bare.strip(self._fence[0])
        if closes:
            self._end = end
            self._close()
        else:
            self._add(dedented(line, self._indent), end)

    def _prose_line(self, line: str, start: int, end: int) -> None:
        if fence := FENCE.match(line.rstrip("\n")):
            self._open_code(fence, end)
        elif self._is_table(line):
            header = self._header
            self._header = None
            self._close()
            begin = header[0] if header else start
            self._begin_segment(Kind.TABLE, begin)
            self._add(bare_row(self.text[begin:start]) + bare_row(line), end)
        else:
            self._keep_header()
            if self._markdown and "|" in line:
                self._header = (start, end)
            else:
                self._add_prose(line, start, end)

    def _open_code(self, fence: re.Match[str], end: int) -> None:
        self._close()
        self._indent, self._fence = len(fence.group(1)), fence.group(2)
        self._begin_segment(Kind.CODE, end)
        if self._open is not None:
            self._open.language = fence.group(3).strip().split(" ")[0].strip("{}.")

    def _is_table(self, line: str) -> bool:
        """Whether ``line`` is the delimiter row of the line before."""
        if self._header is None or "|" not in line or not DELIMITER.match(line.rstrip("\n")):
            return False
        start, end = self._header
        return cells(self.text[start:end]) == cells(line)

    def _keep_header(self) -> None:
        """The line that was held as a possible table head is prose after all."""
        if self._header is not None:
            start, end = self._header
            self._header = None
            self._add_prose(self.text[start:end], start, end)

    def _add_prose(self, line: str, start: int, end: int) -> None:
        if not line.strip():
            self._blank = True
            if self._open is None:
                return
        else:
            if self._splits(line):
                self._close()
            self._blank = False
            if self._open is None:
                self._begin_segment(Kind.PROSE if self._markdown else Kind.TEXT, start)
        self._add(self._unindented(line), end)

    def _splits(self, line: str) -> bool:
        """Whether a new segment may begin with ``line``."""
        if not self._markdown or line[0].isspace() or len(self._source) < self._grain:
            return False
        if ITEM.match(line):  # a list is better kept whole, up to a point
            return len(self._source) >= 4 * self._grain
        return self._blank

    def _unindented(self, line: str) -> str:
        """``line`` without the indentation of the fence before it, whose item it goes on with."""
        if self._indent and line.strip():
            if len(line) - len(line.lstrip(" \t")) < self._indent:
                self._indent = 0
            else:
                return line[self._indent :]
        return line

    # Segments ----------------------------------------------------------------------------------

    def _is(self, kind: Kind) -> bool:
        return self._open is not None and self._open.kind is kind

    def _begin_segment(self, kind: Kind, start: int) -> None:
        self._open = Segment(kind, start, start, reasoning=self._reasoning)
        self._source, self._end = "", start
        self.segments.append(self._open)

    def _add(self, line: str, end: int) -> None:
        self._source += line
        self._end = end

    def _close(self) -> None:
        self._keep_header()
        if self._open is None:
            return
        is_code = self._is(Kind.CODE)
        if not is_code and not self._source.strip():
            self.segments.pop()  # an unfinished line that turned out to be something else
        self._open.text = without_last_break(self._source) if is_code else self._source.rstrip()
        self._open.open, self._open.end = False, self._end
        self._open, self._source, self._blank = None, "", False

    def _show_rest(self) -> None:
        """Show the unfinished line too, as far as it is decided."""
        rest = self.text[self._at :]
        if self._reasoning:
            rest = rest[: len(rest) - begun_tag(rest, _CLOSE)]
        if self._is(Kind.CODE):
            self._show(without_last_break(self._source + self._code_rest(rest)))
        elif self._is(Kind.TABLE):
            self._show(self._source)
        else:
            self._show_prose(rest)

    def _code_rest(self, rest: str) -> str:
        bare = rest.strip(" \t")
        if bare and not bare.strip(self._fence[0]):
            return ""  # it may become the closing fence
        return dedented(rest, self._indent)

    def _show_prose(self, rest: str) -> None:
        header = self.text[slice(*self._header)] if self._header else ""
        if not self._markdown:
            shown = "" if PARTIAL_FENCE.fullmatch(rest) else rest
        else:
            shown = decided(header, rest)
        if rest[:1].isalpha() and self._splits(rest):
            self._close()  # whatever the line becomes, it begins a segment
        if self._open is None and shown.strip():
            start = self._header[0] if self._header else self._at
            self._begin_segment(Kind.PROSE if self._markdown else Kind.TEXT, start)
        if self._open is not None:
            text = self._source + shown
            self._show(settled(text).rstrip() if self._markdown else text)

    def _show(self, text: str) -> None:
        if self._open is not None:
            self._open.text, self._open.end = text, len(self.text)
