"""What is typed while a reply streams: edited like a line, and a paste is one message."""

from __future__ import annotations

import pytest

from engine.terminal.typed import Typed

PASTED, ENDS = "\x1b[200~", "\x1b[201~"


def typed(*keys: str) -> Typed:
    """Keys as they come, several at once in one text."""
    ahead = Typed()
    for each in keys:
        assert not ahead.feed(each.encode())
    return ahead


def lines(ahead: Typed) -> list[str]:
    found = []
    while ahead.has_line:
        found.append(ahead.take())
    return found


def test_a_line_is_ready_once_it_is_ended_and_what_was_begun_stays() -> None:
    ahead = typed("one\r", "tw", "o\nthr", "ee")
    assert lines(ahead) == ["one", "two"]
    assert ahead.rest() == "three"
    assert ahead.rest() == ""


def test_a_character_may_come_in_parts_and_is_taken_back_whole() -> None:
    ahead = Typed()
    for part in (b"a\xc3", b"\xa9", "\u6b6ab".encode(), b"\x7f\x08"):
        assert not ahead.feed(part)
    assert ahead.rest() == "aé"


def test_editing_never_reaches_into_a_line_that_was_ended() -> None:
    ahead = typed("one\r", "\x7f\x7f\x7f", "two\r", "x\x15", "\x15three\r")
    assert lines(ahead) == ["one", "two", "three"]


def test_escape_alone_asks_to_stop_and_an_arrow_does_not() -> None:
    ahead = typed("a", "\x1b[A", "\x1bOC", "b")
    assert ahead.feed(b"\x1b")
    assert ahead.rest() == "ab"


@pytest.mark.parametrize("line", ["/stop", " /STOP "])
def test_a_stop_is_heeded_and_not_kept_even_behind_a_line_that_waits(line: str) -> None:
    ahead = typed("next question\r", line)
    assert ahead.feed(b"\r")
    assert lines(ahead) == ["next question"]
    assert ahead.rest() == ""
    assert typed("/stopp\r", "/stop it\r").has_line


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_of_a_paste_all_lines_are_one(end: str) -> None:
    ahead = typed(f"see: {PASTED}one{end}/stop{end}{end}two{ENDS}!\rmore")
    assert lines(ahead) == ["see: one\n/stop\n\ntwo!"]
    assert ahead.rest() == "more"


def test_a_paste_may_be_cut_anywhere_behind_its_first_mark() -> None:
    whole = f"{PASTED}é\r\x1b[A\u6b6a\r{ENDS}\r".encode()
    for cut in range(len(PASTED), len(whole)):
        ahead = Typed()
        assert not ahead.feed(whole[:cut])
        assert ahead.in_paste == (cut < len(whole) - 1)
        assert not ahead.has_line
        assert not ahead.feed(whole[cut:])
        assert lines(ahead) == ["é\n\x1b[A\u6b6a\n"]


def test_two_pastes_are_two_messages_once_each_is_ended() -> None:
    ahead = typed(f"{PASTED}a\rb{ENDS}\r{PASTED}c{ENDS}{PASTED}\rd{ENDS}\r")
    assert lines(ahead) == ["a\nb", "c\nd"]


def test_a_paste_whose_end_never_comes_is_not_lost() -> None:
    ahead = typed(f"{PASTED}a\rb")
    assert ahead.in_paste
    assert ahead.rest() == "a\nb"
    assert not ahead.in_paste
    assert typed("x\r").rest() == ""


def test_a_key_behind_a_paste_can_ask_to_stop() -> None:
    ahead = typed(PASTED, "a", ENDS)
    assert ahead.feed(b"\x1b")
    assert ahead.rest() == "a"
    assert typed().feed(f"{PASTED}/stop{ENDS}\r".encode())
    assert ahead.feed(f"/stop\r{PASTED}b{ENDS}".encode())
    assert ahead.rest() == "b"
