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
