"""A history of the test's own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.history import Store


@pytest.fixture
def path() -> Iterator[Path]:
    """Where a history may lie: in memory where the system offers that, since a fresh one waits
    for the disk a dozen times."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder) / "conversations.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        assert store.trouble is None
        yield store
