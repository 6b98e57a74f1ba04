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

_JSON_MARK = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\]]')
_TOML_ROW = re.compile(r"^\s*\[\[", re.MULTILINE)
_TOML_PLACE = re.compile(r"\(at line (\d+)")


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
        BadPrompts: A row is wrong; the error names it, counting from 1.
    """
    rows = _rows(path, _text(path))
    if not rows:
        raise BadPrompts(path=path, row=1, reason="there is none")
    prompts: list[BenchPrompt] = []
    for number, row in enumerate(rows, start=1):
        try:
            prompt = _prompt(row)
            if prompt.id in {earlier.id for earlier in prompts}:
                raise _Wrong(f"the id {prompt.id!r} is given twice")
        except _Wrong as wrong:
            raise BadPrompts(path=path, row=number, reason=str(wrong)) from wrong
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


def _rows(path: Path, text: str) -> Sequence[Any]:
    """The list in the file. Broken syntax is reported at the row it is in."""
    parse: Callable[[str], Any] = tomllib.loads if path.suffix.lower() == ".toml" else json.loads
    try:
        whole = parse(text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1]) if place else len(text.splitlines())
        begun = len(_TOML_ROW.findall("\n".join(text.splitlines()[:line])))
        raise BadPrompts(path=path, row=max(1, begun), reason=f"no TOML: {error}") from error
    except json.JSONDecodeError as error:
        begun = _json_rows_begun(text[: error.pos])
        raise BadPrompts(path=path, row=max(1, begun), reason=f"no JSON: {error}") from error
    except RecursionError as error:
        raise BadPrompts(path=path, row=1, reason="it is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise BadPrompts(path=path, row=1, reason="a number in it is too long") from error
    listed = whole.get("prompts") if isinstance(whole, dict) else whole
    if not isinstance(listed, list):
        raise BadPrompts(path=path, row=1, reason='the file holds no list named "prompts"')
    return listed


def _json_rows_begun(text: str) -> int:
    depth = rows = 0
    for mark in _JSON_MARK.findall(text):
        rows += mark == "{" and depth == 1
        depth += (mark in "[{") - (mark in "]}")
    return rows


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
