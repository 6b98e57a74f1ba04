"""What a chat has of its own, and what it takes from the settings."""

from __future__ import annotations

import pytest

from app.asking import OWN as ASKED
from app.controls import IconButton
from app.settings.chat_page import OWN, ChatPage
from app.settings.choices import Choices

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def choices(qapp) -> Choices:
    return Choices()


@pytest.fixture
def page(theme, choices: Choices, qtbot) -> ChatPage:
    page = ChatPage(theme, choices)
    qtbot.addWidget(page)
    return page


def shown(page: ChatPage, name: str) -> str:
    return page.rows[name].field.text()


def test_it_offers_what_a_chat_may_have_of_its_own() -> None:
    assert set(OWN) == set(ASKED)


def test_the_own_is_shown_before_the_usual(page: ChatPage, choices: Choices) -> None:
    choices.choose("top_k", 12)
    page.show_chat("Be terse.", {"temperature": 0.1})
    assert shown(page, "temperature") == "0.1"
    assert shown(page, "top_k") == "12"
    choices.choose("temperature", 0.9)
    choices.choose("top_k", 13)
    assert shown(page, "temperature") == "0.1"
    assert shown(page, "top_k") == "13"


def test_what_is_chosen_becomes_the_chats_own(page: ChatPage, qtbot) -> None:
    page.show_chat("", {})
    with qtbot.waitSignal(page.own_chosen) as told:
        page.rows["seed"].chosen.emit("seed", 7)
    assert told.args == [{"seed": 7}]


def test_what_is_as_usual_is_not_its_own(page: ChatPage, qtbot) -> None:
    page.show_chat("", {"seed": 7})
    with qtbot.waitSignal(page.own_chosen) as told:
        page.rows["seed"].chosen.emit("seed", None)
    assert told.args == [{}]


def test_going_back_follows_the_settings(page: ChatPage, choices: Choices, qtbot) -> None:
    choices.choose("top_k", 12)
    page.show_chat("", {"top_k": 3})
    with qtbot.waitSignal(page.own_chosen) as told:
        page.rows["top_k"].reset.emit("top_k")
    assert told.args == [{}]
    assert shown(page, "top_k") == "12"


def test_the_system_prompt_is_told(page: ChatPage, qtbot) -> None:
    page.show_chat("", {})
    with qtbot.waitSignal(page.system_chosen) as told:
        page.system.field._text.setPlainText("Answer in verse.")
    assert told.args == ["Answer in verse."]


def test_without_a_system_prompt_of_its_own_that_of_the_settings_is_shown(
    page: ChatPage, choices: Choices
) -> None:
    page.show_chat("", {})
    field = page.system.field._text
    assert field.placeholderText() == "Nothing yet"
    choices.choose("system", "Be terse.")
    assert field.placeholderText() == "As in the settings: Be terse."
    assert field.toPlainText() == ""
    page.show_chat("Answer in verse.", {})
    back = page.system.findChild(IconButton)
    assert back.accessibleName() == "As in the settings: Be terse."
    choices.choose("system", "東京" * 1000)
    assert field.placeholderText().endswith("東京東…")
    choices.choose("system", "")
    assert field.placeholderText() == "Nothing yet"
    assert back.accessibleName() == "As in the settings: nothing"


@pytest.mark.parametrize(
    ("name", "wrong"), [("think", "perhaps"), ("think", [1]), ("temperature", "hot"), ("seed", {})]
)
def test_a_value_that_makes_no_sense_is_shown_as_wrong_and_can_be_left(
    page: ChatPage, qtbot, name: str, wrong: object
) -> None:
    page.show_chat("", {name: wrong})
    row = page.rows[name]
    assert row.trouble
    if name == "think":
        assert row.field.choice() is None
    with qtbot.waitSignal(page.own_chosen) as told:
        row.reset.emit(name)
    assert told.args == [{}]
    assert row.trouble == ""


def test_showing_a_chat_tells_nothing(page: ChatPage) -> None:
    told: list[object] = []
    page.own_chosen.connect(told.append)
    page.system_chosen.connect(told.append)
    page.show_chat("Be terse.", {"temperature": 0.1})
    page.show_chat("", {})
    assert told == []
