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

_Slot = tuple[str, str]
"""A part of the file, and the key of a chat in it."""

_TEXTS, _ATTACHMENTS, _EDITS = "texts", "attachments", "edits"
_NEW = "new"
_NUMBER = re.compile("[0-9]{1,18}")


class Drafts:
    """Kept in one small file beside the history. Whatever is wrong with it costs no more than it.

    Several windows may have it open: each writes what was changed in it, and leaves the rest as the
    others wrote it.

    Attributes:
        tell: Hears that the disk refuses it: once, and once more after it has worked.
        mended: Hears that the disk takes it again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.tell: Callable[[DraftsUnsaved], object] = lambda _error: None
        self.mended: Callable[[], object] = lambda: None
        self._is_refused = False
        self._new = _NEW
        self._stamp = _stamp(path)
        self._there = _slots(_read(path))  # what the file holds
        self._kept = dict(self._there)  # as it was at the start, with what was changed here since
        self._changed: set[_Slot] = set()  # since the file was written

    def settle(self, *, is_first: bool) -> None:
        """The only window goes on with the new chats of all that have ended; any other has a new
        chat of its own."""
        if not is_first:
            self._new = f"{_NEW} {os.getpid()}"
            return
        for part, key in [slot for slot in self._kept if slot[1].startswith(f"{_NEW} ")]:
            found = self._kept[part, key]
            if part == _TEXTS:
                self._put((_TEXTS, _NEW), "\n\n".join(filter(None, (self.text, found))))
            else:
                self._put((part, _NEW), [*self._kept.get((part, _NEW), []), *found])
            self._put((part, key), None)

    @property
    def text(self) -> str:
        """Of the new chat."""
        text: str = self._kept.get((_TEXTS, self._new), "")
        return text

    def attachments(self, conversation: int | None) -> Rows:
        """What is to go with the next message of a conversation; None: the new one."""
        rows: Rows = self._kept.get((_ATTACHMENTS, self._key(conversation)), [])
        return rows

    def keep(self, conversation: int | None, attachments: Sequence[Mapping[str, Any]]) -> None:
        """Keep what is to go with the next message of a conversation."""
        rows = [dict(each) for each in attachments]
        if rows != self.attachments(conversation):
            self._put((_ATTACHMENTS, self._key(conversation)), rows)
            self.save()

    def edits(self, conversation: int | None) -> Edits:
        """What stands in the editors of a conversation's messages."""
        edits: Edits = self._kept.get((_EDITS, self._key(conversation)), {})
        return edits

    def keep_edits(self, conversation: int | None, edits: Mapping[int, str]) -> None:
        """Keep what stands in the editors of a conversation's messages, in place of what did."""
        if dict(edits) != self.edits(conversation):
            self._put((_EDITS, self._key(conversation)), dict(edits))
            self.save()

    def keep_only(self, conversations: Collection[int]) -> None:
        """Forget what was typed in any other conversation."""
        known = set(map(str, conversations))
        gone = [s for s in self._kept if not s[1].startswith(_NEW) and s[1] not in known]
        for slot in gone:
            self._put(slot, None)
        if gone:
            self.save()

    def move(self, conversation: int) -> None:
        """The new chat is this conversation now: what is to go with its message goes there."""
        rows = self.attachments(None)
        if rows:
            self._put((_ATTACHMENTS, str(conversation)), rows)
            self._put((_ATTACHMENTS, self._new), None)
        if rows or self.text:
            self._put((_TEXTS, self._new), None)
            self.save()

    def keep_text(self, text: str) -> None:
        """Keep what is typed in the new chat."""
        if text != self.text:
            self._put((_TEXTS, self._new), text)
            self.save()

    def save(self) -> None:
        """Write the file; where its folder refuses, it is known while the window is open."""
        if _stamp(self._path) not in (self._stamp, None):  # another window wrote it
            self._there = _slots(_read(self._path))
        content = {slot: each for slot, each in self._there.items() if slot not in self._changed}
        content |= {slot: self._kept[slot] for slot in self._changed if slot in self._kept}
        own = "" if self._new == _NEW else f".{os.getpid()}"  # no window writes another's part
        part = self._path.with_suffix(f"{own}.part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(json.dumps(_raw(content)).encode())
            stamp = _stamp(part)  # before another window can write the file in its turn
            os.replace(part, self._path)
        except OSError as error:
            was_refused, self._is_refused = self._is_refused, True
            if not was_refused:
                reason = error.strerror or str(error)
                self.tell(DraftsUnsaved(repr(error), path=self._path, reason=reason))
        else:
            self._there, self._stamp = content, stamp
            self._changed.clear()
            if self._is_refused:
                self._is_refused = False
                self.mended()

    def save_refused(self) -> None:
        """Try once more, where the last time failed."""
        if self._is_refused:
            self.save()

    def _key(self, conversation: int | None) -> str:
        return self._new if conversation is None else str(conversation)

    def _put(self, slot: _Slot, content: object) -> None:
        self._changed.add(slot)
        self._kept.pop(slot, None)
        if content:
            self._kept[slot] = content


def _stamp(path: Path) -> tuple[int, int] | None:
    """Another one for every time that the file is written."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _read(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _slots(raw: Mapping[str, Any]) -> dict[_Slot, Any]:
    """What of a file makes sense."""
    found: dict[_Slot, Any] = {}
    for key, content in ({_NEW: raw.get("text")} | _object(raw.get(_TEXTS))).items():
        found[_TEXTS, key] = content if isinstance(content, str) else ""
    for key, content in _object(raw.get(_ATTACHMENTS)).items():
        rows = content if isinstance(content, list) else []
        found[_ATTACHMENTS, key] = [row for row in rows if isinstance(row, dict)]
    for key, content in _object(raw.get(_EDITS)).items():
        found[_EDITS, key] = {
            int(entry): text
            for entry, text in _object(content).items()
            if _NUMBER.fullmatch(entry) and isinstance(text, str)
        }
    return {slot: content for slot, content in found.items() if content}


def _raw(slots: Mapping[_Slot, Any]) -> dict[str, Any]:
    """As JSON holds it."""
    raw: dict[str, dict[str, Any]] = {_TEXTS: {}, _ATTACHMENTS: {}, _EDITS: {}}
    for (part, key), content in slots.items():
        raw[part][key] = content
    return {"text": raw[_TEXTS].pop(_NEW, ""), **raw}


def _object(raw: object) -> dict[str, Any]:
    return raw if isinstance(raw, dict) else {}
