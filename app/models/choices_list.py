"""A list of models of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.controls import Text, scrolling
from app.models.choice import Choice, Offer
from app.panel import numbers
from app.theme import Role, Theme, Type

_AT_ONCE = 60
"""Choices that are made at a time, so that a thousand models hold nothing up."""


class ChoiceList(QWidget):
    """A head, and below it the choices, which scroll.

    Attributes:
        held: The number of the offer that is chosen; None where none is.
        choices: What is shown, by the number of its offer.
        titles: Of all offers, shown or not.

    Signals:
        chosen: The number of the offer that a person chose.
        wanted: One was pressed twice, or Return was.
    """

    chosen = Signal(int)
    wanted = Signal()

    def __init__(self, theme: Theme, title: str, head: str, parent: QWidget | None = None) -> None:
        """``head``: the title in capitals."""
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(title)
        self.held: int | None = None
        self.choices: dict[int, Choice] = {}
        self.titles: list[str] = []
        self._offer: Callable[[int], Offer] = lambda _number: Offer("", "")
        self._sought = ""
        self._most = _AT_ONCE
        self._head = Text(theme, head, Type.LABEL, Role.FAINT)
        self.note = Text(theme, "", Type.SECONDARY, Role.SECONDARY, wrap=True)
        self.more = QPushButton()
        self.more.setProperty("look", "quiet")
        self.more.clicked.connect(self._show_more)
        self._lay_out()
        theme.changed.connect(self._measure)
        self._measure()
        self.say("")
        self.clear()

    def offer(
        self, titles: Sequence[str], make: Callable[[int], Offer], chosen: int | None
    ) -> None:
        """Show other choices; ``chosen``: the number of the one that holds.

        ``make``: gives the offer of a number, when that is about to be seen.
        """
        self.held, self._offer = chosen, make
        if list(titles) != self.titles:
            self.titles = list(titles)
            self._most = _AT_ONCE
        self._fill()

    def clear(self) -> None:
        """Nothing can be chosen."""
        self.offer([], self._offer, None)

    def say(self, text: str) -> None:
        """A sentence in place of choices, or above them."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def filter(self, text: str) -> None:
        """Show only what has ``text`` in its title."""
        if text != self._sought:
            self._sought, self._most = text, _AT_ONCE
            self._fill()

    def height_at(self, width: int) -> int:
        """How high it would be with all its choices."""
        above = self._head.sizeHint().height() + 2 * self.column.spacing()
        above += self.note.heightForWidth(width) if not self.note.isHidden() else 0
        return above + self._rows.totalHeightForWidth(max(width, 1))

    def _lay_out(self) -> None:
        self._inner = QWidget()
        self._rows = QVBoxLayout(self._inner)
        self._rows.addWidget(self.more)
        self._rows.addStretch(1)
        self.area: QScrollArea = scrolling(self._inner)
        for part in (self.area.viewport(), self._inner):  # the card below is the ground
            part.setAutoFillBackground(False)
        self.column = QVBoxLayout(self)
        for widget in (self._head, self.note, self.area):
            self.column.addWidget(widget)
        self.column.setStretch(2, 1)

    # Filling -------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Make the choices that are to be seen; those that stay are kept."""
        sought = self._sought.casefold()
        found = [n for n, title in enumerate(self.titles) if sought in title.casefold()]
        shown = found[: self._most]
        if self.held in found[self._most :]:
            shown.append(self.held)
        before, self.choices = self.choices, {}
        for number in shown:
            self.choices[number] = self._kept(before, number) or self._make(number)
        for old in before.values():
            old.hide()
            old.deleteLater()
        self._arrange()
        rest = len(found) - len(shown)
        self.more.setText(self.tr("Show {n} more").format(n=numbers.whole(rest)))
        self.more.setVisible(rest > 0)

    def _kept(self, before: dict[int, Choice], number: int) -> Choice | None:
        choice = before.get(number)
        if choice is None or choice.offer != self._offer(number):
            return None
        return before.pop(number)

    def _make(self, number: int) -> Choice:
        choice = Choice(self._theme, self._offer(number))
        if choice.can_be_chosen:
            choice.clicked.connect(lambda: self._choose(choice))
        choice.wanted.connect(self.wanted)
        choice.stepped.connect(lambda step: self._step(choice, step))
        return choice

    def _arrange(self) -> None:
        for place, choice in enumerate(self.choices.values()):
            if self._rows.indexOf(choice) != place:
                self._rows.insertWidget(place, choice)
        self._tick()

    def _tick(self) -> None:
        """One of them at most, whatever was chosen and refilled before."""
        for number, choice in self.choices.items():
            choice.setChecked(number == self.held)

    # Reacting ------------------------------------------------------------------------------------

    def _choose(self, choice: Choice) -> None:
        number = next(n for n, each in self.choices.items() if each is choice)
        self.held = number
        self._tick()
        self.chosen.emit(number)

    def _show_more(self) -> None:
        self._most += 4 * _AT_ONCE
        self._fill()

    def _step(self, choice: Choice, step: int) -> None:
        shown = list(self.choices.values())
        place = shown.index(choice) + step
        if 0 <= place < len(shown):
            shown[place].setFocus(Qt.FocusReason.TabFocusReason)
            self.area.ensureWidgetVisible(shown[place])

    def _measure(self) -> None:
        space = self._theme.space
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(space(0.5))
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(space(1))
        for text in (self._head, self.note):
            text.setContentsMargins(space(2), 0, space(2), 0)
