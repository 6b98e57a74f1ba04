"""Prompts for the benchmark: a TOML or JSON list of rows ``{id, kind, messages}``."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import BadPrompts, FileMissing, FileUnreadable
from engine.protocol import Message

ROLES = ("system", "user", "assistant")

_WHOLE = "the whole file"
_TOML_ROW = re.compile(r"^\s*\[\[\s*prompts\s*\]\]", re.MULTILINE)
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class BenchPrompt:
    """One row: a conversation to go on with, and the kind of text that it asks for."""

    id: str
    kind: str
    messages: tuple[Message, ...]


def read_prompts(path: Path) -> list[BenchPrompt]:
    """The rows of a prompts file; a TOML one holds them as ``[[prompts]]``.

    Raises:
        FileMissing, FileUnreadable: The file cannot be opened.
        BadPrompts: The error names the row, counting from 1, or the line of broken syntax.
    """
    text = _text(path)
    rows = _rows(path, text)
    if not rows:
        raise BadPrompts(path=path, place=_WHOLE, reason="there is no row in it")
    prompts: list[BenchPrompt] = []
    for number, row in enumerate(rows, start=1):
        try:
            prompt = _prompt(row)
            if prompt.id in {earlier.id for earlier in prompts}:
                raise _Wrong(f"the id {prompt.id!r} is given twice")
        except _Wrong as wrong:
            place = f"row {number}{_where(path, text, number, len(rows))}"
            raise BadPrompts(path=path, place=place, reason=str(wrong)) from wrong
        prompts.append(prompt)
    return prompts


class _Wrong(Exception):
    """What is wrong with a row."""


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise FileUnreadable(path=path, reason="it is no ordinary file")
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileMissing(path=path) from error
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error
    except ValueError as error:  # not UTF-8, or a zero byte in the path
        raise FileUnreadable(path=path, reason="it is not a text file") from error


def _is_toml(path: Path) -> bool:
    return path.suffix.lower() == ".toml"


def _where(path: Path, text: str, row: int, rows: int) -> str:
    """The line where a TOML row begins, if each of them has a heading of its own."""
    found = list(_TOML_ROW.finditer(text)) if _is_toml(path) else []
    if len(found) != rows:
        return ""
    return f" (line {text.count(chr(10), 0, found[row - 1].end()) + 1})"


def _rows(path: Path, text: str) -> Sequence[Any]:
    """The list in the file. Broken syntax is reported at the line it is in."""
    parse: Callable[[str], Any] = tomllib.loads if _is_toml(path) else json.loads
    try:
        whole = parse(text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else len(text.splitlines()) or 1
        reason = f"no TOML: {_TOML_PLACE.sub('', str(error))}"
        raise BadPrompts(path=path, place=f"line {line}", reason=reason) from error
    except json.JSONDecodeError as error:
        reason = f"no JSON: {error.msg}"
        raise BadPrompts(path=path, place=f"line {error.lineno}", reason=reason) from error
    except RecursionError as error:
        raise BadPrompts(path=path, place=_WHOLE, reason="it is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise BadPrompts(path=path, place=_WHOLE, reason="a number in it is too long") from error
    listed = whole.get("prompts") if isinstance(whole, dict) else whole
    if not isinstance(listed, list):
        raise BadPrompts(path=path, place=_WHOLE, reason='it holds no list named "prompts"')
    return listed


def _prompt(row: object) -> BenchPrompt:
    if not isinstance(row, dict):
        raise _Wrong("it is not a table")
    for key in ("id", "kind"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise _Wrong(f"{key} is missing" if key not in row else f"{key} is not a text")
    messages = row.get("messages")
    if not isinstance(messages, list) or not messages:
        raise _Wrong("messages is missing" if "messages" not in row else "messages is not a list")
    read = tuple(_message(message, number) for number, message in enumerate(messages, start=1))
    if read[-1].role != "user":
        raise _Wrong(f"the last message is the {read[-1].role}'s and must be the user's")
    return BenchPrompt(row["id"], row["kind"], read)


def _message(message: object, number: int) -> Message:
    if not isinstance(message, dict):
        raise _Wrong(f"message {number} is not a table")
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        raise _Wrong(f"message {number} has the role {role!r}, not one of {', '.join(ROLES)}")
    if not isinstance(content, str) or not content.strip():
        raise _Wrong(f"message {number} has no content")
    if role == "system" and number > 1:
        raise _Wrong(f"message {number} is a system message, which must come first")
    return Message(role, content)
