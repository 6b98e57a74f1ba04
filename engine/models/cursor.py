"""Reads a GGUF file's numbers, texts and arrays in order, within bounds.

No count or length of the file is believed: each is held against the bytes that are left before
anything is read or allocated for it, and all of them together against a budget. Types are
numbered as ``gguf_type`` (ggml/include/gguf.h).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

from engine.errors import GgufDamaged

U32, TEXT, ARRAY, U64, I64 = 4, 8, 9, 10, 11

_SCALARS = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    U32: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    U64: struct.Struct("<Q"),
    I64: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
_LENGTH = _SCALARS[U64]

# Far above any real model, low enough that no lying file costs more than a moment.
_MOST_TEXTS = 1 << 22
_LONGEST_TEXT = 64 << 20
_LONGEST_NAME = (1 << 16) - 1  # of a key, as the format has it
_LONGEST_HEADER = 256 << 20
_WINDOW = 1 << 20


@dataclass(frozen=True)
class ArrayInFile:
    """A long array, left where it is: ``length`` bytes at ``offset`` hold ``count`` items."""

    type: int
    count: int
    offset: int
    length: int


Scalar = bool | int | float | str
Value = Scalar | tuple[Scalar, ...] | ArrayInFile


class Cursor:
    """A position in the file, and the window of bytes read around it.

    Plain reads, not a memory map: a file cut short while it is mapped would kill the process.
    Every method that reads raises GgufDamaged where the file ends too soon or makes no sense.
    """

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self.path = path
        self.size = size
        self.position = 0
        self._file = file
        self._window = b""
        self._start = 0  # where the window lies in the file

    def damaged(self, reason: str) -> NoReturn:
        """Raise GgufDamaged for this file and place."""
        raise GgufDamaged(path=self.path, reason=reason, detail=f"at byte {self.position:,}")

    def expect(self, count: int, *, each: int, most: int, what: str) -> None:
        """Refuse a count above ``most``, or whose items of at least ``each`` bytes cannot fit."""
        if count > most or count * each > self.size - self.position:
            self.damaged(f"it promises {count:,} {what}, more than can be in it")

    def peek(self, length: int) -> bytes:
        """The next bytes, up to ``length`` of them, without moving on."""
        self._fill(0)
        return self._window[:length]

    def number(self, kind: int) -> int:
        """The next number of an integer type."""
        return int(self._unpack(kind))

    def name(self) -> str:
        """The next text, which is a key."""
        return self.text(_LONGEST_NAME)

    def text(self, longest: int = _LONGEST_TEXT) -> str:
        """The next text; bytes that are not UTF-8 become replacement marks."""
        length = self.number(U64)
        if length > longest:
            self.damaged(f"it holds a text or name of {length:,} bytes")
        return self._take(length).decode("utf-8", errors="replace")

    def value(self, key: str, *, inline: int) -> Value:
        """The next metadata value. An array of more than ``inline`` items is passed over."""
        kind = self.number(U32)
        return self._array(key, inline) if kind == ARRAY else self._scalar(key, kind)

    def texts_at(self, where: ArrayInFile) -> list[bytes]:
        """The items of an array of texts that was passed over."""
        self.position = where.offset
        blob = self._take(where.length)
        texts, at = [], 0
        for _ in range(where.count):
            if at + _LENGTH.size > len(blob):
                self.damaged("it changed while it was being read")
            begin = at + _LENGTH.size
            at = begin + _LENGTH.unpack_from(blob, at)[0]
            texts.append(blob[begin:at])
        return texts

    def _scalar(self, key: str, kind: int) -> Scalar:
        if kind == TEXT:
            return self.text()
        if kind not in _SCALARS:
            self.damaged(f"the value of {key!r} has the unknown type {kind}")
        return self._unpack(kind)

    def _array(self, key: str, inline: int) -> tuple[Scalar, ...] | ArrayInFile:
        kind, count = self.number(U32), self.number(U64)
        if kind == TEXT:
            self.expect(count, each=_LENGTH.size, most=_MOST_TEXTS, what=f"texts in {key!r}")
        elif kind in _SCALARS:  # lists of lists are not read by llama.cpp either
            self.expect(count, each=_SCALARS[kind].size, most=self.size, what=f"items in {key!r}")
        else:
            self.damaged(f"the list {key!r} has items of the unknown type {kind}")
        if count <= inline:
            return tuple(self._scalar(key, kind) for _ in range(count))
        begin = self.position
        if kind == TEXT:
            self._pass_texts(count)
        else:
            self.position += count * _SCALARS[kind].size
            self._expect_within(self.position)
        return ArrayInFile(kind, count, begin, self.position - begin)

    def _pass_texts(self, count: int) -> None:
        """Move beyond ``count`` texts: the loop that decides how long a large vocabulary takes."""
        unpack, size = _LENGTH.unpack_from, min(self.size, _LONGEST_HEADER)
        window, start, position = self._window, self._start, self.position
        last = len(window) - _LENGTH.size
        for _ in range(count):
            at = position - start
            if at > last:
                self.position = position
                self._fill(_LENGTH.size)
                window, start, at = self._window, position, 0
                last = len(window) - _LENGTH.size
            position += _LENGTH.size + unpack(window, at)[0]
            if position > size:
                self._expect_within(position, "a list of texts")
        self.position = position

    def _unpack(self, kind: int) -> bool | int | float:
        scalar = _SCALARS[kind]
        value: bool | int | float = scalar.unpack(self._take(scalar.size))[0]
        return value

    def _take(self, length: int) -> bytes:
        begin = self.position - self._start
        if begin < 0 or begin + length > len(self._window):
            self._fill(length)
            begin = 0
        self.position += length
        return self._window[begin : begin + length]

    def _fill(self, length: int) -> None:
        """Read on from the position: a window's worth, and at least ``length`` bytes."""
        self._expect_within(self.position + length)
        self._file.seek(self.position)
        self._window = self._file.read(max(length, _WINDOW))
        self._start = self.position
        if len(self._window) < length:  # it was cut meanwhile
            self.damaged("it ends inside its header")

    def _expect_within(self, position: int, what: str = "its header") -> None:
        """Refuse a header that goes on to ``position``, beyond the file or all measure."""
        if position > self.size:
            self.damaged(f"it ends inside {what}")
        if position > _LONGEST_HEADER:
            self.damaged(f"its header takes more than {_LONGEST_HEADER >> 20} MiB")
