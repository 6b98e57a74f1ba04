"""Windows over a fake engine in a process of its own, closed after each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.theme import Theme
from app.window import Window
from tests.app.windows import OpenWindow, delete_now, until_phase
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny


@pytest.fixture(name="pair")
def model_files(own_folders: Path) -> Pair:
    folder = own_folders / "models"
    folder.mkdir(parents=True, exist_ok=True)
    target = write_tiny(folder / "target.gguf", Tiny())
    return Pair(target, write_tiny(folder / "draft.gguf", Tiny(seed=2)))


@pytest.fixture(name="open_window")
def windows(qapp: QApplication, installed: Theme) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def open_window(*options: str, pair: Pair | None = None) -> Window:
        window = Window(Parts.assemble(fake(*options)))
        opened.append(window)
        window.show()
        if pair is not None:
            window.opener.load(pair)
            until_phase(window, Phase.READY)
        return window

    yield open_window
    for window in opened:
        window.close()
        window.deleteLater()
    delete_now()


def damage_history(own_folders: Path) -> None:
    """Leave a database of conversations that SQLite takes for one and cannot read."""
    data = own_folders / "data"
    data.mkdir(parents=True)
    (data / "conversations.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
