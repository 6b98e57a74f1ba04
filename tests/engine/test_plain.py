"""Plain values become dataclasses only where every field is what it should be."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import pytest

from engine.plain import FilePath, Mismatch, plain, reader


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Leaf:
    size: float
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Tree:
    name: str
    leaves: list[Leaf] = field(default_factory=list)
    pair: tuple[int, int] = (0, 0)
    row: tuple[int, ...] = ()
    table: dict[int, float] = field(default_factory=dict)
    word: Literal["a", "b"] | None = None
    root: Leaf | None = None
    ripe: bool = False
    file: FilePath | None = None


LEAF = {"size": 1}
FULL = Tree("oak", [Leaf(1.5), Leaf(2)], (1, 2), (3, 4, 5), {1: 0.5, 8: 2.0}, "b", Leaf(0), True)


def test_every_kind_of_field_comes_back() -> None:
    assert reader(Tree)(plain(FULL)) == FULL


def test_what_has_a_default_may_be_left_out() -> None:
    assert reader(Tree)({"name": "oak"}) == Tree("oak")


@pytest.mark.parametrize(
    ("value", "place", "wanted"),
    [
        (None, "", "an object"),
        ({}, ".name", "there"),
        ({"name": 1}, ".name", "text"),
        ({"name": "oak", "age": 9}, ".'age'", "left out"),
        ({"name": "oak", "leaves": {}}, ".leaves", "a list"),
        ({"name": "oak", "leaves": [LEAF, {"size": "2"}]}, ".leaves[].size", "a finite number"),
        ({"name": "oak", "leaves": [{"size": float("nan")}]}, ".leaves[].size", "a finite number"),
        ({"name": "oak", "leaves": [LEAF | {"colour": "blue"}]}, ".leaves[].colour", "one of red"),
        ({"name": "oak", "pair": [1]}, ".pair", "a list of 2"),
        ({"name": "oak", "row": [1.0]}, ".row[]", "a whole number"),
        ({"name": "oak", "row": [True]}, ".row[]", "a whole number"),
        ({"name": "oak", "row": [2**63]}, ".row[]", "a whole number"),
        ({"name": "oak", "table": {"x": 1}}, ".table", "a table with whole numbers for keys"),
        ({"name": "oak", "table": {"1": None}}, ".table[]", "a finite number"),
        ({"name": "oak", "word": "c"}, ".word", "one of a, b"),
        ({"name": "oak", "ripe": 1}, ".ripe", "true or false"),
        ({"name": "oak", "file": 1}, ".file", "text"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(value: Any, place: str, wanted: str) -> None:
    with pytest.raises(Mismatch) as caught:
        reader(Tree)(value)
    assert (caught.value.place, caught.value.wanted) == (place, wanted)


def test_a_path_keeps_bytes_that_are_no_text_and_text_does_not() -> None:
    name = os.fsdecode(b"oak\xff.gguf")
    read = reader(Tree)(json.loads(json.dumps({"name": name, "file": name})))
    assert os.fsencode(read.file) == b"oak\xff.gguf"
    assert read.name == "oak?.gguf"
