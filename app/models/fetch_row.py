"""One download as it stands, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.models import words
from app.models.row import Row
from app.models.token_field import OF_ITS_TERMS, TOKEN_HELPS
from app.theme import Role, Theme
from engine.errors import FolderNotWritable, NameTaken, NoSpace, TooLargeForDisk
from engine.models.downloads import State, Status

_OF_THE_FOLDER = (NoSpace, FolderNotWritable, NameTaken, TooLargeForDisk)
_PARTS = 1000


class FetchRow(Row):
    """Title, bar, amounts, speed and time left; the reason where it does not go on.

    Signals:
        pause, resume, cancel, undo, use, elsewhere, page, token: What a person wants: to have it
            back after a cancel, to use what has come, to have it go to another folder, to see the
            page with its terms, to give an access token, …
    """

    pause = Signal()
    resume = Signal()
    cancel = Signal()
    undo = Signal()
    use = Signal()
    elsewhere = Signal()
    page = Signal()
    token = Signal()

    def __init__(self, theme: Theme, status: Status, parent: QWidget | None = None) -> None:
        super().__init__(theme, status.title, note_role=Role.DANGER, parent=parent)
        self.bar = QProgressBar()
        self.bar.setRange(0, _PARTS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(status.title)
        self._words.insertWidget(1, self.bar)
        self.mover = self._made(self.tr("Choose another folder…"), self.elsewhere)
        self.opener = self._made(self.tr("Open its page"), self.page)
        self.giver = self._made(self.tr("Access token…"), self.token)
        self.user = self._made(self.tr("Use it"), self.use)
        self.goer = self._made(self.tr("Go on"), self.resume)
        self.pauser = self._made(self.tr("Pause"), self.pause)
        self.undoer = self._made(self.tr("Undo"), self.undo)
        self.canceller = self.icon("close", self.tr("Cancel"))
        self.canceller.clicked.connect(self.cancel)
        theme.changed.connect(self._measure_bar)
        self._measure_bar()
        self.show_status(status)

    def show_status(self, status: Status, *, is_leaving: bool = False) -> None:
        """Show how it stands; ``is_leaving``: it was cancelled and can still be had back."""
        state, error = status.state, status.error
        is_done = state is State.DONE
        self.title.setText(status.title)
        trouble = "" if is_leaving else words.trouble(status)
        self.say(words.standing(status, is_leaving=is_leaving), trouble)
        self.bar.setVisible(not is_done)
        self.bar.setValue(_PARTS * status.done // status.total if status.total else 0)
        self.goer.setText(self.tr("Try again") if error else self.tr("Go on"))
        self.canceller.set_name(
            self.tr("Take it off the list") if is_done else self.tr("Cancel and remove what came")
        )
        self._change_over(is_leaving=is_leaving)
        for button, is_wanted in (
            (self.pauser, state in (State.RUNNING, State.WAITING)),
            (self.goer, state in (State.PAUSED, State.FAILED)),
            (self.user, is_done),
            (self.mover, isinstance(error, _OF_THE_FOLDER)),
            (self.opener, isinstance(error, OF_ITS_TERMS)),
            (self.giver, isinstance(error, TOKEN_HELPS)),
        ):
            button.setVisible(is_wanted and not is_leaving)
        self._place()

    def _change_over(self, *, is_leaving: bool) -> None:
        """Undo comes beside cancel, not in its place: there a double click would press it too."""
        after = self.undoer if is_leaving else self.canceller
        has_keyboard = self.undoer.hasFocus() or self.canceller.hasFocus()
        after.setEnabled(True)
        after.show()
        if has_keyboard:
            after.setFocus()
        self.canceller.setEnabled(not is_leaving)
        self.undoer.setVisible(is_leaving)

    def _made(self, title: str, signal: SignalInstance) -> QPushButton:
        made = self.button(title)
        made.clicked.connect(signal)
        return made

    def _measure_bar(self) -> None:
        self.bar.setFixedHeight(self.theme.space(1.5))
