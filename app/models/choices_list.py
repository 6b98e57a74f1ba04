"""A list of models of which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QScrollArea, QVBoxLayout, QWidget

from app.controls import Text, scrolling
from app.models.choice import Choice
from app.theme import Role, Theme, Type


class ChoiceList(QWidget):
    """A head, and below it the choices, which scroll.

    Signals:
        chosen: The number of the choice that a person made.
        wanted: One was pressed twice, or Return was.
    """

    chosen = Signal(int)
    wanted = Signal()

    def __init__(self, theme: Theme, title: str, head: str, parent: QWidget | None = None) -> None:
        """``head``: the title in capitals."""
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(title)
        self.choices: list[Choice] = []
        self._group = QButtonGroup(self)
        self._head = Text(theme, head, Type.LABEL, Role.FAINT)
        self.note = Text(theme, "", Type.SECONDARY, Role.SECONDARY, wrap=True)
        self._inner = QWidget()
        self._rows = QVBoxLayout(self._inner)
        self._rows.addStretch(1)
        self.area: QScrollArea = scrolling(self._inner)
        self.area.viewport().setAutoFillBackground(False)
        self._inner.setAutoFillBackground(False)
        self.column = QVBoxLayout(self)
        for widget in (self._head, self.note, self.area):
            self.column.addWidget(widget)
        self.column.setStretch(2, 1)
        self._group.idClicked.connect(self.chosen)
        theme.changed.connect(self._measure)
        self._measure()
        self.say("")

    def offer(self, choices: Sequence[Choice], chosen: int | None) -> None:
        """Show other choices; ``chosen``: the one that holds."""
        self._group.setExclusive(False)
        for old in self.choices:
            self._group.removeButton(old)
            old.hide()
            old.deleteLater()
        self._group.setExclusive(True)
        self.choices = list(choices)
        for number, choice in enumerate(self.choices):
            self._rows.insertWidget(number, choice)
            if choice.can_be_chosen:
                self._group.addButton(choice, number)
            choice.wanted.connect(self.wanted)
            choice.stepped.connect(lambda step, at=number: self._step(at + step))
        if chosen is not None:
            self.choices[chosen].setChecked(True)

    def say(self, text: str) -> None:
        """A sentence in place of choices, or above them."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def filter(self, text: str) -> None:
        """Show only what has ``text`` in its title."""
        for choice in self.choices:
            choice.setVisible(text.casefold() in choice.title.casefold())

    @property
    def held(self) -> int | None:
        """The number of what is chosen."""
        number = self._group.checkedId()
        return None if number < 0 else number

    def height_at(self, width: int) -> int:
        """How high it would be with all its choices."""
        above = self._head.sizeHint().height() + 2 * self.column.spacing()
        above += self.note.heightForWidth(width) if not self.note.isHidden() else 0
        return above + self._rows.totalHeightForWidth(max(width, 1))

    def _step(self, number: int) -> None:
        if 0 <= number < len(self.choices):
            self.choices[number].setFocus(Qt.FocusReason.TabFocusReason)
            self.area.ensureWidgetVisible(self.choices[number])

    def _measure(self) -> None:
        space = self._theme.space
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(space(0.5))
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(space(1))
        for text in (self._head, self.note):
            text.setContentsMargins(space(2), 0, space(2), 0)
