"""The screens of models put into the window, and what becomes of what is pressed there."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.engine_life import Life
from app.models import offers, words
from app.models.library import Drafts
from app.models.tray_button import TrayButton
from app.pairs import Pair
from engine.errors import ForewordError
from engine.models.catalogue import CatalogueModel
from engine.models.downloads import State, Status
from engine.models.item import Item
from engine.models.local import LocalModel

if TYPE_CHECKING:
    from app.models.chooser import Chooser
    from app.models.page import ModelsPage
    from app.models.tray import Tray
    from app.window import Window


class ModelScreens(QObject):
    """The chooser under the pair, the tray of downloads, the page, and the first start's offers."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._parts = window.parts
        models, theme = window.parts.models, window.theme
        self._models = models
        self._folder = models.library.folder
        self.button = TrayButton(theme, models.fetches)
        window.topbar.take(self.button, self.button.refreshed)
        self.page: ModelsPage | None = None
        window.pages.also("models", self._make_page)
        self._connect()

    def choose(self) -> None:
        """Let a person choose the pair."""
        self.chooser.open_below(self._window.topbar.pair)

    def show_page(self, part: str = "here") -> None:
        """Show the page of models: "here", "suiting" or "hub"."""
        self._models.library.look()
        self._window.show_page("models")
        if self.page is not None:
            self.page.show_part(part)
            self._window.pages.setFocusProxy(self.page)
            self.page.setFocus()

    def show_downloads(self) -> None:
        """Show what is coming, where anything is."""
        if self._models.fetches.statuses:
            self.tray.open_below(self.button)
        else:
            self.show_page("suiting")

    def fetch(self, item: Item) -> None:
        """Fetch it into the models folder; where nothing is loaded then, use it."""
        status = self._models.fetches.of(item)
        if status is not None and status.state is State.DONE:
            self._models.fetches.cancel(status.key)
        self._models.fetches.add(item, self._models.library.folder, self._use_if_idle)

    def close(self) -> None:
        """Nothing waits for an undo any more."""
        if self.page is not None:
            self.page.finish_deleting()

    # Building, when it is first wanted -----------------------------------------------------------

    @functools.cached_property
    def chooser(self) -> Chooser:
        """Where the pair is chosen."""
        from app.models.chooser import Chooser

        window, models = self._window, self._models
        made = Chooser(window.theme, models.library, models.life, window.actions_, window)
        made.chosen.connect(window.opener.load)
        made.fetched.connect(self._fetch_draft)
        made.models_wanted.connect(self.show_page)
        return made

    @functools.cached_property
    def tray(self) -> Tray:
        """The list of downloads."""
        from app.models.tray import Tray

        made = Tray(self._window.theme, self._models.fetches, self._window)
        made.list.used.connect(self._use_pair)
        made.list.moved.connect(self._keep_models_in)
        made.list.failed.connect(self._window.opener.tell)
        made.list.token_wanted.connect(self._ask_for_token)
        return made

    def _connect(self) -> None:
        window, fetches = self._window, self._models.fetches
        self.button.clicked.connect(lambda: self.tray.open_below(self.button))
        first = window.chat.first
        first.fetched.connect(self.fetch)
        first.file_wanted.connect(window.opener.ask_for_model)
        first.models_wanted.connect(self.show_page)
        fetches.changed.connect(self._tell)
        self._models.choices.changed.connect(self._follow)
        window.opener.folders_dropped.connect(self._take_folders)

    def _make_page(self) -> ModelsPage:
        from app.models.page import ModelsPage

        page = ModelsPage(self._window.theme, self._models)
        page.used.connect(self._use)
        page.pair_used.connect(self._use_on_page)
        page.fetched.connect(self.fetch)
        page.folder_chosen.connect(self._keep_models_in)
        page.undo_bar.changed.connect(self._window.commands.refresh)
        self.page = page
        return page

    # Doing ---------------------------------------------------------------------------------------

    def _use(self, model: LocalModel) -> None:
        """Load a model with the draft that helps it most."""

        def load(drafts: Drafts) -> None:
            best = drafts.best
            self._window.opener.load(Pair(model.path, best.path if best else None))
            self._window.show_chat()

        self._models.library.drafts(model, load)

    def _use_pair(self, pair: Pair) -> None:
        """Load what has come; a target that came alone with the draft here that helps it most."""
        if pair.draft is None:
            self._window.opener.open_model(pair.target)
        else:
            self._window.opener.load(pair)

    def _use_on_page(self, pair: Pair) -> None:
        self._use_pair(pair)
        self._window.show_chat()

    def _use_if_idle(self, pair: Pair) -> None:
        if self._models.life.life is Life.EMPTY:
            self._use_pair(pair)

    def _fetch_draft(self, model: CatalogueModel, target: LocalModel) -> None:
        """Fetch a draft and, once it is here, have it draft for the target it was fetched for."""
        life = self._models.life

        def use(came: Pair) -> None:
            loaded = life.pair
            if loaded is not None and loaded.target.absolute() == target.path:
                self._window.opener.load(Pair(target.path, came.target))

        item = offers.model_item(model, "draft")
        self._models.fetches.add(item, self._models.library.folder, use)

    def _ask_for_token(self, key: str, error: ForewordError) -> None:
        self.tray.close_quietly()
        self.show_page("hub")
        if self.page is not None:
            self.page.ask_for_token(key, error)

    def _keep_models_in(self, folder: Path) -> None:
        """From now on; what lies in the folder before stays listed."""
        before = self._models.library.folder
        if folder != before:
            self._go_on_listing(before)
            self._models.choices.choose("models_folder", folder)

    def _follow(self, setting: str) -> None:
        """Of another models folder, find what was left there; the one before stays listed while
        something is still to come to it, so that the next start finds that too."""
        before, self._folder = self._folder, self._models.library.folder
        if setting != "models_folder" or self._folder == before:
            return
        fetches = self._models.fetches
        coming = (each.folder for each in fetches.statuses if each.state is not State.DONE)
        if any(before in (folder, folder.parent) for folder in coming):
            self._go_on_listing(before)
        fetches.restore(self._folder)

    def _go_on_listing(self, folder: Path) -> None:
        known = self._models.choices.engine.more_folders
        if os.path.isdir(folder) and folder not in known:
            self._models.choices.choose("more_folders", (*known, folder))

    def _take_folders(self, folders: list[Path]) -> None:
        """Folders that were dropped are listed from now on."""
        self.show_page("here")
        if self.page is not None:
            for folder in folders:
                self.page.here.add_folder(folder)

    def _tell(self, status: Status) -> None:
        """What a reader should hear of: an end, good or bad."""
        if self._models.fetches.is_leaving(status.key):  # whatever its trouble was, it is given up
            return
        if status.state is State.DONE:
            self._window.announce(self.tr("{title} is here.").format(title=status.title))
        elif status.error is not None and status.state in (State.PAUSED, State.FAILED):
            self._window.announce(words.trouble(status))
