"""What a person types to search, in terms; where they stand in a text. Pure.

Any input is a search: nothing is syntax but quotation marks, which hold a phrase together. A word
finds every word that begins with it, whatever its case and accents, through the full-text index.
What holds other signs (``C++``, ``foo.bar()``), or a script without spaces, is found literally.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LONGEST_SEARCH = 500  # characters; LIKE refuses endless patterns
_MOST_TERMS = 12
_SNIPPET, _BEFORE = 160, 40  # characters of a snippet, and of them before its first mark

_PARTS = re.compile(r'"([^"]*)"?|([^\s"]+)')
_QUOTES = str.maketrans("“”„‟«»", '""""""')
_SENTENCE_MARKS = ".,;:!?…"
# Thai, Lao, Burmese, Khmer, Japanese, Chinese: words are not set apart by spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_ACCENT = "\u0301"  # stands for every combining mark in a folded text


@dataclass(frozen=True)
class Term:
    """One thing that must be there. ``literal``: as typed; else words, the last one a beginning.

    ``whole``: the last word is whole, because the phrase was closed by a quotation mark.
    """

    text: str
    literal: bool
    whole: bool = False

    @property
    def match(self) -> str:
        """The term for FTS5's MATCH. Quoted, so that nothing in it is an operator."""
        return f'"{self.text}"' if self.whole else f'"{self.text}"*'

    @property
    def like(self) -> str:
        """The term for LIKE, with the backslash as its escape."""
        escaped = re.sub(r"([%_\\])", r"\\\1", self.text)
        return f"%{escaped}%"


def terms_of(search: str) -> list[Term]:
    """The terms of what was typed; none for nothing."""
    text = search[:_LONGEST_SEARCH].encode(errors="replace").decode().translate(_QUOTES)
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    found = (_term(part) for part in _PARTS.finditer(text))
    return [term for term in found if term.text][:_MOST_TERMS]


def _term(part: re.Match[str]) -> Term:
    phrase, word = part.groups()
    text = " ".join((word or phrase).split())
    bare = text.strip(_SENTENCE_MARKS)
    if bare and not _UNSPACED.search(bare) and all(map(str.isalnum, bare.replace(" ", ""))):
        return Term(bare, literal=False, whole=part[0].endswith('"'))
    return Term(text, literal=True)


class Marker:
    """Finds terms in texts, whatever the case and accents of either."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._folding = _Folding()
        self._each = [re.compile(self._pattern(term)) for term in terms]
        self._any = re.compile("|".join(pattern.pattern for pattern in self._each))

    def has_all(self, text: str) -> bool:
        """Whether every term is in ``text``."""
        folded = self._fold(text)
        return all(pattern.search(folded) for pattern in self._each)

    def has_any(self, text: str) -> bool:
        """Whether one of the terms is in ``text``."""
        return self._any.search(self._fold(text)) is not None

    def snippet(self, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The part of ``text`` around the first term in it, and the ranges that match there."""
        first = self._any.search(self._fold(text))
        shown = _window(text, first.start() if first else 0)
        return shown, tuple(found.span() for found in self._any.finditer(self._fold(shown)))

    def _fold(self, text: str) -> str:
        return text.lower() if text.isascii() else text.translate(self._folding)

    def _pattern(self, term: Term) -> str:
        if term.literal:
            return self._letters(term.text)
        words = r"[\W_]+".join(map(self._letters, term.text.split()))
        start = rf"(?<![^\W_])(?<!{_ACCENT})"
        return f"{start}{words}" + (rf"(?![^\W_])(?!{_ACCENT})" if term.whole else "")

    def _letters(self, word: str) -> str:
        folded = self._fold(word).replace(_ACCENT, "") or word
        return f"{_ACCENT}*".join(map(re.escape, folded)) + f"{_ACCENT}*"


class _Folding(dict[int, str]):
    """For str.translate: each character without case and accents, as exactly one character."""

    def __missing__(self, point: int) -> str:
        sign = chr(point)
        parts = unicodedata.normalize("NFD", sign)
        if unicodedata.combining(sign):
            folded = _ACCENT
        elif all(map(unicodedata.combining, parts[1:])):
            folded = parts[0].lower()[0]
        else:  # Hangul: its letters are no accents
            folded = sign
        self[point] = folded
        return folded


def _window(text: str, place: int) -> str:
    """A line of ``text`` around ``place``, cut between words where there are spaces nearby."""
    start = max(0, place - _BEFORE)
    if start:
        start = next((at + 1 for at in range(start, place) if text[at].isspace()), start)
    end = min(len(text), start + _SNIPPET)
    if end < len(text):
        end = next((at for at in range(end, end - _BEFORE, -1) if text[at].isspace()), end)
    line = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{line}{' …' if end < len(text) else ''}"
