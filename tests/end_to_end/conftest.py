"""The starter pair, fetched once into the user's own models folder and used from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.models import starter
from engine.models.arriving import ModelFile


@pytest.fixture(scope="session")
def starter_folder() -> Path:
    """The folder that holds the starter pair; fetches what is missing (1.6 GB)."""
    target, _draft = map(fetched, starter.STARTER_PAIR)
    return target.parent


def fetched(file: ModelFile) -> Path:
    """Where the file is, fetched if it was missing."""
    if starter.installed(file) is None:
        starter.fetch(file, progress=lambda _progress: None, cancelled=lambda: False)
    found = starter.installed(file)
    assert found is not None
    return found
