"""Formats over a document."""

from __future__ import annotations

from PySide6.QtGui import QTextCharFormat, QTextDocument

from app.chat.layers import Layers

FORMATS = {"a": QTextCharFormat(), "b": QTextCharFormat()}


def laid(document: QTextDocument) -> list[list[tuple[int, int]]]:
    found = []
    block = document.begin()
    while block.isValid():
        found.append([(each.start, each.length) for each in block.layout().formats()])
        block = block.next()
    return found


def test_marks_are_cut_to_the_blocks_they_touch(qapp) -> None:
    document = QTextDocument("0123\n5678")
    layers = Layers(document)
    layers.lay("one", [(1, 2, "a"), (3, 7, "a")], FORMATS)
    assert laid(document) == [[(1, 1), (3, 2)], [(0, 2)]]


def test_layers_lie_over_each_other_and_go_one_by_one(qapp) -> None:
    document = QTextDocument("0123")
    layers = Layers(document)
    layers.lay("one", [(0, 2, "a")], FORMATS)
    layers.lay("two", [(1, 3, "b")], FORMATS)
    assert laid(document) == [[(0, 2), (1, 2)]]
    layers.lay("one", [], FORMATS)
    assert laid(document) == [[(1, 2)]]


def test_a_block_whose_marks_are_the_same_is_left_alone(qapp) -> None:
    document = QTextDocument("0123\n5678")
    layers = Layers(document)
    layers.lay("one", [(0, 2, "a")], FORMATS)
    dirty = []
    document.documentLayout().documentSizeChanged.connect(dirty.append)
    changed = []
    document.contentsChange.connect(lambda *change: changed.append(change))
    layers.lay("one", [(0, 2, "a")], FORMATS)
    assert changed == []
