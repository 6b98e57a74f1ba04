"""What a history is made of."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

ROLES = ("system", "user", "assistant")
"""Who can have written an entry."""

TITLE_LENGTH = 60
"""Characters of a title made from a message, at most."""

_LONGEST_TITLE = 200
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# What opens a line in Markdown and says nothing: headings, quotes, list marks, a fence's line.
_LINE_MARKS = re.compile(r"(?:#{1,6}\s+|[>*+-]\s+|(?:```|~~~).*)*")

Span = tuple[int, int, str, float | None, float | None]
"""Where a stretch of a reply came from: start and end in its content, source, p, q."""


class State(StrEnum):
    """How far an entry came."""

    WRITING = "writing"
    """A reply is being written into it."""
    COMPLETE = "complete"
    STOPPED = "stopped"
    """By the user."""
    LENGTH = "length"
    """Cut at the limit."""
    LOST = "lost"
    """The engine, the window or the power went away in mid-reply."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation. Times in seconds since 1970; ``draft``: typed, and not yet sent."""

    id: int
    title: str
    created: float
    updated: float
    system: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    draft: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One message. ``tokens``: the ids the engine wrote it with; ``attachments``: JSON values."""

    id: int
    conversation: int
    role: str
    content: str
    tokens: tuple[int, ...] = ()
    state: State = State.COMPLETE
    figures: dict[str, Any] | None = None
    sources: Sequence[Span] | None = None
    attachments: list[Any] = field(default_factory=list)
    created: float = 0.0


class Said(NamedTuple):
    """What of an entry an engine reads."""

    role: str
    content: str
    tokens: tuple[int, ...]
    attachments: list[Any]


class Extras(TypedDict, total=False):
    """What an entry may have besides its role and content. ``answers``: the message's id, in
    another version of its reply."""

    tokens: Sequence[int]
    state: str
    figures: Mapping[str, Any] | None
    sources: Sequence[Span] | None
    attachments: Sequence[Any]
    answers: int | None


class Changes(Extras, total=False):
    """What of an entry may be changed."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Hit:
    """What a search found. ``entry`` is None where it was the title.

    ``marks``: the ranges (start, end) of ``snippet`` that match, in characters as Python counts.
    """

    conversation: int
    entry: int | None
    title: str
    snippet: str
    marks: tuple[tuple[int, int], ...]


def title_of(message: str) -> str:
    """A title from a message: its first line that says something, cut at a word."""
    for line in message[:4000].splitlines():
        text = one_line(_LINE_MARKS.sub("", line.strip(), count=1))
        if text:
            return _cut(text)
    return ""


def one_line(text: str) -> str:
    """``text`` as a title may be: one line, no control characters, not endless."""
    return " ".join(_CONTROLS.sub(" ", text[: 4 * _LONGEST_TITLE]).split())[:_LONGEST_TITLE]


def _cut(text: str) -> str:
    if len(text) <= TITLE_LENGTH:
        return text
    short = textwrap.shorten(text, TITLE_LENGTH, placeholder="…", break_on_hyphens=False)
    # One long word, or a script without spaces, is cut where it must be.
    return short if len(short) > TITLE_LENGTH // 2 else f"{text[: TITLE_LENGTH - 1]}…"
