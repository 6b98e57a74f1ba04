"""The layering that docs/architecture.md describes holds in the code."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import engine

ROOT = Path(__file__).resolve().parent.parent

IMPORT_ALL_WITHOUT = """
import importlib, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ImportError("a module of the engine imports " + name)

sys.meta_path.insert(0, Blocked())
for name in {modules}:
    importlib.import_module(name)
"""


def engine_modules() -> list[str]:
    """Every module of the engine but the ones that run when imported."""
    found = pkgutil.walk_packages(engine.__path__, "engine.")
    return sorted(module.name for module in found if not module.name.endswith("__main__"))


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_engine_module_imports_without_qt_and_app() -> None:
    code = IMPORT_ALL_WITHOUT.format(
        blocked={"PySide6", "shiboken6", "app"}, modules=engine_modules()
    )
    result = python("-W", "error", "-W", "ignore::ResourceWarning", "-c", code)
    assert result.returncode == 0, result.stderr


def test_the_import_contracts_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [program, "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
