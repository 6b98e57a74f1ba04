"""What a comparison is run with: γ, exact arithmetic, and the button that runs or stops it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QPushButton, QSpinBox, QWidget

from app.compare import words
from app.controls import Text
from app.phases import MOST_EXACT_GAMMA, MOST_GAMMA
from app.theme import Role, Theme, Type
from app.tips import tip

translate = QCoreApplication.translate

_PROMPT = 30  # units of space that are left for the message, beside the rest


class Controls(QWidget):
    """The row above the columns; where that is narrow, one below the other.

    Signals:
        again: Run the same message with this γ and this arithmetic.
        stop: End the run with what there is.
    """

    again = Signal(int, bool)
    stop = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._last = 0
        self._running = False
        self._hindrance = ""
        self.gamma = QSpinBox()
        self.gamma.setRange(1, MOST_GAMMA)
        self.gamma.setPrefix("γ ")
        self.gamma.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.exact = QCheckBox(translate("Compare", "Exact arithmetic"))
        self.run = QPushButton()
        self.prompt = Text(theme, "", Type.BODY, Role.TEXT, elided=True)
        self._explain()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(self.prompt, 1)
        for control in (self.exact, self.gamma, self.run):
            self._row.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
        self.gamma.valueChanged.connect(self._name_button)
        self.exact.toggled.connect(self._bound)
        self.run.clicked.connect(self._act)
        theme.changed.connect(self._restyle)
        self._restyle()

    def _explain(self) -> None:
        gamma = translate("Compare", "How many tokens the speculative lane drafts in each round.")
        exact = translate(
            "Compare",
            "Both lanes compute so that passes of any width round alike: dearer by about a third, "
            "and then the words are the same. A second copy of the pair is loaded for it; γ is 5 "
            "at the most.",
        )
        self.gamma.setAccessibleName(translate("Compare", "γ, tokens drafted in a round"))
        for control, said in ((self.gamma, gamma), (self.exact, exact)):
            control.setToolTip(tip(said))
            control.setAccessibleDescription(said)

    @property
    def is_running(self) -> bool:
        """Whether a run is under way."""
        return self._running

    def begin(self, prompt: str, gamma: int, exact: bool) -> None:
        """A run with these has begun."""
        self.prompt.setText(" ".join(prompt.split()))
        self.exact.setChecked(exact)
        self.gamma.setValue(gamma)
        self._last = gamma
        self._turn(running=True)

    def end(self) -> None:
        """The run is over."""
        self._turn(running=False)

    def hinder(self, why: str) -> None:
        """Why no run can begin, "" where one can. One that is under way can be stopped."""
        self._hindrance = why
        if not self._running:
            hinder(self.run, why)

    def ask(self, *, exact: bool | None = None) -> None:
        """Run once more, as the controls say."""
        if exact is not None:
            self.exact.setChecked(exact)
        self.again.emit(self.gamma.value(), self.exact.isChecked())

    def _turn(self, *, running: bool) -> None:
        self._running = running
        for control in (self.gamma, self.exact):
            control.setEnabled(not running)
        hinder(self.run, "" if running else self._hindrance)
        self._name_button()

    def _name_button(self) -> None:
        stop = translate("Compare", "Stop")
        again = words.again(self.gamma.value(), self._last)
        self.run.setText(stop if self._running else again)
        self._place()

    def _bound(self, exact: bool) -> None:
        self.gamma.setMaximum(MOST_EXACT_GAMMA if exact else MOST_GAMMA)

    def _act(self) -> None:
        if not self._running:
            self.ask()
            return
        self.run.setEnabled(False)
        self.run.setText(translate("Compare", "Stopping …"))
        self.stop.emit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As narrow as the widest of them."""
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Stand in one line or one below the other."""
        super().resizeEvent(event)
        self._place()

    def _widths(self) -> list[int]:
        return [control.sizeHint().width() for control in (self.exact, self.gamma, self.run)]

    def _place(self) -> None:
        needed = sum(self._widths()) + 3 * self._row.spacing() + self._theme.space(_PROMPT)
        direction = QBoxLayout.Direction
        fits = needed <= self.width()
        self._row.setDirection(direction.LeftToRight if fits else direction.TopToBottom)

    def _restyle(self) -> None:
        self._row.setSpacing(self._theme.space(3))
        self._place()


def hinder(button: QPushButton, why: str) -> None:
    """Disable a button and say why; "": enable it."""
    button.setEnabled(not why)
    button.setToolTip(tip(why))
    button.setAccessibleDescription(why)
