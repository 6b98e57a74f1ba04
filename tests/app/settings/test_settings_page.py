"""The settings page is the tables."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QPushButton, QScrollArea

from app.controls import IconButton
from app.preferences import PREFERENCES
from app.settings import words
from app.settings.choices import Choices
from app.settings.fields import ChoiceField, NumberField
from app.settings.sections import ELSEWHERE, NEXT_LOAD, SECTIONS
from app.settings.settings_page import SettingsPage
from engine import paths
from engine.settings import SETTINGS

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def choices(qapp) -> Choices:
    return Choices()


@pytest.fixture
def page(theme, choices: Choices, qtbot) -> SettingsPage:
    page = SettingsPage(theme, choices)
    qtbot.addWidget(page)
    page.resize(812, 900)
    return page


def number(page: SettingsPage, name: str) -> NumberField:
    field = page.rows[name].field
    assert isinstance(field, NumberField)
    return field


def type_into(qtbot, field: QLineEdit, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)


def test_every_setting_has_one_place() -> None:
    placed = [name for section in SECTIONS for name in section.names]
    assert len(set(placed)) == len(placed)
    assert set(placed) | ELSEWHERE == {*SETTINGS, *PREFERENCES}
    assert set(SETTINGS) >= NEXT_LOAD


def test_every_row_shows_its_words_and_its_value(page: SettingsPage) -> None:
    assert set(page.rows) == {*SETTINGS, *PREFERENCES} - ELSEWHERE
    assert number(page, "temperature").text() == "0.7"
    assert number(page, "gamma").text() == "auto"
    assert number(page, "seed").text() == "none"


def test_every_field_has_a_name_for_readers(page: SettingsPage) -> None:
    for name, row in page.rows.items():
        title = words.title({**SETTINGS, **PREFERENCES}[name])
        assert row.field.accessibleName() == title
        assert row.field.accessibleDescription()
    for line in page.findChildren(QLineEdit):
        assert line.accessibleName()


def test_typing_a_number_holds_at_once(page: SettingsPage, choices: Choices, qtbot) -> None:
    type_into(qtbot, number(page, "temperature"), "0.25")
    assert choices.engine.temperature == 0.25
    type_into(qtbot, number(page, "gamma"), "5")
    assert choices.engine.gamma == 5
    type_into(qtbot, number(page, "gamma"), "Auto")
    assert choices.engine.gamma is None


@pytest.mark.parametrize("text", ["abc", "-1", "9", "1.5.2", ""])
def test_what_makes_no_sense_is_said_and_changes_nothing(
    page: SettingsPage, choices: Choices, qtbot, text: str
) -> None:
    field = number(page, "top_p")
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClicks(field, text)
    row = page.rows["top_p"]
    assert row.trouble == "A number from 0 to 1."
    assert choices.engine.top_p <= 1
    type_into(qtbot, field, "0.5")
    assert row.trouble == ""
    assert choices.engine.top_p == 0.5


def test_the_allowed_is_said_with_its_words(page: SettingsPage, qtbot) -> None:
    type_into(qtbot, number(page, "threads"), "x")
    assert page.rows["threads"].trouble == "A whole number from 0 to 512 or auto."
    type_into(qtbot, number(page, "n_ctx"), "7")
    assert page.rows["n_ctx"].trouble == "A whole number from 32 to 4,194,304."


def test_up_and_down_step(page: SettingsPage, choices: Choices, qtbot) -> None:
    qtbot.keyClick(number(page, "n_ctx"), Qt.Key.Key_Up)
    assert choices.engine.n_ctx == 8192
    qtbot.keyClick(number(page, "n_ctx"), Qt.Key.Key_Down)
    assert choices.engine.n_ctx == 4096


def test_choices_are_segments(page: SettingsPage, choices: Choices, qtbot) -> None:
    field = page.rows["theme"].field
    assert isinstance(field, ChoiceField)
    qtbot.mouseClick(field.button("dark"), Qt.MouseButton.LeftButton)
    assert choices.window.theme == "dark"
    reduced = page.rows["reduced_motion"].field
    assert isinstance(reduced, ChoiceField)
    qtbot.mouseClick(reduced.button("no"), Qt.MouseButton.LeftButton)
    assert choices.window.reduced_motion is False


def test_text_and_folder_are_taken(page: SettingsPage, choices: Choices, qtbot, tmp_path) -> None:
    text = page.rows["system"].field.findChild(QPlainTextEdit)
    text.setPlainText("Be terse.\nauto")
    assert choices.engine.system == "Be terse.\nauto"
    line = page.rows["models_folder"].field.findChild(QLineEdit)
    for typed, folder in ((str(tmp_path), tmp_path), ("default", None)):
        type_into(qtbot, line, typed)
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert choices.engine.models_folder == folder


def test_half_a_path_holds_nowhere(page: SettingsPage, choices: Choices, qtbot, tmp_path) -> None:
    told: list[str] = []
    choices.changed.connect(told.append)
    line = page.rows["models_folder"].field.findChild(QLineEdit)
    type_into(qtbot, line, str(tmp_path))
    assert told == []
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert told == ["models_folder"]


def test_a_folder_is_the_same_wherever_the_window_is_started(
    page: SettingsPage, choices: Choices, qtbot, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = page.rows["models_folder"].field.findChild(QLineEdit)
    type_into(qtbot, line, "my models")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert choices.engine.models_folder == tmp_path / "my models"
    assert line.text() == str(tmp_path / "my models")


def test_a_folder_that_was_looked_at_and_left_is_no_choice(
    page: SettingsPage, choices: Choices, qtbot
) -> None:
    line = page.rows["models_folder"].field.findChild(QLineEdit)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert choices.engine.models_folder is None


def test_the_folder_that_holds_by_default_is_shown_by_its_path(page: SettingsPage) -> None:
    line = page.rows["models_folder"].field.findChild(QLineEdit)
    assert line.text() == str(paths.models_folder())


def test_a_folder_is_looked_for_without_holding_anything_up(
    page: SettingsPage, choices: Choices, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setattr(QFileDialog, "open", lambda _dialog: None)
    page.rows["models_folder"].field.findChild(IconButton).click()
    dialog = page.window().findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.fileSelected.emit(str(tmp_path))
    assert choices.engine.models_folder == tmp_path
    dialog.deleteLater()


def test_a_row_goes_back_to_its_default(page: SettingsPage, choices: Choices, qtbot) -> None:
    row = page.rows["top_k"]
    back = next(b for b in row.findChildren(type(page._back)) if "default" in b.accessibleName())
    assert back.isHidden()
    assert back.accessibleName() == "Back to the default: 40"
    choices.choose("top_k", 7)
    assert not back.isHidden()
    back.click()
    assert choices.engine.top_k == 40
    assert back.isHidden()


def test_a_change_from_elsewhere_is_shown(page: SettingsPage, choices: Choices) -> None:
    choices.choose("gamma", 9)
    assert number(page, "gamma").text() == "9"


def test_typing_is_not_rewritten_under_the_hand(page: SettingsPage, qtbot) -> None:
    field = number(page, "temperature")
    type_into(qtbot, field, "0.50")
    assert field.text() == "0.50"


def test_scrolling_over_a_number_does_not_change_it(page: SettingsPage, choices: Choices) -> None:
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent

    none, nothing = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    turn = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), none, nothing,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    number(page, "top_k").wheelEvent(turn)
    assert not turn.isAccepted()
    assert choices.engine.top_k == 40


def test_what_needs_a_load_says_so_and_offers_it(
    page: SettingsPage, choices: Choices, qtbot
) -> None:
    button = next(b for b in page.findChildren(QPushButton) if "Load" in b.text())
    line = button.parentWidget()
    page.loaded(choices.engine)
    assert line.isHidden()
    choices.choose("top_k", 3)
    assert line.isHidden()
    choices.choose("n_ctx", 2048)
    assert not line.isHidden()
    choices.reset("n_ctx")
    assert line.isHidden()
    choices.choose("n_ctx", 2048)
    with qtbot.waitSignal(page.reload_asked):
        button.click()
    page.loaded(choices.engine)
    assert line.isHidden()


def test_where_nothing_is_loaded_there_is_nothing_to_load_again(
    page: SettingsPage, choices: Choices
) -> None:
    button = next(b for b in page.findChildren(QPushButton) if "Load" in b.text())
    page.loaded(None)
    choices.choose("n_ctx", 2048)
    assert button.parentWidget().isHidden()


def test_searching_leaves_what_matches(page: SettingsPage) -> None:
    page.look_for("penalty")
    shown = {name for name, row in page.rows.items() if not row.isHidden()}
    assert shown == {"repetition_penalty", "presence_penalty", "frequency_penalty"}
    page.look_for("zzz")
    assert not page._nothing.isHidden()
    page.look_for("")
    assert all(not row.isHidden() for row in page.rows.values())


def test_back_is_told(page: SettingsPage, qtbot) -> None:
    with qtbot.waitSignal(page.back):
        page._back.click()


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [620, 812, 1400])
def test_nothing_is_cut_at_any_size(
    installed, choices: Choices, qtbot, scale: float, width: int
) -> None:
    installed.scale = scale
    page = SettingsPage(installed, choices)
    qtbot.addWidget(page)
    page.resize(width, 700)
    with qtbot.waitExposed(page):
        page.show()
    area = page.findChild(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0
    for row in page.rows.values():
        for text in (row._title, row._description):
            assert text.height() >= text.heightForWidth(text.width()) > 0
        assert row._control.geometry().right() <= row.width()
