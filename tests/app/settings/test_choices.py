"""What is chosen holds, is saved, and is told."""

from __future__ import annotations

import pytest

from app import preferences
from app.settings.choices import Choices
from engine import paths
from engine import settings as engine_settings
from engine.errors import BadSetting


@pytest.fixture
def choices(qapp) -> Choices:
    return Choices()


def test_a_choice_for_the_engine_is_saved_in_its_file(choices: Choices) -> None:
    told: list[str] = []
    choices.changed.connect(told.append)
    choices.choose("temperature", 0.2)
    choices.choose("temperature", 0.2)
    assert told == ["temperature"]
    assert choices.engine.temperature == 0.2
    assert engine_settings.load().settings.temperature == 0.2


def test_a_choice_for_the_window_is_saved_beside_it(choices: Choices) -> None:
    choices.choose("theme", "dark")
    assert choices.window.theme == "dark"
    assert preferences.load()[0].theme == "dark"
    assert not paths.settings_file().exists()


def test_a_reset_goes_back(choices: Choices) -> None:
    choices.choose("gamma", 7)
    choices.reset("gamma")
    assert choices.value("gamma") is None
    assert engine_settings.load().settings.gamma is None


def test_none_zero_and_false_are_different(choices: Choices) -> None:
    choices.choose("gamma", 0)
    assert choices.value("gamma") == 0
    assert choices.value("gamma") is not None
    choices.choose("think", False)
    assert choices.value("think") is False


def test_what_makes_no_sense_changes_nothing(choices: Choices) -> None:
    with pytest.raises(BadSetting):
        choices.choose("top_p", 3)
    assert choices.engine.top_p == 0.95


def test_a_folder_that_refuses_is_told_and_the_choice_holds(choices: Choices, monkeypatch) -> None:
    told: list[str] = []
    choices.unsaved.connect(told.append)

    def refuse(*_arguments: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(engine_settings, "save", refuse)
    choices.choose("top_k", 5)
    assert choices.engine.top_k == 5
    assert "Permission denied" in told[0]


def test_what_was_wrong_with_the_files_is_told(qapp) -> None:
    paths.config_folder().mkdir(parents=True)
    paths.settings_file().write_text("top_k = -3\n")
    preferences.preferences_file().write_text("text_size = 1\n")
    assert len(Choices().notes) == 2


def test_it_dresses_the_theme(choices: Choices, theme) -> None:
    choices.choose("theme", "dark")
    choices.choose("text_size", 150)
    choices.choose("reduced_motion", True)
    choices.dress(theme)
    assert theme.dark
    assert theme.scale == 1.5
    assert theme.reduced_motion
