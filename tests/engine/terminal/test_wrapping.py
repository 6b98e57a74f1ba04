"""Streaming text is broken between words, however it comes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.terminal.wrapping import Wrap

TAKEN_BACK = re.compile(r"\x1b\[(\d+)D\x1b\[K")


def seen(text: str, width: int, size: int = 1) -> list[str]:
    """The lines on a terminal of ``width`` columns; ``text`` comes ``size`` characters a time."""
    wrap, sent = Wrap(), ""
    for start in range(0, len(text), size):
        sent += wrap.feed(text[start : start + size], width)
    lines, at = [""], 0
    while at < len(sent):
        if found := TAKEN_BACK.match(sent, at):
            lines[-1] = lines[-1][: -int(found[1])]
            at = found.end()
            continue
        if sent[at] == "\n" or cell_len(lines[-1] + sent[at]) > width:
            lines.append("")
        if sent[at] != "\n":
            lines[-1] += sent[at]
        at += 1
    return lines


@pytest.mark.parametrize("size", [1, 4, 100])
def test_words_stay_whole(size):
    lines = ["The quick ", "brown fox ", "jumps over ", "it"]
    assert seen("".join(lines), 12, size) == lines


def test_a_word_longer_than_a_line_is_left_to_the_terminal():
    lines = seen("see https://example.org/long/path now", 12)
    assert lines == ["see ", "https://exam", "ple.org/long", "/path now"]


def test_wide_characters_count_two_and_break_anywhere():
    assert seen("日本語日本語", 8) == ["日本語", "日本語"]


def test_code_is_left_as_it_is():
    code = "```python\nx = some_function()\n```"
    lines = ["```python", "x = some_fun", "ction()", "```", "after it as ", "before"]
    assert seen(f"{code}\nafter it as before", 12) == lines


def test_own_line_breaks_stay():
    assert seen("a\n\nb", 12) == ["a", "", "b"]


@given(st.text("abc 日\n`", max_size=80), st.integers(6, 20), st.integers(1, 9))
def test_nothing_is_lost_and_nothing_depends_on_how_it_came(text, width, size):
    lines = seen(text, width, size)
    assert "".join(lines) == text.replace("\n", "")
    assert lines == seen(text, width, len(text) or 1)
    assert all(cell_len(line) <= width for line in lines)
