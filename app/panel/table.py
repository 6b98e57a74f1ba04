"""The same figures as text: for a screen reader, for copying, for whoever prefers a table."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.panel.explain import Key, sentence, title
from app.panel.numbers import isolated
from app.panel.plate import tip
from app.theme import Theme, Type

translate = QCoreApplication.translate


class FigureTable(QTableWidget):
    """A row for each figure that is known: its name and its value."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(0, 2, parent)
        self._theme = theme
        self._keys: list[Key] = []
        self.setAccessibleName(translate("Panel", "The figures as text"))
        self.setHorizontalHeaderLabels([translate("Panel", "Figure"), translate("Panel", "Value")])
        self.verticalHeader().hide()
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        theme.changed.connect(self._restyle)
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
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)
            item.setToolTip(tip(sentence(self._keys[row])))
            explained = sentence(self._keys[row])
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, explained)

    def as_text(self) -> str:
        """All rows, a line each."""
        model, rows = self.model(), range(self.rowCount())
        cells = [[model.index(row, column).data() for column in (0, 1)] for row in rows]
        return "\n".join(f"{name}\t{value}" for name, value in cells)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def _restyle(self) -> None:
        self.setFont(self._theme.font(Type.SECONDARY))
