"""What was typed and not sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.drafts import Drafts

NOTES = [{"name": "notes.txt", "text": "milk"}]


def test_it_is_there_at_the_next_start(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "data" / "drafts.json")
    drafts.keep_text("half a thought")
    drafts.keep(None, NOTES)
    drafts.keep(7, NOTES)
    again = Drafts(tmp_path / "data" / "drafts.json")
    assert again.text == "half a thought"
    assert (again.attachments(None), again.attachments(7), again.attachments(8)) == (
        NOTES,
        NOTES,
        [],
    )


def test_what_is_taken_off_is_gone(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts.json")
    drafts.keep(7, NOTES)
    drafts.keep(7, [])
    assert Drafts(tmp_path / "drafts.json").attachments(7) == []


def test_what_is_being_changed_is_there_at_the_next_start(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts.json")
    drafts.keep_edits(7, {12: "half", 14: ""})
    assert Drafts(tmp_path / "drafts.json").edits(7) == {12: "half", 14: ""}
    drafts.keep_edits(7, {})
    assert Drafts(tmp_path / "drafts.json").edits(7) == {}


def test_what_waits_in_the_new_chat_goes_with_it(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts.json")
    drafts.keep_text("half a thought")
    drafts.keep(None, NOTES)
    drafts.move(7)
    again = Drafts(tmp_path / "drafts.json")
    assert (again.text, again.attachments(None), again.attachments(7)) == ("", [], NOTES)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"[" * 100_000,
        b'{"text": 3, "attachments": {"7": "x", "8": [1]}}',
        b'{"edits": {"7": "x", "8": {"x": "y", "1": 2, "' + b"9" * 5_000 + b'": "z"}}}',
    ],
)
def test_a_file_with_nonsense_costs_nothing_else(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "drafts.json"
    path.write_bytes(content)
    drafts = Drafts(path)
    assert (drafts.text, drafts.attachments(7), drafts.attachments(8)) == ("", [], [])
    assert (drafts.edits(7), drafts.edits(8)) == ({}, {})


def test_a_folder_that_refuses_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    drafts = Drafts(tmp_path / "data" / "drafts.json")
    drafts.keep(7, NOTES)
    assert drafts.attachments(7) == NOTES


def test_a_folder_that_refuses_is_told_once_until_it_has_taken_something(tmp_path: Path) -> None:
    data = tmp_path / "data"
    drafts, told = Drafts(data / "drafts.json"), []
    drafts.tell = told.append
    for _ in range(2):
        data.touch()
        drafts.keep_text("half")
        drafts.keep_text("half a thought")
        data.unlink()
        drafts.keep_text("")
        (data / "drafts.json").unlink()
        data.rmdir()
    assert [error.code for error in told] == ["drafts-unsaved"] * 2


def test_each_of_two_windows_keeps_what_the_other_wrote(tmp_path: Path) -> None:
    path = tmp_path / "drafts.json"
    first = Drafts(path)
    first.keep(7, NOTES)
    second = Drafts(path)
    with path.open("rb"):  # else the second of these may be given its number and its time
        second.keep(8, NOTES)
        second.keep(7, [])
    first.keep_edits(7, {12: "half"})
    first.keep(9, NOTES)
    again = Drafts(path)
    assert [again.attachments(key) for key in (7, 8, 9)] == [[], NOTES, NOTES]
    assert again.edits(7) == {12: "half"}


def test_a_second_window_has_a_new_chat_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "drafts.json"
    first = Drafts(path)
    first.settle(is_first=True)
    first.keep_text("an idea")
    second = Drafts(path)
    second.settle(is_first=False)
    assert second.text == ""
    second.keep_text("another")
    second.keep(None, NOTES)
    second.move(7)
    first.keep_text("an idea, and more")
    again = Drafts(path)
    again.settle(is_first=True)
    assert (again.text, again.attachments(7)) == ("an idea, and more", NOTES)
