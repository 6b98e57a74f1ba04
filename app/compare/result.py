"""What came of a comparison: times to scale, the verdict, and whether the words are the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.compare import words
from app.compare.clocks import Clocks, Time, told
from app.compare.lane import Lane, Outcome, Sameness
from app.controls import Card
from app.panel import numbers
from app.panel import words as panel_words
from app.panel.explain import Key, sentence
from app.panel.plate import Figure
from app.panel.sections import Words, side_by_side
from app.panel.worth import worth_of
from app.theme import Role, Theme, Type
from app.tips import tip

translate = QCoreApplication.translate


class Result(Card):
    """The band below the columns.

    Signals:
        exact_wanted: Run once more with exact arithmetic.
        again_wanted: Run once more after it failed.
    """

    exact_wanted = Signal()
    again_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._theme = theme
        self._clocks = Clocks(theme)
        self._speed_up = Figure(theme, Key.SPEED_UP, Type.FIGURE, right=True)
        self.verdict = Words(theme, Type.STRONG, Role.TEXT)
        self.saved = Words(theme, Type.BODY, Role.SECONDARY)
        self.saved.setToolTip(tip(sentence(Key.SAVED)))
        self.note = Words(theme, Type.BODY, Role.SECONDARY)
        self.same = Words(theme, Type.STRONG, Role.TEXT)
        self.why = Words(theme, Type.BODY, Role.SECONDARY)
        self.button = QPushButton()
        self.button.clicked.connect(self._act)
        self._failed = False
        self._lay_out()
        theme.changed.connect(self._restyle)
        self._restyle()
        self.begin()

    def begin(self) -> None:
        """A run has begun: nothing is known."""
        self._failed = False
        self.verdict.set_role(Role.TEXT)
        for line in (self.note, self.verdict, self.saved, self.same, self.why):
            line.say("")
        self._speed_up.show_value("")
        self.button.hide()

    def say(self, text: str) -> None:
        """What goes on now, in a sentence."""
        self.note.say(text)

    def show_times(self, times: Sequence[Time]) -> None:
        """The lanes' clocks."""
        self._clocks.show_times(times)

    def speak(self, times: Sequence[Time]) -> None:
        """Have a screen reader find what is painted."""
        self._clocks.speak(" ".join(told(time) for time in times))
        self._speed_up.speak(self._speed_up.text)

    def show_outcome(self, found: Outcome, speculative: Lane, plain: Lane, *, exact: bool) -> None:
        """The end of the run."""
        self.note.say(words.notes(speculative, plain))
        worth = worth_of(speculative.figures, plain.figures)
        if worth is None:
            self.verdict.say(words.unjudged(speculative, plain))
        else:
            self._speed_up.show_value(numbers.times(worth.speed_up))
            self.verdict.say(panel_words.verdict(worth))
            self.saved.say(words.counted(worth, speculative, plain))
        first, *rest = words.sameness(found, speculative, plain, exact=exact) or [""]
        self.same.say(first)
        self.why.say(" ".join(rest))
        self.button.setText(translate("Compare", "Run again with exact arithmetic"))
        self.button.setVisible(found.sameness is Sameness.PARTED and not exact)

    def show_failure(self, text: str, *, anything: bool) -> None:
        """The run ended in an error; ``anything``: a lane had written something."""
        self.begin()
        self._failed = True
        self.verdict.set_role(Role.DANGER)
        self.verdict.say(text)
        stays = translate("Compare", "What both lanes wrote so far stays above.")
        self.saved.say(stays if anything else "")
        self.button.setText(translate("Compare", "Try again"))
        self.button.show()

    def _act(self) -> None:
        (self.again_wanted if self._failed else self.exact_wanted).emit()

    def _lay_out(self) -> None:
        self._rows = QVBoxLayout(self)
        self._rows.addLayout(side_by_side(self._theme, self._clocks, self._speed_up))
        self._rows.addWidget(self.note)
        self._columns = QHBoxLayout()
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for side, lines in (
            (self._left, (self.verdict, self.saved)),
            (self._right, (self.same, self.why)),
        ):
            for line in lines:
                side.addWidget(line)
            side.addStretch(1)
        row = side_by_side(self._theme, self.button)
        row.addStretch(1)
        self._left.insertLayout(2, row)
        # Where the words part takes more of them than who was faster.
        self._columns.addLayout(self._left, 2)
        self._columns.addLayout(self._right, 3)
        self._rows.addLayout(self._columns)

    def _restyle(self) -> None:
        edge = self._theme.space(4)
        self._rows.setContentsMargins(edge, edge, edge, edge)
        self._rows.setSpacing(self._theme.space(3))
        self._columns.setSpacing(self._theme.space(6))
        for side in (self._left, self._right):
            side.setSpacing(self._theme.space(1.5))
