"""Dataclasses to plain values (what JSON holds) and back, every value checked against its field."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Hashable, Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

Reader = Callable[[Any], Any]
"""From a plain value to what a field holds. Raises Mismatch."""

FilePath = Annotated[str, "path"]
"""The type of a field that holds a path. Bytes of a file's name that are no text stand in it as
halves of surrogate pairs (os.fsdecode), and must come back as they were to name the same file."""

_KEY = re.compile("[0-9]{1,9}")
_BARE = frozenset({int, float, str, bool, type(None)})


class Mismatch(Exception):
    """A value that is not what its field wants. ``place``: where, built on the way out."""

    def __init__(self, wanted: str, place: str = "") -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.place = place

    def inside(self, place: str) -> Mismatch:
        return Mismatch(self.wanted, place + self.place)


def plain(value: Any) -> Any:
    """``value`` without its classes: dataclasses and tables become dicts, all rows lists."""
    if dataclasses.is_dataclass(value):
        kind: type = type(value)
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    if isinstance(value, list | tuple):
        if {*map(type, value)} <= _BARE:  # the ids of a conversation: none needs to be looked at
            return [*value]
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return value


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(item.name for item in dataclasses.fields(kind))  # type: ignore[arg-type]


@cache
def reader(kind: Any) -> Reader:
    """The reader for a field of type ``kind``: a dataclass, an optional, a list, a tuple, a table
    with whole numbers for keys, a Literal, a StrEnum, a FilePath, or int, float, str or bool."""
    if dataclasses.is_dataclass(kind):
        return _object_reader(kind)
    parts = get_args(kind)
    makers: Mapping[Any, Callable[..., Reader]] = {
        UnionType: _optional_reader,
        Union: _optional_reader,  # what ``Literal[...] | None`` makes
        list: _list_reader,
        tuple: _tuple_reader,
        dict: _table_reader,
        Literal: _word_reader,
        Annotated: lambda *_path: _raw_text,
    }
    if (origin := get_origin(kind)) in makers:
        return makers[origin](*parts)
    return _word_reader(*kind, make=kind) if issubclass(kind, StrEnum) else _SCALARS[kind]


def _object_reader(kind: Any) -> Reader:
    hints = get_type_hints(kind, include_extras=True)
    readers = {name: reader(hints[name]) for name in _names(kind)}
    needed = {item.name for item in dataclasses.fields(kind) if _is_needed(item)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Mismatch("an object")
        if missing := needed - value.keys():
            raise Mismatch("there", f".{min(missing)}")
        if unknown := value.keys() - readers.keys():
            raise Mismatch("left out", f".{min(unknown)[:40]!a}")
        return kind(**{name: _at(f".{name}", readers[name], part) for name, part in value.items()})

    return read


def _is_needed(item: dataclasses.Field[Any]) -> bool:
    return item.default is item.default_factory is dataclasses.MISSING


def _at(place: str, read: Reader, value: Any) -> Any:
    try:
        return read(value)
    except Mismatch as error:
        raise error.inside(place) from None


def _optional_reader(kind: Any, _none: Any) -> Reader:
    inner = reader(kind)
    return lambda value: None if value is None else inner(value)


def _list_reader(kind: Any) -> Reader:
    inner = reader(kind)

    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise Mismatch("a list")
        return [_at("[]", inner, item) for item in value]

    return read


def _tuple_reader(*kinds: Any) -> Reader:
    """``tuple[kind, ...]``, or a pair and its like of one kind."""
    inner, size = _list_reader(kinds[0]), None if kinds[-1] is ... else len(kinds)

    def read(value: Any) -> tuple[Any, ...]:
        items = tuple(inner(value))
        if size is not None and len(items) != size:
            raise Mismatch(f"a list of {size}")
        return items

    return read


def _table_reader(_key: Any, kind: Any) -> Reader:
    """``dict[int, kind]``: JSON has only text for keys."""
    inner = reader(kind)

    def read(value: Any) -> dict[int, Any]:
        if not isinstance(value, dict) or not all(map(_KEY.fullmatch, value)):
            raise Mismatch("a table with whole numbers for keys")
        return {int(key): _at("[]", inner, item) for key, item in value.items()}

    return read


def _word_reader(*words: str, make: Callable[[str], str] = str) -> Reader:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise Mismatch(f"one of {', '.join(words)}")
        return make(value)

    return read


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether ``value`` is an int that any language's 64 bits hold."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _whole(value: Any) -> int:
    if not is_whole(value):
        raise Mismatch("a whole number")
    return int(value)


def _number(value: Any) -> float:
    if is_whole(value) or (isinstance(value, float) and math.isfinite(value)):
        return float(value)
    raise Mismatch("a finite number")


def _raw_text(value: Any) -> str:
    if not isinstance(value, str):
        raise Mismatch("text")
    return value


def _text(value: Any) -> str:
    # Half a surrogate pair is no text and would break whatever encodes it later: "?" stands for it.
    return _raw_text(value).encode(errors="replace").decode()


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Mismatch("true or false")
    return value


_SCALARS: Mapping[Any, Reader] = MappingProxyType(
    {int: _whole, float: _number, str: _text, bool: _yes_or_no}
)
