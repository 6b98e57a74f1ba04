"""Which stretch of what is shown came with which token. Pure; positions are Qt's."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from app.chat.align import align
from app.chat.model import Span


class Stretch(NamedTuple):
    """Shown text from ``start`` to ``end``, in UTF-16 units as Qt counts, and its token."""

    start: int
    end: int
    span: Span


def stretches(shown: str, source: str, offset: int, spans: Sequence[Span]) -> list[Stretch]:
    """What of ``shown`` came with which of ``spans``, in order.

    ``source``: the Markdown that ``shown`` was made from, which stands at ``offset`` of the
    message.
    """
    starts = [span.start for span in spans]
    found: list[Stretch] = []
    at, begun, current = 0, 0, -1
    for letter, place in zip(shown, align(shown, source), strict=True):
        index = current if place < 0 else _index(starts, spans, offset + place)
        if index != current:
            if current >= 0:
                found.append(Stretch(begun, at, spans[current]))
            begun, current = at, index
        at += 2 if letter > "\uffff" else 1
    if current >= 0:
        found.append(Stretch(begun, at, spans[current]))
    return found


def verbatim_stretches(shown: str, offset: int, spans: Sequence[Span]) -> list[Stretch]:
    """As `stretches`, for text that is shown as it was written, at ``offset`` of the message."""
    unit = unit_counter(shown)
    end = offset + len(shown)
    first = max(0, bisect_right(spans, offset, key=lambda span: span.start) - 1)
    found = []
    for span in islice(spans, first, None):
        if span.start >= end:
            break
        begin, stop = max(span.start, offset) - offset, min(span.end, end) - offset
        if stop > begin:
            found.append(Stretch(unit(begin), unit(stop), span))
    return found


def unit_counter(text: str) -> Callable[[int], int]:
    """Turns a place in ``text`` from characters into UTF-16 units; free where they are the same."""
    if text.isascii() or max(text) <= "\uffff":
        return lambda place: place
    units = [0, *accumulate(2 if letter > "\uffff" else 1 for letter in text)]
    return lambda place: units[place]


def _index(starts: Sequence[int], spans: Sequence[Span], place: int) -> int:
    index = bisect_right(starts, place) - 1
    return index if index >= 0 and place < spans[index].end else -1


def stretch_at(found: Sequence[Stretch], position: int) -> Stretch | None:
    """The stretch that holds ``position``."""
    index = bisect_right([each.start for each in found], position) - 1
    return found[index] if index >= 0 and position < found[index].end else None


def counted(spans: Sequence[Span]) -> Counter[str]:
    """How many tokens came from each source."""
    return Counter(span.source for span in spans)
