"""The curve as a table: for a screen reader, for copying, for whoever prefers numbers."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.panel import numbers
from app.theme import Theme, Type
from app.tuning.reading import GAMMAS, Reading

translate = QCoreApplication.translate


class CurveTable(QTableWidget):
    """A row for each γ."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        titles = [
            "γ",
            translate("Tuning", "Speed-up"),
            translate("Tuning", "Nine times in ten"),
            translate("Tuning", "Tried"),
            translate("Tuning", "Per round"),
            translate("Tuning", "All pass"),
            translate("Tuning", "Target pass"),
            translate("Tuning", "Caches"),
            translate("Tuning", "Buffers"),
        ]
        super().__init__(len(GAMMAS), len(titles), parent)
        self._theme = theme
        self.setAccessibleName(translate("Tuning", "The curve as text"))
        self.setHorizontalHeaderLabels(titles)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_reading(self, reading: Reading) -> None:
        """Show this from now on."""
        tried = reading.measured
        for gamma in GAMMAS:
            curve, width = reading.curve, gamma + 1
            shown = numbers.number(reading.passes[gamma], 2)
            cells = [
                numbers.whole(gamma),
                numbers.times(curve.speed_up[gamma]),
                f"{numbers.times(curve.low[gamma])} – {numbers.times(curve.high[gamma])}",
                numbers.times(tried[gamma]) if gamma in tried else "",
                numbers.number(curve.tokens_per_round[gamma], 2),
                numbers.percent(curve.survival[gamma - 1]) if gamma else "",
                shown if reading.is_timed(width) else f"≈ {shown}",
                numbers.size(reading.caches(gamma)),
                numbers.size(reading.buffers(gamma)),
            ]
            for column, text in enumerate(cells):
                self._put(gamma, column, text)
        self._fit()

    def as_text(self) -> str:
        """All rows, a line each, with the titles above them."""
        model, columns = self.model(), range(self.columnCount())
        across = Qt.Orientation.Horizontal
        lines = [[str(model.headerData(column, across)) for column in columns]]
        lines += [[model.index(row, column).data() or "" for column in columns] for row in GAMMAS]
        return "\n".join("\t".join(line) for line in lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def _put(self, row: int, column: int, text: str) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, column, item)
        item.setText(text)

    def _fit(self) -> None:
        """As high as its rows: the page scrolls, not the table."""
        rows = sum(self.rowHeight(row) for row in GAMMAS)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(rows + self.horizontalHeader().sizeHint().height() + bar)

    def _restyle(self) -> None:
        self.setFont(self._theme.font(Type.SECONDARY))
        self.horizontalHeader().setFont(self._theme.font(Type.SECONDARY))
        self.resizeRowsToContents()
        self._fit()
