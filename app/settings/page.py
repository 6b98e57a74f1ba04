"""The frame of every page: a head with the way back, and a column that scrolls."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.controls import Card, IconButton, Rule, Text
from app.theme import Role, Theme, Type

_WIDEST = 180  # units of space
_MARGIN = 5
_LARGEST_MARGIN = 24  # pixels: large text needs the room itself


class Page(QWidget):
    """A page in the sheet, in place of the chat.

    Attributes:
        column: Where a page puts its matter, from top to bottom.

    Signals:
        back: The person wants the chat again.
    """

    back = Signal()

    def __init__(
        self, theme: Theme, title: str, introduction: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(title)
        self._inner = QWidget()
        self.column = QVBoxLayout(self._inner)
        self.column.addLayout(self._head(title))
        if introduction:
            self.column.addWidget(Text(theme, introduction, Type.BODY, Role.SECONDARY, wrap=True))
        self._fill(self._scrolling())
        theme.changed.connect(self._measure)
        self._measure()

    def section(self, title: str) -> QVBoxLayout:
        """A section with its head, to be filled. ``title`` is written in capitals by hand."""
        self.column.addSpacing(self.theme.space(3))
        head = Text(self.theme, title, Type.LABEL, Role.FAINT)
        self.column.addWidget(head)
        made = QVBoxLayout()
        made.setContentsMargins(0, 0, 0, 0)
        made.setSpacing(0)
        self.column.addLayout(made)
        return made

    def card(self, rows: Sequence[QWidget]) -> Card:
        """A card of rows divided by lines."""
        made = Card(self.theme)
        inside = QVBoxLayout(made)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        for row in rows:
            if row is not rows[0]:
                inside.addWidget(Rule(self.theme))
            inside.addWidget(row)
        return made

    def finish(self) -> None:
        """Let what is there lie at the top."""
        self.column.addStretch(1)

    def _head(self, title: str) -> QHBoxLayout:
        head = QHBoxLayout()
        self._back = IconButton(self.theme, "chevron-left", self.tr("Back to the chat"))
        self._back.clicked.connect(self.back)
        head.addWidget(self._back)
        head.addWidget(Text(self.theme, title, Type.TITLE, wrap=True), 1)
        return head

    def _scrolling(self) -> QScrollArea:
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._inner, 1000)
        row.addStretch(1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(middle)
        # The sheet shows through, with its round corners.
        for part in (middle, area.viewport()):
            part.setAutoFillBackground(False)
        return area

    def _fill(self, area: QScrollArea) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _measure(self) -> None:
        space = self.theme.space
        self._inner.setMaximumWidth(space(_WIDEST))
        margin = min(space(_MARGIN), _LARGEST_MARGIN)
        self.column.setContentsMargins(margin, margin, margin, space(8))
        self.column.setSpacing(space(2))
