"""Where the characters that are shown stand in the Markdown that they came from.

Qt's parser does not tell. What it shows is nearly what was written with the marks left out, so both
are walked together: a word is looked for from where we are, past marks, addresses and entities.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|.", re.DOTALL)
_ADDRESS = re.compile(r"\]\([^)\s]*(?:\s[^)]*)?\)")
_REACH = 400  # characters that may be hidden between two words


def align(shown: str, source: str) -> list[int]:
    """For each character of ``shown`` its place in ``source``; -1 where it has none."""
    places: list[int] = []
    at = 0
    for token in _TOKEN.finditer(shown):
        text = token.group()
        at = _past_address(source, at)
        if text[0].isalnum() or text[0] == "_":
            found, at = _word(text, source, at)
            places += found
        else:
            place = _sign(text, source, at)
            places.append(place)
            at = place + 1 if place >= 0 else at
    return places


def _past_address(source: str, at: int) -> int:
    if source.startswith("](", at) and (address := _ADDRESS.match(source, at)):
        return address.end()
    return at


def _word(word: str, source: str, at: int) -> tuple[list[int], int]:
    found = source.find(word, at, at + _REACH + len(word))
    if found >= 0:
        return list(range(found, found + len(word))), found + len(word)
    places = []  # marks within the word, or it is not there at all
    for letter in word:
        place = source.find(letter, at, at + 8)
        places.append(place)
        at = place + 1 if place >= 0 else at
    return places, at


def _sign(sign: str, source: str, at: int) -> int:
    """The place of a mark or space before the next word; -1 where it is none of the source's."""
    while at < len(source):
        here = source[at]
        if here == sign or (here.isspace() and sign.isspace()):
            return at
        if here.isalnum():
            return -1
        at += 1
    return -1
