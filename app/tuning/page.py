"""The page of γ: the curve at large, what it is made of, and both as files."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.actions import Actions
from app.controls import Card, Text
from app.panel.explain import sentence, title
from app.panel.sections import Words
from app.session import Session
from app.settings.page import Page
from app.theme import Role, Theme, Type
from app.tuning import words
from app.tuning.box import TuneBox
from app.tuning.chart import Chart
from app.tuning.export import as_csv, as_png
from app.tuning.force import reading_in_force
from app.tuning.memory_bars import MemoryBars
from app.tuning.pass_costs import PassCosts
from app.tuning.reading import Reading
from app.tuning.signs import Signs
from app.tuning.speed_curve import SpeedCurve
from app.tuning.survivals import Survivals
from app.tuning.table import CurveTable
from app.tuning.tuner import Tuner
from engine.tunings import EVERYDAY

translate = QCoreApplication.translate


class GammaPage(Page):
    """A page for the sheet.

    Signals:
        file_made: A file to be kept: its suffix, and what it holds.
    """

    file_made = Signal(str, bytes)

    def __init__(
        self,
        theme: Theme,
        actions: Actions,
        session: Session,
        tuner: Tuner,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            theme,
            translate("Tuning", "γ on this computer"),
            translate(
                "Tuning",
                "How many tokens to draft in each round depends on the pair, the text and the "
                "computer. Measured here, the curve says what each γ is worth.",
            ),
            parent,
        )
        self._session, self._tuner = session, tuner
        self._shown: Reading | None = None
        self.box = TuneBox(theme, actions, session, tuner, is_small=False)
        card = Card(theme)
        self._inside = QVBoxLayout(card)
        self._inside.addWidget(self.box)
        self.column.addWidget(card)
        self._make_head()
        self._make_charts()
        self.table = CurveTable(theme)
        self.column.addWidget(self.table)
        self._make_foot()
        self.finish()
        self.setFocusProxy(self.curve)
        self.curve.gamma_chosen.connect(session.choose_gamma)
        tuner.changed.connect(self.refresh)
        session.conversations.opened.connect(self.refresh)
        theme.changed.connect(self._space_out)
        self._space_out()
        self._turn(as_text=False)
        self.refresh()

    # Building ----------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(translate("Tuning", "Kind of text"))
        self.kinds.setToolTip(translate("Tuning", "The kind of text that the curve is for"))
        self.kinds.currentIndexChanged.connect(lambda _index: self.refresh())
        self.as_text = QPushButton(translate("Tuning", "As text"))
        self.as_text.setCheckable(True)
        self.as_text.setProperty("look", "quiet")
        self.as_text.setToolTip(translate("Tuning", "Show the curve as text, in a table"))
        self.as_text.toggled.connect(lambda on: self._turn(as_text=on))
        self._head_line = QWidget()
        self._head_row = QHBoxLayout(self._head_line)
        self._head_row.setContentsMargins(0, 0, 0, 0)
        self._head_row.addWidget(self.kinds)
        self._head_row.addStretch(1)
        self._head_row.addWidget(self.as_text)
        self.summary = Words(self.theme, Type.BODY, Role.SECONDARY)
        self.column.addWidget(self._head_line)
        self.column.addWidget(self.summary)

    def _make_charts(self) -> None:
        theme = self.theme
        self.curve = SpeedCurve(theme, 64)
        self.passes = PassCosts(theme, 44)
        self.survivals = Survivals(theme, 48)
        self.bytes = MemoryBars(theme, 40)
        self.signs = Signs(theme)
        self.pictures = QWidget()
        self._rows = QVBoxLayout(self.pictures)
        self._parts: list[QVBoxLayout] = []
        for chart in self.charts:
            part = QVBoxLayout()
            part.addWidget(Text(theme, title(chart.key), Type.STRONG))
            explained = sentence(chart.key)
            part.addWidget(Text(theme, explained, Type.SECONDARY, Role.SECONDARY, wrap=True))
            part.addWidget(chart)
            if chart is self.curve:
                part.addWidget(self.signs)
            self._parts.append(part)
            self._rows.addLayout(part)
        self.column.addWidget(self.pictures)

    def _make_foot(self) -> None:
        self.png = QPushButton(translate("Tuning", "Save as PNG…"))
        self.csv = QPushButton(translate("Tuning", "Save as CSV…"))
        self.png.clicked.connect(self._save_picture)
        self.csv.clicked.connect(self._save_table)
        self._foot = QWidget()
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.png)
        row.addWidget(self.csv)
        row.addStretch(1)
        self.column.addWidget(self._foot)

    @property
    def charts(self) -> list[Chart]:
        """From top to bottom."""
        return [self.curve, self.passes, self.survivals, self.bytes]

    def _space_out(self) -> None:
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(self.theme.space(6))
        for part in self._parts:
            part.setSpacing(self.theme.space(1.5))
        edge = self.theme.space(3)
        self._inside.setContentsMargins(edge, edge, edge, edge)
        self._head_row.setSpacing(self.theme.space(2))
        self.kinds.setMinimumWidth(self.theme.space(45))

    # What is shown -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how things stand."""
        self._offer_kinds()
        reading = reading_in_force(self._session, self._tuner, self._kind)
        self._reveal(reading is not None)
        if reading is None or reading == self._shown:
            return
        self._shown = reading
        self.summary.say(words.summary(reading))
        for chart in self.charts:
            chart.show_reading(reading)
        self.table.show_reading(reading)

    @property
    def _kind(self) -> str:
        return str(self.kinds.currentData() or EVERYDAY)

    def _offer_kinds(self) -> None:
        record = self._tuner.record
        known = [EVERYDAY, *(record.kinds if record else [])]
        if known == [self.kinds.itemData(i) for i in range(self.kinds.count())]:
            return
        with QSignalBlocker(self.kinds):
            self.kinds.clear()
            for kind in known:
                self.kinds.addItem(words.kind(kind), kind)

    def _reveal(self, is_known: bool) -> None:
        for part in (self._head_line, self.summary, self._foot):
            part.setVisible(is_known)
        self.pictures.setVisible(is_known and not self.as_text.isChecked())
        self.table.setVisible(is_known and self.as_text.isChecked())

    def _turn(self, *, as_text: bool) -> None:
        self.pictures.setVisible(not as_text)
        self.table.setVisible(as_text)
        self.png.setEnabled(not as_text)
        if as_text:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    # Files -------------------------------------------------------------------------------------

    def _save_picture(self) -> None:
        self.file_made.emit("png", as_png(self.pictures, self.theme))

    def _save_table(self) -> None:
        record = self._tuner.record
        if record is not None:
            self.file_made.emit("csv", as_csv(record))
