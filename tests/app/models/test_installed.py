"""What lies on this machine, as the page of models lists it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app.models.installed import Installed
from app.models.room import Models
from app.theme import Theme
from tests.app.models.conftest import looked, words
from tests.app.models.test_page import press
from tests.app.windows import until
from tests.support.tiny_models import Tiny, write_tiny


@pytest.fixture
def here(installed: Theme, models: Models, window: QWidget) -> Installed:
    made = Installed(installed, models.library, models.choices, models.life, window)
    made.resize(window.size())
    made.show()
    return made


def test_every_damaged_file_can_be_seen(here: Installed, models: Models, folder: Path) -> None:
    for number in range(50):
        (folder / f"page {number:02}.gguf").write_text("<!DOCTYPE html>")
    looked(models)
    assert "page 49" not in words(here)
    press(here, "Show 10 more")
    until(lambda: "page 49" in words(here))


def test_models_of_one_name_are_told_apart(here: Installed, models: Models, folder: Path) -> None:
    for publisher in ("one", "two"):
        (folder / publisher).mkdir()
        write_tiny(folder / publisher / "model.gguf", Tiny(seed=len(publisher)))
    looked(models)
    assert {"one/model", "two/model"} <= set(words(here).splitlines())
