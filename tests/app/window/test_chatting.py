"""Messages and replies in the window."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from app.pairs import Pair
from app.phases import Mode, Phase
from tests.app.windows import SLOW, OpenWindow, ask, said, state, trigger, until, until_phase, write
from tests.support.fake_engine import REPLY


def test_settings_that_cannot_be_saved_are_said_whatever_changed_them(
    open_window: OpenWindow, own_folders: Path
) -> None:
    own_folders.mkdir(exist_ok=True)
    (own_folders / "config").write_text("in the way of a folder")
    window = open_window()
    trigger(window, "view.larger")
    card = window.chat.cards.card
    assert card is not None
    assert "cannot be saved" in card.sentence
    assert window.theme.scale > 1


def test_a_message_is_answered_and_its_figures_stand_under_it(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(pair=pair)
    ask(window, "Write a function")
    assert said(window) == [("user", "Write a function"), ("assistant", REPLY)]
    row = window.chat.transcript._rows[-1]
    assert "tokens/s" in row.footer()
    assert "% accepted" in row.footer()
    assert window.windowTitle() == "Write a function – Foreword"
    assert window.panel.facts.run.figures.tokens > 0
    window.grab()


def test_what_is_typed_while_loading_is_kept_and_sent_later(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--load", "0.3")
    window.opener.load(pair)
    write(window, "Too early")
    assert window.chat.composer.text == "Too early"
    until_phase(window, Phase.READY)
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Return)
    assert window.chat.composer.text == ""
    until_phase(window, Phase.READY)
    assert said(window)[0] == ("user", "Too early")


def test_sending_twice_quickly_sends_once_and_loses_nothing(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, pair=pair)
    write(window, "One")
    write(window, "Two")
    assert window.chat.composer.text == "Two"
    trigger(window, "reply.stop")
    until_phase(window, Phase.READY)
    assert [text for role, text in said(window) if role == "user"] == ["One"]


def test_stop_is_seen_at_once_and_the_engine_is_idle_soon(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--prompt", "5", pair=pair)
    write(window, "A long prompt")
    until(lambda: "prompt" in window.chat.transcript._rows[-1].status)
    began = time.monotonic()
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Escape)
    assert window.parts.session.phase is Phase.STOPPING
    assert time.monotonic() - began < 0.05
    assert not window.actions_["reply.regenerate"].isEnabled()
    until_phase(window, Phase.READY)
    assert time.monotonic() - began < 0.5
    assert state(window) == "stopped"


def test_the_window_lives_while_a_prompt_is_read(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--prompt", "0.6", pair=pair)
    ticks: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    timer.start()
    ask(window)
    timer.stop()
    gaps = [later - earlier for earlier, later in pairwise(ticks)]
    assert max(gaps) < 0.3  # 0.1 on a machine of one's own


def test_a_reply_is_written_anew_edited_and_gone_on_with(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "First.", "--reply", "Second.", "--reply", "Third.", pair=pair)
    ask(window, "Hello")
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]
    window.chat.transcript.edit.emit(window.parts.session.views()[0].id, "Good day")
    until_phase(window, Phase.READY)
    assert said(window) == [("user", "Good day"), ("assistant", "Third.")]
    trigger(window, "edit.undo-delete")
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]


def test_versions_are_paged_through_by_keys_from_the_message_box(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "First.", "--reply", "Second.", pair=pair)
    ask(window, "Hello")
    earlier, later = window.actions_["reply.earlier"], window.actions_["reply.later"]
    assert (earlier.isEnabled(), later.isEnabled()) == (False, False)
    trigger(window, "reply.regenerate")
    assert (earlier.isEnabled(), later.isEnabled()) == (False, False)
    until_phase(window, Phase.READY)
    assert (earlier.isEnabled(), later.isEnabled()) == (True, False)
    box = window.chat.composer.box
    box.setPlainText("one two")
    box.setFocus()
    alt = Qt.KeyboardModifier.AltModifier
    QTest.keyClick(box, Qt.Key.Key_Comma, alt)
    assert said(window) == [("user", "Hello"), ("assistant", "First.")]
    assert (earlier.isEnabled(), later.isEnabled()) == (False, True)
    QTest.keyClick(box, Qt.Key.Key_Period, alt)
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]
    assert (box.toPlainText(), box.hasFocus()) == ("one two", True)


def test_while_a_comparison_is_shown_there_is_nothing_to_page_through(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(pair=pair)
    ask(window, "Hello")
    window.parts.session.choose_mode(Mode.COMPARE)
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert window.chat.stack.currentWidget() is window.chat.compare
    assert not window.actions_["reply.earlier"].isEnabled()
    window.parts.session.keep("plain")
    assert window.actions_["reply.earlier"].isEnabled()
    window.show_page("settings")
    assert not window.actions_["reply.earlier"].isEnabled()


def test_a_stopped_reply_goes_on(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--reply", "word ", "--repeat", "40", "--pace", "0.02", pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    trigger(window, "reply.stop")
    until_phase(window, Phase.READY)
    begun = said(window)[-1][1]
    trigger(window, "reply.continue")
    until(lambda: len(said(window)[-1][1]) > len(begun) + 20)
    until_phase(window, Phase.READY)
    assert said(window)[-1][1].startswith(begun)
    assert len(said(window)) == 2
    assert state(window) == "complete"


def test_a_message_is_deleted_and_had_back(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window)
    window.chat.transcript.delete.emit(window.parts.session.views()[0].id)
    assert [role for role, _text in said(window)] == ["assistant"]
    assert window.chat.undo_bar.isVisible()
    window.chat.undo_bar.button.click()
    assert [role for role, _text in said(window)] == ["user", "assistant"]


def test_markup_is_shown_as_it_was_written(open_window: OpenWindow, pair: Pair) -> None:
    reply = "<script>alert(1)</script> and <style> unclosed"
    window = open_window("--reply", reply, pair=pair)
    ask(window, "<this could be HTML>")
    assert said(window) == [("user", "<this could be HTML>"), ("assistant", reply)]
    window.grab()


def test_a_prompt_that_is_too_long_comes_back_with_both_numbers(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window()
    window.parts.choices.choose("n_ctx", 64)
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    long = "word " * 100
    ask(window, long)
    assert window.chat.composer.text == long.strip()
    assert said(window) == []
    card = window.chat.cards.card
    assert card is not None
    assert "64" in card.sentence
    assert "100" in card.sentence


@pytest.mark.parametrize("error", ["DecodeFailed", "BrokenLogits", "ContextFailed"])
def test_an_error_is_one_card_and_the_chat_goes_on(
    open_window: OpenWindow, pair: Pair, error: str
) -> None:
    window = open_window("--fail", error, pair=pair)
    ask(window)
    card = window.chat.cards.card
    assert card is not None
    assert window.chat.cards.isVisible()
    assert said(window)[0] == ("user", "Hello")
    window.chat.cards.close_button.click()
    assert not window.chat.cards.isVisible()
    window.grab()
