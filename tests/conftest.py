"""Fixtures and rules for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.tidy import expect_log, no_leaks

__all__ = ["expect_log", "no_leaks"]  # fixtures, found here by name

# No test needs a screen. Set before anything of Qt looks.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Shared machines stall now and then: a slow example is no failure.
settings.register_profile("foreword", deadline=None)
settings.load_profile("foreword")

FOLDERS = ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Points every folder of Foreword's below ``tmp_path``; returns the folder above them.

    Other FOREWORD_ variables of the developer's are hidden. Fixtures of wider scope run earlier
    and see the real ones: that is how the starter pair is found.
    """
    for name in [name for name in os.environ if name.startswith("FOREWORD_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "foreword"
    for folder in FOLDERS:
        monkeypatch.setenv(f"FOREWORD_{folder}", str(home / folder.lower()))
    return home


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that need the real pair last: the quick ones fail first."""
    items.sort(key=lambda item: item.get_closest_marker("real") is not None)
