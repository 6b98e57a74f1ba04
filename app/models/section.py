"""A part of the page of models: a head, a line about it, and cards of rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.controls import Card, Rule, Text
from app.models.row import Row
from app.theme import Role, Theme, Type


class Rows(Card):
    """Rows divided by lines."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def add(self, row: QWidget) -> None:
        """One more at the end."""
        if self.rows:
            self._column.addWidget(Rule(self._theme))
        self.rows.append(row)
        self._column.addWidget(row)


class Section(QWidget):
    """What is shown of one subject; it is filled anew whenever that changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        theme.changed.connect(self._space_out)
        self._space_out()

    def clear(self, keep: int = 0) -> None:
        """Take everything away but the first ``keep`` things."""
        while item := self.column.takeAt(keep):
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def head(self, text: str) -> None:
        """A head; ``text`` in capitals."""
        made = Text(self.theme, text, Type.LABEL, Role.FAINT)
        made.setContentsMargins(0, self.theme.space(3), 0, 0)
        self.column.addWidget(made)

    def say(self, text: str, role: Role = Role.SECONDARY) -> Text:
        """A sentence."""
        made = Text(self.theme, text, Type.BODY, role, wrap=True)
        self.column.addWidget(made)
        return made

    def list(self, rows: Sequence[Row]) -> Rows:
        """A card of rows that are there already."""
        card = Rows(self.theme)
        for row in rows:
            card.add(row)
        self.column.addWidget(card)
        return card

    def button(self, title: str) -> QPushButton:
        """A button by itself, where lines begin."""
        made = QPushButton(title)
        self.column.addWidget(made)
        self.column.setAlignment(made, Qt.AlignmentFlag.AlignLeft)
        return made

    def _space_out(self) -> None:
        self.column.setSpacing(self.theme.space(2))
