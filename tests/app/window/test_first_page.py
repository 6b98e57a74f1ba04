"""The window at its start: the first page, what was wrong with files, what was hidden before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app import firststart
from app.cards import Offer
from app.chat.model import USER
from app.pairs import Pair
from app.phases import Phase
from app.window import Window
from tests.app.window.conftest import damage_history
from tests.app.windows import OpenWindow, until, until_phase
from tests.support.tidy import ExpectLog
from tests.support.tiny_models import Tiny, write_tiny


@pytest.fixture(name="pair")
def model_files(tmp_path: Path) -> Pair:
    """Outside of the folder for models: the next start does not find them by itself."""
    return Pair(write_tiny(tmp_path / "target.gguf", Tiny()))


def offers_models(window: Window) -> bool:
    """Whether the first page is there, in place of the chat and the box to write in."""
    is_first = window.chat.stack.currentWidget() is window.chat.first
    assert is_first is not window.chat.composer.isVisible()
    return is_first


def test_a_first_load_that_fails_leaves_the_first_page_and_says_why(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--fail-load", "LoadFailed")
    window.start()
    window.opener.load(pair)
    assert not offers_models(window)
    until_phase(window, Phase.EMPTY)
    assert offers_models(window)
    card = window.chat.cards.card
    assert card is not None
    assert card.offers[:2] == (Offer.OPEN, Offer.RELOAD)
    assert window.chat.cards.isVisible()


def test_a_first_load_that_is_given_up_leaves_the_first_page(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--load", "5")
    window.start()
    window.opener.load(pair)
    until(lambda: window.topbar.loading.bar.value() > 0)
    window.topbar.loading.cancel.click()
    until_phase(window, Phase.EMPTY)
    assert offers_models(window)


def test_an_engine_that_dies_of_the_first_load_leaves_the_first_page(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window("--load", "5")
    window.start()
    window.opener.load(pair)
    until(lambda: window.topbar.loading.bar.value() > 0)
    window.parts.bridge.kill()
    until_phase(window, Phase.LOST)
    assert offers_models(window)
    assert window.chat.cards.buttons[Offer.RELOAD].isVisible()


def test_a_model_named_at_the_start_that_is_none_leaves_the_first_page(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    path = tmp_path / "page.gguf"
    path.write_bytes(b"<!DOCTYPE html>")
    window = open_window()
    window.start(path)
    until(lambda: window.chat.cards.card is not None)
    assert "web page" in window.chat.cards.card.sentence
    assert offers_models(window)


def test_once_a_model_was_there_the_first_page_is_over(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window()
    window.start()
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    window.parts.life.unload()
    until_phase(window, Phase.EMPTY)
    assert not offers_models(window)


def test_a_chat_with_messages_can_be_read_without_a_model(open_window: OpenWindow) -> None:
    window = open_window()
    window.start()
    store = window.parts.conversations.store
    chat = store.create()
    store.add(chat.id, USER, "Hello")
    window.parts.conversations.open(chat.id)
    assert not offers_models(window)
    window.parts.conversations.begin()
    assert offers_models(window)


def test_the_computer_is_not_looked_at_for_a_page_that_nobody_sees(
    open_window: OpenWindow, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firststart, "_AFTER", 0)
    window = open_window("--load", "0.3")
    surveyor = window.parts.models.surveyor
    window.start()
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    assert surveyor._job is None


def test_a_damaged_database_is_said_until_a_person_closes_it(
    open_window: OpenWindow, own_folders: Path, pair: Pair
) -> None:
    damage_history(own_folders)
    window = open_window()
    window.start()
    window.open_files([pair.target])
    until_phase(window, Phase.READY)
    window.parts.session.send("Hello")
    until_phase(window, Phase.READY)
    card = window.chat.cards.card
    assert card is not None
    assert "set aside" in card.sentence
    window.chat.cards.close_button.click()
    window.parts.session.send("Again")
    until_phase(window, Phase.READY)
    assert window.chat.cards.card is None


@pytest.mark.parametrize("pane", ["sidebar", "panel"])
def test_a_pane_that_was_hidden_stays_hidden(open_window: OpenWindow, pane: str) -> None:
    window = open_window()
    window.resize(1280, 800)
    window.actions_[f"view.{pane}"].trigger()
    window.close()
    again = open_window()
    again.resize(1280, 800)
    shown = {name: getattr(again, name).isVisible() for name in ("sidebar", "panel")}
    assert shown == {"sidebar": pane != "sidebar", "panel": pane != "panel"}
    assert again.actions_[f"view.{pane}"].isChecked() is False
    again.actions_[f"view.{pane}"].trigger()
    assert getattr(again, pane).isVisible()


def test_texts_dropped_on_the_first_page_wait_for_the_first_message(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    names = [f"{number}.txt" for number in range(3)]
    for name in names:
        (tmp_path / name).write_text("milk")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    window = open_window()
    window.start()
    window.open_files([tmp_path / name for name in (*names, "picture.png")])
    assert [each.name for each in window.chat.composer.attachments] == names
    card = window.chat.cards.card
    assert card is not None
    assert card.sentence == "3 files go with your first message, once a model is loaded."
    until(lambda: "picture.png" in window.chat.cards.card.sentence)
    assert "3 files" in window.chat.cards.card.sentence


def test_a_pane_that_is_asked_for_in_a_narrow_window_leaves_the_bar_whole(
    open_window: OpenWindow,
) -> None:
    window = open_window()
    window.resize(640, 600)
    for pane in ("sidebar", "panel", "panel"):
        window.actions_[f"view.{pane}"].trigger()
        QApplication.processEvents()
        assert window.topbar.width() >= window.topbar.minimumSizeHint().width()
        assert window.sheet.geometry().right() <= window.width()
