"""The curve as a table: for a screen reader, for copying, for whoever prefers numbers."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from app.panel import numbers
from app.text_table import TextTable
from app.theme import Theme
from app.tuning.reading import GAMMAS, Reading

translate = QCoreApplication.translate


class CurveTable(TextTable):
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
        super().__init__(theme, len(GAMMAS), titles, parent)
        self.setAccessibleName(translate("Tuning", "The curve as text"))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
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
                self.cell(gamma, column).setText(text)
        self._fit()

    def _fit(self) -> None:
        """As high as its rows: the page scrolls, not the table."""
        rows = sum(self.rowHeight(row) for row in GAMMAS)
        bar = self.horizontalScrollBar().sizeHint().height()
        self.setFixedHeight(rows + self.horizontalHeader().sizeHint().height() + bar)

    def _restyle(self) -> None:
        super()._restyle()
        self._fit()
