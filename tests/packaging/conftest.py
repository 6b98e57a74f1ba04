"""Loads the set-up scripts, which are plain files and no package, as ``make`` runs them."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "packaging" / "wheel"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> object:
    """Called with a script's name; returns it as a module."""

    def load(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(SCRIPTS))
        return importlib.import_module(name)

    return load
