"""Where a reply's text came from, packed: 25 bytes a span, and unpacked only if somebody looks."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cached_property
from typing import overload

from app.history.model import Span

SOURCES = ("accepted", "corrected", "bonus", "plain")
"""A source is stored as its place in here: append, never reorder."""

_SIZE = struct.calcsize("<iiddB")


def pack(spans: Sequence[Span] | None) -> bytes | None:
    """All starts, all ends, all p, all q, all sources. Raises ValueError for a foreign source."""
    if not spans:
        return None if spans is None else b""
    starts, ends, sources, p, q = zip(*spans, strict=True)
    count = len(spans)
    chances = (math.nan if chance is None else chance for chance in (*p, *q))
    codes = map(SOURCES.index, sources)
    return struct.pack(_form(count), *starts, *ends, *chances, *codes)


def unpack(packed: bytes | None) -> Spans | None:
    """The spans again; None also where the bytes make no sense."""
    if packed is None or len(packed) % _SIZE:
        return None
    codes = packed[len(packed) - len(packed) // _SIZE :]
    return None if max(codes, default=0) >= len(SOURCES) else Spans(packed)


class Spans(Sequence[Span]):
    """Packed spans as a list: a conversation has thousands, and few are ever shown."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed) // _SIZE

    @overload
    def __getitem__(self, at: int) -> Span: ...
    @overload
    def __getitem__(self, at: slice) -> list[Span]: ...
    def __getitem__(self, at: int | slice) -> Span | list[Span]:
        return self._list[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._list == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._list)

    @cached_property
    def _list(self) -> list[Span]:
        count = len(self)
        values = struct.unpack(_form(count), self._packed)
        starts, ends, p, q, codes = (values[at * count : (at + 1) * count] for at in range(5))
        sources = map(SOURCES.__getitem__, codes)
        return list(zip(starts, ends, sources, _chances(p), _chances(q), strict=True))


def _form(count: int) -> str:
    return f"<{count}i{count}i{count}d{count}d{count}B"


def _chances(values: Sequence[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]
