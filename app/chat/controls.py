"""Small controls that several parts of the chat are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QLabel, QStyle, QToolButton, QWidget

from app.actions import keys_of
from app.controls import beginning
from app.icons import icon
from app.theme import Role, Theme, Type
from app.tips import plain_tip, with_keys

PAGE_COLUMNS = 75
"""The width of the page in digits; so many characters of text, and a few more, fit a line."""

_TOLD_MS = 1_400  # how long a button says that it has done its work


class IconButton(QToolButton):
    """A quiet button that shows a drawing; its words are in the tool tip and for screen readers."""

    def __init__(
        self, theme: Theme, picture: QIcon, words: str, parent: QWidget, *, action: str = ""
    ) -> None:
        """``action``: the one of the window's table that does the same, for its shortcut."""
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "quiet")
        self.setAutoRaise(True)
        self.restyle(picture)
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(with_keys(words, keys_of(action))))

    def restyle(self, picture: QIcon) -> None:
        """Take the theme's sizes, and a picture in its colours."""
        side = self._theme.space(4)
        self.setIcon(picture)
        self.setIconSize(QSize(side, side))
        self.setFixedSize(self._theme.space(7), self._theme.space(7))


class WordButton(QToolButton):
    """A quiet button that is a word."""

    def __init__(self, theme: Theme, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("look", "quiet")
        self.setFont(theme.font(Type.SECONDARY))
        self.setText(words)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        ink(self, theme, Role.SECONDARY)


class CopyButton(WordButton):
    """Says for a moment that the copying is done."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self._back = once(self, _TOLD_MS, self._say_copy)
        self._say_copy()
        self.setAccessibleName(self.tr("Copy this code"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # until its message has the focus
        self.clicked.connect(self._say_copied)

    def _say_copy(self) -> None:
        self.setText(self.tr("Copy"))

    def _say_copied(self) -> None:
        self.setText(self.tr("Copied"))
        self._back.start()


class Caption(QLabel):
    """A line of words in one of the theme's types and colours."""

    def __init__(
        self,
        theme: Theme,
        words: str = "",
        parent: QWidget | None = None,
        *,
        type_: Type = Type.SECONDARY,
        role: Role = Role.SECONDARY,
    ) -> None:
        super().__init__(words, parent)
        self.setFont(theme.font(type_))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(beginning(self))
        ink(self, theme, role)


def ink(widget: QWidget, theme: Theme, role: Role) -> None:
    """Have ``widget`` write in the colour of ``role``."""
    palette = widget.palette()
    for part in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.ButtonText,
        QPalette.ColorRole.Text,
    ):
        palette.setColor(part, theme.color(role))
    widget.setPalette(palette)


def once(parent: QObject, milliseconds: int, action: Callable[[], object]) -> QTimer:
    """A timer that does ``action`` once each time it is started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(action)
    return timer


def page_width(theme: Theme, room: int) -> int:
    """How wide messages and the text box are in ``room``: no more than a line of text should be."""
    digit = QFontMetricsF(theme.font(Type.BODY)).horizontalAdvance("0")
    margin = theme.space(8)
    return max(theme.space(20), min(room - 2 * margin, round(PAGE_COLUMNS * digit)))


def mirrored(widget: QWidget, place: QRect, width: int) -> QRect:
    """``place`` within ``width``; its mirror image where the interface reads right to left."""
    around = QRect(0, 0, width, place.bottom() + 1)
    return QStyle.visualRect(widget.layoutDirection(), around, place)


def put_on_clipboard(text: str) -> None:
    """Copy ``text``."""
    QGuiApplication.clipboard().setText(text)


class Pictures:
    """The chat's icons, made once: a transcript has many buttons."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._made: dict[tuple[str, Role], QIcon] = {}

    def get(self, name: str, role: Role = Role.SECONDARY) -> QIcon:
        """The icon ``name`` in the colour of ``role``."""
        key = (name, role)
        if key not in self._made:
            self._made[key] = icon(self._theme, name, role)
        return self._made[key]
