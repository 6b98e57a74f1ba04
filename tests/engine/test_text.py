"""Streaming text is right at every moment: whole characters, no stop string, nothing lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import Piece, TextStream

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # one picture of three emoji and two joiners


def stream(pieces: Sequence[bytes], stops: Sequence[str] = ()) -> TextStream:
    return TextStream(lambda token: pieces[token], stops)


def shown(pieces: Sequence[bytes], stops: Sequence[str] = ()) -> list[str]:
    """What appears with each token, and at last with the end."""
    text, seen = stream(pieces, stops), []
    for token in range(len(pieces)):
        stopped = text.push(token)
        seen.append("".join(piece.text for piece in text.take()))
        if stopped:
            break
    text.finish()
    return [*seen, "".join(piece.text for piece in text.take())]


# Characters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([b"\xe6\xad", b"\xaa"], ["", "\u6b6a", ""]),
        ([b"\xf0", b"\x9f", b"\x98", b"\x80"], ["", "", "", "\U0001f600", ""]),
        ([b"\xf0\x9f\x98", b"\x80!"], ["", "\U0001f600!", ""]),
        ([b"<think>a\xf0\x9f", b"\x98\x80</think>"], ["<think>a", "\U0001f600</think>", ""]),
        ([b"a\xc3", b"", b"\xa9b"], ["a", "", "éb", ""]),
        ([b"end \xe6\xad"], ["end ", "\ufffd"]),
        ([b"\xff", b"a"], ["\ufffd", "a", ""]),
        ([b"\xe6", b"x"], ["", "\ufffdx", ""]),
        ([], [""]),
    ],
)
def test_a_character_over_several_tokens_appears_whole(
    pieces: list[bytes], expected: list[str]
) -> None:
    assert shown(pieces) == expected


def test_joined_emoji_lose_nothing() -> None:
    raw = FAMILY.encode()
    assert "".join(shown([raw[i : i + 1] for i in range(len(raw))])) == FAMILY


texts = st.one_of(
    st.text(st.sampled_from(["a", "b", "\n", "é", "\u6b6a", "\U0001f600", "\u200d", " "])),
    st.text(),
).map(str.encode)


@st.composite
def split(draw: st.DrawFn, raw: st.SearchStrategy[bytes]) -> list[bytes]:
    """Bytes in tokens, cut anywhere; some tokens are empty, as control tokens are."""
    whole = draw(raw)
    cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    return [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]


@given(pieces=split(st.one_of(texts, st.binary())))
def test_any_split_shows_the_text_of_all_bytes_together(pieces: list[bytes]) -> None:
    assert "".join(shown(pieces)) == b"".join(pieces).decode(errors="replace")


@given(pieces=split(texts))
def test_what_is_shown_is_always_the_beginning_of_the_whole(pieces: list[bytes]) -> None:
    seen = ""
    for part in shown(pieces):
        seen += part
        assert b"".join(pieces).decode().startswith(seen)


# Stop strings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "stops", "expected"),
    [
        # held back, then the end: it was text after all
        ([b"really", b"?"], ["?\n"], ["really", "", "?"]),
        ([b"ple", b"a", b"s"], ["ase!"], ["ple", "", "", "as"]),
        # half matched, then refuted: once, and in order
        ([b"a<", b"b>", b"c"], ["<br>"], ["a", "<b>", "c", ""]),
        ([b"aa", b"ab", b"!"], ["aab!x"], ["", "a", "", "aab!"]),
        # complete: never shown, nor what follows
        ([b"one\n", b"two"], ["\n"], ["one", ""]),
        ([b"one", b"\nUs", b"er: two"], ["\nUser:"], ["one", "", "", ""]),
        ([b"a\xe6\xad", b"\xaab"], ["\u6b6a"], ["a", "", ""]),
        # two that are complete at once: the earlier counts
        ([b"x", b"STOP then END"], ["END", "STOP"], ["x", "", ""]),
        # an empty stop string stops nothing
        ([b"one", b"two"], [""], ["one", "two", ""]),
    ],
)
def test_a_stop_string_is_cut_off_and_nothing_else(
    pieces: list[bytes], stops: list[str], expected: list[str]
) -> None:
    assert shown(pieces, stops) == expected


@given(
    pieces=split(st.text("ab\n\u6b6a", max_size=30).map(str.encode)),
    stops=st.lists(st.text("ab\n\u6b6a", min_size=1, max_size=4), max_size=3),
)
def test_stop_strings_across_tokens_are_those_of_the_whole_text(
    pieces: list[bytes], stops: list[str]
) -> None:
    text, seen, expected = stream(pieces, stops), "", None
    for token in range(len(pieces)):
        stopped = text.push(token)
        seen += "".join(piece.text for piece in text.take())
        so_far = b"".join(pieces[: token + 1]).decode(errors="ignore")
        found = [so_far.find(stop) for stop in stops if stop in so_far]
        assert stopped == bool(found)
        expected = so_far[: min(found)] if found else None
        assert so_far.startswith(seen)
        held = so_far[len(seen) :]
        assert stopped or any(stop.startswith(held) for stop in [*stops, held[:0]])
        if stopped:
            break
    text.finish()
    seen += "".join(piece.text for piece in text.take())
    assert seen == text.text
    assert seen == (b"".join(pieces).decode() if expected is None else expected)


# Which token a piece of text came with -----------------------------------------------------------


def test_text_carries_the_token_that_completed_it() -> None:
    pieces = [b"a\xe6", b"\xad", b"\xaab", b"<", b"x"]
    text = stream(pieces, ["<br>"])
    for token in range(len(pieces)):
        text.push(token)
    text.finish()
    assert text.take() == [Piece("a", 0), Piece("\u6b6ab", 2), Piece("<", 3), Piece("x", 4)]
    assert text.take() == []


def test_an_unfinished_character_belongs_to_the_last_token() -> None:
    text = stream([b"a", b"\xe6"])
    text.push(0)
    text.push(1)
    text.finish()
    assert text.take() == [Piece("a", 0), Piece("\ufffd", 1)]


def test_a_cut_reply_leaves_out_half_a_character_but_nothing_else_held_back() -> None:
    text = stream([b"a", b"<b\xe6"], ["<br>"])
    text.push(0)
    text.push(1)
    text.finish(cut=True)
    assert text.take() == [Piece("a", 0), Piece("<b", 1)]


@given(pieces=split(texts), stops=st.lists(st.text("ab\n", min_size=1, max_size=3), max_size=2))
def test_tokens_are_in_order_and_exist(pieces: list[bytes], stops: list[str]) -> None:
    text = stream(pieces, stops)
    for token in range(len(pieces)):
        if text.push(token):
            break
    text.finish()
    tokens = [piece.token for piece in text.take()]
    assert tokens == sorted(tokens)
    assert all(0 <= token < len(pieces) for token in tokens)


def test_a_very_long_stop_string_costs_no_more_than_the_text_held_back() -> None:
    # Every prefix of it used to be cut out for each token: minutes for this one.
    stop = "x" * 3_000_000
    assert shown([b"y", b"x", b"y"], [stop]) == ["y", "", "xy", ""]
