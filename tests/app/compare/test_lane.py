"""Where each token's text stands, and how two replies compare."""

from __future__ import annotations

import pytest

from app.compare.lane import Lane, Sameness, outcome
from engine.protocol import Compared, Done, Emitted, End, Figures, Parting, Piece


def lane_of(*pieces: Piece, tokens: int = 4, why: End = End.END) -> Lane:
    """A lane that has written these pieces, and is over."""
    lane = Lane()
    lane.take(Emitted("plain", list(pieces), [], [], Figures(tokens=tokens)))
    text = "".join(piece.text for piece in pieces)
    lane.finish(Done("plain", why, text, (1,) * tokens, Figures(tokens=tokens), 1))
    return lane


def compared(same: int, parting: Parting | None = None) -> Compared:
    return Compared(1.2, 0.5, 10.0, same, parting)


def test_a_token_is_found_by_its_place_in_the_reply() -> None:
    lane = lane_of(Piece("Hel", 0), Piece("lo ", 1), Piece("世", 4), Piece("界", 5))
    assert [lane.text[slice(*lane.span(token))] for token in (0, 1, 4, 5)] == [
        *("Hel", "lo ", "世", "界")
    ]


def test_a_token_without_text_is_an_empty_place() -> None:
    lane = lane_of(Piece("a", 0), Piece("b", 3))
    assert lane.span(1) == (1, 1)
    assert lane.span(9) == (2, 2)
    assert Lane().span(0) == (0, 0)


def test_text_that_comes_in_parts_belongs_to_its_token() -> None:
    lane = lane_of(Piece("x", 0), Piece("ab", 1), Piece("cd", 1))
    assert lane.span(1) == (1, 5)


def test_the_clock_counts_prompt_and_writing() -> None:
    lane = Lane()
    lane.figures = Figures(prompt_seconds=1.5, seconds=2.0)
    assert lane.clock == 3.5


PARTING = Parting(2, (5, 6), ("a", "b"), (0.4, 0.39), 0.05, at_the_edge=False)


@pytest.mark.parametrize(
    ("lengths", "same", "parting", "expected", "parts_at"),
    [
        ((4, 4), 4, None, Sameness.SAME, None),
        ((4, 6), 4, None, Sameness.AS_FAR, None),
        ((4, 6), 2, PARTING, Sameness.PARTED, 2),
        ((4, 6), 2, None, Sameness.UNLOOKED, 2),
    ],
)
def test_sameness(lengths, same, parting, expected, parts_at) -> None:
    speculative, plain = (lane_of(tokens=count) for count in lengths)
    found = outcome(compared(same, parting), speculative, plain)
    assert found.sameness is expected
    assert found.parts_at == parts_at
    assert found.count == same
