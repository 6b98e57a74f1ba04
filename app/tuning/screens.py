"""γ put into the window: the section of the panel, the page, the advice, and what is pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.phases import Mode
from app.tuning import words
from app.tuning.chip import AdviceChip
from app.tuning.page import GammaPage
from app.tuning.section import GammaSection
from app.tuning.tuner import Stage, Tuner
from engine.protocol import Record

if TYPE_CHECKING:
    from app.window import Window

translate = QCoreApplication.translate


class TuningScreens(QObject):
    """Everything about γ that is seen."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.parts.session
        self.tuner = Tuner(self._session, self)
        theme, actions = window.theme, window.actions_
        self.section = GammaSection(theme, actions, self._session, self.tuner)
        self.chip = AdviceChip(theme, self._session)
        self.page: GammaPage | None = None
        window.panel.charts.take(self.section)
        window.chat.take(self.chip)
        window.pages.also("gamma", self._make_page)
        self.section.box.curve_wanted.connect(self.show_page)
        self.tuner.changed.connect(self._follow)
        self.tuner.tuned.connect(self._announce)
        self._stage = self.tuner.stage

    def show_page(self) -> None:
        """Show the curve at large."""
        self._window.show_page("gamma")

    def tune(self, *, quick: bool = False) -> None:
        """Measure, where a person sees it."""
        window = self._window
        if not window.panes.is_shown(window.panel):
            self.show_page()
        self.tuner.begin(quick=quick)

    def turn_auto(self) -> None:
        """Auto, or a fixed γ again; without a tuning Auto cannot be, which is said."""
        settings = self._session.settings
        self._session.choose_auto(not settings.auto_gamma)
        if self._session.settings.auto_gamma and self._session.mode is Mode.PLAIN:
            self._session.choose_mode(Mode.SPECULATIVE)

    def _make_page(self) -> GammaPage:
        window = self._window
        page = GammaPage(window.theme, window.actions_, self._session, self.tuner)
        page.file_made.connect(self._save)
        self.page = page
        return page

    def _save(self, suffix: str, content: bytes) -> None:
        title = translate("Tuning", "Save the curve")
        self._window.opener.save_as(title, f"gamma.{suffix}", content)

    def _follow(self) -> None:
        """The commands know of it, and a reader of what went wrong."""
        stage = self.tuner.stage
        if stage is self._stage:
            return
        self._stage = stage
        self._window.commands.refresh()
        if stage is Stage.FAILED and self.tuner.failure is not None:
            self._window.announce(words.failed(self.tuner.failure))

    def _announce(self, record: Record) -> None:
        curve = record.curve()
        assert curve is not None
        self._window.announce(words.found(record.gamma, curve.speed_up[record.gamma]))
