"""Tool tips. Qt takes some texts for HTML and loads the pictures they name; not those from here."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def tip(text: str) -> str:
    """``text``, letter by letter, as a tool tip that wraps, which Qt does to rich text only."""
    lines = escape(text).replace("\n", "<br>")
    return f"<qt>{lines}</qt>" if text else ""


def with_keys(words: str, keys: str) -> str:
    """``words`` and the shortcut that does the same, where there is one."""
    return f"{words}  ·  {keys}" if keys else words


def plain_tip(text: str) -> str:
    """``text``, letter by letter, as a tool tip whose lines break only where it has them break.

    Screen readers may read a tool tip's source, so only what Qt would take for HTML becomes HTML.
    """
    return tip(text) if Qt.mightBeRichText(text) else text
