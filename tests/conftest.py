"""Fixtures and rules for every test."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.tidy import expect_log, no_leaks

__all__ = ["expect_log", "no_leaks"]  # fixtures, found here by name

# No test needs a screen. Set before anything of Qt looks.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Shared machines stall now and then: a slow example is no failure.
settings.register_profile("foreword", deadline=None)
settings.load_profile("foreword")

STORES = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "OLLAMA_MODELS", "XDG_CACHE_HOME")
"""Where other programs keep models: a developer's own must not be seen by a test."""

FOLDERS = ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Points every folder of Foreword's, and the home, below ``tmp_path``; returns Foreword's.

    Other FOREWORD_ variables of the developer's are hidden. Fixtures of wider scope run earlier
    and see the real ones: that is how the starter pair is found.
    """
    for name in [name for name in os.environ if name.startswith("FOREWORD_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "foreword"
    for folder in FOLDERS:
        monkeypatch.setenv(f"FOREWORD_{folder}", str(home / folder.lower()))
    for name in STORES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return home


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that need the real pair last: the quick ones fail first."""
    items.sort(key=lambda item: item.get_closest_marker("real") is not None)


def pytest_collection_finish() -> None:
    """Keep what is loaded by now out of garbage collections: each took a seventh of a second."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """What a test's process sends: a path that is no text would break the line to the others."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sendable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_sendable, value))
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value
