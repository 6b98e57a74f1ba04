"""The line under a reply."""

from __future__ import annotations

import pytest

from app.chat.figures import figures_line, joined, state_words
from app.chat.model import EntryView
from app.chat.rows import Row
from app.panel.worth import ENOUGH_TOKENS

FIGURES = {"tokens_per_second": 16.42, "drafted": 300, "acceptance_rate": 0.923, "tokens": 1214}


def test_the_line_says_what_is_known() -> None:
    assert figures_line(FIGURES, 1.153) == (
        "16.4 tokens/s  ·  92\u00a0% accepted  ·  1.15× plain  ·  1,214 tokens"
    )
    assert figures_line({"tokens_per_second": 123.4, "tokens": 1}) == "123 tokens/s  ·  1 token"
    assert figures_line({**FIGURES, "speed_up": 0.87}).count("0.87× plain") == 1
    assert figures_line(None) == ""


def test_a_short_reply_is_not_held_against_plain() -> None:
    short = {**FIGURES, "tokens": ENOUGH_TOKENS - 1}
    assert "plain" not in figures_line(short, 1.153)
    assert "plain" not in figures_line({**short, "speed_up": 1.2})
    assert "plain" in figures_line({**short, "tokens": ENOUGH_TOKENS}, 1.153)


@pytest.mark.parametrize("state", ["stopped", "length", "lost", "writing"])
def test_every_unhappy_end_is_said(state: str) -> None:
    row = Row(EntryView(1, "assistant", "x", state, FIGURES))
    assert row.footer() == joined(state_words(state), figures_line(FIGURES))
    assert state_words(state)


def test_a_happy_end_needs_no_words() -> None:
    assert state_words("complete") == ""
    assert Row(EntryView(1, "user", "x", figures=FIGURES)).footer() == ""
