"""Finding GGUF files in folders of any shape."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.models import walk


def found(folder: Path) -> list[str]:
    """Paths below ``folder``; a folder that cannot be read fails the test."""

    def trouble(sentence: str) -> None:
        raise AssertionError(sentence)

    return [str(path.relative_to(folder)) for path in walk.ggufs(folder, trouble=trouble)]


def put(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def test_files_are_found_by_their_ending_at_any_depth(tmp_path: Path):
    put(tmp_path / "b.gguf", tmp_path / "a.GGUF", tmp_path / "notes.txt", tmp_path / "x.gguf.part")
    put(tmp_path / "deep" / "er" / "c.gguf", tmp_path / "a b" / "\u7530\u3000\u4e2d.gguf")
    assert found(tmp_path) == [
        "a.GGUF",
        "b.gguf",
        "a b/\u7530\u3000\u4e2d.gguf",
        "deep/er/c.gguf",
    ]


def test_what_macos_puts_beside_a_file_is_none(tmp_path: Path):
    put(tmp_path / "a.gguf", tmp_path / "._a.gguf")
    assert found(tmp_path) == ["a.gguf"]


def test_links_in_circles_end(tmp_path: Path):
    put(tmp_path / "sub" / "a.gguf")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "sub")
    (tmp_path / "self").symlink_to("self")
    assert found(tmp_path) == ["again/a.gguf"]


def test_links_that_lead_nowhere_stand_for_files(tmp_path: Path):
    (tmp_path / "self.gguf").symlink_to("self.gguf")
    (tmp_path / "gone.gguf").symlink_to("nothing")
    assert found(tmp_path) == ["gone.gguf", "self.gguf"]


def test_a_folder_called_gguf_is_entered_or_stands_for_itself(tmp_path: Path):
    put(tmp_path / "full.gguf" / "a.gguf")
    (tmp_path / "empty.gguf").mkdir()
    assert found(tmp_path) == ["empty.gguf", "full.gguf/a.gguf"]


def test_a_deep_tree_is_walked_to_its_end(tmp_path: Path):
    deep = Path(*["d"] * 300)
    put(tmp_path / deep / "a.gguf")
    assert found(tmp_path) == [str(deep / "a.gguf")]


def test_a_folder_that_cannot_be_read_is_said_and_the_rest_goes_on(tmp_path: Path, monkeypatch):
    put(tmp_path / "a.gguf", tmp_path / "locked" / "b.gguf", tmp_path / "open" / "c.gguf")
    real = os.scandir

    def scandir(path: Path):
        if Path(path).name == "locked":  # root reads every folder, so permissions cannot be tested
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    said: list[str] = []
    files = [path.name for path in walk.ggufs(tmp_path, trouble=said.append)]
    assert files == ["a.gguf", "c.gguf"]
    assert said == [f"The folder {tmp_path / 'locked'} cannot be read (Permission denied)."]


def test_it_stops_when_asked(tmp_path: Path):
    put(tmp_path / "a.gguf", tmp_path / "sub" / "b.gguf")
    asked = iter([False, True])
    files = walk.ggufs(tmp_path, trouble=pytest.fail, cancelled=lambda: next(asked))
    assert [path.name for path in files] == ["a.gguf"]
