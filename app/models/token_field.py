"""Where a person gives the Hub's access token, which opens what is not open to everyone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.controls import Card, Text
from app.jobs import Jobs
from app.sentences import said, translated
from app.theme import Role, Theme, Type
from engine.errors import AccessPending, ForewordError, NotOnHub, RepoGated, TokenRefused
from engine.models import token
from engine.models.token import Token

OF_ITS_TERMS = (RepoGated, AccessPending)
"""Errors that a repository's page is to be visited for."""

TOKEN_HELPS = (*OF_ITS_TERMS, TokenRefused, NotOnHub)
"""Errors that another access token may be the end of."""


class TokenField(Card):
    """What is wrong, the page to visit, and a field for the token.

    The token goes to the system's keyring or, where there is none, to a private file; it is never
    shown again.

    Signals:
        given: A token is kept now: what was refused can be asked for again.
    """

    given = Signal()

    def __init__(self, theme: Theme, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._jobs = jobs
        self._page = ""
        self.reason = Text(theme, "", wrap=True)
        self.note = Text(theme, "", Type.SECONDARY, Role.SECONDARY, wrap=True)
        self.page = QPushButton(self.tr("Open the page"))
        self.page.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._page)))
        self.maker = QPushButton(self.tr("Make a token"))
        self.maker.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(token.PAGE)))
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setPlaceholderText(self.tr("Access token, begins with hf_"))
        self.line.setAccessibleName(self.tr("Access token"))
        self.line.returnPressed.connect(self._keep)
        self.keep = QPushButton(self.tr("Keep it"))
        self.keep.clicked.connect(self._keep)
        self.forget = QPushButton(self.tr("Forget it"))
        self.forget.clicked.connect(self._forget)
        self._lay_out()
        theme.changed.connect(self._measure)
        self._measure()

    def explain(self, sentence: str, page: str) -> None:
        """Say why a token is needed, and where its terms are."""
        self._page = page
        self.reason.setText(sentence)
        self.page.setVisible(bool(page))
        self._tell(None)
        self.show()
        self._ask(lambda: token.find(_host()), self._tell)

    def _lay_out(self) -> None:
        self._rows = QVBoxLayout(self)
        self._pages, self._typed = QHBoxLayout(), QHBoxLayout()
        for button in (self.page, self.maker):
            self._pages.addWidget(button)
        self._pages.addStretch(1)
        self._typed.addWidget(self.line, 1)
        self._typed.addWidget(self.keep)
        self._typed.addWidget(self.forget)
        self._rows.addWidget(self.reason)
        self._rows.addLayout(self._pages)
        self._rows.addLayout(self._typed)
        self._rows.addWidget(self.note)

    def _measure(self) -> None:
        space = self._theme.space
        self._rows.setContentsMargins(space(4), space(3), space(4), space(3))
        for layout in (self._rows, self._pages, self._typed):
            layout.setSpacing(space(2))

    def _keep(self) -> None:
        text = self.line.text()
        if text.strip():
            self.line.clear()
            self._ask(lambda: token.keep(text, _host()), self._take)

    def _forget(self) -> None:
        def work() -> Token | None:
            token.remove(_host())
            return token.find(_host())

        self._ask(work, self._tell)

    def _take(self, kept: Token) -> None:
        self._tell(kept)
        self.given.emit()

    def _tell(self, found: Token | None) -> None:
        """Where the token is that is used; its text is shown nowhere."""
        self.forget.setVisible(found is not None and found.is_ours)
        if found is None:
            words = self.tr(
                "It is kept in the system’s keyring or, without one, in a private file."
            )
        else:
            words = self.tr("A token from {source} is used.").format(source=said(found.source))
        self.note.set_role(Role.SECONDARY)
        self.note.setText(words)

    def _fail(self, error: ForewordError) -> None:
        self.note.set_role(Role.DANGER)
        self.note.setText(translated(error.code, error.sentence))

    def _ask(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Off this thread: a keyring may ask its owner to unlock it first."""
        self._jobs.start(lambda _job: work(), done=done, failed=self._fail)


def _host() -> str:
    from engine.models.hub import Hub

    return Hub().host
