"""What can be typed into or chosen from: text fields, steppers, combo boxes, frames."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionFrame,
    QStyleOptionSpinBox,
    QWidget,
)

from app import strokes
from app.style.sliding import stepper_part
from app.style.states import DOWN, ENABLED, FOCUSED, has
from app.theme import Role, Theme

_Part = QStyle.SubControl
_UP = QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
_DOWN = QAbstractSpinBox.StepEnabledFlag.StepDownEnabled


def field(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The surface of a text field; one inside another control has none of its own."""
    if isinstance(option, QStyleOptionFrame) and option.lineWidth > 0:
        _surface(theme, option, painter)


def frame(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The line around a list or a text area."""
    color = theme.color(Role.FOCUS if has(option, FOCUSED) else Role.LINE)
    strokes.rounded(painter, QRectF(option.rect), 0, line=color)


def stepper(
    theme: Theme, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None
) -> None:
    """A number between a minus and a plus."""
    _surface(theme, option, painter)
    if isinstance(option, QStyleOptionSpinBox):
        minus, plus = (strokes.MINUS,), (strokes.MINUS, strokes.UPRIGHT)
        _step(theme, option, painter, (_Part.SC_SpinBoxDown, _DOWN, minus))
        _step(theme, option, painter, (_Part.SC_SpinBoxUp, _UP, plus))


def combo_box(
    theme: Theme, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None
) -> None:
    """A choice that opens a list."""
    _surface(theme, option, painter)
    whole, side = option.rect, option.rect.height()
    end = QRect(whole.right() - side, whole.y(), side, side)
    end = QStyle.visualRect(option.direction, whole, end)
    color = theme.color(Role.SECONDARY if has(option, ENABLED) else Role.DISABLED)
    strokes.stroke(painter, _middle(theme, end), strokes.DOWN, color)


_Step = tuple[_Part, QAbstractSpinBox.StepEnabledFlag, tuple[strokes.Points, ...]]


def _step(theme: Theme, option: QStyleOptionSpinBox, painter: QPainter, step: _Step) -> None:
    """One of a stepper's two buttons."""
    part, flag, shape = step
    rect = stepper_part(option, part)
    can = bool(option.stepEnabled & flag) and has(option, ENABLED)
    if can and option.activeSubControls & part:
        fill = theme.color(Role.PRESSED if has(option, DOWN) else Role.HOVER)
        inner = QRectF(rect).adjusted(3, 3, -3, -3)
        strokes.rounded(painter, inner, theme.space(1.5), fill)
    color = theme.color(Role.SECONDARY if can else Role.DISABLED)
    for points in shape:
        strokes.stroke(painter, _middle(theme, rect), points, color)


def _surface(theme: Theme, option: QStyleOption, painter: QPainter) -> None:
    focused = has(option, FOCUSED)
    line = theme.color(Role.FOCUS if focused else Role.BORDER)
    fill = theme.color(Role.RAISED if has(option, ENABLED) else Role.SURFACE)
    width = 2 if focused else 1
    strokes.rounded(painter, QRectF(option.rect), theme.space(2), fill, line, width)


def _middle(theme: Theme, rect: QRect) -> QRectF:
    """The middle of ``rect``, as large as an icon."""
    side, middle = theme.space(4), QRectF(rect).center()
    return QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
