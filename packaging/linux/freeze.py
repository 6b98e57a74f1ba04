"""The one-folder build: PyInstaller's, stripped of what only a debugger reads."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import elf
import places
import steps

BUILD = places.ROOT / "build"
# Theirs were stripped, or do not survive it: their makers moved parts of them about.
_LEFT_ALONE = ("PySide6", "shiboken6", "numpy.libs")


def freeze(epoch: int) -> Path:
    """Freeze what is installed in ``.venv``; returns the folder. ``epoch``: the time that is told
    wherever a time is told."""
    folder = BUILD / "package"
    shutil.rmtree(folder, ignore_errors=True)
    command = [places.python(), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(folder), "--workpath", str(BUILD / "pyinstaller")]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "1"}
    steps.run(
        "Freezing Foreword into one folder ...",
        [*command, str(places.ROOT / "packaging" / "foreword.spec")],
        "pyinstaller",
        environment,
    )
    frozen = folder / "foreword"
    _strip(frozen)
    return frozen


def _strip(frozen: Path) -> None:
    for path in elf.files(frozen / "_internal"):
        if path.relative_to(frozen / "_internal").parts[0] not in _LEFT_ALONE:
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)
