"""What the chat is told and what it tells: plain data, no Qt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.protocol import Piece, Token

USER, ASSISTANT = "user", "assistant"

COMPLETE, STOPPED, LENGTH, LOST, WRITING = "complete", "stopped", "length", "lost", "writing"
"""The states of a reply. One that is found as "writing" in the history was cut off by a crash."""

LONG_PASTE = 8_000
"""Characters above which a paste becomes an attachment."""

TALL_PASTE = 200
"""Lines above which a paste becomes an attachment."""


class Span(NamedTuple):
    """The text from ``start`` to ``end`` of a reply came with one token: its source, its p and q.

    Offsets count characters. ``q`` is None where nothing was drafted.
    """

    start: int
    end: int
    source: str
    p: float
    q: float | None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text that goes with a message without being typed out in it."""

    name: str
    text: str

    @property
    def lines(self) -> int:
        return self.text.count("\n") + (not self.text.endswith("\n"))

    def as_dict(self) -> dict[str, str]:
        """Ready for JSON."""
        return {"name": self.name, "text": self.text}

    @classmethod
    def of(cls, stored: object) -> Attachment:
        """An attachment as it is, or as `as_dict` wrote it; anything else that a history holds as
        its text."""
        if isinstance(stored, Attachment):
            return stored
        if not isinstance(stored, Mapping):
            return cls("", str(stored))
        return cls(str(stored.get("name", "")), str(stored.get("text", "")))


@dataclass(frozen=True)
class EntryView:
    """One message as the transcript shows it.

    Attributes:
        figures: Those of engine.stats.Figures.as_dict, if they are known, perhaps with "speed_up".
        sources: A `Span` for each token, or what JSON made of it.
        notes: Sentences about this reply that the user should see.
    """

    id: int
    role: str
    text: str
    state: str = COMPLETE
    figures: Mapping[str, Any] | None = None
    sources: Sequence[Sequence[Any]] | None = None
    attachments: Sequence[Attachment | Mapping[str, Any]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Version:
    """The reply of this entry is one of several versions.

    Attributes:
        place: Which of ``count``, from 1.
        is_free: Another may be shown now.
    """

    entry: int
    place: int
    count: int
    is_free: bool = True

    def has(self, step: int) -> bool:
        """Whether the one so many places on can be shown."""
        return self.is_free and 1 <= self.place + step <= self.count


@dataclass
class Writing:
    """A reply as it grows: its text and where each stretch of it came from."""

    text: str = ""
    spans: list[Span] = field(default_factory=list)
    _tokens: list[Token] = field(default_factory=list)

    def take(self, pieces: Sequence[Piece], tokens: Sequence[Token]) -> str:
        """Take one event of a reply in; the text that it added.

        A piece may be later than its token, never earlier, so tokens are kept.
        """
        self._tokens.extend(tokens)
        parts = [self.text]
        end = len(self.text)
        for piece in pieces:
            start, end = end, end + len(piece.text)
            parts.append(piece.text)
            self._mark(start, end, piece.token)
        grown = "".join(parts)
        added, self.text = grown[len(self.text) :], grown
        return added

    def _mark(self, start: int, end: int, index: int) -> None:
        if 0 <= index < len(self._tokens) and end > start:
            token = self._tokens[index]
            self.spans.append(Span(start, end, str(token.source), token.p, token.q))


def spans_of(stored: Sequence[Sequence[Any]] | None) -> list[Span]:
    """The spans that were kept with a reply; what does not look like one is passed over."""
    return [item if isinstance(item, Span) else Span(*item) for item in stored or () if _fits(item)]


def _fits(item: Sequence[Any]) -> bool:
    return len(item) == len(Span._fields)


def is_long(text: str) -> bool:
    """Whether a paste is better kept beside the message than in the text box."""
    return len(text) > LONG_PASTE or text.count("\n") >= TALL_PASTE


def as_sent(text: str, attachments: Sequence[Attachment | Mapping[str, Any]]) -> str:
    """The message as the model reads it: every attachment in a fence of its own, then the text."""
    parts = [_fenced(Attachment.of(each)) for each in attachments]
    return "\n\n".join([*parts, text] if text else parts)


def _fenced(attachment: Attachment) -> str:
    runs = [len(run) for run in re.findall(r"`{3,}", attachment.text)]
    fence = "`" * (max(runs, default=2) + 1)
    body = attachment.text if attachment.text.endswith("\n") else attachment.text + "\n"
    return f"{attachment.name}:\n{fence}\n{body}{fence}"
