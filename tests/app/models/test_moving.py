"""A download goes on in another folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.models.moving import move
from engine.models.arriving import ModelFile
from engine.models.download import discard
from engine.models.item import Item, write_note

FIRST = ModelFile("m-00001-of-00002.gguf", "M", "", 5, "0" * 64, "MIT", "some/repo")
ITEM = Item("M", (FIRST, replace(FIRST, name="m-00002-of-00002.gguf")))


@pytest.mark.parametrize("is_own", [True, False])
def test_a_part_that_no_download_brought_stays_somebody_s_own(tmp_path: Path, is_own: bool) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    if is_own:
        (old / FIRST.name).write_bytes(b"whole")
    write_note(ITEM, old, 1.0)
    (old / FIRST.name).write_bytes(b"whole")
    (old / f"{ITEM.files[1].name}.part").write_bytes(b"s")
    move(ITEM, old, new)
    write_note(ITEM, new, 2.0)
    discard(ITEM, new)
    assert [path.name for path in new.iterdir()] == ([FIRST.name] if is_own else [])


def test_another_file_of_the_name_stays_where_it_is(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write_note(ITEM, old, 1.0)
    (old / f"{FIRST.name}.part").write_bytes(b"wh")
    (old / FIRST.name).write_bytes(b"somebody's own")
    assert move(ITEM, old, new)
    assert (old / FIRST.name).read_bytes() == b"somebody's own"
    assert (new / f"{FIRST.name}.part").exists()


def test_to_where_it_lies_already_nothing_moves(tmp_path: Path) -> None:
    write_note(ITEM, tmp_path, 1.0)
    assert not move(ITEM, tmp_path, tmp_path)
