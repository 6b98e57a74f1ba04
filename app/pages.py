"""The pages that lie over the chat, made when they are first wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.actions import Actions
from app.session import Session
from app.settings.choices import Choices
from app.settings.page import Page
from app.theme import Theme


class Pages(QStackedWidget):
    """One page at a time.

    Signals:
        left: A person wants the chat again.
        reload_asked: The models are to be loaded again.
    """

    left = Signal()
    reload_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        choices: Choices,
        actions: Actions,
        session: Session,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._choices = choices
        self._actions = actions
        self._session = session
        self._made: dict[str, Page] = {}
        self._also: dict[str, Callable[[], Page]] = {}
        session.conversations.opened.connect(self._follow_chat)

    def show_page(self, name: str) -> None:
        """Show "settings", "chat", "models", "shortcuts", "network" or "about"."""
        if name not in self._made:
            page = (self._makers() | self._also)[name]()
            page.back.connect(self.left)
            self._made[name] = page
            self.addWidget(page)
        if name == "chat":
            self._show_chat()
        self.setCurrentWidget(self._made[name])
        self.setFocusProxy(self._made[name])

    def also(self, name: str, make: Callable[[], Page]) -> None:
        """Another room has a page of its own to show."""
        self._also[name] = make

    def _makers(self) -> dict[str, Callable[[], Page]]:
        return {
            "settings": self._settings,
            "chat": self._chat,
            "shortcuts": self._shortcuts,
            "network": self._network,
            "about": self._about,
        }

    def _settings(self) -> Page:
        from app.settings.settings_page import SettingsPage

        page = SettingsPage(self._theme, self._choices)
        page.reload_asked.connect(self.reload_asked)
        life = self._session.life
        life.changed.connect(lambda: page.loaded(life.loaded_with))
        page.loaded(life.loaded_with)
        return page

    def _chat(self) -> Page:
        from app.settings.chat_page import ChatPage

        page = ChatPage(self._theme, self._choices)
        page.system_chosen.connect(self._session.conversations.set_system)
        page.own_chosen.connect(self._session.conversations.set_settings)
        return page

    def _shortcuts(self) -> Page:
        from app.settings.shortcuts_page import ShortcutsPage

        return ShortcutsPage(self._theme, self._actions)

    def _network(self) -> Page:
        from app.settings.network_page import NetworkPage

        return NetworkPage(self._theme, self._choices)

    def _about(self) -> Page:
        from app.settings.about_page import AboutPage

        return AboutPage(self._theme)

    def _follow_chat(self) -> None:
        """What is changed on the page about the open chat must be what is seen there."""
        if "chat" in self._made:
            self._show_chat()

    def _show_chat(self) -> None:
        current = self._session.conversations.current
        page: Any = self._made["chat"]
        page.show_chat(current.system if current else "", current.settings if current else {})
