"""Where things lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine import paths
from engine.errors import FileMissing

PLACES = {
    "FOREWORD_MODELS": paths.models_folder,
    "FOREWORD_DATA": paths.data_folder,
    "FOREWORD_CONFIG": paths.config_folder,
    "FOREWORD_LOGS": paths.log_folder,
    "FOREWORD_CACHE": paths.cache_folder,
}


@pytest.mark.parametrize("variable", PLACES)
def test_each_place_has_its_own_override_read_at_each_call(variable, monkeypatch, tmp_path):
    place = PLACES[variable]
    monkeypatch.setenv(variable, str(tmp_path / "田中　Žel a"))
    assert place() == tmp_path / "田中　Žel a"
    monkeypatch.setenv(variable, str(tmp_path / "other"))
    assert place() == tmp_path / "other"


@pytest.mark.parametrize("variable", PLACES)
def test_an_empty_override_counts_as_none(variable, monkeypatch):
    monkeypatch.delenv(variable, raising=False)
    default = PLACES[variable]()
    monkeypatch.setenv(variable, "  ")
    assert PLACES[variable]() == default
    assert "foreword" in default.parts


def test_overrides_are_absolute_and_know_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOREWORD_MODELS", "models")
    assert paths.models_folder() == tmp_path / "models"
    monkeypatch.setenv("FOREWORD_MODELS", "~/models")
    assert paths.models_folder() == Path.home() / "models"


@pytest.mark.parametrize("variable", PLACES)
def test_the_home_of_an_unknown_user_is_no_home(variable, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "~nobody-at-all/x")
    assert PLACES[variable]() == tmp_path / "~nobody-at-all" / "x"


def test_models_lie_in_the_users_data_by_default(monkeypatch):
    monkeypatch.delenv("FOREWORD_MODELS", raising=False)
    monkeypatch.delenv("FOREWORD_DATA", raising=False)
    assert paths.models_folder() == paths.data_folder() / "models"


def test_asking_for_a_place_makes_no_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("FOREWORD_CONFIG", str(tmp_path / "config"))
    assert paths.settings_file() == tmp_path / "config" / "settings.toml"
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def module_at(tmp_path, monkeypatch):
    """Pretends that the package lies at a place of ours."""

    def pretend() -> Path:
        monkeypatch.setattr(paths, "__file__", str(tmp_path / "root" / "engine" / "paths.py"))
        return tmp_path / "root"

    return pretend


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("here")
    return path


def test_an_asset_is_found_in_a_checkout(module_at):
    wanted = put(module_at() / "assets" / "prompts" / "bench.toml")
    assert paths.asset("prompts/bench.toml") == wanted


def test_an_asset_in_the_wheel_wins_over_a_strangers_folder_beside_it(module_at):
    root = module_at()
    put(root / "assets" / "icon.svg")
    wanted = put(root / "engine" / "assets" / "icon.svg")
    assert paths.asset("icon.svg") == wanted


def test_an_asset_is_found_in_a_frozen_build(module_at, monkeypatch, tmp_path):
    module_at()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "frozen"), raising=False)
    wanted = put(tmp_path / "frozen" / "assets" / "icon.svg")
    assert paths.asset("icon.svg") == wanted


def test_a_missing_asset_is_named(module_at):
    root = module_at()
    with pytest.raises(FileMissing, match=r"icon\.svg") as caught:
        paths.asset("icon.svg")
    assert str(root / "assets" / "icon.svg") in caught.value.detail
