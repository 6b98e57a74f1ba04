"""Loads the set-up scripts, which are plain files and no package, as ``make`` runs them."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> object:
    """Called with a script's name, and its folder if not "wheel"; returns it as a module."""

    def load(name: str, folder: str = "wheel") -> ModuleType:
        for each in ("wheel", folder):  # the others import what those of "wheel" offer
            monkeypatch.syspath_prepend(str(SCRIPTS / each))
        return importlib.import_module(name)

    return load
