"""The page of models: what is here, what suits this machine, what the Hub has, what is coming."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.cards import Undo
from app.controls import Segments, Text
from app.models import in_use
from app.models.fetch_list import FetchList
from app.models.hub_section import HubSection
from app.models.installed import Installed
from app.models.recommended import Recommended
from app.models.room import Models
from app.notices import UNDO_SECONDS, UndoBar
from app.sentences import translated
from app.settings.page import Page
from app.theme import Role, Theme, Type
from engine.errors import ForewordError
from engine.models.local import LocalModel

HERE, SUITING, HUB = "here", "suiting", "hub"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModelsPage", text)


class ModelsPage(Page):
    """One of three parts at a time, below the downloads.

    Signals:
        used: A LocalModel that is to be the target.
        pair_used: The Pair of files that is to be loaded.
        fetched: An Item that is to come.
        folder_chosen: The folder that models are kept in from now on.
    """

    used = Signal(object)
    pair_used = Signal(object)
    fetched = Signal(object)
    folder_chosen = Signal(object)

    def __init__(self, theme: Theme, models: Models, parent: QWidget | None = None) -> None:
        super().__init__(theme, _tr("Models"), parent=parent)
        self._models = models
        self._gone: LocalModel | None = None
        self._build()
        self.undo_bar = UndoBar(theme, self)
        self.undo_bar.taken_back.connect(lambda undo: undo.take_back())
        self._time = QTimer(self, singleShot=True, interval=UNDO_SECONDS * 1000)
        self._time.timeout.connect(self.finish_deleting)
        self._connect()
        self.show_part(HERE)

    def show_part(self, name: str) -> None:
        """Show "here", "suiting" or "hub"."""
        self.parts.choose(name)
        for known, section in self._sections.items():
            section.setVisible(known == name)
        self.setFocusProxy(self.hub.line if name == HUB else self.parts.button(name))

    def ask_for_token(self, key: str, error: ForewordError) -> None:
        """Have a person give a token for the download ``key``, and go on with it then."""
        self.show_part(HUB)
        self.hub.ask_for_token(error, lambda: self._models.fetches.resume(key))

    def finish_deleting(self) -> None:
        """Take off the disk what nobody wanted back."""
        self._time.stop()
        model, self._gone = self._gone, None
        self.undo_bar.undo = None
        self.undo_bar.hide()
        self.undo_bar.changed.emit()
        if model is None:
            return
        if in_use.is_target(model, self._models.life) or in_use.is_draft(model, self._models.life):
            self._models.library.show(model)  # it was loaded since
            self._say(_tr("{name} is in use and was not deleted.").format(name=model.name))
            return
        try:
            self._models.library.delete(model)
        except ForewordError as error:
            self._tell(error)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """The undo floats above the lower edge."""
        super().resizeEvent(event)
        self._place_undo()

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme, models = self.theme, self._models
        self.parts = Segments(
            theme,
            [
                (HERE, _tr("Installed")),
                (SUITING, _tr("Recommended")),
                (HUB, _tr("Search the Hub")),
            ],
            _tr("What is shown of the models"),
        )
        self.parts.chosen.connect(self.show_part)
        self.trouble = Text(theme, "", Type.BODY, Role.DANGER, wrap=True)
        self.trouble.hide()
        self._coming = Text(theme, _tr("DOWNLOADS"), Type.LABEL, Role.FAINT)
        self.fetches = FetchList(theme, models.fetches, framed=True)
        self.here = Installed(theme, models.library, models.choices, models.life)
        self.suiting = Recommended(theme, models)
        self.hub = HubSection(theme, models)
        self._sections: dict[str, QWidget] = {
            HERE: self.here,
            SUITING: self.suiting,
            HUB: self.hub,
        }
        for widget in (self.trouble, self._coming, self.fetches, self.parts):
            self.column.addWidget(widget)
        self.column.setAlignment(self.parts, Qt.AlignmentFlag.AlignLeft)
        for section in self._sections.values():
            self.column.addWidget(section)
        self.finish()

    def _connect(self) -> None:
        self.here.used.connect(self.used)
        self.here.deleted.connect(self._delete)
        self.suiting.fetched.connect(self.fetched)
        self.suiting.used.connect(self.pair_used)
        self.hub.fetched.connect(self.fetched)
        self.fetches.used.connect(self.pair_used)
        self.fetches.moved.connect(self.folder_chosen)
        self.fetches.failed.connect(self._tell)
        self.fetches.token_wanted.connect(self.ask_for_token)
        self.fetches.resized.connect(self._show_downloads)
        self._show_downloads()

    def _show_downloads(self) -> None:
        for widget in (self._coming, self.fetches):
            widget.setVisible(bool(self.fetches.rows))

    def _tell(self, error: ForewordError) -> None:
        self._say(translated(error.code, error.sentence))

    def _say(self, trouble: str) -> None:
        self.trouble.setText(trouble)
        self.trouble.show()

    # Deleting ------------------------------------------------------------------------------------

    def _delete(self, model: LocalModel) -> None:
        """Out of sight at once, off the disk when nobody wanted it back for a while."""
        self.trouble.hide()
        self.finish_deleting()
        try:
            self._models.library.hide(model)
        except ForewordError as error:
            self._tell(error)
            return
        self._gone = model
        words = self.tr("{name} is deleted.").format(name=model.name)
        self.undo_bar.offer(Undo(words, self._restore))
        self._place_undo()
        self._time.start()

    def _restore(self) -> None:
        model, self._gone = self._gone, None
        self._time.stop()
        if model is not None:
            self._models.library.show(model)

    def _place_undo(self) -> None:
        self.undo_bar.place(self.height() - self.theme.space(4))
