"""Buttons, check boxes and the ring around what has the keyboard's focus."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QWidget,
)

from app import strokes
from app.style.states import DOWN, ENABLED, FOCUSED, ON, POINTED_AT, copy, has, look
from app.theme import Role, Theme

_WORDS = {"primary": Role.ON_ACCENT, "danger": Role.DANGER}
_FLAT = QStyleOptionButton.ButtonFeature.Flat


def button(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The surface of a button."""
    fill, line = _colours(theme, option, look(widget))
    radius = theme.space(1.5 if look(widget) == "segment" else 2)
    strokes.rounded(painter, QRectF(option.rect), radius, fill, line)
    if isinstance(widget, QPushButton) and has(option, FOCUSED):
        focus_ring(theme, option, painter, widget)  # Fusion draws none of its own


def with_words_coloured(theme: Theme, option: QStyleOption, widget: QWidget | None) -> QStyleOption:
    """``option`` with a button's words and icon in the colour that its look asks for."""
    role = _WORDS.get(look(widget))
    if look(widget) == "segment" and not has(option, ON | POINTED_AT):
        role = Role.SECONDARY
    if role is None or not has(option, ENABLED):
        return option
    palette = QPalette(option.palette)
    palette.setColor(QPalette.ColorRole.ButtonText, theme.color(role))
    coloured = copy(option)
    coloured.palette = palette
    return coloured


def focus_ring(
    theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None
) -> None:
    """A ring, for those who came by keyboard."""
    if has(option, QStyle.StateFlag.State_KeyboardFocusChange):
        rect = widget.rect() if isinstance(widget, QAbstractButton) else option.rect
        color = theme.color(Role.FOCUS)
        strokes.rounded(painter, QRectF(rect), theme.space(2), line=color, width=2)


def check_box(
    theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None
) -> None:
    """The square of a check box, with its tick."""
    enabled = has(option, ENABLED)
    rect, radius = QRectF(option.rect), theme.space(1)
    if has(option, ON):
        fill = theme.color(Role.ACCENT if enabled else Role.DISABLED)
        strokes.rounded(painter, rect, radius, fill)
        strokes.stroke(painter, rect, strokes.CHECK, theme.color(Role.ON_ACCENT))
    else:
        line = theme.color(Role.NEUTRAL if enabled else Role.LINE)
        strokes.rounded(painter, rect, radius, theme.color(Role.RAISED), line)


def _colours(theme: Theme, option: QStyleOption, look_: str) -> tuple[QColor | None, QColor | None]:
    """What fills a button and what surrounds it."""
    if look_ == "primary":
        return _loud(theme, option), None
    if look_ == "segment" and has(option, ON):
        return theme.color(Role.PRESSED if theme.dark else Role.RAISED), theme.color(Role.LINE)
    bare = _is_bare(option, look_)
    fill = None if bare else theme.color(Role.RAISED)
    if has(option, DOWN | ON):
        fill = theme.color(Role.PRESSED)
    elif has(option, POINTED_AT) and has(option, ENABLED):
        fill = theme.color(Role.DANGER_TINT if look_ == "danger" else Role.HOVER)
    return fill, None if bare else theme.color(Role.BORDER)


def _loud(theme: Theme, option: QStyleOption) -> QColor:
    if not has(option, ENABLED):
        return theme.color(Role.PRESSED)
    towards = 0.28 if has(option, DOWN) else 0.14 if has(option, POINTED_AT) else 0
    return strokes.mixed(theme.color(Role.ACCENT), theme.color(Role.WINDOW), towards)


def _is_bare(option: QStyleOption, look_: str) -> bool:
    """Whether a button shows no surface of its own until it is pointed at."""
    flat = isinstance(option, QStyleOptionButton) and bool(option.features & _FLAT)
    auto_raised = has(option, QStyle.StateFlag.State_AutoRaise)
    return flat or auto_raised or look_ in ("quiet", "segment")
