"""Which pair is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pairs import Pair, last_pair
from engine.models import starter
from engine.settings import Settings
from tests.support.tiny_models import Tiny, write_tiny


@pytest.fixture(name="folder")
def models_folder(own_folders: Path) -> Path:
    folder = own_folders / "models"
    folder.mkdir(parents=True)
    return folder


def test_the_pair_used_last_is_loaded(folder: Path) -> None:
    target = write_tiny(folder / "target.gguf", Tiny())
    draft = folder / "gone.gguf"
    assert last_pair(Settings(target=target, draft=draft)) == Pair(target, draft)


def test_where_there_is_nothing_nothing_is_loaded(folder: Path) -> None:
    assert last_pair(Settings()) is None
    assert last_pair(Settings(target=folder / "gone.gguf")) is None


def test_a_path_that_the_system_refuses_is_no_model(folder: Path) -> None:
    assert last_pair(Settings(target=folder / ("x" * 300))) is None


def test_the_starter_pair_is_found(folder: Path) -> None:
    for file in starter.STARTER_PAIR:
        with open(folder / file.name, "wb") as sparse:
            sparse.truncate(file.size)
    pair = last_pair(Settings())
    assert pair == Pair(folder / starter.TARGET.name, folder / starter.DRAFT.name)
