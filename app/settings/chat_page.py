"""What one chat has of its own: its system prompt, and other settings than the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from app.settings import words
from app.settings.choices import Choices
from app.settings.fields import TextField
from app.settings.page import Page
from app.settings.row import SettingRow
from app.theme import Theme
from engine.settings import Value

OWN = (
    *("temperature", "top_k", "top_p", "min_p", "max_tokens", "seed", "think"),
    *("repetition_penalty", "presence_penalty", "frequency_penalty"),
)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChatPage", text)


class ChatPage(Page):
    """The settings of the open chat. What it does not have of its own follows the settings.

    Signals:
        system_chosen: The system prompt that holds in this chat.
        own_chosen: Names and values of the settings that are this chat's own, as JSON holds them.
    """

    system_chosen = Signal(str)
    own_chosen = Signal(dict)

    def __init__(self, theme: Theme, choices: Choices, parent: QWidget | None = None) -> None:
        introduction = _tr("What you change here holds in this chat alone, from the next message.")
        super().__init__(theme, _tr("This chat"), introduction, parent)
        self._choices = choices
        self._own: dict[str, Any] = {}
        self.system = SettingRow(theme, choices.table["system"], "")
        self.system.chosen.connect(lambda _name, text: self.system_chosen.emit(text))
        self.system.reset.connect(lambda _name: self.system_chosen.emit(""))
        self.system.reset.connect(lambda _name: self.system.show_value(""))
        self.rows = {name: self._row(name) for name in OWN}
        self.section(_tr("SYSTEM PROMPT")).addWidget(self.card([self.system]))
        self.section(_tr("REPLIES")).addWidget(self.card(list(self.rows.values())))
        self.finish()
        choices.changed.connect(self._follow)
        self._follow("system")

    def show_chat(self, system: str, own: Mapping[str, Any]) -> None:
        """Show a chat's system prompt and its own settings; empty where it has none."""
        self._own = dict(own)
        self.system.show_value(system)
        for name in OWN:
            self._follow(name)

    def _row(self, name: str) -> SettingRow:
        row = SettingRow(self.theme, self._choices.table[name], self._choices.value(name))
        row.chosen.connect(self._choose)
        row.reset.connect(self._drop)
        return row

    def _choose(self, name: str, value: Value) -> None:
        self._own[name] = value
        if value == self._choices.value(name):
            del self._own[name]
        self._tell(name)

    def _drop(self, name: str) -> None:
        self._own.pop(name, None)
        self._tell(name)

    def _tell(self, name: str) -> None:
        self._follow(name)
        self.own_chosen.emit(dict(self._own))

    def _follow(self, name: str) -> None:
        """Show what holds for ``name``: the chat's own, else what the settings say."""
        if name in self.rows:
            usual = self._choices.value(name)
            row = self.rows[name]
            row.set_default(usual, _tr("As in the settings: {value}"))
            row.show_value(self._own.get(name, usual))
        elif name == "system":
            self._follow_system()

    def _follow_system(self) -> None:
        """Where the chat has no prompt of its own, that of the settings holds."""
        usual, told = self._choices.engine.system.strip(), _tr("As in the settings: {value}")
        self.system.set_default("", told, usual)
        field = self.system.field
        assert isinstance(field, TextField)
        said = words.brief(self._choices.table["system"], usual)
        field.show_hint(told.format(value=said) if usual else "")
