"""The window's own settings and their file."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from app import preferences
from app.preferences import PREFERENCES, Preferences
from tests.support.rights import unreadable


def test_nothing_written_means_the_defaults() -> None:
    assert preferences.load() == (Preferences(), ())


def test_every_row_has_words_and_a_default_that_it_allows() -> None:
    for name, setting in PREFERENCES.items():
        assert setting.name == name
        assert setting.title
        assert setting.description.endswith(".")
        assert setting.check(setting.default) == setting.default


def test_what_is_chosen_is_read_again() -> None:
    chosen = Preferences(
        theme="dark", text_size=150, language="de", follow=False, reduced_motion=True, tint=True
    )
    preferences.save(chosen)
    assert preferences.load() == (chosen, ())
    usual = dataclasses.replace(chosen, reduced_motion=None, follow=True)
    preferences.save(usual)
    assert preferences.load() == (usual, ())


def test_defaults_are_not_written_and_strangers_are_kept() -> None:
    file = preferences.preferences_file()
    file.parent.mkdir(parents=True)
    file.write_text('later = "a newer version"\n')
    preferences.save(Preferences(theme="light"))
    assert file.read_text() == 'later = "a newer version"\ntheme = "light"\n'


@pytest.mark.parametrize(
    "line", ['theme = "pink"', "text_size = 900", 'follow = "sometimes"', "language = 3"]
)
def test_a_value_that_makes_no_sense_costs_only_itself(line: str) -> None:
    file = preferences.preferences_file()
    file.parent.mkdir(parents=True)
    file.write_text(f"{line}\ntint = true\n")
    loaded, notes = preferences.load()
    assert loaded == Preferences(tint=True)
    assert len(notes) == 1
    assert line.split(maxsplit=1)[0] in notes[0]


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe", b"[[[" * 1000])
def test_nonsense_is_set_aside(content: bytes) -> None:
    file = preferences.preferences_file()
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    loaded, notes = preferences.load()
    assert loaded == Preferences()
    assert "window.toml.broken" in notes[0]
    assert file.with_name("window.toml.broken").read_bytes() == content
    preferences.save(Preferences(theme="dark"))
    assert preferences.load() == (Preferences(theme="dark"), ())


@pytest.mark.skipif(os.name == "nt", reason="rights of files are POSIX's")
def test_a_file_that_cannot_be_read_is_not_replaced() -> None:
    with unreadable("window.toml", 'theme = "dark"\n') as file, pytest.raises(PermissionError):
        preferences.save(Preferences(text_size=150), file)


def test_a_folder_that_refuses_is_an_error(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("not a folder")
    with pytest.raises(OSError, match=r".+"):
        preferences.save(Preferences(), place / "window.toml")
