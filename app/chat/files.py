"""A file as an attachment. No Qt: the words are translated where they are shown."""

from __future__ import annotations

import stat
from enum import StrEnum
from pathlib import Path

from app.chat.model import Attachment

LARGEST = 4 * 2**20
"""Bytes of a file: far more than any context holds."""


class Trouble(StrEnum):
    """Why a file cannot be attached."""

    NO_FILE = "no file"
    """A folder, a pipe or a device: reading it may never end."""
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"
    NO_TEXT = "no text"


def read_text(path: Path) -> Attachment | Trouble:
    """The text of a file, or what is in the way."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return Trouble.NO_FILE
        if found.st_size > LARGEST:
            return Trouble.TOO_LARGE
        text = path.read_bytes().decode("utf-8-sig")
    except OSError:
        return Trouble.UNREADABLE
    except UnicodeDecodeError:
        return Trouble.NO_TEXT
    if "\0" in text:
        return Trouble.NO_TEXT
    return Attachment(path.name, text.replace("\r\n", "\n"))
