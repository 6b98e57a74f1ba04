"""The pages over the chat, and the chat that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMainWindow

from app.actions import Actions
from app.pages import Pages
from app.theme import Theme
from tests.app.windows import Desk
from tests.support.tuned import RECORD


@pytest.fixture(name="desk")
def desk_of_the_test(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    desk.load()
    yield desk
    desk.conversations.close()


@pytest.fixture(name="pages")
def pages_over_a_chat(desk: Desk, installed: Theme, qtbot) -> Pages:
    window = QMainWindow()
    qtbot.addWidget(window)
    choices = desk.session.choices
    pages = Pages(installed, choices, Actions(installed, window), desk.session)
    qtbot.addWidget(pages)
    return pages


def opened(desk: Desk, text: str) -> int:
    """Another chat."""
    desk.conversations.begin()
    desk.say(text)
    assert desk.conversations.current is not None
    return desk.conversations.current.id


def test_settings_that_wait_for_a_load_say_so_until_it_came(desk: Desk, pages: Pages) -> None:
    pages.show_page("settings")
    page: Any = pages.currentWidget()
    desk.session.choices.choose("threads", 3)
    desk.life.adopt(RECORD)  # a tuning is over: nothing was loaded
    assert not page._reload.isHidden()
    desk.life.reload(desk.session.settings)
    desk.bridge.be_ready()
    assert page._reload.isHidden()


def test_the_settings_page_follows_the_open_chat(desk: Desk, pages: Pages) -> None:
    first, second = opened(desk, "One"), opened(desk, "Two")
    desk.conversations.open(first)
    pages.show_page("chat")
    page: Any = pages.currentWidget()
    page.own_chosen.emit({"temperature": 0.25})
    page.system.field._text.setPlainText("Be brief.")
    desk.conversations.open(second)
    assert page.system.field._text.toPlainText() == ""
    page.rows["top_k"].chosen.emit("top_k", 7)
    desk.conversations.open(first)
    assert page.system.field._text.toPlainText() == "Be brief."
    store = desk.conversations.store
    assert store.conversation(first).settings == {"temperature": 0.25}
    assert store.conversation(second).settings == {"top_k": 7}
    assert store.conversation(second).system == ""
