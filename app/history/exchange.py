"""A conversation as a JSON file, and back. Whatever is wrong with a file is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NoReturn

from app.history.model import ROLES, Conversation, Entry, Span, State, one_line
from app.history.rows import clean, dump
from app.history.spans import SOURCES
from engine.errors import BadImport, BadSetting
from engine.settings import SETTINGS

FORMAT = "foreword-conversation"
VERSION = 1
"""Raised whenever an older Foreword would misread the file."""

_YEAR_3000 = 32_503_680_000.0  # calendars of some systems end soon after


def to_json(conversation: Conversation, entries: Sequence[Entry]) -> str:
    """The file, one entry a line. The numbers that things have in our database stay here."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "title": conversation.title,
        "created": conversation.created,
        "updated": conversation.updated,
        "system": conversation.system,
        "settings": conversation.settings,
        "entries": [],
    }
    lines = ",\n".join(dump(_entry(entry)) for entry in entries)
    return dump(head).removesuffix("]}") + f"\n{lines}\n]}}\n"


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "role": entry.role,
        "content": entry.content,
        # Where the file ends, nobody goes on writing.
        "state": State.LOST if entry.state is State.WRITING else entry.state,
        "created": entry.created,
        "tokens": entry.tokens,
        "figures": entry.figures,
        "sources": None if entry.sources is None else list(entry.sources),
        "attachments": entry.attachments,
    }


def from_json(
    text: str | bytes, between: Callable[[], object] = lambda: None
) -> tuple[Conversation, list[Entry]]:
    """What a file holds; its parts are numbered 0. Raises BadImport, and what ``between`` raises,
    which is called before each entry is looked at."""
    content = _parsed(text, between)
    head = _read(content, "", _HEAD)
    if head["format"] != FORMAT:
        raise BadImport(reason="Foreword did not write it")
    if head["version"] > VERSION:
        raise BadImport(reason="a newer version of Foreword wrote it")
    values = _read(content, "", _CONVERSATION)
    items = values.pop("entries")
    entries = []
    for place, item in enumerate(items):
        between()
        entries.append(Entry(0, 0, **_read(item, f"entries[{place}]", _ENTRY)))
    return Conversation(0, **values), entries


def _parsed(text: str | bytes, between: Callable[[], object]) -> Any:
    try:
        encoding = "utf-8" if isinstance(text, str) else json.detect_encoding(text)
        whole = text if isinstance(text, str) else text.decode(encoding, "surrogatepass")
        return _parsed_by_lines(whole.removeprefix("\ufeff"), between)
    except (ValueError, RecursionError) as error:
        raise BadImport(type(error).__name__, reason="it is not valid JSON") from None


def _parsed_by_lines(text: str, between: Callable[[], object]) -> Any:
    """The same as of all of it at once, which would hold up every other thread for as long as a
    large file takes."""
    head, *lines = text.removesuffix("\n").split("\n")
    if head.endswith('"entries":[') and lines[-1:] == ["]}"] and _are_listed(lines[:-1]):
        entries = []
        with suppress(ValueError):  # laid out by somebody else, after all
            content = _loaded(f"{head}]}}")
            for line in lines[:-1]:
                between()
                entries.append(_loaded(line.removesuffix(",")))
            return content | {"entries": entries}
    return _loaded(text)


def _are_listed(lines: Sequence[str]) -> bool:
    """Whether there is a comma between lines, and only there."""
    return all(line.endswith(",") == (place < len(lines)) for place, line in enumerate(lines, 1))


def _loaded(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


# What the file's objects must hold ----------------------------------------------------------------


class _Wrong(Exception):
    """A value is not what its field wants. ``wanted``: what is, where one of its parts is wrong;
    ``part``: how that one is reached."""

    def __init__(self, wanted: str = "", part: str = "") -> None:
        super().__init__(wanted)
        self.wanted, self.part = wanted, part


@dataclass(frozen=True)
class _Field:
    """``take`` gives the value as our dataclasses hold it, or raises _Wrong; ``default`` stands
    where there is none, unless it is ``...``; ``wanted``: as it follows "must be"."""

    wanted: str
    take: Callable[[Any], Any]
    default: Any = ...


def _read(content: Any, place: str, fields: Mapping[str, _Field]) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise BadImport(reason=f"{place or 'its content'} must be an object")
    values = {}
    for name, field in fields.items():
        value = content.get(name)
        try:
            values[name] = field.default if value is None else field.take(value)
            if values[name] is ...:
                raise _Wrong
        except _Wrong as wrong:
            where = f"{place}.{name}" if place else name
            wanted = wrong.wanted or field.wanted
            raise BadImport(reason=f"{where}{wrong.part} must be {wanted}") from None
    return values


def _a(kind: type) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        if not isinstance(value, kind):
            raise _Wrong
        return value

    return take


def _nested(kind: type) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        try:
            dump(value)
        except RecursionError:  # nested so deeply that it could just be read
            raise _Wrong from None
        return _a(kind)(value)

    return take


def _settings(value: Any) -> dict[str, Any]:
    """As they stand, if those that we know make sense; another version may know more."""
    given: dict[str, Any] = _nested(dict)(value)
    for name in SETTINGS.keys() & given.keys():
        try:
            SETTINGS[name].check(given[name])
        except BadSetting as error:
            raise _Wrong(str(error.fields["allowed"]), f".{name}") from None
    return given


def _attachments(value: Any) -> list[Any]:
    return [_attachment(each, at) for at, each in enumerate(_nested(list)(value))]


def _attachment(value: Any, at: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong("an object", f"[{at}]")
    for part in ("name", "text"):
        if not isinstance(value.get(part), str):
            raise _Wrong("text", f"[{at}].{part}")
    return value


def _text(value: Any) -> str:
    return clean(_a(str)(value))


def _title(value: Any) -> str:
    return one_line(_text(value))


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise _Wrong
    return value


def _number(value: Any) -> float | int:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < 2**53:
        raise _Wrong
    return value


def _time(value: Any) -> float:
    if not 0 <= _number(value) < _YEAR_3000:
        raise _Wrong
    return float(value)


def _word(words: Collection[str]) -> Callable[[Any], str]:
    def take(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise _Wrong
        return value

    return take


def _tokens(value: Any) -> tuple[int, ...]:
    return tuple(map(_whole, _a(list)(value)))


def _spans(value: Any) -> list[Span]:
    return list(map(_span, _a(list)(value)))


def _span(value: Any) -> Span:
    if not isinstance(value, list) or len(value) != 5:
        raise _Wrong
    start, end, source, p, q = value
    if not _whole(start) <= _whole(end):
        raise _Wrong
    return start, end, _word(SOURCES)(source), _chance(p), _chance(q)


def _chance(value: Any) -> float | None:
    return None if value is None else float(_number(value))


_STATES = [state.value for state in State if state is not State.WRITING]

_HEAD = MappingProxyType(
    {
        "format": _Field("text", _text, ""),
        "version": _Field("a whole number", _whole, 0),
    }
)
_CONVERSATION = MappingProxyType(
    {
        "title": _Field("text", _title, ""),
        "created": _Field("a time", _time),
        "updated": _Field("a time", _time),
        "system": _Field("text", _text, ""),
        "settings": _Field("an object", _settings, MappingProxyType({})),
        "entries": _Field("a list", _a(list)),
    }
)
_ENTRY = MappingProxyType(
    {
        "role": _Field(f"one of {', '.join(ROLES)}", _word(ROLES)),
        "content": _Field("text", _text),
        "state": _Field(f"one of {', '.join(_STATES)}", lambda value: State(_word(_STATES)(value))),
        "created": _Field("a time", _time),
        "tokens": _Field("a list of token ids", _tokens, ()),
        "figures": _Field("an object", _nested(dict), None),
        "sources": _Field("a list of [start, end, source, p, q]", _spans, None),
        "attachments": _Field("a list", _attachments, ()),
    }
)
