"""Formats that lie over a document's words without being part of it: syntax colours, the tint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

Mark = tuple[int, int, str]
"""From, to (in positions of the document) and the name of a format."""

Formats = Mapping[str, QTextCharFormat]


class Layers:
    """The formats over one document. Only blocks whose formats differ are laid out again."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._layers: dict[str, tuple[Sequence[Mark], Formats]] = {}
        self._laid: list[list[Mark]] = []

    def lay(self, layer: str, marks: Sequence[Mark], formats: Formats) -> None:
        """Replace one layer; marks are in order, and the names in no two layers are the same."""
        if marks:
            self._layers[layer] = (marks, formats)
        elif self._layers.pop(layer, None) is None:
            return
        self._apply()

    def forget(self) -> None:
        """The document was written anew, and every format over it is gone."""
        self._layers.clear()
        self._laid.clear()

    def _apply(self) -> None:
        cursors = [_Walk(marks) for marks, _formats in self._layers.values()]
        formats: dict[str, QTextCharFormat] = {}
        for _marks, own in self._layers.values():
            formats |= own
        dirty_from, dirty_to = -1, -1
        block, number = self._document.begin(), 0
        while block.isValid():
            start = block.position()
            wanted = [m for walk in cursors for m in walk.within(start, start + block.length())]
            if number == len(self._laid):
                self._laid.append([])
            if wanted != self._laid[number]:
                self._laid[number] = wanted
                block.layout().setFormats(_ranges(block, wanted, formats))
                dirty_from = start if dirty_from < 0 else dirty_from
                dirty_to = start + block.length()
            block, number = block.next(), number + 1
        if dirty_from >= 0:
            self._document.markContentsDirty(dirty_from, dirty_to - dirty_from)


class _Walk:
    """Hands out sorted marks stretch by stretch."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._next = 0

    def within(self, start: int, end: int) -> list[Mark]:
        """The marks that touch the stretch, cut to it and counted from its start."""
        found = []
        at = self._next
        while at < len(self._marks) and self._marks[at][0] < end:
            begin, stop, name = self._marks[at]
            if stop > start:
                found.append((max(begin, start) - start, min(stop, end) - start, name))
            if stop > end:
                break  # it goes on in the next block
            at += 1
        self._next = at
        return found


def _ranges(
    block: QTextBlock, marks: Sequence[Mark], formats: Formats
) -> list[QTextLayout.FormatRange]:
    ranges = []
    for begin, stop, name in marks:
        if name in formats:
            range_ = QTextLayout.FormatRange()
            range_.start, range_.length = begin, stop - begin
            range_.format = formats[name]
            ranges.append(range_)
    return ranges
