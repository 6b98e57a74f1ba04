"""What a person asks for, and the note that a later start reads."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from engine.models.arriving import ModelFile
from engine.models.download import discard
from engine.models.item import Item, note_name, place, remove_note, unfinished, write_note

FILE = ModelFile(
    "model-q4.gguf",
    "Model",
    "draft",
    1000,
    "a" * 64,
    "MIT",
    "someone/Model-GGUF",
    ("pkg==1.0",),
    400,
)
ITEM = Item("A model", (FILE, replace(FILE, name="other.gguf", revision="b" * 40, path="x/o.gguf")))


def note(folder):
    return folder / note_name(ITEM)


def test_a_note_gives_back_what_it_was_told(tmp_path):
    write_note(ITEM, tmp_path / "new", 123.5)
    (kept,) = unfinished(tmp_path / "new")
    assert (kept.item, kept.folder, kept.asked) == (ITEM, tmp_path / "new", 123.5)
    remove_note(ITEM, tmp_path / "new")
    assert unfinished(tmp_path / "new") == []
    remove_note(ITEM, tmp_path / "new")


def test_a_note_may_be_written_by_several_at_once(tmp_path):
    def write() -> None:
        for _ in range(100):
            write_note(ITEM, tmp_path, 1.0)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(write) for _ in range(4)]:
            done.result()
    assert [kept.item for kept in unfinished(tmp_path)] == [ITEM]
    assert [path.name for path in tmp_path.iterdir()] == [note(tmp_path).name]


def test_what_a_kill_left_of_a_note_goes_with_it(tmp_path):
    write_note(ITEM, tmp_path, 1.0)
    (tmp_path / f"{note(tmp_path).name}.12-34.new").touch()
    remove_note(ITEM, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_notes_come_in_the_order_in_which_they_were_asked_for(tmp_path):
    for number, name in enumerate(["c.gguf", "a.gguf", "b.gguf"]):
        folder = tmp_path / "inner" if name == "a.gguf" else tmp_path
        write_note(Item(name, (replace(FILE, name=name),)), folder, number)
    assert [kept.item.title for kept in unfinished(tmp_path)] == ["c.gguf", "a.gguf", "b.gguf"]


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert unfinished(tmp_path / "nowhere") == []


def change(tmp_path, **changes):
    write_note(ITEM, tmp_path, 1.0)
    told = json.loads(note(tmp_path).read_text())
    told["files"][0] |= changes
    note(tmp_path).write_text(json.dumps(told))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "../../escape.gguf"},
        {"name": "/etc/passwd"},
        {"name": "other-than-the-note.gguf"},
        {"name": 5},
        {"size": -1},
        {"size": "1000"},
        {"sha256": "not one"},
        {"repo": "https://evil.example/x"},
        {"packages": ["--index-url=http://evil.example"]},
        {"packages": 5},
        {"path": 7},
    ],
)
def test_a_note_that_somebody_tampered_with_is_none(tmp_path, changes):
    change(tmp_path, **changes)
    assert unfinished(tmp_path) == []


@pytest.mark.parametrize(
    "content", [b"", b"null", b"[]", b"{}", b"\xff\xfe", b'{"files": [], "title": "", "asked": 0}']
)
def test_a_note_that_makes_no_sense_is_none(tmp_path, content):
    note(tmp_path).write_bytes(content)
    assert unfinished(tmp_path) == []


def test_a_note_of_a_later_version_may_say_more(tmp_path):
    change(tmp_path, something_new=[1, 2])
    assert [kept.item for kept in unfinished(tmp_path)] == [ITEM]


# Its place ----------------------------------------------------------------------------------------


def test_an_item_goes_into_the_folder_itself(tmp_path):
    assert place(ITEM, tmp_path) == tmp_path
    (tmp_path / FILE.name).write_bytes(bytes(FILE.size))
    assert place(ITEM, tmp_path) == tmp_path
    write_note(ITEM, tmp_path, 1.0)
    assert place(ITEM, tmp_path) == tmp_path


def test_where_another_file_has_its_name_it_goes_into_a_folder_of_its_own(tmp_path):
    (tmp_path / "other.gguf").write_bytes(b"somebody else's")
    assert place(ITEM, tmp_path) == tmp_path / "someone Model-GGUF"


def test_a_link_to_a_disk_that_is_away_keeps_its_name(tmp_path):
    (tmp_path / "other.gguf").symlink_to(tmp_path / "away" / "other.gguf")
    assert place(ITEM, tmp_path) == tmp_path / "someone Model-GGUF"


def test_a_third_file_of_one_name_takes_the_place_of_neither(tmp_path):
    own = tmp_path / "someone Model-GGUF"
    for folder in (tmp_path, own):
        folder.mkdir(exist_ok=True)
        (folder / FILE.name).write_bytes(b"another")
    third = tmp_path / "someone Model-GGUF 2"
    assert place(ITEM, tmp_path) == third
    write_note(ITEM, third, 1.0)
    assert place(ITEM, tmp_path) == third
    discard(ITEM, third)
    assert not third.exists()


def test_where_another_file_is_on_its_way_to_its_name_too(tmp_path):
    write_note(ITEM, tmp_path, 1.0)
    for changes in ({"sha256": "c" * 64}, {"sha256": "", "size": 0, "repo": "another/one"}):
        other = Item("Another", (replace(FILE, **changes),))
        assert place(other, tmp_path) != tmp_path


def test_a_pair_and_its_target_alone_have_a_note_each(tmp_path):
    alone = Item("Alone", ITEM.files[:1])
    for item in (ITEM, alone):
        write_note(item, tmp_path, 1.0)
    remove_note(ITEM, tmp_path)
    assert [kept.item for kept in unfinished(tmp_path)] == [alone]
    assert note_name(alone) == "model-q4.gguf.part.json"


def test_a_name_that_a_pair_is_to_bring_is_taken(tmp_path):
    write_note(ITEM, tmp_path, 1.0)
    draft = replace(ITEM.files[1], sha256="b" * 64, repo="another/Model")
    assert place(Item("Another", (draft,)), tmp_path) == tmp_path / "another Model"
