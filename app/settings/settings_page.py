"""The settings, made from the tables."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.controls import Text
from app.icons import icon
from app.settings.choices import Choices
from app.settings.page import Page
from app.settings.row import SettingRow
from app.settings.sections import NEXT_LOAD, SECTIONS, Section
from app.theme import Role, Theme, Type
from engine.settings import Settings


class SettingsPage(Page):
    """Every setting by sections; what is chosen holds at once.

    Signals:
        reload_asked: Load the models again, so that what was changed takes effect.
    """

    reload_asked = Signal()

    def __init__(self, theme: Theme, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            QCoreApplication.translate("SettingsPage", "Settings"),
            QCoreApplication.translate("SettingsPage", "What you change holds at once."),
            parent,
        )
        self._choices = choices
        self._loaded: Settings | None = None
        self.rows: dict[str, SettingRow] = {}
        self._cards: list[tuple[QWidget, list[SettingRow]]] = []
        self._search()
        for section in SECTIONS:
            self._add(section)
        self._nothing = Text(theme, self.tr("No setting is called that."), role=Role.SECONDARY)
        self._nothing.hide()
        self.column.addWidget(self._nothing)
        self.finish()
        choices.changed.connect(self._show)

    def look_for(self, text: str) -> None:
        """Show only what has ``text`` in its words."""
        self._line.setText(text)

    def loaded(self, settings: Settings | None) -> None:
        """The models are loaded with these; None: none are."""
        self._loaded = settings
        self._offer_reload()

    def _search(self) -> None:
        self._line = QLineEdit(self)
        self._line.setPlaceholderText(self.tr("Search settings"))
        self._line.setAccessibleName(self.tr("Search settings"))
        self._line.setClearButtonEnabled(True)
        self._line.addAction(
            icon(self.theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self._line.textChanged.connect(self._filter)
        self.column.addWidget(self._line)
        self.setFocusProxy(self._line)

    def _add(self, section: Section) -> None:
        """A section: a head, and a card of rows divided by lines."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, self.theme.space(3), 0, 0)
        title = QCoreApplication.translate("Settings", section.title)
        column.addWidget(Text(self.theme, title, Type.LABEL, Role.FAINT))
        rows = [self._row(name) for name in section.names]
        column.addWidget(self.card(rows))
        if NEXT_LOAD & set(section.names):
            column.addWidget(self._reload_line())
        self.column.addWidget(whole)
        self._cards.append((whole, rows))

    def _row(self, name: str) -> SettingRow:
        row = SettingRow(self.theme, self._choices.table[name], self._choices.value(name))
        row.chosen.connect(self._choices.choose)
        row.reset.connect(self._choices.reset)
        self.rows[name] = row
        return row

    def _reload_line(self) -> QWidget:
        self._reload = QWidget()
        row = QHBoxLayout(self._reload)
        row.setContentsMargins(0, 0, 0, 0)
        said = self.tr(
            "Context, layers, threads and recasting count from the next time models are loaded."
        )
        row.addWidget(Text(self.theme, said, Type.SECONDARY, Role.SECONDARY, wrap=True), 1)
        button = QPushButton(self.tr("Load them again now"))
        button.clicked.connect(self.reload_asked)
        row.addWidget(button)
        self._reload.hide()
        return self._reload

    def _show(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].show_value(self._choices.value(name))
        if name in NEXT_LOAD:
            self._offer_reload()

    def _offer_reload(self) -> None:
        """Where the models were loaded with other settings than are chosen now."""
        loaded, chosen = self._loaded, self._choices.value
        is_other = loaded is not None and any(getattr(loaded, n) != chosen(n) for n in NEXT_LOAD)
        self._reload.setVisible(is_other)

    def _filter(self, text: str) -> None:
        found = 0
        for whole, rows in self._cards:
            for row in rows:
                row.setVisible(row.matches(text.strip()))
            hits = sum(not row.isHidden() for row in rows)
            whole.setVisible(hits > 0)
            found += hits
        self._nothing.setVisible(found == 0)
