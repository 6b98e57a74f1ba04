"""What is painted elsewhere, as a table: for a screen reader, for copying, for its friends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.theme import Theme, Type


class TextTable(QTableWidget):
    """Rows of text, which are read and copied, never edited."""

    def __init__(
        self, theme: Theme, rows: int, titles: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(rows, len(titles), parent)
        self._theme = theme
        self.setHorizontalHeaderLabels(list(titles))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        theme.changed.connect(self._restyle)

    def as_text(self) -> str:
        """All rows, a line each, under their titles where these are shown."""
        return "\n".join("\t".join(line) for line in self._lines())

    def _lines(self) -> Iterator[list[str]]:
        model, columns = self.model(), range(self.columnCount())
        if not self.horizontalHeader().isHidden():
            across = Qt.Orientation.Horizontal
            yield [str(model.headerData(column, across)) for column in columns]
        for row in range(self.rowCount()):
            yield [model.index(row, column).data() or "" for column in columns]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def cell(self, row: int, column: int) -> QTableWidgetItem:
        """The item there, made where there is none."""
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.setItem(row, column, item)
        return item

    def _restyle(self) -> None:
        self.setFont(self._theme.font(Type.SECONDARY))
        self.horizontalHeader().setFont(self._theme.font(Type.SECONDARY))
        self.resizeRowsToContents()
