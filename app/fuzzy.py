"""Finding titles by a few of their letters."""

from __future__ import annotations

_START, _WORD, _RUN = 4.0, 3.0, 2.0
_GAP = 0.05


def score(wanted: str, title: str) -> float | None:
    """How well ``title`` has the letters of ``wanted`` in their order; None where it has not.

    Letters at the beginnings of words and in a row count most; every word of ``wanted`` may stand
    anywhere.
    """
    text = title.casefold()
    total = 0.0
    for word in wanted.casefold().split():
        found = _word(word, text)
        if found is None:
            return None
        total += found
    return total - len(text) * 0.01


def _word(word: str, text: str) -> float | None:
    """The best of all ways to find ``word`` in ``text``."""
    if word in text:
        at = _best_place(word, text)
        return len(word) * _RUN + (_START if at == 0 else _WORD if _begins(text, at) else 1.0)
    total, at = 0.0, -1
    for letter in word:
        after = at
        at = text.find(letter, after + 1)
        if at < 0:
            return None
        total += _WORD * 0.4 if _begins(text, at) else 0.4
        total -= _GAP * (at - after - 1)
    return total


def _best_place(word: str, text: str) -> int:
    at = text.find(word)
    while at > 0 and not _begins(text, at):
        later = text.find(word, at + 1)
        if later < 0:
            return text.find(word)
        at = later
    return at


def _begins(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()
