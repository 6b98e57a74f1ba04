"""What Qt asks of a style, and who answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QWidget,
)

from app.style import buttons, fields, lists
from app.style.sliding import scroll_bar_part, stepper_part
from app.theme import Theme

_Primitive = QStyle.PrimitiveElement
_Control = QStyle.ControlElement
_Complex = QStyle.ComplexControl
_Part = QStyle.SubControl
_Metric = QStyle.PixelMetric
_Contents = QStyle.ContentsType
_Place = QStyle.SubElement

_Draw = Callable[[Theme, QStyleOption, QPainter, QWidget | None], None]
_DrawComplex = Callable[[Theme, QStyleOptionComplex, QPainter, QWidget | None], None]


def _nothing(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Fusion's own idea of this part has no place here."""


_PRIMITIVES: Mapping[_Primitive, _Draw] = MappingProxyType(
    {
        _Primitive.PE_PanelButtonCommand: buttons.button,
        _Primitive.PE_PanelButtonTool: buttons.button,
        _Primitive.PE_FrameFocusRect: buttons.focus_ring,
        _Primitive.PE_IndicatorCheckBox: buttons.check_box,
        _Primitive.PE_PanelLineEdit: fields.field,
        _Primitive.PE_Frame: fields.frame,
        _Primitive.PE_FrameMenu: lists.menu_frame,
        _Primitive.PE_PanelItemViewItem: lists.row,
        _Primitive.PE_FrameDefaultButton: _nothing,
        _Primitive.PE_FrameLineEdit: _nothing,
        _Primitive.PE_PanelItemViewRow: _nothing,
    }
)
_CONTROLS: Mapping[_Control, _Draw] = MappingProxyType(
    {
        _Control.CE_ProgressBarGroove: lists.groove,
        _Control.CE_ProgressBarContents: lists.progress,
    }
)
_COMPLEXES: Mapping[_Complex, _DrawComplex] = MappingProxyType(
    {
        _Complex.CC_ScrollBar: lists.scroll_bar,
        _Complex.CC_SpinBox: fields.stepper,
        _Complex.CC_ComboBox: fields.combo_box,
    }
)
# What Qt asks in pixels, in units of the theme's space.
_METRICS: Mapping[_Metric, float] = MappingProxyType(
    {
        _Metric.PM_ButtonMargin: 4,
        _Metric.PM_IndicatorWidth: 4.5,
        _Metric.PM_IndicatorHeight: 4.5,
        _Metric.PM_SmallIconSize: 4.5,
        _Metric.PM_ButtonIconSize: 4.5,
        _Metric.PM_MenuHMargin: 1,
        _Metric.PM_MenuVMargin: 1,
    }
)
_PIXELS: Mapping[_Metric, int] = MappingProxyType(
    {
        _Metric.PM_ScrollBarExtent: 12,
        _Metric.PM_ButtonShiftHorizontal: 0,
        _Metric.PM_ButtonShiftVertical: 0,
        _Metric.PM_MenuPanelWidth: 1,
        _Metric.PM_DefaultFrameWidth: 1,
    }
)
# The least height of what can be pressed or typed into, in units.
_HEIGHTS: Mapping[_Contents, float] = MappingProxyType(
    {
        _Contents.CT_PushButton: 8,
        _Contents.CT_LineEdit: 8,
        _Contents.CT_ComboBox: 8,
        _Contents.CT_SpinBox: 8,
        _Contents.CT_MenuItem: 7,
    }
)
_INSET = 1.5  # between a field's edge and its text, beyond Fusion's few pixels


class Style(QProxyStyle):
    """Fusion with our surfaces, borders, focus ring and scroll bars."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Fusion")
        self._theme = theme

    def pixelMetric(  # noqa: N802 (Qt's name, here and below)
        self, metric: _Metric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Sizes of parts."""
        units = _METRICS.get(metric)
        if units is not None:
            return self._theme.space(units)
        pixels = _PIXELS.get(metric)
        return super().pixelMetric(metric, option, widget) if pixels is None else pixels

    def sizeFromContents(  # noqa: N802
        self, kind: _Contents, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        """Sizes of wholes."""
        whole = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
        units = _HEIGHTS.get(kind)
        if units is None:
            return whole
        least = self._theme.space(units)
        if kind == _Contents.CT_PushButton:
            high = size.height() + self._theme.space(2)
            return QSize(size.width() + self._theme.space(7), max(least, high))
        if kind == _Contents.CT_SpinBox:
            return QSize(size.width() + 2 * least + self._theme.space(2), least)
        if kind == _Contents.CT_ComboBox:
            return QSize(whole.width() + self._theme.space(2 * _INSET), least)
        if kind == _Contents.CT_MenuItem and whole.height() < self._theme.space(4):
            return QSize(whole.width(), self._theme.space(2.25))  # a separator
        return whole.expandedTo(QSize(0, least))

    def subElementRect(  # noqa: N802
        self, place: _Place, option: QStyleOption, widget: QWidget | None = None
    ) -> QRect:
        """Places of simple parts."""
        rect = super().subElementRect(place, option, widget)  # type: ignore[arg-type]
        inside = widget is not None and isinstance(widget.parentWidget(), QAbstractSpinBox)
        if place == _Place.SE_LineEditContents and not inside:
            inset = self._theme.space(_INSET)
            rect.adjust(inset, 0, -inset, 0)
        return rect

    def subControlRect(  # noqa: N802
        self,
        control: _Complex,
        option: QStyleOptionComplex,
        part: _Part,
        widget: QWidget | None = None,
    ) -> QRect:
        """Places of parts."""
        if control == _Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return scroll_bar_part(option, part, self._theme.space(8))
        if control == _Complex.CC_SpinBox and isinstance(option, QStyleOptionSpinBox):
            return stepper_part(option, part)
        rect = super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]
        if control == _Complex.CC_ComboBox and part == _Part.SC_ComboBoxEditField:
            inset = self._theme.space(_INSET)
            rect.adjust(inset, 0, inset, 0)
        return rect

    def drawPrimitive(  # noqa: N802
        self,
        element: _Primitive,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """One simple part."""
        draw = _PRIMITIVES.get(element)
        if draw is None:
            super().drawPrimitive(element, option, painter, widget)
        else:
            draw(self._theme, option, painter, widget)

    def drawControl(  # noqa: N802
        self,
        element: _Control,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """One part with contents."""
        left: QStyleOption | None = option
        if element in (_Control.CE_PushButtonLabel, _Control.CE_ToolButtonLabel):
            left = buttons.with_words_coloured(self._theme, option, widget)
        elif element == _Control.CE_MenuItem:
            left = lists.menu_ground(self._theme, option, painter)
        elif element in _CONTROLS:
            _CONTROLS[element](self._theme, option, painter, widget)
            left = None
        if left is not None:
            super().drawControl(element, left, painter, widget)

    def drawComplexControl(  # noqa: N802
        self,
        control: _Complex,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """One control of several parts."""
        draw = _COMPLEXES.get(control)
        if draw is None:
            super().drawComplexControl(control, option, painter, widget)
        else:
            draw(self._theme, option, painter, widget)
