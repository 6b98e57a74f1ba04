"""Rows of lists, menus, scroll bars and progress bars."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionMenuItem,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QWidget,
)

from app import strokes
from app.style.sliding import scroll_bar_part
from app.style.states import CHOSEN, ENABLED, POINTED_AT, copy, has
from app.theme import Role, Theme

_HANDLE = QStyle.SubControl.SC_ScrollBarSlider
_SEPARATOR = QStyleOptionMenuItem.MenuItemType.Separator


def row(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The ground of a row that is chosen or pointed at."""
    chosen = has(option, CHOSEN)
    if chosen or has(option, POINTED_AT):
        fill = theme.color(Role.PRESSED if chosen else Role.HOVER)
        strokes.rounded(painter, QRectF(option.rect), theme.space(1.5), fill)


def menu_frame(
    theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None
) -> None:
    """The line around a menu."""
    strokes.rounded(painter, QRectF(option.rect), 0, line=theme.color(Role.BORDER))


def menu_ground(theme: Theme, option: QStyleOption, painter: QPainter) -> QStyleOption | None:
    """Draw what lies behind a menu's row. What Fusion has to draw on it, if anything."""
    if isinstance(option, QStyleOptionMenuItem) and option.menuItemType == _SEPARATOR:
        line = QRectF(option.rect.x(), option.rect.center().y(), option.rect.width(), 1)
        painter.fillRect(line, theme.color(Role.LINE))
        return None
    if has(option, CHOSEN) and has(option, ENABLED):
        fill = theme.color(Role.HOVER)
        strokes.rounded(painter, QRectF(option.rect), theme.space(1.5), fill)
    plain = copy(option)
    plain.state &= ~CHOSEN
    return plain


def scroll_bar(
    theme: Theme, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None
) -> None:
    """A bare handle, a little stronger while it is pointed at."""
    ground = _ground(option, widget)
    if ground is not None:
        painter.fillRect(option.rect, ground)
    if not isinstance(option, QStyleOptionSlider) or option.maximum <= option.minimum:
        return
    held = bool(option.activeSubControls & _HANDLE)
    margin = 2 if held else 3
    rect = QRectF(scroll_bar_part(option, _HANDLE, theme.space(8)))
    rect.adjust(margin, margin, -margin, -margin)
    color = theme.color(Role.NEUTRAL if held else Role.BORDER)
    strokes.rounded(painter, rect, min(rect.width(), rect.height()) / 2, color)


def groove(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The whole of a progress bar."""
    rect = QRectF(option.rect)
    strokes.rounded(painter, rect, rect.height() / 2, theme.color(Role.PRESSED))


def progress(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """The part of a progress bar that is done; all of it, in grey, where nobody knows."""
    if not isinstance(option, QStyleOptionProgressBar):
        return
    span, rect = option.maximum - option.minimum, QRectF(option.rect)
    part = (option.progress - option.minimum) / span if span > 0 else 1.0
    if part <= 0:
        return
    right = rect.right()
    rect.setWidth(max(rect.height(), rect.width() * part))
    if option.direction == Qt.LayoutDirection.RightToLeft:
        rect.moveRight(right)
    color = theme.color(Role.ACCENT if span > 0 else Role.NEUTRAL)
    strokes.rounded(painter, rect, rect.height() / 2, color)


def _ground(option: QStyleOption, bar: QWidget | None) -> QColor | None:
    """What the area that ``bar`` scrolls is painted on, so that the bar lies on it unseen."""
    container = bar.parentWidget() if bar is not None else None
    area = container.parentWidget() if container is not None else None
    if not isinstance(area, QAbstractScrollArea):
        return option.palette.window().color()
    viewport = area.viewport()
    filled = viewport.autoFillBackground()
    return viewport.palette().color(viewport.backgroundRole()) if filled else None
