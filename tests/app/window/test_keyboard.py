"""The window by keyboard: areas, panes, pages, the palette, every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from app.pairs import Pair
from app.phases import Mode, Phase
from tests.app.windows import OpenWindow, ask, trigger, until, until_phase


def test_f6_goes_round_the_areas_that_are_shown(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    window.resize(1280, 800)
    window.activateWindow()
    window.chat.composer.focus()
    visited = []
    for _ in range(3):
        trigger(window, "view.next-pane")
        focus = QApplication.focusWidget()
        areas = (window.sidebar, window.sheet, window.panel)
        visited.append(next(area for area in areas if area.isAncestorOf(focus)))
    assert visited == [window.panel, window.sidebar, window.sheet]
    trigger(window, "view.previous-pane")
    assert window.sidebar.isAncestorOf(QApplication.focusWidget())


def test_panes_are_hidden_and_remembered(open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(1280, 800)
    trigger(window, "view.panel")
    trigger(window, "view.sidebar")
    assert not window.panel.isVisible()
    assert not window.sidebar.isVisible()
    window.close()
    again = open_window()
    assert not again.panel.isVisible()
    trigger(again, "view.panel")
    assert again.panel.isVisible()


def test_panes_give_way_where_there_is_no_room_and_come_back(open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(1280, 700)
    assert window.panel.isVisible()
    window.resize(900, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (False, True)
    window.resize(700, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (False, False)
    trigger(window, "view.sidebar")
    assert window.sidebar.isVisible()
    window.resize(1280, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (True, True)


@pytest.mark.parametrize(
    "page", ["app.settings", "chat.settings", "help.shortcuts", "help.network", "help.about"]
)
def test_a_page_lies_over_the_chat_until_escape(open_window: OpenWindow, page: str) -> None:
    window = open_window()
    trigger(window, page)
    assert window.stack.currentWidget() is window.pages
    window.grab()
    assert not window.actions_["reply.stop"].isEnabled()
    trigger(window, "view.back")
    assert window.stack.currentWidget() is window.chat


def test_what_goes_wrong_while_a_page_is_shown_is_said_below_the_page(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--fail-load", "LoadFailed")
    cards = window.chat.cards
    trigger(window, "app.settings")
    window.opener.load(pair)
    until(lambda: cards.card is not None)
    assert cards.isVisible()
    QTest.qWait(20)
    top = cards.mapTo(window.sheet, QPoint(0, 0)).y()
    assert top >= window.pages.mapTo(window.sheet, QPoint(0, window.pages.height())).y()
    trigger(window, "view.back")
    until(lambda: cards.isVisible() and 0 < cards.y() < window.chat.composer.y())
    cards.close_button.click()
    trigger(window, "app.settings")
    assert not cards.isVisible()
    until(lambda: window.pages.geometry().bottom() == window.stack.height() - 1)
    assert window.stack.geometry().bottom() == window.sheet.height() - 2  # its line


def test_what_comes_into_the_chat_is_seen_there(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window(pair=pair)
    ask(window)
    current = window.parts.conversations.current
    exported, notes = tmp_path / "a.json", tmp_path / "notes.txt"
    window.opener.write_chat(current.id, exported, as_markdown=False)
    notes.write_text("milk")
    for come in (
        lambda: window.opener.open_chat(exported),
        lambda: window.open_files([notes]),
        lambda: window.sidebar.deleted.emit(current.id),
        window.panel.compare_requested.emit,
    ):
        trigger(window, "app.settings")
        come()
        assert window.stack.currentWidget() is window.chat
        until_phase(window, Phase.READY)
    trigger(window, "app.settings")
    window.opener.open_chat(notes)
    assert window.chat.cards.card.code == "bad-import"
    assert window.stack.currentWidget() is window.pages


def test_the_settings_of_this_chat_are_kept_with_it(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    trigger(window, "chat.settings")
    page = window.pages.currentWidget()
    page.system_chosen.emit("Be brief.")
    page.own_chosen.emit({"temperature": 0.0})
    current = window.parts.conversations.current
    assert (current.system, current.settings) == ("Be brief.", {"temperature": 0.0})


def test_the_palette_finds_commands(open_window: OpenWindow) -> None:
    window = open_window()
    trigger(window, "view.palette")
    line = window.palette_.findChild(QLineEdit)
    line.setText("keyboard")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is window.pages


def test_text_size_and_colours_follow_the_menu(open_window: OpenWindow) -> None:
    window = open_window()
    trigger(window, "view.larger")
    assert window.theme.scale == pytest.approx(1.1)
    trigger(window, "view.usual-size")
    trigger(window, "theme.dark")
    assert window.theme.dark
    window.grab()
    trigger(window, "theme.system")
    assert window.parts.choices.window.theme == "system"


def test_gamma_and_the_mode_have_keys(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    trigger(window, "gamma.more")
    assert window.parts.session.gamma == 4
    trigger(window, "gamma.less")
    trigger(window, "gamma.auto")
    assert window.parts.choices.engine.gamma is None
    trigger(window, "mode.plain")
    assert window.parts.session.mode is Mode.PLAIN
    window.close()
    assert open_window().parts.session.mode is Mode.PLAIN


def test_the_last_reply_is_copied_and_the_last_message_edited(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "<think>Hm.</think>\n\nYes.", pair=pair)
    ask(window, "Really?")
    trigger(window, "reply.copy")
    assert QApplication.clipboard().text() == "Yes."
    trigger(window, "message.edit")
    assert window.chat.transcript._rows[0].draft == "Really?"


@pytest.mark.parametrize("command", ["chat.import", "models.open", "message.attach"])
def test_a_file_dialog_does_not_stop_the_chat(
    open_window: OpenWindow, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    opened: list[str] = []
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: opened.append(dialog.windowTitle()))
    trigger(window, command)
    assert len(opened) == 1
    for dialog in window.findChildren(QFileDialog):
        dialog.deleteLater()


def test_every_command_of_the_table_does_something(open_window: OpenWindow) -> None:
    window = open_window()
    assert {row.id for row, _action in window.actions_} == set(window.commands._does)
