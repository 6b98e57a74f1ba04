"""A conversation as Markdown, for people to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.history.model import Conversation, Entry, State

_MOST = 2**53
"""Beyond, a number in a file that somebody wrote is no figure."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def _english(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


@dataclass(frozen=True)
class Words:
    """Every word of the file that nobody in the conversation wrote, to be translated. ``number``
    writes a number with so many digits after the point; where it goes is {n}."""

    untitled: str = "Untitled"
    system: str = "System prompt"
    user: str = "You"
    assistant: str = "Assistant"
    attachment: str = "Attachment"
    tokens: str = "{n} tokens"
    tokens_per_second: str = "{n} tokens/s"
    accepted: str = "{n}% of the drafted tokens accepted"
    stopped: str = "stopped"
    length: str = "cut at the length limit"
    lost: str = "cut short: the engine stopped"
    number: Callable[[float, int], str] = _english

    def figure(self, template: str, value: Any, digits: int) -> str:
        """``value`` in its ``template``; "" where it is no figure."""
        known = isinstance(value, int | float) and not isinstance(value, bool)
        if not known or not abs(value) < _MOST:
            return ""
        return template.format(n=self.number(value, digits))


def to_markdown(
    conversation: Conversation, entries: Sequence[Entry], words: Words | None = None
) -> str:
    """The whole file."""
    words = words or Words()
    date = datetime.fromtimestamp(conversation.created).astimezone().strftime("%Y-%m-%d %H:%M")
    parts = [f"# {conversation.title or words.untitled}", f"*{date}*"]
    if conversation.system.strip():
        parts += [f"## {words.system}", conversation.system]
    for entry in entries:
        parts += _entry(entry, words)
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _entry(entry: Entry, words: Words) -> Iterator[str]:
    yield f"## {getattr(words, entry.role)}"
    for attachment in entry.attachments:
        yield from _attachment(attachment, words)
    if entry.content.strip():
        yield _closed(entry.content)
    if note := _note(entry, words):
        yield f"*{note}*"


def _attachment(attachment: Any, words: Words) -> Iterator[str]:
    """Any JSON value may be attached; a name and a text are what we know how to show."""
    known = attachment if isinstance(attachment, dict) else {}
    name = known.get("name")
    yield f"**{words.attachment}: {name}**" if name else f"**{words.attachment}**"
    if isinstance(text := known.get("text"), str):
        longest = max(map(len, re.findall("`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        yield f"{fence}\n{text}\n{fence}"


def _closed(text: str) -> str:
    """``text`` with the fence closed that a reply cut short left open."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        if found is None:
            continue
        marks, rest = found.groups()
        if not fence:
            fence = marks
        elif marks.startswith(fence) and not rest.strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def _note(entry: Entry, words: Words) -> str:
    """What is said under a reply: its figures, and its state where it is not whole."""
    if entry.role != "assistant":
        return ""
    figures = entry.figures or {}
    notes = [
        words.figure(words.tokens, figures.get("tokens"), 0),
        words.figure(words.tokens_per_second, figures.get("tokens_per_second"), 1),
        figures.get("drafted") and words.figure(words.accepted, _percent(figures), 0),
        {
            State.STOPPED: words.stopped,
            State.LENGTH: words.length,
            State.LOST: words.lost,
        }.get(entry.state),
    ]
    return " · ".join(note for note in notes if note)


def _percent(figures: Mapping[str, Any]) -> Any:
    rate = figures.get("acceptance_rate")
    return 100 * rate if isinstance(rate, int | float) and not isinstance(rate, bool) else rate
