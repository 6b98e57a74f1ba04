"""The tint of one view: laid over its words, and explained where the pointer rests."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextDocument

from app.chat.layers import Layers
from app.chat.segments import Segment
from app.chat.sources import Stretch, stretch_at
from app.chat.tint import HERE, Tint, explained


class Tinted:
    """What one document shows of a message's tint. It costs nothing while there is none.

    Attributes:
        stretches: The tokens as the document shows them, in order.
    """

    def __init__(self, document: QTextDocument, layers: Layers) -> None:
        self._document = document
        self._layers = layers
        self._tint: Tint | None = None
        self.stretches: list[Stretch] = []

    def choose(self, tint: Tint | None, segment: Segment) -> None:
        """Tint the words of ``segment`` by their source, or stop."""
        if tint is not None or self._tint is not None:
            self._tint = tint
            self._lay(segment)

    def renew(self, segment: Segment) -> None:
        """The document shows another ``segment``, or more of it."""
        if self._tint is not None:
            self._lay(segment)

    def said_at(self, point: QPointF) -> str:
        """What decided about the token at ``point`` of the document; "" where there is none."""
        if not self.stretches:
            return ""
        layout = self._document.documentLayout()
        at = layout.hitTest(point, Qt.HitTestAccuracy.ExactHit)
        stretch = stretch_at(self.stretches, at) if at >= 0 else None
        return explained(stretch.span) if stretch else ""

    def mark(self, stretch: Stretch | None) -> None:
        """Show that the keyboard is on one of the tokens, or on none."""
        marks = [(stretch.start, stretch.end, HERE)] if stretch is not None else []
        self._layers.lay(HERE, marks, self._tint.formats if self._tint else {})

    def _lay(self, segment: Segment) -> None:
        tint = self._tint
        self.stretches = tint.stretches(self._document, segment) if tint else []
        marks = [(each.start, each.end, each.span.source) for each in self.stretches]
        self._layers.lay("tint", marks, tint.formats if tint else {})
