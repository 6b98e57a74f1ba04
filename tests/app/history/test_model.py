"""Titles from messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history.model import TITLE_LENGTH, title_of


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Hello", "Hello"),
        ("\n\n  two   words \nmore", "two words"),
        ("## A heading", "A heading"),
        ("> - quoted item", "quoted item"),
        ("```python\nprint()\n```", "print()"),
        ("-5 + 3?", "-5 + 3?"),
        ("#hashtag", "#hashtag"),
        ("a\tb\x00c", "a b c"),
        ("", ""),
        (" \n ```\n", ""),
    ],
)
def test_the_first_line_that_says_something_is_the_title(message, title) -> None:
    assert title_of(message) == title


def test_a_long_line_is_cut_at_a_word() -> None:
    title = title_of("Please explain speculative decoding to me as if I were a child of ten years")
    assert title == "Please explain speculative decoding to me as if I were a…"


def test_a_long_line_without_spaces_is_cut_where_it_must_be() -> None:
    assert title_of("東" * 100) == "東" * (TITLE_LENGTH - 1) + "…"
    assert title_of("x" * 200_000) == "x" * (TITLE_LENGTH - 1) + "…"


@given(st.text())
def test_a_title_is_one_short_line(message) -> None:
    title = title_of(message)
    assert len(title) <= TITLE_LENGTH
    assert title == " ".join(title.split())
