"""A message's segments one below the other. Closed ones are made once and never touched again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from app.chat.code import CodeBlock
from app.chat.prose import Prose, Table
from app.chat.segments import Kind, Segment
from app.chat.tint import Tint
from app.theme import Theme

View = Prose | CodeBlock


class Stacked(Protocol):
    """What a column can hold: it knows its height at a width, and the space above it."""

    @property
    def gap(self) -> int: ...

    def height_for(self, width: int) -> int: ...


class Column(QWidget):
    """Shows a list of segments, each in a view of its kind.

    Signals:
        link: An address that a person pressed.
        copied: Code to be put on the clipboard.
    """

    link = Signal(str)
    copied = Signal(str)

    def __init__(self, theme: Theme, *, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quiet = quiet
        self._tint: Tint | None = None
        self._heights: list[tuple[int, int]] = []  # of each view: for which width, how tall
        self.views: list[View] = []
        self.segments: list[Segment] = []

    def show_segments(self, segments: Sequence[Segment], first: int = 0) -> None:
        """Show ``segments``; those before ``first`` are as they were."""
        for index in range(first, len(segments)):
            self._show(index, segments[index])
        for view in self.views[len(segments) :]:
            view.hide()
            view.deleteLater()
        del self.views[len(segments) :], self._heights[len(segments) :]
        self.segments = list(segments)

    def set_tint(self, tint: Tint | None) -> None:
        """Tint the words by their source, or stop."""
        self._tint = tint
        for view in self.views:
            view.set_tint(tint)

    def height_for(self, width: int) -> int:
        """The height at ``width``; the views are put in their places."""
        top = 0
        for index, view in enumerate(self.views):
            top += self._gap(index)
            height = self._height(index, width)
            place = QRect(0, top, width, height)
            if view.geometry() != place:
                view.setGeometry(place)
            top += height
        return top

    def ideal_width(self) -> int:
        """The width at which no line would break."""
        self._heights = [(-1, 0)] * len(self.views)
        return max((view.ideal_width() for view in self.views), default=0)

    def controls(self) -> list[QWidget]:
        """What the keyboard can reach in it, from the top."""
        return [control for view in self.views for control in view.controls()]

    def _gap(self, index: int) -> int:
        """The larger of what the view and the one before want between them."""
        if index == 0:
            return 0
        wanted = self.views[index].gap
        before = self.views[index - 1]
        return wanted if isinstance(before, Prose) else max(wanted, before.gap)

    def _height(self, index: int, width: int) -> int:
        known_for, height = self._heights[index]
        if known_for != width:
            height = self.views[index].height_for(width)
            self._heights[index] = (width, height)
        return height

    def _show(self, index: int, segment: Segment) -> None:
        if index == len(self.views):
            self.views.append(self._made(segment.kind))
            self._heights.append((-1, 0))
        elif _class(segment.kind) is not type(self.views[index]):
            self.views[index].hide()
            self.views[index].deleteLater()
            self.views[index] = self._made(segment.kind)
        self.views[index].show_segment(segment)
        self._heights[index] = (-1, 0)

    def _made(self, kind: Kind) -> View:
        view: View
        if kind is Kind.CODE:
            view = CodeBlock(self._theme, self)
            view.copied.connect(self.copied)
        else:
            make = Table if kind is Kind.TABLE else Prose
            view = make(self._theme, quiet=self._quiet, parent=self)
            view.link.connect(self.link)
        view.set_tint(self._tint)
        view.show()
        return view


def _class(kind: Kind) -> type[View]:
    return {Kind.CODE: CodeBlock, Kind.TABLE: Table}.get(kind, Prose)
