"""The table of settings, and its file."""

from __future__ import annotations

import math
import os
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

from engine import paths, settings
from engine.errors import BadSetting
from engine.settings import SETTINGS, Kind, Settings, check
from tests.support.rights import unreadable

NONSENSE = [
    ("gamma", 17, "a whole number from 0 to 16 or auto"),
    ("gamma", -1, "a whole number from 0 to 16 or auto"),
    ("gamma", 2.5, "a whole number from 0 to 16 or auto"),
    ("gamma", True, "a whole number from 0 to 16 or auto"),
    ("gamma", "many", "a whole number from 0 to 16 or auto"),
    ("temperature", -0.1, "a number from 0 to 5"),
    ("temperature", math.nan, "a number from 0 to 5"),
    ("temperature", math.inf, "a number from 0 to 5"),
    ("temperature", None, "a number from 0 to 5"),
    ("temperature", [1], "a number from 0 to 5"),
    ("top_p", 1.01, "a number from 0 to 1"),
    ("n_ctx", 0, "a whole number from 32 to 4,194,304"),
    ("seed", -1, "a whole number from 0 to 9,223,372,036,854,775,807 or none"),
    ("max_tokens", 0, "a whole number from 1 to 4,194,304 or none"),
    ("think", 1, "auto, yes or no"),
    ("system", 3, "a text"),
    ("models_folder", "", "a path or default"),
    ("models_folder", "a\0b", "a path or default"),
    ("more_folders", 3, "a list of paths"),
    ("more_folders", ["/a", 3], "a list of paths"),
    ("more_folders", ["/a", " "], "a list of paths"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), NONSENSE)
def test_nonsense_is_refused_with_what_is_allowed(name, value, allowed):
    with pytest.raises(BadSetting) as caught:
        check(name, value)
    assert str(caught.value) == f"{name} is {value!r}; it must be {allowed}."


@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("gamma", 3, 3),
        ("gamma", 3.0, 3),
        ("gamma", "auto", None),
        ("gamma", None, None),
        ("temperature", 0, 0.0),
        ("threads", "auto", 0),
        ("gpu_layers", "all", -1),
        ("gpu_layers", -1, -1),
        ("think", "No", False),
        ("think", True, True),
        ("seed", 2**63 - 1, 2**63 - 1),
        ("models_folder", "default", None),
        ("models_folder", "/a b/田中", Path("/a b/田中")),
        ("models_folder", "~nobody-at-all/m", Path("~nobody-at-all/m")),
        ("more_folders", [], ()),
        ("more_folders", ["/a b", "/田中"], (Path("/a b"), Path("/田中"))),
        ("more_folders", (Path("/a"),), (Path("/a"),)),
        ("other_apps", "no", False),
    ],
)
def test_values_are_held_in_one_form(name, value, held):
    taken = check(name, value)
    assert taken == held
    assert type(taken) is type(held)


@pytest.mark.parametrize(
    ("name", "text", "held"),
    [
        ("gamma", "7", 7),
        ("temperature", "0.8", 0.8),
        ("temperature", "1", 1.0),
        ("seed", "none", None),
        ("more_folders", os.pathsep.join(("/a", "/b c")), (Path("/a"), Path("/b c"))),
        ("more_folders", "", ()),
    ],
)
def test_the_command_line_is_read_as_the_setting_wants(name, text, held):
    assert SETTINGS[name].parse(text) == held


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_each_row_is_fit_for_a_dialog(setting):
    assert setting.title
    assert setting.description.endswith(".")
    assert check(setting.name, setting.default) == setting.default
    assert setting.kind is not Kind.CHOICE or setting.words
    written = setting.written(setting.default)
    assert check(setting.name, written) == setting.default


def test_the_table_has_a_row_for_each_field():
    assert list(SETTINGS) == [field.name for field in fields(Settings)]
    assert Settings() == Settings(**{name: row.default for name, row in SETTINGS.items()})


# The file ----------------------------------------------------------------------------------------


@pytest.fixture
def file() -> Path:
    path = paths.settings_file()
    path.parent.mkdir(parents=True)
    return path


CHOSEN = Settings(
    gamma=4,
    temperature=0.0,
    seed=9,
    think=False,
    system='Be brief.\n"Please".',
    target=Path("/m/a b.gguf"),
    more_folders=(Path("/m"), Path("/n o")),
)


def test_what_is_saved_is_loaded():
    settings.save(CHOSEN)
    assert settings.load() == settings.Loaded(CHOSEN)


def test_without_a_file_the_defaults_hold_and_nothing_is_made():
    assert settings.load() == settings.Loaded(Settings())
    assert not paths.config_folder().exists()


def test_defaults_are_not_written_so_that_better_ones_arrive():
    settings.save(CHOSEN)
    assert "top_k" not in tomllib.loads(paths.settings_file().read_text())


def test_a_setting_can_be_put_back(file):
    settings.save(CHOSEN)
    settings.save(replace(CHOSEN, gamma=None, temperature=0.7))
    assert settings.load().settings.gamma is None
    assert tomllib.loads(file.read_text())["gamma"] == "auto"


def test_unknown_keys_are_kept(file):
    file.write_text("gamma = 2\nfrom_the_future = [1, 2]\n[window]\nwide = true\n")
    settings.save(CHOSEN)
    raw = tomllib.loads(file.read_text())
    assert (raw["gamma"], raw["from_the_future"], raw["window"]) == (4, [1, 2], {"wide": True})


def test_nonsense_costs_one_value_and_a_sentence_each(file):
    file.write_text('gamma = 99\ntemperature = "hot"\ntop_k = 7\n')
    loaded = settings.load()
    assert loaded.settings == Settings(top_k=7)
    sentences = [
        "gamma is 99; it must be a whole number from 0 to 16 or auto.",
        "temperature is 'hot'; it must be a number from 0 to 5.",
    ]
    assert loaded.notes == tuple(f"In {file}, {s} The default is used." for s in sentences)


@pytest.mark.parametrize(
    "content", [b"gamma = = 3", b"\xff\xfe\x00", b"a = " + b"[" * 100_000, b"gamma = 1\ngamma = 2"]
)
def test_a_file_that_is_no_toml_is_set_aside(file, content):
    file.write_bytes(content)
    loaded = settings.load()
    aside = file.with_name("settings.toml.broken")
    assert loaded.settings == Settings()
    assert aside.read_bytes() == content
    assert str(aside) in loaded.notes[0]
    settings.save(CHOSEN)
    assert settings.load() == settings.Loaded(CHOSEN)


def test_a_mark_of_byte_order_is_no_fault(file):
    file.write_bytes("\ufeffgamma = 5\n".encode())
    assert settings.load() == settings.Loaded(Settings(gamma=5))


def test_a_folder_in_the_files_place_is_said_and_no_more(file):
    file.mkdir()
    loaded = settings.load()
    assert loaded.settings == Settings()
    assert "cannot be read" in loaded.notes[0]


def test_a_path_that_is_no_text_is_not_saved_but_said(file):
    settings.save(CHOSEN)
    before = file.read_text()
    with pytest.raises(OSError, match="a path in them is no text"):
        settings.save(Settings(target=Path(os.fsdecode(b"t\xff.gguf"))))
    assert file.read_text() == before


@pytest.mark.skipif(os.name == "nt", reason="rights of files are POSIX's")
def test_a_file_that_cannot_be_read_is_said_and_not_replaced():
    with unreadable("settings.toml", "top_k = 3\n") as file:
        assert "cannot be read" in settings.load(file).notes[0]
        with pytest.raises(PermissionError):
            settings.save(CHOSEN, file)


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(file, monkeypatch):
    settings.save(CHOSEN)
    before = file.read_text()

    def refuse(*_arguments):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="the disk is full"):
        settings.save(Settings(gamma=1))
    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]


def test_the_models_folder_is_the_environments_then_the_settings_then_the_usual(monkeypatch):
    chosen = Settings(models_folder=Path("/elsewhere"))
    assert settings.models_folder(chosen) == paths.models_folder()
    monkeypatch.delenv("FOREWORD_MODELS")
    assert settings.models_folder(chosen) == Path("/elsewhere")
    assert settings.models_folder(Settings()) == paths.models_folder()
