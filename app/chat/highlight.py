"""Colours for code, found by Pygments a few milliseconds at a time, so that no frame is missed."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from app.theme import Role

Coloured = tuple[int, int, Role]
"""From, to (counted in characters) and the colour."""

TOO_LONG = 200_000
"""Characters of code above which it stays plain."""

TOO_LONG_RUN = 2_000
"""Characters of one line, or of words that no other sign parts, above which it stays plain: some
lexers look at each word of such a run once for every word before it, within one token."""

_RUN = re.compile(r"[\w\s.]+")

_SLICE = 0.004  # seconds at a time
_CHECK_EVERY = 64  # tokens between two looks at the clock


class Colouring:
    """One pass over a text. `run` until it is `done`; `found` then holds its colours."""

    def __init__(self, text: str, language: str) -> None:
        self.found: list[Coloured] = []
        self.done = False
        self.seconds = 0.0
        """What the pass has cost so far."""
        lexer = None if _is_too_long(text) else _lexer(language)
        # The lexer's own preprocessing would strip and change line ends: offsets must be ours.
        self._tokens: Iterator[tuple[int, Any, str]] = (
            iter(lexer.get_tokens_unprocessed(text)) if lexer is not None else iter(())
        )

    def run(self, seconds: float = _SLICE) -> bool:
        """Work on for about so long; True when the pass is over."""
        began = time.perf_counter()
        for count, (at, kind, value) in enumerate(self._tokens, 1):
            role = _role(kind)
            if role is not None and value.strip():
                self.found.append((at, at + len(value), role))
            if count % _CHECK_EVERY == 0 and time.perf_counter() - began > seconds:
                self.seconds += time.perf_counter() - began
                return False
        self.seconds += time.perf_counter() - began
        self.done = True
        return True


def _is_too_long(text: str) -> bool:
    if len(text) > TOO_LONG or max(map(len, text.split("\n"))) > TOO_LONG_RUN:
        return True
    return any(run.end() - run.start() > TOO_LONG_RUN for run in _RUN.finditer(text))


def _lexer(language: str) -> Any:
    """A fresh lexer; None where the language is unknown or none was named."""
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name  # late: start-up must not wait for it
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language.lower())
    except ClassNotFound:
        return None


def _role(kind: tuple[str, ...]) -> Role | None:
    """The colour of a Pygments token type, which is a tuple of names from wide to narrow."""
    for length in range(len(kind), 0, -1):
        if (role := _ROLES.get(kind[:length])) is not None:
            return role
    return None


_ROLES: Mapping[tuple[str, ...], Role] = MappingProxyType(
    {
        ("Keyword",): Role.CODE_KEYWORD,
        ("Operator", "Word"): Role.CODE_KEYWORD,
        ("Literal", "String"): Role.CODE_STRING,
        ("Literal", "Number"): Role.CODE_NUMBER,
        ("Comment",): Role.CODE_COMMENT,
        ("Name", "Function"): Role.CODE_NAME,
        ("Name", "Class"): Role.CODE_NAME,
        ("Name", "Decorator"): Role.CODE_NAME,
        ("Name", "Tag"): Role.CODE_KEYWORD,
        ("Name", "Attribute"): Role.CODE_NAME,
        ("Name", "Exception"): Role.CODE_NAME,
        ("Generic", "Heading"): Role.CODE_KEYWORD,
        ("Generic", "Subheading"): Role.CODE_KEYWORD,
        ("Generic", "Inserted"): Role.CODE_STRING,
        ("Generic", "Deleted"): Role.DANGER,
    }
)
