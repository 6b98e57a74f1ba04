"""Colours for code, a slice at a time."""

from __future__ import annotations

import pytest

from app.chat.highlight import TOO_LONG, Colouring
from app.theme import Role


def coloured(text: str, language: str) -> list[tuple[str, Role]]:
    colouring = Colouring(text, language)
    while not colouring.run():
        pass
    return [(text[start:end], role) for start, end, role in colouring.found]


def test_words_have_their_colours() -> None:
    assert coloured("def f(): return 'x'  # y", "python") == [
        ("def", Role.CODE_KEYWORD),
        ("f", Role.CODE_NAME),
        ("return", Role.CODE_KEYWORD),
        ("'", Role.CODE_STRING),
        ("x", Role.CODE_STRING),
        ("'", Role.CODE_STRING),
        ("# y", Role.CODE_COMMENT),
    ]


def test_an_unknown_language_is_plain() -> None:
    assert coloured("def f(): pass", "klingon") == []
    assert coloured("def f(): pass", "") == []


def test_what_is_too_long_is_plain() -> None:
    assert coloured("x = 1\n" * (TOO_LONG // 5), "python") == []


@pytest.mark.parametrize(
    "between", [" ", "\n", ";" * 100], ids=["a line of words", "lines of words", "a long line"]
)
def test_what_some_lexers_take_too_long_for_is_plain(between: str) -> None:
    assert coloured(between.join(["class"] * 500), "java") == []
    assert coloured(between.join(["class"] * 10), "java") != []


def test_a_pass_can_be_done_in_many_turns() -> None:
    text = "value = compute(1, 'two')  # three\n" * 200
    colouring, turns = Colouring(text, "python"), 1
    while not colouring.run(seconds=0):
        turns += 1
    assert turns > 10
    assert colouring.found == [
        (text.index("1"), text.index("1") + 1, Role.CODE_NUMBER),
        *colouring.found[1:],
    ]
    assert colouring.seconds > 0
