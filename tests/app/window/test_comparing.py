"""A comparison in the window."""

from __future__ import annotations

from app.pairs import Pair
from app.phases import Phase
from tests.app.windows import SLOW, OpenWindow, ask, said, state, trigger, until, until_phase, write
from tests.support.fake_engine import REPLY


def test_a_comparison_takes_the_place_of_the_chat_until_one_is_kept(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--part-at", "5", "--pace", "0.005", "--plain-pace", "0.005", pair=pair)
    trigger(window, "mode.compare")
    ask(window)
    assert window.chat.stack.currentWidget() is window.chat.compare
    window.grab()
    window.chat.compare.keep.emit("plain")
    assert window.chat.stack.currentWidget() is window.chat.transcript
    assert "otherwise now." in said(window)[-1][1]


def test_writing_on_after_a_comparison_keeps_the_speculative_reply(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--part-at", "5", pair=pair)
    trigger(window, "mode.compare")
    ask(window)
    trigger(window, "mode.plain")
    ask(window, "Next")
    assert [text for _role, text in said(window)] == ["Hello", REPLY, "Next", REPLY]


def test_the_panel_compares_the_last_message(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window)
    window.panel.compare_requested.emit()
    assert window.parts.session.phase is Phase.COMPARING
    until_phase(window, Phase.READY)
    assert window.chat.stack.currentWidget() is window.chat.compare
    assert window.panel.facts.plain_speed is not None


def test_another_chat_can_be_read_while_a_comparison_runs(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--pace", "0.01", "--plain-pace", "0.01", pair=pair)
    trigger(window, "mode.compare")
    write(window, "Hello")
    first = window.parts.conversations.current
    trigger(window, "chat.new")
    assert window.chat.stack.currentWidget() is window.chat.transcript
    until_phase(window, Phase.READY)
    window.parts.conversations.open(first.id)
    assert window.chat.stack.currentWidget() is window.chat.compare


def test_a_comparison_can_be_stopped(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(*SLOW, "--plain-pace", "0.02", pair=pair)
    trigger(window, "mode.compare")
    write(window, "Hello")
    until(lambda: window.parts.session.contest.replies["plain"].text)
    window.chat.compare.stop.emit()
    until_phase(window, Phase.READY)
    assert state(window) == "stopped"
