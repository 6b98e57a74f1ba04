"""What the window keeps and offers when its engine dies."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.cards import Offer
from app.pairs import Pair
from app.phases import Phase
from tests.app.windows import OpenWindow, said, state, trigger, until, until_phase, write
from tests.support.fake_engine import REPLY
from tests.support.tidy import ExpectLog


def test_death_in_mid_reply_keeps_it_and_reload_goes_on(
    open_window: OpenWindow, pair: Pair, tmp_path: Path, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    once = ("--die-once", str(tmp_path / "died"))
    words = "terminate called after throwing an instance of 'std::bad_alloc'"
    window = open_window("--die-after", "3", *once, "--last-words", words, pair=pair)
    write(window, "Hello")
    until_phase(window, Phase.LOST)
    assert said(window)[-1][1].startswith("Here is a small")
    assert state(window) == "lost"
    card = window.chat.cards.card
    assert card is not None
    assert "memory" in card.sentence
    assert window.chat.cards.isVisible()
    window.chat.cards.buttons[Offer.DETAILS].click()
    assert "bad_alloc" in QApplication.clipboard().text()
    window.chat.cards.buttons[Offer.RELOAD].click()
    until_phase(window, Phase.READY)
    assert not window.chat.cards.isVisible()
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert said(window)[-1] == ("assistant", REPLY)


def test_a_worker_that_ends_while_idle_is_started_again_once(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window(pair=pair)
    for _ in range(2):
        window.parts.bridge.kill()
        until(lambda: window.parts.session.phase is not Phase.READY)
        until(lambda: window.parts.session.phase in (Phase.READY, Phase.LOST))
    assert window.parts.session.phase is Phase.LOST
    assert Offer.RELOAD in window.chat.cards.card.offers


def test_a_worker_that_does_not_stop_can_be_forced(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window("--stubborn", "--pace", "0.05", "--repeat", "100", pair=pair)
    window.parts.life._overdue.setInterval(100)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 10)
    trigger(window, "reply.stop")
    until(lambda: window.chat.cards.card is not None)
    window.chat.cards.buttons[Offer.FORCE].click()
    until_phase(window, Phase.LOADING)
    until_phase(window, Phase.READY)
    assert state(window) == "stopped"
    assert not window.chat.cards.isVisible()
