"""Which version of a reply is shown, between two buttons that lead to the others."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.chat.controls import Caption, IconButton, Pictures
from app.chat.model import Version
from app.panel.numbers import whole
from app.theme import Theme

EARLIER, LATER = "earlier", "later"
"""The names of its buttons."""

STEPS = {EARLIER: -1, LATER: 1}
"""How many versions on each leads."""


class Pager(QWidget):
    """Says "2 of 3" between its buttons.

    Signals:
        pressed: The name of a button.
    """

    pressed = Signal(str)

    def __init__(self, theme: Theme, pictures: Pictures, parent: QWidget) -> None:
        super().__init__(parent)
        back, on = "chevron-left", "chevron-right"
        if self.isRightToLeft():
            back, on = on, back
        earlier, later = self.tr("Earlier version"), self.tr("Later version")
        self.buttons: dict[str, QToolButton] = {
            EARLIER: IconButton(theme, pictures.get(back), earlier, self, action="reply.earlier"),
            LATER: IconButton(theme, pictures.get(on), later, self, action="reply.later"),
        }
        for name, button in self.buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # until its message has the focus
            button.clicked.connect(lambda _checked=False, name=name: self.pressed.emit(name))
        self.number = Caption(theme, "", self)
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.buttons[EARLIER], self.number, self.buttons[LATER]):
            row.addWidget(widget)

    def show_version(self, version: Version) -> None:
        """Show which one it is. The number has the room of the widest, so the buttons stay."""
        count = whole(version.count)
        words = self.tr("{n} of {count}")
        self.number.setText(words.format(n=count, count=count))
        self.number.setMinimumWidth(self.number.sizeHint().width())
        self.number.setText(words.format(n=whole(version.place), count=count))
        self.number.setAccessibleName(version_words(version))
        for button in self.buttons.values():
            button.setAccessibleDescription(version_words(version))
        self._enable({name for name, step in STEPS.items() if version.has(step)})

    def _enable(self, names: set[str]) -> None:
        """Enable these buttons alone. The keyboard stays here while one of them can have it."""
        for name in names:
            self.buttons[name].setEnabled(True)
        for name in STEPS.keys() - names:
            if names and self.buttons[name].hasFocus():
                self.buttons[min(names)].setFocus(Qt.FocusReason.OtherFocusReason)
            self.buttons[name].setEnabled(False)


def version_words(version: Version) -> str:
    """Which one it is, for those who cannot see it."""
    words = QCoreApplication.translate("Pager", "Version {n} of {count}")
    return words.format(n=whole(version.place), count=whole(version.count))
