"""The last line of Markdown that is still being written, shown so that it does not flicker.

Markdown changes its mind: ``text`` over ``--`` is a heading, ``**bold`` shows two stars until the
other two come. Here what is undecided is held back, and what is open is closed for the time being.
"""

from __future__ import annotations

import re

# A line of these alone may become a heading's rule, a list item, a fence or a table.
_UNDECIDED = re.compile(r"[-=*_#>`|~+ \t]*|[ \t]*\d{1,9}[.)]?[ \t]*|[ \t]*[-*+] \[[ xX]?\]?[ \t]*")
_BACKTICKS = re.compile(r"`+")
_OPEN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^)]*$")
_MARK = re.compile(r"\*+|_+|~~")


def settled(text: str) -> str:
    """``text`` as it can be shown now: its last line may be unfinished."""
    start = text.rfind("\n") + 1
    line = text[start:]
    if _UNDECIDED.fullmatch(line):
        return text[:start]
    return text[:start] + _close_marks(_OPEN_LINK.sub(r"\1", _close_code(line)))


def _close_code(line: str) -> str:
    """``line`` with its open code span closed; backticks that nothing follows yet are left out."""
    at = 0
    while run := _BACKTICKS.search(line, at):
        at = _end_of_span(line, run)
        if _is_escaped(line, run.start()):
            at = run.start() + 1
        elif at < 0:
            begun = line[run.end() :].strip()
            return line + run.group() if begun else line[: run.start()]
    return line


def _end_of_span(line: str, run: re.Match[str]) -> int:
    """Where the code span that ``run`` opens ends; -1 where it is open."""
    closers = _BACKTICKS.finditer(line, run.end())
    return next((c.end() for c in closers if c.group() == run.group()), -1)


def _close_marks(line: str) -> str:
    """``line`` with its emphasis closed; a mark at the very end waits for its word."""
    opened: list[str] = []
    for found in _marks(line):
        mark = found.group()
        if opened and opened[-1] == mark and not line[found.start() - 1].isspace():
            opened.pop()
        elif _opens(line, found):
            opened.append(mark)
        elif found.end() == len(line) and (opened or not _in_word(line, found)):
            line = line[: found.start()]
    return line.rstrip() + "".join(reversed(opened)) if opened else line


def _marks(line: str) -> list[re.Match[str]]:
    """The runs of emphasis marks outside code spans."""
    spans = []
    at = 0
    while run := _BACKTICKS.search(line, at):
        at = max(run.end(), _end_of_span(line, run))
        spans.append((run.start(), at))
    return [
        found
        for found in _MARK.finditer(line)
        if not _is_escaped(line, found.start())
        and not any(start <= found.start() < end for start, end in spans)
    ]


def _opens(line: str, found: re.Match[str]) -> bool:
    follows = line[found.end() : found.end() + 1]
    return bool(follows) and not follows.isspace() and not _in_word(line, found)


def _in_word(line: str, found: re.Match[str]) -> bool:
    """Whether a word ends right before the mark: there it rarely opens emphasis."""
    return found.start() > 0 and line[found.start() - 1].isalnum()


def _is_escaped(line: str, at: int) -> bool:
    return (at - len(line[:at].rstrip("\\"))) % 2 == 1
