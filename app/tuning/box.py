"""What the tuner is at, in words, with the buttons for it: in the panel and on the page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.actions import Actions, plain_title, shown
from app.panel.sections import Words
from app.sentences import said
from app.session import Session
from app.theme import Role, Theme, Type
from app.tuning import words
from app.tuning.advising import usual_gamma
from app.tuning.tuner import Stage, Tuner
from engine.tunings import temperature_of

translate = QCoreApplication.translate


class TuneBox(QWidget):
    """A sentence, how far a tuning is, and what can be done.

    Signals:
        curve_wanted: The page of the curve.
    """

    curve_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        actions: Actions,
        session: Session,
        tuner: Tuner,
        *,
        is_small: bool,
        parent: QWidget | None = None,
    ) -> None:
        """``is_small``: in the panel, where a button leads to the page."""
        super().__init__(parent)
        self._theme = theme
        self._session, self._tuner = session, tuner
        self._is_small = is_small
        self.sentence = Words(theme, Type.STRONG, Role.TEXT)
        self.detail = Words(theme, Type.SECONDARY, Role.SECONDARY)
        self.auto = Words(theme, Type.SECONDARY, Role.SECONDARY)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(translate("Tuning", "Measuring γ"))
        self._make_buttons(actions)
        self._lay_out()
        tuner.changed.connect(self.refresh)
        tuner.progressed.connect(self._tell_progress)
        session.conversations.opened.connect(self.refresh)
        theme.changed.connect(self._measure)
        self._measure()
        self.refresh()

    def _make_buttons(self, actions: Actions) -> None:
        session, tuner = self._session, self._tuner
        self.tune = self._button("", tuner.begin)
        self.quick = self._button(translate("Tuning", "Quick"), lambda: tuner.begin(quick=True))
        self.quick.setProperty("look", "quiet")
        self.again = self._button(translate("Tuning", "Measure again"), tuner.again)
        self.cancel = self._button(translate("Tuning", "Cancel"), tuner.cancel)
        self.use = self._button("", lambda: session.choose_gamma(None))
        self.curve = self._button(translate("Tuning", "Curve"), self.curve_wanted.emit)
        self.curve.setProperty("look", "quiet")
        for button, name in (
            (self.tune, "gamma.tune"),
            (self.quick, "gamma.tune-quick"),
            (self.curve, "gamma.curve"),
        ):
            action = actions[name]
            keys = shown(action.shortcut())
            title = plain_title(action)
            button.setToolTip(f"{title}  ·  {keys}" if keys else title)
            button.setAccessibleName(title)

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(lambda _on: act())
        return button

    def _lay_out(self) -> None:
        self._row = QHBoxLayout()
        for button in (self.tune, self.again, self.cancel, self.use, self.quick, self.curve):
            self._row.addWidget(button)
        self._row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self.sentence, self.detail, self.auto, self.bar):
            self._column.addWidget(part)
        self._column.addLayout(self._row)

    # What is shown -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how things stand."""
        stage, record = self._tuner.stage, self._tuner.record
        is_measuring = self._tuner.is_measuring
        self._say()
        self.bar.setVisible(is_measuring)
        self.cancel.setVisible(is_measuring)
        self.cancel.setEnabled(stage is Stage.MEASURING)
        can = self._tuner.can_begin
        self.again.setVisible(stage is Stage.FAILED)
        is_open = not is_measuring and stage is not Stage.FAILED
        self.tune.setText(
            translate("Tuning", "Tune γ") if record is None else translate("Tuning", "Tune again")
        )
        self.quick.setVisible(is_open and (record is None or not self._is_small))
        self.curve.setVisible(self._is_small and record is not None and is_open)
        for button in (self.tune, self.quick, self.again):
            button.setEnabled(can)
        self._offer_use(is_open)
        # The panel has room for two.
        crowded = self._is_small and self.use.isVisibleTo(self)
        self.tune.setVisible(is_open and not crowded)

    def _offer_use(self, is_open: bool) -> None:
        """Where another γ than the best is in force, the way to that."""
        session = self._session
        best = usual_gamma(session.life.ready, temperature_of(session.sampling))
        is_other = session.auto is None and session.gamma != best
        self.use.setVisible(is_open and self._tuner.record is not None and is_other)
        self.use.setText(translate("Tuning", "Use {gamma}").format(gamma=words.gamma(best)))

    def _say(self) -> None:
        tuner, ready = self._tuner, self._session.life.ready
        record = tuner.record
        if tuner.is_measuring:
            self.sentence.say(translate("Tuning", "Measuring γ on this computer"))
            self._tell_progress()
        elif tuner.failure is not None:
            self.sentence.say(words.failed(tuner.failure))
            self.detail.say("")
        elif ready is None or ready.draft is None:
            self.sentence.say("")
            self.detail.say(translate("Tuning", "γ needs a draft: choose a pair first."))
        elif record is None:
            self.sentence.say(words.guess(ready))
            self.detail.say(words.takes())
        else:
            temperature = temperature_of(self._session.sampling)
            best, curve = record.gamma_at(temperature), record.curve(temperature=temperature)
            assert curve is not None
            self.sentence.say(words.found(best, curve.speed_up[best]))
            doubt = [words.unsure(curve, best)] if best and curve.low[best] <= 1 else []
            self.detail.say(" ".join([*doubt, words.measured_at(record)]))
        self._say_auto()

    def _say_auto(self) -> None:
        choice = self._session.auto
        said = (
            translate("Tuning", "Auto: {reason}").format(reason=words.reason(choice))
            if choice
            else ""
        )
        self.auto.say("" if self._tuner.is_measuring else said)

    def _tell_progress(self) -> None:
        tuner = self._tuner
        if not tuner.is_measuring:
            return
        self.bar.setValue(round(1000 * tuner.fraction))
        if tuner.stage is Stage.STOPPING:
            doing = translate("Tuning", "Stopping …")
        else:
            doing = f"{said(tuner.what)} …" if tuner.what else ""
        self.detail.say(doing)
        self.bar.setAccessibleDescription(doing)

    def _measure(self) -> None:
        space = self._theme.space
        self.bar.setFixedHeight(space(1))
        self._row.setSpacing(space(1.5))
        self._column.setSpacing(space(1.5))
