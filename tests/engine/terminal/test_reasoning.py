"""Reasoning is told from the answer at every moment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.terminal.reasoning import Reasoning


def split(text: str, size: int) -> tuple[str, str]:
    """The reasoning and the answer of a reply that comes ``size`` characters a time."""
    reasoning, shown = Reasoning(), []
    for start in range(0, len(text), size):
        shown += reasoning.feed(text[start : start + size])
    shown += reasoning.finish()
    return (
        "".join(part for part, is_reasoning in shown if is_reasoning),
        "".join(part for part, is_reasoning in shown if not is_reasoning),
    )


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("<think>\nhm\n</think>\n\nYes.", "<think>\nhm\n</think>", "\n\nYes."),
        ("\n<think>a < b</think>c", "\n<think>a < b</think>", "c"),
        ("<think>never done", "<think>never done", ""),
        ("Yes. <think> is a tag.", "", "Yes. <think> is a tag."),
        ("<thin", "", "<thin"),
        ("", "", ""),
    ],
)
def test_only_a_reply_that_begins_with_it_holds_reasoning(text, thought, answer, size):
    assert split(text, size) == (thought, answer)


@given(st.text("<think>/ x", max_size=60), st.integers(1, 10))
def test_nothing_is_lost(text, size):
    assert "".join(split(text, size)) == text
