"""The same figures as text: for a screen reader, for copying, for whoever prefers a table."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from app.panel.explain import Key, sentence, title
from app.panel.numbers import isolated
from app.text_table import TextTable
from app.theme import Theme
from app.tips import tip

translate = QCoreApplication.translate


class FigureTable(TextTable):
    """A row for each figure that is known: its name and its value."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        titles = [translate("Panel", "Figure"), translate("Panel", "Value")]
        super().__init__(theme, 0, titles, parent)
        self._keys: list[Key] = []
        self.setAccessibleName(translate("Panel", "The figures as text"))
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._restyle()

    def show_values(self, values: Mapping[Key, str]) -> None:
        """Show these; rows stay where they are, and so does the selection."""
        keys = [key for key in Key if key in values]
        if keys != self._keys:
            self._keys = keys
            self.setRowCount(len(keys))
            for row, key in enumerate(keys):
                self._put(row, 0, title(key))
        for row, key in enumerate(keys):
            self._put(row, 1, isolated(values[key]))

    def _put(self, row: int, column: int, text: str) -> None:
        item = self.cell(row, column)
        if item.text() != text:
            item.setText(text)
            explained = sentence(self._keys[row])
            item.setToolTip(tip(explained))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, explained)
