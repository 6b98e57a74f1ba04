"""γ in the live panel: the guess and the button to measure it, or the curve in small."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.actions import Actions
from app.panel.sections import Section
from app.session import Session
from app.theme import Theme
from app.tuning.box import TuneBox
from app.tuning.force import reading_in_force
from app.tuning.speed_curve import SpeedCurve
from app.tuning.tuner import Tuner

translate = QCoreApplication.translate

_HEIGHT = 32  # units of space


class GammaSection(Section):
    """A part of the panel. Where there is no pair it says what there will be."""

    def __init__(self, theme: Theme, actions: Actions, session: Session, tuner: Tuner) -> None:
        promise = translate("Tuning", "How far drafting ahead pays on this computer.")
        super().__init__(theme, translate("Tuning", "Tuning"), promise)
        self._session, self._tuner = session, tuner
        self.curve = SpeedCurve(theme, _HEIGHT)
        self.box = TuneBox(theme, actions, session, tuner, is_small=True)
        self.add(self.curve)
        self.add(self.box)
        self.curve.gamma_chosen.connect(session.choose_gamma)
        tuner.changed.connect(self.refresh)
        session.conversations.opened.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how things stand."""
        self.fill(self._session.can_speculate)
        reading = reading_in_force(self._session, self._tuner)
        self.curve.setVisible(reading is not None)
        if reading != self.curve.reading:
            self.curve.show_reading(reading)
