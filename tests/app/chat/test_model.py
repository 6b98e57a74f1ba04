"""What the chat is told: pieces and tokens become text and spans, pastes become attachments."""

from __future__ import annotations

import json

import pytest

from app.chat.model import Attachment, Span, Writing, as_sent, is_long, spans_of
from engine.protocol import Piece, Source, Token


def test_a_piece_may_be_later_than_its_token() -> None:
    writing = Writing()
    tokens = [Token(1, Source.ACCEPTED, 0.5, 0.6), Token(2, Source.BONUS, 0.7)]
    assert writing.take([Piece("a", 0)], tokens) == "a"
    assert writing.take([Piece("歪", 1)], []) == "歪"
    assert writing.spans == [Span(0, 1, "accepted", 0.5, 0.6), Span(1, 2, "bonus", 0.7, None)]


def test_a_reply_that_is_gone_on_with_counts_its_tokens_anew() -> None:
    writing = Writing("done ", [Span(0, 5, "plain", 1.0, None)])
    writing.take([Piece("more", 0)], [Token(1, Source.CORRECTED, 0.1, 0.9)])
    assert writing.text == "done more"
    assert writing.spans[-1] == Span(5, 9, "corrected", 0.1, 0.9)


def test_spans_come_back_from_json() -> None:
    spans = [Span(0, 1, "accepted", 0.5, 0.6), Span(1, 2, "bonus", 0.7, None)]
    assert spans_of(json.loads(json.dumps(spans))) == spans
    assert spans_of([[1, 2], []]) == []
    assert spans_of(None) == []


def test_attachments_come_back_from_json() -> None:
    attachment = Attachment("notes.txt", "a\nb")
    assert Attachment.of(json.loads(json.dumps(attachment.as_dict()))) == attachment
    assert attachment.lines == 2
    assert Attachment("x", "a\n").lines == 1


@pytest.mark.parametrize("stored", ["a", 5, None, [1]])
def test_what_is_no_attachment_is_taken_as_its_text(stored: object) -> None:
    assert Attachment.of(stored) == Attachment("", str(stored))
    assert as_sent("Hi", [stored]).endswith("Hi")  # type: ignore[list-item]


def test_long_and_tall_pastes_are_long() -> None:
    assert is_long("x" * 8_001)
    assert is_long("\n" * 200)
    assert not is_long("x" * 8_000)
    assert not is_long("\n" * 199)


def test_attachments_are_sent_between_fences_that_they_cannot_close() -> None:
    sent = as_sent("Explain.", [Attachment("a.md", "```\nx\n```")])
    assert sent == "a.md:\n````\n```\nx\n```\n````\n\nExplain."
    assert as_sent("", [Attachment("a", "x")]) == "a:\n```\nx\n```"
    assert as_sent("Hello", []) == "Hello"
