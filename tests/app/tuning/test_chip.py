"""Advice in a chat: when it is there, what it says, and what a press does."""

from __future__ import annotations

from random import Random

import pytest

from app.phases import Mode
from app.theme import Theme
from app.tuning.chip import AdviceChip
from app.tuning.tuner import Tuner
from engine.protocol import Chat, Tuned
from tests.app.windows import Desk
from tests.support.conversations import reply
from tests.support.tuned import CPU, RECORD


@pytest.fixture
def chip(theme: Theme, desk: Desk, tuner: Tuner, qtbot) -> AdviceChip:
    chip = AdviceChip(theme, desk.session)
    qtbot.addWidget(chip)
    desk.load()
    tuner.begin()
    desk.bridge.tell(Tuned(RECORD))
    return chip


def talk(desk: Desk, alpha: float, replies: int = 4, gamma: int | None = None) -> None:
    """Replies whose drafted tokens pass with chance ``alpha``."""
    random = Random(5)
    for number in range(replies):
        assert desk.session.send(f"Message {number}")
        asked = desk.bridge.of(Chat)[-1].options.gamma
        figures = reply(random, CPU, asked if gamma is None else gamma, alpha, 96)
        desk.bridge.finish("A reply.", figures=figures)


def test_a_faster_gamma_is_named_with_its_gain_and_its_interval(
    chip: AdviceChip, desk: Desk
) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    assert not chip.isHidden()
    assert chip.button.text().startswith("γ = 3 would be about ")
    assert chip.button.text().endswith("\u00a0% faster for this conversation")
    assert "nine times in ten" in chip.button.accessibleDescription()
    assert "Between" in chip.button.toolTip()


def test_a_press_applies_it_to_the_next_reply(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    chip.button.click()
    assert desk.session.settings.gamma == 3
    assert chip.isHidden()
    desk.session.send("Go on")
    assert desk.bridge.of(Chat)[-1].options.gamma == 3


def test_plain_decoding_is_advised_in_words(chip: AdviceChip, desk: Desk) -> None:
    talk(desk, 0.1)
    assert chip.button.text().startswith("Plain decoding would be about ")
    chip.button.click()
    assert desk.session.gamma == 0


def test_nothing_is_said_where_the_best_is_in_force(chip: AdviceChip, desk: Desk) -> None:
    talk(desk, 0.8)
    assert chip.isHidden()


def test_gamma_stays_fixed_unless_it_is_pressed(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8, 6)
    assert {chat.options.gamma for chat in desk.bridge.of(Chat)} == {8}


def test_put_away_it_stays_so_until_another_gamma_is_named(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    chip.close_button.click()
    assert chip.isHidden()
    talk(desk, 0.8, 2)
    assert chip.isHidden()
    talk(desk, 0.02, 8)
    assert not chip.isHidden()
    assert chip.advice is not None
    assert chip.advice.gamma == 0


def test_it_belongs_to_its_chat(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    assert desk.conversations.current is not None
    number = desk.conversations.current.id
    desk.conversations.begin()
    assert chip.isHidden()
    desk.conversations.open(number)
    assert not chip.isHidden()


def test_it_belongs_to_its_chat_while_a_reply_is_written_too(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    assert desk.conversations.current is not None
    talking = desk.conversations.current.id
    desk.session.send("Go on")
    desk.conversations.begin()
    assert chip.isHidden()
    desk.conversations.open(talking)
    assert not chip.isHidden()


def test_what_is_put_away_in_one_chat_stays_so_whatever_is_in_another(
    chip: AdviceChip, desk: Desk
) -> None:
    desk.session.choose_gamma(8)
    numbers = []
    for _ in range(2):
        desk.conversations.begin()
        talk(desk, 0.8)
        assert desk.conversations.current is not None
        numbers.append(desk.conversations.current.id)
        assert not chip.isHidden()
        chip.close_button.click()
    for number in numbers:
        desk.conversations.open(number)
        assert chip.isHidden()


@pytest.mark.parametrize("button", ["button", "close_button"])
def test_a_press_is_heard_while_a_reply_is_written(
    chip: AdviceChip, desk: Desk, button: str
) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    desk.session.send("Go on")
    getattr(chip, button).click()
    assert chip.isHidden()
    assert desk.session.gamma == (3 if button == "button" else 8)


def test_nothing_moves_while_a_reply_is_written(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    shown = chip.button.text()
    desk.session.send("Go on")
    assert not chip.isHidden()
    assert chip.button.text() == shown


def test_with_auto_there_is_none(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(8)
    talk(desk, 0.8)
    desk.session.choose_auto(True)
    assert chip.isHidden()


def test_in_plain_mode_a_press_drafts_again(chip: AdviceChip, desk: Desk) -> None:
    talk(desk, 0.9)
    desk.session.choose_mode(Mode.PLAIN)
    assert not chip.isHidden()
    chip.button.click()
    assert desk.session.mode is Mode.SPECULATIVE
    assert desk.session.gamma > 0


def test_auto_chooses_each_replys_gamma_and_the_reply_says_so(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_auto(True)
    talk(desk, 0.05, 5)
    asked = [chat.options.gamma for chat in desk.bridge.of(Chat)]
    assert asked[0] == RECORD.gamma
    assert asked[-1] == 0
    figures = desk.session.views()[-1].figures
    assert figures is not None
    assert (figures["by_auto"], figures["gamma"]) == (True, 0)


def test_a_gamma_of_the_users_ends_auto(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_auto(True)
    desk.session.choose_gamma(5)
    assert not desk.session.settings.auto_gamma
    assert desk.session.gamma == 5


def test_a_gamma_fixed_in_the_settings_ends_auto_too(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_auto(True)
    desk.session.choices.choose("gamma", 5)
    assert desk.session.gamma == 5


def test_the_gamma_that_is_fixed_already_ends_auto_too(chip: AdviceChip, desk: Desk) -> None:
    desk.session.choose_gamma(5)
    desk.session.choose_auto(True)
    desk.session.choose_gamma(5)
    assert desk.session.gamma == 5


def test_without_a_tuning_auto_waits_and_the_guess_holds(desk: Desk) -> None:
    desk.load()
    desk.session.choose_auto(True)
    assert desk.session.auto is None
    assert desk.session.gamma == 3
