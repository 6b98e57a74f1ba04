"""Stretches of what is shown, and the tokens they came with."""

from __future__ import annotations

from app.chat.model import Span
from app.chat.sources import counted, stretch_at, stretches, verbatim_stretches

SPANS = [
    Span(0, 4, "accepted", 0.5, 0.6),
    Span(4, 9, "corrected", 0.1, 0.9),
    Span(9, 20, "bonus", 0.7, None),
]


def told(found) -> list[tuple[int, int, str]]:
    return [(each.start, each.end, each.span.source) for each in found]


def test_marks_that_are_not_shown_shift_the_stretches() -> None:
    source = "a **bold** word here"
    assert told(stretches("a bold word here", source, 0, SPANS)) == [
        (0, 2, "accepted"), (2, 6, "corrected"), (6, 16, "bonus"),
    ]  # fmt: skip


def test_a_segment_further_down_knows_its_place() -> None:
    assert told(stretches("word", "word", 9, SPANS)) == [(0, 4, "bonus")]
    assert told(verbatim_stretches("bold and", 2, SPANS)) == [
        (0, 2, "accepted"), (2, 7, "corrected"), (7, 8, "bonus"),
    ]  # fmt: skip


def test_positions_are_qts() -> None:
    spans = [Span(0, 1, "accepted", 1, 1), Span(1, 2, "bonus", 1, None)]
    assert told(stretches("👩x", "👩x", 0, spans)) == [(0, 2, "accepted"), (2, 3, "bonus")]
    assert told(verbatim_stretches("👩x", 0, spans)) == [(0, 2, "accepted"), (2, 3, "bonus")]


def test_text_without_a_token_is_in_no_stretch() -> None:
    assert told(stretches("abcdef", "abcdef", 0, [Span(2, 4, "bonus", 1, None)])) == [
        (2, 4, "bonus")
    ]


def test_a_position_finds_its_stretch() -> None:
    found = verbatim_stretches("0123456789", 0, SPANS)
    assert stretch_at(found, 5).span.source == "corrected"
    assert stretch_at(found, 30) is None


def test_tokens_are_counted_by_source() -> None:
    assert counted(SPANS) == {"accepted": 1, "corrected": 1, "bonus": 1}
