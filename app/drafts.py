"""What was typed and not sent that has no place in the history: a new chat's text, texts to go
with a message, and messages that are being changed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.errors import DraftsUnsaved

Rows = list[dict[str, Any]]
"""Attachments as JSON holds them."""

Edits = dict[int, str]
"""What stands in the editors of messages, by their entries."""

_NEW = "new"
_NUMBER = re.compile("[0-9]{1,18}")


class Drafts:
    """Kept in one small file beside the history. Whatever is wrong with it costs no more than it.

    Attributes:
        text: Of the new chat.
        tell: Hears that the disk refuses it: once, and once more after it has worked.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.tell: Callable[[DraftsUnsaved], object] = lambda _error: None
        self._is_refused = False
        raw = _read(path)
        text = raw.get("text")
        self.text = text if isinstance(text, str) else ""
        self._attachments: dict[str, Rows] = _rows(raw.get("attachments"))
        self._edits: dict[str, Edits] = _edits(raw.get("edits"))

    def attachments(self, conversation: int | None) -> Rows:
        """What is to go with the next message of a conversation; None: the new one."""
        return self._attachments.get(_key(conversation), [])

    def keep(self, conversation: int | None, attachments: Sequence[Mapping[str, Any]]) -> None:
        """Keep what is to go with the next message of a conversation."""
        rows = [dict(each) for each in attachments]
        if rows == self.attachments(conversation):
            return
        self._attachments.pop(_key(conversation), None)
        if rows:
            self._attachments[_key(conversation)] = rows
        self.save()

    def edits(self, conversation: int | None) -> Edits:
        """What stands in the editors of a conversation's messages."""
        return self._edits.get(_key(conversation), {})

    def keep_edits(self, conversation: int | None, edits: Mapping[int, str]) -> None:
        """Keep what stands in the editors of a conversation's messages, in place of what did."""
        if dict(edits) == self.edits(conversation):
            return
        self._edits.pop(_key(conversation), None)
        if edits:
            self._edits[_key(conversation)] = dict(edits)
        self.save()

    def keep_only(self, conversations: Collection[int]) -> None:
        """Forget what was typed in any other conversation."""
        known = {_NEW, *map(_key, conversations)}
        gone = (self._attachments.keys() | self._edits.keys()) - known
        for key in gone:
            self._attachments.pop(key, None)
            self._edits.pop(key, None)
        if gone:
            self.save()

    def move(self, conversation: int) -> None:
        """The new chat is this conversation now: what is to go with its message goes there."""
        rows = self._attachments.pop(_NEW, [])
        if rows:
            self._attachments[_key(conversation)] = rows
        if rows or self.text:
            self.text = ""
            self.save()

    def keep_text(self, text: str) -> None:
        """Keep what is typed in the new chat."""
        if text != self.text:
            self.text = text
            self.save()

    def save(self) -> None:
        """Write the file; where its folder refuses, it is known while the window is open."""
        part = self._path.with_suffix(".part")
        content = {"text": self.text, "attachments": self._attachments, "edits": self._edits}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(json.dumps(content).encode())
            os.replace(part, self._path)
        except OSError as error:
            was_refused, self._is_refused = self._is_refused, True
            if not was_refused:
                reason = error.strerror or str(error)
                self.tell(DraftsUnsaved(repr(error), path=self._path, reason=reason))
        else:
            self._is_refused = False

    def save_refused(self) -> None:
        """Try once more, where the last time failed."""
        if self._is_refused:
            self.save()


def _key(conversation: int | None) -> str:
    return _NEW if conversation is None else str(conversation)


def _read(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _rows(raw: object) -> dict[str, Rows]:
    given = raw.items() if isinstance(raw, dict) else ()
    return {str(key): [row for row in rows if isinstance(row, dict)] for key, rows in given
            if isinstance(rows, list)}  # fmt: skip


def _edits(raw: object) -> dict[str, Edits]:
    given = raw.items() if isinstance(raw, dict) else ()
    return {str(key): {int(entry): text for entry, text in edits.items()
                       if _NUMBER.fullmatch(entry) and isinstance(text, str)}
            for key, edits in given if isinstance(edits, dict)}  # fmt: skip
