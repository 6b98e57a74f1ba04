"""What a single line of Markdown may be. No Qt."""

from __future__ import annotations

import re

FENCE = re.compile(r"([ \t]{0,12})(`{3,}|~{3,})[ \t]*([^`\n]*)$")
PARTIAL_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})[^`]*")
DELIMITER = re.compile(r"[ \t]{0,12}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")


def decided(header: str, rest: str) -> str:
    """What can be shown of a line that may be the head of a table, and of the unfinished one."""
    shown = "" if header.lstrip().startswith("|") else header
    if rest.lstrip().startswith("|") or PARTIAL_FENCE.fullmatch(rest):
        return shown
    if header and not rest.strip(" \t|:-"):
        return shown
    return header + rest if rest else shown


def begun_tag(text: str, tag: str) -> int:
    """How many characters at the end could be the beginning of ``tag``."""
    lengths = range(min(len(text), len(tag) - 1), 0, -1)
    return next((n for n in lengths if text.endswith(tag[:n])), 0)


def cells(row: str) -> int:
    """How many cells a row of a table has."""
    bare = row.strip().strip("|")
    return len(re.findall(r"(?<!\\)\|", bare)) + 1


def bare_row(row: str) -> str:
    """A row without indentation, which would make it code."""
    return row.lstrip(" \t")


def dedented(line: str, indent: int) -> str:
    """``line`` without up to ``indent`` characters of its indentation."""
    lead = len(line) - len(line.lstrip(" \t"))
    return line[min(indent, lead) :]


def without_last_break(text: str) -> str:
    """``text`` without one line break at its end."""
    return text.removesuffix("\n")
