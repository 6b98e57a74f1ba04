"""A row of a list of models: what it is, what is to be said of it, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.controls import IconButton, Text, margins
from app.theme import Role, Theme, Type

_ROOM = 62  # units of space that the words keep; with less, the buttons go under them


class Row(QWidget):
    """A title, a line of facts, a sentence; buttons at the end."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        facts: str = "",
        note: str = "",
        *,
        note_role: Role = Role.SECONDARY,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.title = Text(theme, title, Type.BODY, elided=True)
        self.facts = Text(theme, facts, Type.SECONDARY, Role.SECONDARY, wrap=True)
        self.note = Text(theme, note, Type.SECONDARY, note_role, wrap=True)
        self._buttons: list[QWidget] = []
        self._words = QVBoxLayout()
        self._end = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self.say(facts, note)
        for text in (self.title, self.facts, self.note):
            self._words.addWidget(text)
        self._whole.addLayout(self._words, 1)
        self._whole.addLayout(self._end)
        theme.changed.connect(self._measure)
        self._measure()

    def say(self, facts: str, note: str = "") -> None:
        """Show other words below the title."""
        for text, words in ((self.facts, facts), (self.note, note)):
            text.setText(words)
            text.setVisible(bool(words))
        self._place()
        self.setAccessibleName(". ".join(filter(None, (self.title.whole_text(), facts, note))))

    def button(self, title: str, name: str = "", look: str = "") -> QPushButton:
        """One more button. ``name``: the same for a reader that hears nothing of the row."""
        made = QPushButton(title)
        made.setAccessibleName(name or f"{title}: {self.title.whole_text()}")
        if look:
            made.setProperty("look", look)
        self._add(made)
        return made

    def icon(self, drawing: str, name: str) -> IconButton:
        """One more button that is a picture alone."""
        made = IconButton(self.theme, drawing, name, side=7)
        made.setAccessibleName(f"{name}: {self.title.whole_text()}")
        self._add(made)
        return made

    def below(self, widget: QWidget) -> None:
        """Something under the words, as wide as these."""
        self._words.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Stand in one line or in two."""
        super().resizeEvent(event)
        self._place()

    def _add(self, button: QWidget) -> None:
        self._buttons.append(button)
        self._end.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._place()

    def _place(self) -> None:
        shown = [button for button in self._buttons if not button.isHidden()]
        taken = sum(button.sizeHint().width() + self._end.spacing() for button in shown)
        is_narrow = bool(shown) and self.width() - taken < self.theme.space(_ROOM)
        direction = QBoxLayout.Direction
        self._whole.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        begin = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self._whole.setAlignment(self._end, begin if is_narrow else Qt.AlignmentFlag.AlignVCenter)

    def _measure(self) -> None:
        space = self.theme.space
        self._whole.setContentsMargins(margins(self, space(4), space(2.5), space(3), space(2.5)))
        self._whole.setSpacing(space(2.5))
        self._words.setSpacing(space(0.5))
        self._end.setSpacing(space(1.5))
        self._place()
