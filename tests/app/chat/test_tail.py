"""The line that is being written does not flicker."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat.tail import settled


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("text\n-", "text\n"),
        ("text\n--", "text\n"),
        ("text\n=", "text\n"),
        ("1. a\n2", "1. a\n"),
        ("- [ ", ""),
        ("#", ""),
        ("a **bold", "a **bold**"),
        ("a **bold*", "a **bold**"),
        ("a **", "a "),
        ("a *it", "a *it*"),
        ("a `co", "a `co`"),
        ("a `", "a "),
        ("a ``x` y", "a ``x` y``"),
        ("a ~~gone", "a ~~gone~~"),
        ("**a *b", "**a *b***"),
        ("**done** and *it*", "**done** and *it*"),
        ("snake_case_name", "snake_case_name"),
        ("5*3", "5*3"),
        ("2 * 3", "2 * 3"),
        ("see [the page](http://exa", "see the page"),
        ("see ![a cat](file:///c", "see a cat"),
        ("see [the page](http://example.org)", "see [the page](http://example.org)"),
        (r"\*not", r"\*not"),
        ("`**` and **b", "`**` and **b**"),
        ("**a `b", "**a `b`**"),
        ("plain\n**closed** line\nand so on", "plain\n**closed** line\nand so on"),
    ],
)
def test_what_is_open_is_closed_and_what_is_undecided_waits(written: str, shown: str) -> None:
    assert settled(written) == shown


@given(st.text("ab *_`~[]()\\\n", max_size=30))
def test_words_are_never_lost(text: str) -> None:
    def words(line: str) -> str:
        return "".join(letter for letter in line if letter in "ab")

    if "](" not in text:  # an address that is being written is hidden
        assert words(settled(text)) == words(text)
