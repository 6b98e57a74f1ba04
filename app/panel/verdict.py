"""The card that says in words whether drafting pays, with the button that acts on it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.controls import Card
from app.panel import words
from app.panel.explain import Key, sentence
from app.panel.facts import Act, Advice, Facts, advice
from app.panel.run import State
from app.panel.sections import Words
from app.theme import Role, Theme, Type
from app.tips import tip
from engine.protocol import PLAIN, SPECULATIVE


class VerdictCard(Card):
    """One sentence, the time saved below it, and a button.

    Signals:
        gamma_chosen: Use this γ.
        compare_requested: Write one reply both ways.
        mode_chosen: Chat in this mode: "plain" or "speculative".
    """

    gamma_chosen = Signal(int)
    compare_requested = Signal()
    mode_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._advice: Advice | None = None
        self.sentence = Words(theme, Type.STRONG, Role.TEXT)
        self.saved = Words(theme, Type.SECONDARY, Role.SECONDARY)
        self.pays_from = Words(theme, Type.SECONDARY, Role.SECONDARY)
        for line, key in ((self.saved, Key.SAVED), (self.pays_from, Key.BREAK_EVEN)):
            line.setToolTip(tip(sentence(key)))
            line.setAccessibleDescription(sentence(key))
        self.button = QPushButton()
        self.button.clicked.connect(self._act)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._rows = QVBoxLayout(self)
        for row in (self.sentence, self.saved, self.pays_from):
            self._rows.addWidget(row)
        self._rows.addStretch(1)
        self._rows.addWidget(self.button)
        theme.changed.connect(self._restyle)
        self._restyle()

    def show_facts(self, facts: Facts) -> None:
        """Say what is to be said now."""
        found, worth = advice(facts), facts.worth
        self._advice = found
        self.sentence.say(words.said(found, facts))
        self.saved.say(words.saved(worth) if worth else "")
        self.pays_from.say(words.pays_from(worth) if worth else "")
        self.button.setText(words.label(found, is_writing=facts.run.busy))
        self.button.setVisible(found.act is not Act.NOTHING)
        waits = found.act is Act.COMPARE and facts.run.busy
        self.button.setEnabled(not waits)
        why = words.waits() if waits else ""
        self.button.setToolTip(tip(why))
        self.button.setAccessibleDescription(why)
        # While a reply is written nothing below may jump up again.
        writing = facts.run.state is State.WRITING and self.isVisible()
        self.setMinimumHeight(self.height() if writing else 0)

    def _act(self) -> None:
        assert self._advice is not None
        match self._advice.act:
            case Act.COMPARE:
                self.compare_requested.emit()
            case Act.GO_PLAIN:
                self.mode_chosen.emit(PLAIN)
            case Act.DRAFT:
                self.gamma_chosen.emit(self._advice.gamma)
                self.mode_chosen.emit(SPECULATIVE)
            case Act.SET_GAMMA:
                self.gamma_chosen.emit(self._advice.gamma)

    def _restyle(self) -> None:
        edge = self._theme.space(3)
        self._rows.setContentsMargins(edge, edge, edge, edge)
        self._rows.setSpacing(self._theme.space(1))
