"""Line breaks as they were written.

Markdown joins the lines of a paragraph, which spoils verse and addresses that models write without
the two spaces. Here they become line separators, which Qt keeps within the paragraph.
"""

from __future__ import annotations

import re

BREAK = "\u2028"

_BLOCK = re.compile(
    r"[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|[>|]"
    r"|([-=*_])[ \t]*(?:\1[ \t]*)*$)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:")


def with_breaks(markdown: str) -> str:
    """``markdown``, prose without fences or tables, with its line breaks made to stay."""
    kept: list[str] = []
    in_list = False
    for line in markdown.split("\n"):
        if kept and _goes_on(kept[-1], line, in_list):
            kept[-1] = kept[-1].rstrip().removesuffix("\\") + BREAK + line.strip()
        else:
            kept.append(line)
            if line.strip():
                in_list = bool(_ITEM.match(line)) or (in_list and line[0].isspace())
    return "\n".join(kept)


def _goes_on(before: str, line: str, in_list: bool) -> bool:
    """Whether ``line`` belongs to the paragraph that ends in ``before``."""
    if not before.strip() or not line.strip() or _BLOCK.match(line):
        return False
    if _HEADING.match(before) or _DEFINITION.match(before) or _DEFINITION.match(line):
        return False
    is_code = before.startswith(("    ", "\t")) and not in_list
    return not is_code and not before.lstrip().startswith("|")
