"""Qt's own controls in our look."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QToolButton,
    QWidget,
)

from app.colours import DARK, LIGHT
from app.theme import Role

Part = QStyle.SubControl


def picture(widget: QWidget, width: int = 120, height: int = 32) -> QImage:
    widget.resize(width, height)
    return widget.grab().toImage()


@pytest.mark.usefixtures("installed")
def test_the_loud_button_is_ink(qtbot, installed) -> None:
    button = QPushButton("")
    button.setProperty("look", "primary")
    qtbot.addWidget(button)
    assert picture(button).pixelColor(60, 16).name() == LIGHT[Role.ACCENT]
    installed.mode = "dark"
    assert picture(button).pixelColor(60, 16).name() == DARK[Role.ACCENT]
    button.setEnabled(False)
    assert picture(button).pixelColor(60, 16).name() == DARK[Role.PRESSED]


@pytest.mark.usefixtures("installed")
def test_a_usual_button_has_a_line_and_a_quiet_one_has_none(qtbot) -> None:
    usual, quiet = QPushButton(""), QPushButton("")
    quiet.setProperty("look", "quiet")
    for button in (usual, quiet):
        qtbot.addWidget(button)
    assert picture(usual).pixelColor(60, 0).name() == LIGHT[Role.BORDER]
    assert picture(quiet).pixelColor(60, 0).name() == LIGHT[Role.WINDOW]


@pytest.mark.parametrize("kind", [QPushButton, QLineEdit, QComboBox, QSpinBox])
def test_controls_are_as_high_as_the_theme_says(kind, installed, qtbot) -> None:
    control = kind()
    qtbot.addWidget(control)
    assert control.sizeHint().height() == 32
    installed.scale = 2.0
    other = kind()
    qtbot.addWidget(other)
    assert other.sizeHint().height() >= 64


def test_a_number_stands_between_minus_and_plus(installed, qtbot) -> None:
    box = QSpinBox()
    box.setRange(0, 16)
    box.setValue(3)
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 8, 16))
    assert box.value() == 4
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 16))
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 16))
    assert box.value() == 2


def test_from_right_to_left_plus_is_left(installed, qtbot) -> None:
    box = QSpinBox()
    box.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    box.setRange(0, 16)
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 16))
    assert box.value() == 1


def test_a_steppers_parts_cover_it(installed, qtbot) -> None:
    box = QSpinBox()
    qtbot.addWidget(box)
    box.resize(120, 32)
    option = QStyleOptionSpinBox()
    box.initStyleOption(option)
    parts = (Part.SC_SpinBoxDown, Part.SC_SpinBoxEditField, Part.SC_SpinBoxUp)
    rects = [
        box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        for part in parts
    ]
    assert sum(rect.width() for rect in rects) == 120


@pytest.mark.parametrize("value", [0, 37, 100])
def test_a_scroll_bar_has_no_arrows_and_its_parts_cover_it(installed, qtbot, value: int) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.setRange(0, 100)
    bar.setPageStep(50)
    bar.setValue(value)
    qtbot.addWidget(bar)
    bar.resize(12, 300)
    option = QStyleOptionSlider()
    bar.initStyleOption(option)

    def height(part: QStyle.SubControl) -> int:
        control = QStyle.ComplexControl.CC_ScrollBar
        return bar.style().subControlRect(control, option, part, bar).height()

    around = height(Part.SC_ScrollBarSubPage) + height(Part.SC_ScrollBarAddPage)
    assert height(Part.SC_ScrollBarSlider) == 100
    assert around + height(Part.SC_ScrollBarSlider) == 300
    assert height(Part.SC_ScrollBarAddLine) == height(Part.SC_ScrollBarSubLine) == 0


def test_a_scroll_bar_that_scrolls_a_book_can_still_be_held(installed, qtbot) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.setRange(0, 1_000_000)
    bar.setPageStep(10)
    qtbot.addWidget(bar)
    bar.resize(12, 300)
    option = QStyleOptionSlider()
    bar.initStyleOption(option)
    control = QStyle.ComplexControl.CC_ScrollBar
    handle = bar.style().subControlRect(control, option, Part.SC_ScrollBarSlider, bar)
    assert handle.height() == 32


def test_the_scroll_bar_lies_on_what_it_scrolls(installed, qtbot) -> None:
    installed.mode = "dark"
    area = QPlainTextEdit("\n".join(map(str, range(100))))
    qtbot.addWidget(area)
    image = picture(area, 200, 100)
    assert image.pixelColor(198, 90).name() == DARK[Role.RAISED]


def test_a_progress_bar_shows_its_part(installed, qtbot) -> None:
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, 100)
    bar.setValue(50)
    qtbot.addWidget(bar)
    image = picture(bar, 100, 6)
    assert image.pixelColor(20, 3).name() == LIGHT[Role.ACCENT]
    assert image.pixelColor(80, 3).name() == LIGHT[Role.PRESSED]


def test_a_tick_is_seen(installed, qtbot) -> None:
    box = QCheckBox("words")
    box.setChecked(True)
    qtbot.addWidget(box)
    image = picture(box)
    lights = [image.pixelColor(x, y).lightness() for x in range(2, 16) for y in range(9, 23)]
    assert min(lights) < 40
    assert max(lights) > 200


def test_the_keyboards_place_is_ringed(installed, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    first, second = QPushButton("", window), QPushButton("", window)
    first.setGeometry(0, 0, 100, 32)
    second.setGeometry(0, 40, 100, 32)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    first.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    image = window.grab().toImage()
    assert second.hasFocus()
    assert image.pixelColor(50, 40).name() == LIGHT[Role.FOCUS]
    assert image.pixelColor(50, 0).name() == LIGHT[Role.BORDER]


def test_a_field_that_has_the_keyboard_is_ringed(installed, qtbot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    field.resize(120, 32)
    assert picture(field).pixelColor(60, 0).name() == LIGHT[Role.BORDER]
    with qtbot.waitExposed(field):
        field.show()
    field.activateWindow()
    field.setFocus()
    assert picture(field).pixelColor(60, 0).name() == LIGHT[Role.FOCUS]


def test_everything_else_draws_in_every_state(installed, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = QComboBox(window)
    box.addItems(["One", "Two"])
    tool = QToolButton(window)
    tool.setCheckable(True)
    tool.setChecked(True)
    rows = QListWidget(window)
    rows.addItems(["One", "Two"])
    rows.setCurrentRow(1)
    menu = QMenu(window)
    ticked = QAction("Ticked", menu)
    ticked.setCheckable(True)
    ticked.setChecked(True)
    menu.addAction(ticked)
    menu.addSeparator()
    menu.addMenu("More").addAction("Inside")
    menu.setActiveAction(ticked)
    for widget in (box, tool, rows, menu):
        for enabled in (True, False):
            widget.setEnabled(enabled)
            assert not widget.grab().isNull()
