"""The shared controls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from app.colours import DARK, LIGHT
from app.controls import Card, IconButton, Rule, Segments, Text
from app.theme import Role, Type


def test_text_follows_the_theme(theme, qtbot) -> None:
    text = Text(theme, "words", Type.HEADING, Role.SECONDARY)
    qtbot.addWidget(text)
    assert text.font().pixelSize() == 18
    theme.mode = "dark"
    theme.scale = 2.0
    assert text.font().pixelSize() == 36
    shown = text.palette().color(QPalette.ColorRole.WindowText).name()
    assert shown == DARK[Role.SECONDARY]


def test_text_is_never_markup(theme, qtbot) -> None:
    text = Text(theme, "<b>not bold</b>")
    qtbot.addWidget(text)
    assert text.textFormat() == Qt.TextFormat.PlainText


def test_what_does_not_fit_ends_in_an_ellipsis(theme, qtbot) -> None:
    text = Text(theme, "a long title that cannot fit in so little room", elided=True)
    qtbot.addWidget(text)
    text.show()
    text.resize(80, 20)
    assert text.text().endswith("…")
    assert text.whole_text() in text.toolTip()
    text.resize(800, 20)
    assert text.text() == text.whole_text()
    assert text.toolTip() == ""


def test_a_role_may_change(theme, qtbot) -> None:
    text = Text(theme, "words")
    qtbot.addWidget(text)
    text.set_role(Role.DANGER)
    assert text.palette().color(QPalette.ColorRole.WindowText).name() == LIGHT[Role.DANGER]


def test_an_icon_button_has_a_name_and_can_be_reached(theme, qtbot) -> None:
    button = IconButton(theme, "copy", "Copy")
    qtbot.addWidget(button)
    assert button.accessibleName() == button.toolTip() == "Copy"
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    button.set_name("Copy the reply", "Ctrl+Shift+C")
    assert "Ctrl+Shift+C" in button.toolTip()
    assert button.width() == button.height() == 32
    theme.scale = 1.5
    assert button.width() == 48


def test_of_segments_one_holds(theme, qtbot) -> None:
    row = Segments(theme, [("a", "One"), ("b", "Two")], "Choice")
    qtbot.addWidget(row)
    told: list[str] = []
    row.chosen.connect(told.append)
    row.choose("a")
    assert told == []
    qtbot.mouseClick(row.button("b"), Qt.MouseButton.LeftButton)
    assert told == ["b"]
    assert row.choice() == "b"


def test_segments_are_chosen_by_keyboard(theme, qtbot) -> None:
    row = Segments(theme, [("a", "One"), ("b", "Two")], "Choice")
    qtbot.addWidget(row)
    told: list[str] = []
    row.chosen.connect(told.append)
    row.choose("a")
    qtbot.keyClick(row.button("b"), Qt.Key.Key_Space)
    assert told == ["b"]


def test_segments_keep_their_width_when_another_holds(theme, qtbot) -> None:
    row = Segments(theme, [("a", "One"), ("b", "Two")], "Choice")
    qtbot.addWidget(row)
    row.choose("a")
    before = row.sizeHint().width()
    row.choose("b")
    assert row.sizeHint().width() == before


def test_tight_segments_take_less_room_without_cutting_their_words(theme, qtbot) -> None:
    row = Segments(theme, [("a", "Speculative"), ("b", "Plain")], "Choice")
    qtbot.addWidget(row)
    row.choose("a")
    roomy = row.sizeHint().width()
    row.set_tight(True)
    assert row.sizeHint().width() < roomy
    row.resize(row.sizeHint())
    row.show()
    for id_, title in (("a", "Speculative"), ("b", "Plain")):
        button = row.button(id_)
        assert button.width() >= button.fontMetrics().horizontalAdvance(title)
        assert row.rect().contains(button.geometry())
    row.set_tight(False)
    assert row.sizeHint().width() == roomy


def test_a_rule_is_one_pixel_and_a_card_has_a_line(theme, qtbot) -> None:
    rule, upright, card = Rule(theme), Rule(theme, upright=True), Card(theme)
    for widget in (rule, upright, card):
        qtbot.addWidget(widget)
    assert rule.maximumHeight() == upright.maximumWidth() == 1
    card.resize(60, 40)
    image = card.grab().toImage()
    assert image.pixelColor(30, 20).name() == LIGHT[Role.RAISED]
    assert image.pixelColor(30, 0).name() == LIGHT[Role.LINE]
    card.set_line(Role.FOCUS)
    assert card.grab().toImage().pixelColor(30, 0).name() == LIGHT[Role.FOCUS]
