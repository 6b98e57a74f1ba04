"""Rows of the tables to dataclasses and back."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from app.history import spans
from app.history.model import ROLES, Changes, Conversation, Entry, Said, State

CONVERSATION = "id, title, created, updated, system, settings, draft"
SAID = "role, content, tokens, attachments"
ENTRY = "id, conversation, role, content, tokens, state, figures, sources, attachments, created"


# Most cells hold nothing, and thousands are read at once.
_USUAL: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {"[]": list, "{}": dict, "null": lambda: None}
)


def conversation_of(row: sqlite3.Row | dict[str, Any]) -> Conversation:
    """The conversation in a row of CONVERSATION."""
    values = dict(row)
    values["settings"] = _parsed(row["settings"], {})
    return Conversation(**values)


def entry_of(row: sqlite3.Row | dict[str, Any]) -> Entry:
    """The entry in a row of ENTRY."""
    values = dict(row)
    values["tokens"] = _tokens(row["tokens"])
    values["state"] = State(row["state"])
    values["figures"] = _parsed(row["figures"], None)
    values["sources"] = spans.unpack(row["sources"])
    values["attachments"] = attachments_of(row["attachments"])
    return Entry(**values)


def said_of(row: sqlite3.Row) -> Said:
    """What was said in a row of SAID."""
    role, content, tokens, attachments = row
    return Said(role, content, _tokens(tokens), attachments_of(attachments))


def attachments_of(cell: str) -> list[Any]:
    """The attachments in a cell."""
    found = _parsed(cell, [])
    return found if isinstance(found, list) else []


def attached_of(attachments: Sequence[Any]) -> str:
    """What of attachments a search looks at: their names and texts."""
    known = [each for each in attachments if isinstance(each, Mapping)]
    parts = [each.get(part) for each in known for part in ("name", "text")]
    return clean("\n".join(part for part in parts if isinstance(part, str)))


def _tokens(text: str) -> tuple[int, ...]:
    return tuple(_parsed(text, []))


def columns_of(changes: Changes) -> dict[str, object]:
    """What to write for ``changes``. Raises TypeError, ValueError for what no entry holds."""
    unknown = set(changes) - Changes.__annotations__.keys()
    if unknown:
        raise TypeError(f"an entry has no {', '.join(sorted(unknown))}")
    columns: dict[str, object] = {name: _column(name, value) for name, value in changes.items()}
    if "attachments" in changes:
        columns["attached"] = attached_of(changes["attachments"])
    return columns


def columns_of_conversation(conversation: Conversation) -> dict[str, object]:
    """What to write for a conversation that is new here."""
    return {
        "title": conversation.title,
        "created": conversation.created,
        "updated": conversation.updated,
        "system": conversation.system,
        "settings": dump(dict(conversation.settings)),
    }


def columns_of_entry(entry: Entry) -> dict[str, object]:
    """What to write for an entry that is new here, besides its conversation."""
    changes: Changes = {
        "role": entry.role,
        "content": entry.content,
        "tokens": entry.tokens,
        "state": entry.state,
        "figures": entry.figures,
        "sources": entry.sources,
        "attachments": entry.attachments,
    }
    return columns_of(changes) | {"created": entry.created}


def _column(name: str, value: Any) -> str | bytes | int | None:
    match name:
        case "content":
            return clean(value)
        case "state":
            return State(value).value
        case "role":
            return ROLES[ROLES.index(value)]
        case "tokens":
            return dump(list(value))
        case "sources":
            return spans.pack(value)
        case "answers":
            return None if value is None else int(value)
        case _:
            return dump(value)


def clean(text: str) -> str:
    """``text`` that any encoding takes: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def dump(value: Any) -> str:
    """``value`` as strict JSON. Raises TypeError for what JSON does not know."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except ValueError:  # rare, and the mending is slow
        return dump(_mended(value))
    return text


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return [_mended(item) for item in value]
    if isinstance(value, Mapping):
        return {clean(str(key)): _mended(item) for key, item in value.items()}
    return value


def _parsed(text: str, otherwise: Any) -> Any:
    if text in _USUAL:
        return _USUAL[text]()
    # A flipped bit in one cell must not keep the rest of a conversation from being shown.
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return otherwise
