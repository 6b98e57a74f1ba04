"""The look: colours by role, fonts by type, one unit of space, and what the user chose of them.

A widget takes the theme in its constructor, asks it for what it needs, and asks again on `changed`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QToolTip

from app.colours import DARK, LIGHT, Role
from app.motion import Motion

__all__ = ["Mode", "Role", "Theme", "Type"]

Mode = Literal["system", "light", "dark"]

SMALLEST_SCALE, LARGEST_SCALE = 0.8, 2.0


class Type(StrEnum):
    """The one scale of type."""

    FIGURE = "figure"
    TITLE = "title"
    HEADING = "heading"
    BODY = "body"
    STRONG = "strong"
    SECONDARY = "secondary"
    LABEL = "label"
    CODE = "code"


_PIXELS = {
    Type.FIGURE: 40,
    Type.TITLE: 24,
    Type.HEADING: 18,
    Type.BODY: 14,
    Type.STRONG: 14,
    Type.SECONDARY: 12,
    Type.LABEL: 11,
    Type.CODE: 14,
}
_HEAVY = {Type.FIGURE, Type.TITLE, Type.HEADING, Type.STRONG, Type.LABEL}
_LABEL_SPACING = 106  # per cent: small capitals of a section head breathe
_UNIT = 4


class Theme(QObject):
    """The look in force.

    Attributes:
        motion: What the system wants of it; `Motion.ask` has it asked.

    Signals:
        changed: Colours, sizes or motion are other than before.
    """

    changed = Signal()

    def __init__(
        self,
        mode: Mode = "system",
        scale: float = 1.0,
        *,
        reduced_motion: bool | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._mode: Mode = mode
        self._scale = _bounded(scale)
        self._reduced_motion = reduced_motion
        self._installed = False
        self._fonts: dict[Type, QFont] = {}
        self._colours: dict[Role, QColor] = {}
        self._dark = False
        self._style: QStyle | None = None
        self.motion = Motion(self)
        self.motion.changed.connect(self._follow_motion)
        self._choose_colours()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    # What widgets ask --------------------------------------------------------------------------

    def color(self, role: Role) -> QColor:
        """The colour for ``role`` in the scheme in force."""
        return self._colours[role]

    def font(self, type_: Type) -> QFont:
        """The font for ``type_`` at the text size in force."""
        if type_ not in self._fonts:
            self._fonts[type_] = self._made(type_)
        return self._fonts[type_]

    def space(self, units: float) -> int:
        """So many units of 4 pixels, grown with the text."""
        return round(units * _UNIT * self._scale)

    @property
    def dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self._dark

    # What the user chose -----------------------------------------------------------------------

    @property
    def mode(self) -> Mode:
        """Light, dark, or as the system says."""
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode != self._mode:
            self._mode = mode
            self._refresh()

    @property
    def scale(self) -> float:
        """The size of text and of all that holds it, 0.8 to 2."""
        return self._scale

    @scale.setter
    def scale(self, scale: float) -> None:
        if _bounded(scale) != self._scale:
            self._scale = _bounded(scale)
            self._refresh()

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing may move that need not. Set to None, the system decides."""
        if self._reduced_motion is not None:
            return self._reduced_motion
        return self.motion.is_reduced

    @reduced_motion.setter
    def reduced_motion(self, reduced: bool | None) -> None:
        if reduced != self._reduced_motion:
            self._reduced_motion = reduced
            self.changed.emit()

    # The application ---------------------------------------------------------------------------

    def install(self) -> None:
        """Make this the whole application's look, now and after every change."""
        self._installed = True
        from app.style import Style  # it draws with this module

        self._style = Style(self)
        QApplication.setStyle(self._style)
        self._refresh()

    def palette(self) -> QPalette:
        """The colours as Qt's own widgets ask for them."""
        palette = QPalette()
        for part, role in _PALETTE.items():
            palette.setColor(part, self.color(role))
        for part in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, _BUTTON_TEXT):
            palette.setColor(QPalette.ColorGroup.Disabled, part, self.color(Role.DISABLED))
        return palette

    def _refresh(self) -> None:
        self._fonts.clear()
        self._tell_system()
        self._choose_colours()
        if self._installed:
            QApplication.setPalette(self.palette())
            QApplication.setFont(self.font(Type.BODY))
            QToolTip.setPalette(self.palette())
            QToolTip.setFont(self.font(Type.SECONDARY))
        self.changed.emit()

    def _tell_system(self) -> None:
        """Have title bars and native dialogs follow a choice made here."""
        hints = QGuiApplication.styleHints()
        hints.blockSignals(True)
        hints.setColorScheme(_SCHEMES[self._mode])
        hints.blockSignals(False)

    def _choose_colours(self) -> None:
        scheme = QGuiApplication.styleHints().colorScheme()
        self._dark = self._mode == "dark" or (
            self._mode == "system" and scheme == Qt.ColorScheme.Dark
        )
        named = DARK if self._dark else LIGHT
        self._colours = {role: QColor(text) for role, text in named.items()}

    def _follow_system(self) -> None:
        if self._mode == "system":
            self._refresh()

    def _follow_motion(self) -> None:
        if self._reduced_motion is None:
            self.changed.emit()

    def _made(self, type_: Type) -> QFont:
        if type_ is Type.CODE:
            return self._code_font()
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        font.setPixelSize(max(1, round(_PIXELS[type_] * self._scale)))
        font.setWeight(QFont.Weight.DemiBold if type_ in _HEAVY else QFont.Weight.Normal)
        if type_ is Type.LABEL:
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, _LABEL_SPACING)
        if type_ in (Type.FIGURE, Type.TITLE):
            font.setFeature(QFont.Tag("tnum"), 1)  # a figure that runs must not shiver
        return font

    def _code_font(self) -> QFont:
        """A monospaced font as tall, in its small letters, as the text around it."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        body = QFontMetricsF(self.font(Type.BODY)).xHeight()
        pixels = _PIXELS[Type.CODE] * self._scale
        font.setPixelSize(round(pixels))
        own = QFontMetricsF(font).xHeight()
        font.setPixelSize(max(1, round(pixels * min(1.1, max(0.85, body / own))) if own else 1))
        for feature in ("liga", "calt"):  # -> must stay two characters
            font.setFeature(QFont.Tag(feature), 0)
        return font


def _bounded(scale: float) -> float:
    return min(LARGEST_SCALE, max(SMALLEST_SCALE, scale))


_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}
_BUTTON_TEXT = QPalette.ColorRole.ButtonText
_PALETTE = {
    QPalette.ColorRole.Window: Role.WINDOW,
    QPalette.ColorRole.WindowText: Role.TEXT,
    QPalette.ColorRole.Base: Role.RAISED,
    QPalette.ColorRole.AlternateBase: Role.SURFACE,
    QPalette.ColorRole.Text: Role.TEXT,
    QPalette.ColorRole.PlaceholderText: Role.FAINT,
    QPalette.ColorRole.Button: Role.RAISED,
    _BUTTON_TEXT: Role.TEXT,
    QPalette.ColorRole.BrightText: Role.ON_ACCENT,
    QPalette.ColorRole.ToolTipBase: Role.TOOLTIP,
    QPalette.ColorRole.ToolTipText: Role.TOOLTIP_TEXT,
    QPalette.ColorRole.Highlight: Role.SELECTION,
    QPalette.ColorRole.HighlightedText: Role.TEXT,
    QPalette.ColorRole.Accent: Role.FOCUS,
    QPalette.ColorRole.Link: Role.LINK,
    QPalette.ColorRole.LinkVisited: Role.LINK,
    QPalette.ColorRole.Light: Role.HOVER,
    QPalette.ColorRole.Midlight: Role.HOVER,
    QPalette.ColorRole.Mid: Role.BORDER,
    QPalette.ColorRole.Dark: Role.BORDER,
    QPalette.ColorRole.Shadow: Role.LINE,
}
