"""The live panel: it hears the events of a reply and shows its figures, a few times a second."""

from __future__ import annotations

import os
import time

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.controls import scrolling
from app.panel import words
from app.panel.charts import Charts
from app.panel.facts import Facts
from app.panel.run import Run, State
from app.panel.table import FigureTable
from app.theme import Role, Theme, Type
from engine.protocol import Done, Emitted, Ready

translate = QCoreApplication.translate

FEW_CORES = 4
QUICK, SLOW = 100, 333
"""Milliseconds between repaints; the second on few cores, lest the panel slow the engine."""

SPOKEN_SECONDS = 1.0
"""How often, at the most, the words change: the verdict, the table and what is read aloud."""


def repaint_interval() -> int:
    """Milliseconds between two repaints on this machine."""
    known = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    return SLOW if cores <= FEW_CORES else QUICK


class LivePanel(QWidget):
    """The figures of the reply that is being written, or of the last one.

    Signals:
        gamma_chosen: The user wants this γ.
        compare_requested: The user wants to compare.
        mode_chosen: The user wants to chat "plain" or "speculative".
    """

    gamma_chosen = Signal(int)
    compare_requested = Signal()
    mode_chosen = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, interval: int | None = None
    ) -> None:
        """``interval``: milliseconds between two repaints, where the machine is not to decide."""
        super().__init__(parent)
        self._theme = theme
        self.facts = Facts()
        self._before = self.facts.run  # what is shown again where a run comes to nothing
        self._spoken_at = 0.0
        self.charts = Charts(theme)
        self.table = FigureTable(theme)
        self._timer = QTimer(self, singleShot=True, interval=interval or repaint_interval())
        self._timer.timeout.connect(self._show)
        self._lay_out()
        card = self.charts.card
        card.gamma_chosen.connect(self.gamma_chosen)
        card.compare_requested.connect(self.compare_requested)
        card.mode_chosen.connect(self.mode_chosen)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._show_all()

    # What happens ------------------------------------------------------------------------------

    def ready(self, event: Ready) -> None:
        """A pair is loaded. Another one than before begins without figures; a reply that is older
        than the pair's tuning keeps its figures, but is not judged by it."""
        before, self.facts.ready = self.facts.ready, event
        if before is None or _paths(before) != _paths(event):
            self.facts.run = Run()
            self.facts.plain_speed = None
            self.facts.chat_tokens = 0
        elif event.tuning is not None and event.tuning != before.tuning:
            self.facts.run.is_outdated = True
        self._show_all()

    def unloaded(self) -> None:
        """Nothing is loaded now; the last run stays."""
        self.facts.ready = None
        self._show_all()

    def set_plain_speed(self, tokens_per_second: float | None) -> None:
        """What plain decoding with this pair was measured to reach here; None: it was not."""
        self.facts.plain_speed = tokens_per_second
        self._show_all()

    def set_auto(self, on: bool) -> None:
        """Whether γ is chosen anew for each reply."""
        if on != self.facts.is_auto:
            self.facts.is_auto = on
            self._show_all()

    def set_advised(self, gamma: int | None) -> None:
        """The γ that is advised for the open chat; None: as it is."""
        if gamma != self.facts.advised:
            self.facts.advised = gamma
            self._show_all()

    def clear(self, chat_tokens: int) -> None:
        """Another chat is open, of which nothing is being written; it holds so many tokens, 0 where
        that is not known."""
        self.facts.run = Run()
        self.facts.chat_tokens = chat_tokens
        self._show_all()

    def begin(self, gamma: int, *, exact: bool = False) -> None:
        """A reply is asked for, drafted with ``gamma`` tokens a round; 0: plain. ``exact``: it is
        one of a comparison with exact arithmetic."""
        self._before = self.facts.run
        self.facts.run = Run(gamma, State.READING, is_exact=exact)
        self._show_all()

    def prompt(self, done: int, total: int) -> None:
        """So much of the prompt is read."""
        self.facts.run.prompt(done, total)
        self._soon()

    def emitted(self, event: Emitted) -> None:
        """Rounds of the reply. Cheap: painting is put off and done for several at once."""
        self.facts.run.emitted(event)
        self._soon()

    def finish(self, event: Done) -> None:
        """A lane is over; its figures stay."""
        self.facts.run.finish(event)
        self._show_all()

    def failed(self) -> None:
        """The reply ended in an error: what there is of it stays, or the one before it."""
        self.facts.run.failed()
        if not self.facts.run.figures.tokens:
            self.facts.run = self._before
        self._show_all()

    def lost(self) -> None:
        """The engine died; what it had told stays."""
        self.facts.run.lost()
        self._show_all()

    # What is shown -----------------------------------------------------------------------------

    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def repaint_now(self) -> None:
        """Show what is known now, without waiting for the next turn."""
        self._timer.stop()
        self._show()

    def _show(self) -> None:
        if not self.isVisible():
            return  # showEvent makes up for it
        values = words.values(self.facts)
        self.charts.show_facts(self.facts, values)
        now = time.monotonic()
        if now - self._spoken_at >= SPOKEN_SECONDS:
            self._spoken_at = now
            self.charts.card.show_facts(self.facts)
            self.charts.speak(values)
            if self.table.isVisible():  # else turning to it makes up for it
                self.table.show_values(values)

    def _show_all(self) -> None:
        """Show everything at once: something began or ended."""
        self._timer.stop()
        self._spoken_at = 0.0
        self._show()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        super().showEvent(event)
        self._show_all()

    # Layout ------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._switch = QToolButton(self)
        self._switch.setCheckable(True)
        self._switch.setProperty("look", "quiet")
        self._switch.setText(translate("Panel", "As text"))
        self._switch.setToolTip(translate("Panel", "Show every figure as text, in a table"))
        self._switch.toggled.connect(self._turn)
        self._pages = QStackedWidget()
        self._pages.addWidget(scrolling(self.charts))
        page = QWidget()
        self._margins = QVBoxLayout(page)
        self._margins.addWidget(self.table)
        self._pages.addWidget(page)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self._pages)

    def _turn(self, as_text: bool) -> None:
        self._pages.setCurrentIndex(int(as_text))
        self._show_all()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self._place_switch()

    def _place_switch(self) -> None:
        """It stands at the end of the first head's line, on both pages."""
        self._switch.adjustSize()
        edge, top = self._theme.space(4), self._theme.space(2.5)
        left = edge if self.isRightToLeft() else self.width() - self._switch.width() - edge
        self._switch.move(left, top)
        self._switch.raise_()

    def _restyle(self) -> None:
        for widget in (self, self.charts, self.table):
            palette = widget.palette()
            for part in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
                palette.setColor(part, self._theme.color(Role.SURFACE))
            widget.setPalette(palette)
            widget.setAutoFillBackground(True)
        edge = self._theme.space(4)
        self._margins.setContentsMargins(edge, self._theme.space(11), edge, edge)
        self._switch.setFont(self._theme.font(Type.SECONDARY))
        self._place_switch()


def _paths(ready: Ready) -> tuple[str, str | None]:
    return ready.target.path, ready.draft.path if ready.draft else None
