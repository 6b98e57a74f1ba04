"""Advice on γ while chatting: one line above the message box that is applied by a press."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.controls import IconButton
from app.icons import icon
from app.session import Session
from app.theme import Role, Theme, Type
from app.tips import tip
from app.tuning import words
from engine.advice import Advice

translate = QCoreApplication.translate


class AdviceChip(QWidget):
    """Shown while there is advice; put away, it stays so until another γ is advised."""

    def __init__(self, theme: Theme, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._session = theme, session
        self.advice: Advice | None = None
        self._within: int | None = None  # the chat that it is about
        self._put_away: dict[int | None, int] = {}  # by chat: the γ that is not wanted
        self.button = QPushButton()
        self.button.setIcon(icon(theme, "speculative", Role.SECONDARY))
        self.button.clicked.connect(self._apply)
        self.close_button = IconButton(
            theme, "close", translate("Tuning", "Put this advice away"), side=7
        )
        self.close_button.clicked.connect(self._dismiss)
        self._row = QHBoxLayout(self)
        self._row.addStretch(1)
        self._row.addWidget(self.button)
        self._row.addWidget(self.close_button)
        self._row.addStretch(1)
        session.changed.connect(self.refresh)
        session.conversations.opened.connect(self.refresh)
        theme.changed.connect(self._measure)
        self._measure()
        self.hide()

    def refresh(self) -> None:
        """Say what is advised now. While a reply is written nothing moves in the open chat."""
        current = self._session.conversations.current
        within = current.id if current else None
        if self._session.work is not None and within == self._within:
            return
        self._within = within
        self.advice = self._session.advice
        if self.advice is not None and self._put_away.get(within) == self.advice.gamma:
            self.advice = None
        if self.advice is not None:
            self.button.setText(words.advised(self.advice))
            explained = words.interval(self.advice)
            self.button.setToolTip(tip(explained))
            self.button.setAccessibleDescription(explained)
        self.setVisible(self.advice is not None)

    def _apply(self) -> None:
        advice, self.advice = self.advice, None
        if advice is not None:
            self.hide()
            self._session.follow_advice(advice)

    def _dismiss(self) -> None:
        if self.advice is not None:
            self._put_away[self._within] = self.advice.gamma
            self.advice = None
            self.hide()

    def _measure(self) -> None:
        self._row.setContentsMargins(0, self._theme.space(1), 0, self._theme.space(1))
        self._row.setSpacing(self._theme.space(1))
        self.button.setFont(self._theme.font(Type.SECONDARY))
