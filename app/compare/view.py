"""The comparison: one message answered twice, side by side, and what came of it."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chat.controls import put_on_clipboard
from app.compare.clocks import Time
from app.compare.column import Column
from app.compare.controls import Controls, hinder
from app.compare.lane import outcome
from app.compare.result import Result
from app.controls import scrolling
from app.panel import numbers
from app.panel.panel import SPOKEN_SECONDS, repaint_interval
from app.theme import Theme
from engine.protocol import PLAIN, SPECULATIVE, Compared, Done, Emitted

translate = QCoreApplication.translate


class CompareView(QWidget):
    """Two columns that stream at once.

    Signals:
        keep: Go on with the reply of this lane: "speculative" or "plain".
        again: Answer the same message once more, with this γ, and exactly or not.
        exact_chosen: Whether exact arithmetic is to be used, from the next run on.
        stop: End the run with what there is.
        link_activated: A person pressed this http or https address.
    """

    keep = Signal(str)
    again = Signal(int, bool)
    exact_chosen = Signal(bool)
    stop = Signal()
    link_activated = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, interval: int | None = None
    ) -> None:
        """``interval``: milliseconds between two repaints, where the machine is not to decide."""
        super().__init__(parent)
        self._theme = theme
        self._spoken_at = 0.0
        self._exact = False
        self.controls = Controls(theme)
        self.columns = {
            SPECULATIVE: Column(theme, translate("Compare", "Speculative")),
            PLAIN: Column(theme, translate("Compare", "Plain")),
        }
        self.result_card = Result(theme)
        self._timer = QTimer(self, singleShot=True, interval=interval or repaint_interval())
        self._timer.timeout.connect(self._show)
        self._lay_out()
        self._connect()
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def exact(self) -> bool:
        """Whether the switch asks for exact arithmetic."""
        return self.controls.exact.isChecked()

    # What happens ------------------------------------------------------------------------------

    def begin(self, prompt_text: str, gamma: int, exact: bool) -> None:
        """The engine is asked to answer ``prompt_text`` twice."""
        self._exact = exact
        self.controls.begin(prompt_text, gamma, exact)
        self.columns[SPECULATIVE].begin(f"γ {gamma}")
        self.columns[PLAIN].begin("")
        self.result_card.begin()
        self.result_card.say(translate("Compare", "Both lanes read the prompt first."))
        self._show_all()

    def hinder(self, why: str) -> None:
        """Why no run can begin; "": the engine is free, and has a draft that may serve."""
        self.controls.hinder(why)
        hinder(self.result_card.button, why)

    def loading(self, fraction: float) -> None:
        """So much is loaded of the second copy of the pair, for exact arithmetic."""
        said = translate("Compare", "Loading the pair once more for exact arithmetic: {percent}.")
        self.result_card.say(said.format(percent=numbers.percent(fraction)))

    def prompt(self, lane: str, done: int, total: int) -> None:
        """So much of the prompt is read in that lane."""
        if lane in self.columns:
            self.columns[lane].lane.read = done / total if total else 0.0
            self._soon()

    def emitted(self, event: Emitted) -> None:
        """Rounds of a lane. Cheap: painting is put off and done for several at once."""
        if event.lane in self.columns:
            self.columns[event.lane].take(event)
            self._soon()

    def lane_done(self, done: Done) -> None:
        """A lane is over; the other may not be."""
        if done.lane in self.columns:
            self.columns[done.lane].finish(done)
            self._soon()

    def result(self, compared: Compared) -> None:
        """The comparison is over."""
        speculative, plain = (column.lane for column in self.columns.values())
        found = outcome(compared, speculative, plain)
        if found.parts_at is not None:
            for column in self.columns.values():
                column.mark(found.parts_at)
        self.result_card.show_outcome(found, speculative, plain, exact=self._exact)
        self._end()

    def failed(self, sentence: str) -> None:
        """The comparison ended in an error; what was written stays."""
        anything = any(column.lane.text for column in self.columns.values())
        self.result_card.show_failure(sentence, anything=anything)
        self._end()

    # What is shown -----------------------------------------------------------------------------

    def _end(self) -> None:
        self.controls.end()
        for column in self.columns.values():
            column.end()
        self._show_all()

    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _show(self) -> None:
        running = [column for column in self.columns.values() if column.lane.figures.tokens]
        if running and self.controls.is_running:
            self.result_card.say(
                translate(
                    "Compare",
                    "The lanes take turns, each at about half its true pace; every clock runs "
                    "only while its own lane computes.",
                )
            )
        for column in self.columns.values():
            column.show_figures()
        times = [_time(column) for column in self.columns.values()]
        self.result_card.show_times(times)
        now = time.monotonic()
        if now - self._spoken_at >= SPOKEN_SECONDS:
            self._spoken_at = now
            self.result_card.speak(times)
            for column in self.columns.values():
                column.speak()

    def _show_all(self) -> None:
        self._timer.stop()
        self._spoken_at = 0.0
        self._show()

    # Layout ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        page = QWidget()
        self._rows = QVBoxLayout(page)
        self._rows.addWidget(self.controls)
        self._side_by_side = QHBoxLayout()
        for column in self.columns.values():
            self._side_by_side.addWidget(column, 1)
        self._rows.addLayout(self._side_by_side, 1)
        self._rows.addWidget(self.result_card)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(scrolling(page))

    def _connect(self) -> None:
        self.controls.again.connect(self.again)
        self.controls.exact.toggled.connect(self.exact_chosen)
        self.controls.stop.connect(self.stop)
        self.result_card.exact_wanted.connect(lambda: self.controls.ask(exact=True))
        self.result_card.again_wanted.connect(self.controls.ask)
        for lane, column in self.columns.items():
            column.kept.connect(lambda lane=lane: self.keep.emit(lane))
            column.reading.link.connect(self.link_activated)
            column.reading.copied.connect(put_on_clipboard)

    def _restyle(self) -> None:
        edge = self._theme.space(5)
        self._rows.setContentsMargins(edge, self._theme.space(4), edge, edge)
        self._rows.setSpacing(self._theme.space(4))
        self._side_by_side.setSpacing(self._theme.space(4))


def _time(column: Column) -> Time:
    figures = column.lane.figures
    return Time(column.name, figures.prompt_seconds, figures.seconds)
