"""One table of actions: complete, without collisions, enabled when it makes sense."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.actions import (
    ACTIONS,
    Actions,
    Fact,
    Menu,
    hints,
    keys_of,
    plain_title,
    sequences,
    shown,
)
from engine import paths


@pytest.fixture
def window(qtbot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def actions(theme, window: QMainWindow) -> Actions:
    return Actions(theme, window)


def enabled(actions: Actions) -> set[str]:
    return {row.id for row, action in actions if action.isEnabled()}


def test_ids_are_unique_and_named_after_their_place() -> None:
    assert len({row.id for row in ACTIONS}) == len(ACTIONS)
    assert all("." in row.id for row in ACTIONS)


def test_no_key_does_two_things_at_once() -> None:
    uses = Counter(keys for row in ACTIONS for keys in sequences(row.keys))
    twice = {shown(keys) for keys, count in uses.items() if count > 1}
    assert twice == {"Esc"}  # stops the reply in the chat, closes a page over it: never both
    stop, back = (
        next(row for row in ACTIONS if row.id == id_) for id_ in ("reply.stop", "view.back")
    )
    assert Fact.CHAT_SHOWN in stop.when
    assert Fact.PAGE_SHOWN in back.when


def test_no_key_takes_what_a_text_box_needs() -> None:
    needed = {"Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X", "Return", "Backspace", "Del", "Up", "Down"}
    taken = {keys.toString() for row in ACTIONS for keys in sequences(row.keys)}
    assert not needed & taken


def test_no_key_of_the_chat_walks_through_words() -> None:
    """As Alt with an arrow does on a Mac, Ctrl with one elsewhere."""
    walking = {f"{key}+{arrow}" for key in ("Alt", "Ctrl") for arrow in ("Left", "Right")}
    in_chat = [row for row in ACTIONS if Fact.PAGE_SHOWN not in row.when]
    assert not walking & {keys.toString() for row in in_chat for keys in sequences(row.keys)}


def test_a_version_can_be_chosen_only_in_the_chat_at_rest(actions: Actions) -> None:
    versions = {"reply.earlier", "reply.later"}
    both = {Fact.EARLIER, Fact.LATER}
    actions.set_facts(both | {Fact.CHAT_SHOWN, Fact.IDLE})
    assert versions <= enabled(actions)
    for facts in ({Fact.CHAT_SHOWN}, {Fact.IDLE}):
        actions.set_facts(both | facts)
        assert not versions & enabled(actions)
    actions.set_facts({Fact.CHAT_SHOWN, Fact.IDLE, Fact.LATER})
    assert versions & enabled(actions) == {"reply.later"}


def test_menus_are_filled_from_the_table(actions: Actions, window: QMainWindow) -> None:
    actions.fill(window.menuBar())
    menus = [action.menu() for action in window.menuBar().actions()]
    assert len(menus) == len(Menu)
    listed = [item.objectName() for menu in menus for item in menu.actions() if item.text()]
    assert listed == [row.id for row in ACTIONS]


def test_a_menus_letters_are_unique() -> None:
    for menu, rows in groupby(ACTIONS, key=lambda row: row.menu):
        letters = [row.title.split("&")[1][0].lower() for row in rows if "&" in row.title]
        assert len(set(letters)) == len(letters), menu


def test_rows_of_a_menu_stand_together() -> None:
    menus = [menu for menu, _rows in groupby(ACTIONS, key=lambda row: row.menu)]
    assert menus == list(Menu)
    for _menu, rows in groupby(ACTIONS, key=lambda row: row.menu):
        groups = [row.group for row in rows]
        assert groups == sorted(groups)


@pytest.mark.parametrize("row", [row for row in ACTIONS if row.icon], ids=lambda row: row.id)
def test_its_icon_is_there(row) -> None:
    assert paths.asset(f"icons/{row.icon}.svg").is_file()


def test_macos_knows_where_to_put_what_it_has_a_place_for(actions: Actions) -> None:
    roles = {action.menuRole(): row.id for row, action in actions if action.menuRole() != _NONE}
    assert roles == {
        QAction.MenuRole.PreferencesRole: "app.settings",
        QAction.MenuRole.QuitRole: "app.quit",
        QAction.MenuRole.AboutRole: "help.about",
    }


_NONE = QAction.MenuRole.NoRole


def test_without_any_fact_only_what_always_works_is_enabled(actions: Actions) -> None:
    actions.set_facts(())
    able = enabled(actions)
    assert {"chat.new", "app.settings", "app.quit", "view.palette", "mode.plain"} <= able
    assert not {"reply.stop", "reply.regenerate", "mode.speculative", "edit.undo-delete"} & able


def test_regenerate_waits_until_nothing_is_written(actions: Actions) -> None:
    there = {Fact.CHAT_SHOWN, Fact.READY, Fact.CONVERSATION, Fact.QUESTION, Fact.REPLY}
    actions.set_facts(there | {Fact.BUSY})
    assert "reply.regenerate" not in enabled(actions)
    assert "reply.stop" in enabled(actions)
    actions.set_facts(there | {Fact.IDLE})
    assert "reply.regenerate" in enabled(actions)
    assert "reply.stop" not in enabled(actions)


def test_a_reply_to_no_message_is_not_regenerated(actions: Actions) -> None:
    actions.set_facts(set(Fact) - {Fact.QUESTION})
    assert "reply.regenerate" not in enabled(actions)


def test_speculation_needs_a_pair(actions: Actions) -> None:
    actions.set_facts({Fact.READY, Fact.PAIR})
    assert {"mode.speculative", "mode.compare", "gamma.more"} <= enabled(actions)


def test_choosing_tells_the_id_and_the_state(actions: Actions) -> None:
    told: list[tuple[str, bool]] = []
    actions.chosen.connect(lambda id_, on: told.append((id_, on)))
    actions["chat.new"].trigger()
    actions["view.panel"].trigger()
    actions["view.panel"].trigger()
    assert told == [("chat.new", False), ("view.panel", True), ("view.panel", False)]


def test_of_a_set_one_is_on(actions: Actions) -> None:
    actions.set_facts(Fact)
    actions["theme.dark"].trigger()
    actions["theme.light"].trigger()
    assert not actions["theme.dark"].isChecked()
    assert actions["theme.light"].isChecked()


def test_checking_tells_nobody(actions: Actions) -> None:
    told: list[str] = []
    actions.chosen.connect(lambda id_, on: told.append(id_))
    actions.check("view.tint")
    assert actions["view.tint"].isChecked()
    assert told == []


def test_a_small_menu_of_some(actions: Actions, window: QMainWindow) -> None:
    menu = actions.menu(window, ["chat.rename", None, "chat.delete"])
    assert [item.objectName() for item in menu.actions()] == ["chat.rename", "", "chat.delete"]
    assert menu.actions()[1].isSeparator()


def test_titles_for_palette_and_page_are_plain(actions: Actions) -> None:
    assert plain_title(actions["models.open"]) == "Open a model file"


def test_the_first_keys_of_an_action_are_found_by_its_name(actions: Actions) -> None:
    assert keys_of("view.sidebar") == shown("Ctrl+B")
    assert keys_of("gamma.more") == shown("Alt++")
    assert keys_of("chat.delete") == keys_of("") == ""


def test_hints_name_keys_that_exist() -> None:
    assert all(not QKeySequence(hint.keys).isEmpty() for hint in hints())


def test_of_the_keys_that_a_system_has_for_something_the_first_is_taken(actions: Actions) -> None:
    assert [shown(keys) for keys in actions["edit.undo-delete"].shortcuts()] == [shown("Ctrl+Z")]
