"""Where the parts of a scroll bar and of a number field lie."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionSlider, QStyleOptionSpinBox

_Part = QStyle.SubControl


def scroll_bar_part(option: QStyleOptionSlider, part: _Part, shortest: int) -> QRect:
    """A bar without arrows: its handle, what lies before and after it, or the whole."""
    upright = option.orientation == Qt.Orientation.Vertical
    whole = option.rect
    room = whole.height() if upright else whole.width()
    length = _handle(option, room, shortest)
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, room - length, option.upsideDown
    )
    spans = {
        _Part.SC_ScrollBarGroove: (0, room),
        _Part.SC_ScrollBarSlider: (start, length),
        _Part.SC_ScrollBarSubPage: (0, start),
        _Part.SC_ScrollBarAddPage: (start + length, room - start - length),
    }
    begin, extent = spans.get(part, (0, 0))
    if upright:
        return QRect(whole.x(), whole.y() + begin, whole.width(), extent)
    found = QRect(whole.x() + begin, whole.y(), extent, whole.height())
    return QStyle.visualRect(option.direction, whole, found)


def _handle(option: QStyleOptionSlider, room: int, shortest: int) -> int:
    scrolled = option.maximum - option.minimum
    if scrolled <= 0:
        return room
    return min(room, max(shortest, option.pageStep * room // (scrolled + option.pageStep)))


def stepper_part(option: QStyleOptionSpinBox, part: _Part) -> QRect:
    """A number field with a minus at its start, a plus at its end, and the number between."""
    whole, button = option.rect, option.rect.height()
    spans = {
        _Part.SC_SpinBoxFrame: (0, whole.width()),
        _Part.SC_SpinBoxDown: (0, button),
        _Part.SC_SpinBoxUp: (whole.width() - button, button),
        _Part.SC_SpinBoxEditField: (button, whole.width() - 2 * button),
    }
    begin, extent = spans.get(part, (0, 0))
    found = QRect(whole.x() + begin, whole.y(), max(0, extent), whole.height())
    return QStyle.visualRect(option.direction, whole, found)
