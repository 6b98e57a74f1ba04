"""One column: a lane's name, its live figures, its text, and the button that keeps it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.compare.lane import Lane
from app.compare.reading import Reading
from app.controls import Card, Rule, Text
from app.panel import numbers
from app.panel.explain import Key
from app.panel.plate import Figure
from app.panel.sections import side_by_side
from app.theme import Role, Theme, Type
from engine.protocol import Done, Emitted

translate = QCoreApplication.translate


class Column(Card):
    """A lane as it is shown.

    Signals:
        kept: The user goes on with this reply.
    """

    kept = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, fill=Role.WINDOW, parent=parent)
        self.theme = theme
        self.name = name
        self.lane = Lane()
        self._title = Text(theme, name, Type.STRONG)
        self._note = Text(theme, "", Type.SECONDARY, Role.SECONDARY)
        self._speed = Figure(theme, Key.SPEED, Type.TITLE)
        self._tokens = Figure(theme, Key.TOKENS, Type.SECONDARY, row=Type.TITLE, right=True)
        self._clock = Figure(theme, Key.CLOCK, Type.SECONDARY, row=Type.TITLE, right=True)
        self.reading = Reading(theme, name)
        self.reading.focused.connect(
            lambda inside: self.set_line(Role.FOCUS if inside else Role.LINE)
        )
        self.keep = QPushButton(translate("Compare", "Keep"))
        self.keep.setToolTip(translate("Compare", "Go on with this reply"))
        self.keep.setAccessibleName(
            translate("Compare", "Keep the reply: {lane}").format(lane=name)
        )
        self.keep.clicked.connect(self.kept)
        stays = self.keep.sizePolicy()
        stays.setRetainSizeWhenHidden(True)
        self.keep.setSizePolicy(stays)
        # Both columns are as wide, whatever their figures are.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()

    def begin(self, note: str) -> None:
        """A new reply; ``note`` stands beside the lane's name."""
        self.lane = Lane()
        self.reading.clear()
        self._note.setText(note)
        self.keep.hide()
        self.show_figures()

    def take(self, event: Emitted) -> None:
        """Some rounds of the lane."""
        self.lane.take(event)
        self.reading.write(event.pieces, event.tokens)

    def finish(self, done: Done) -> None:
        """The lane is over."""
        self.lane.finish(done)
        self.reading.end()
        self.show_figures()

    def mark(self, token: int) -> None:
        """Mark that token of the reply."""
        self.reading.mark(*self.lane.span(token))

    def end(self) -> None:
        """The run is over, however it ended: what there is can be kept."""
        self.reading.end()
        self.keep.setVisible(bool(self.lane.text))

    def show_figures(self) -> None:
        """The lane's figures as they are now."""
        lane, figures = self.lane, self.lane.figures
        if not figures.tokens:
            part = numbers.percent(lane.read) if lane.read else ""
            self._speed.show_value(part, translate("Compare", "of the prompt read") if part else "")
            self._tokens.show_value("")
            self._clock.show_value("")
            return
        rate = numbers.rate(figures.tokens_per_second)
        self._speed.show_value(rate, translate("Compare", "tokens/s"))
        self._tokens.show_value("", numbers.tokens(figures.tokens))
        self._clock.show_value("", numbers.seconds(lane.clock))

    def speak(self) -> None:
        """Have a screen reader find the figures."""
        for figure in (self._speed, self._tokens, self._clock):
            figure.speak(figure.text)

    def _lay_out(self) -> None:
        self._head = QVBoxLayout()
        top = side_by_side(self.theme, self._title, self._note)
        top.addStretch(1)
        top.addWidget(self.keep)
        self._head.addLayout(top)
        self._head.addLayout(side_by_side(self.theme, self._speed, self._tokens, self._clock))
        rows = QVBoxLayout(self)
        rows.setSpacing(0)
        self._rows = rows
        rows.addLayout(self._head)
        rows.addWidget(Rule(self.theme))
        rows.addWidget(self.reading, 1)

    def _restyle(self) -> None:
        edge = self.theme.space(3)
        self._head.setContentsMargins(edge, self.theme.space(2), edge, edge)
        self._head.setSpacing(self.theme.space(1.5))
        self._rows.setContentsMargins(1, 1, 1, self.theme.space(2))  # clear of the round corners
        self.keep.setFont(self.theme.font(Type.SECONDARY))
