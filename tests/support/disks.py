"""Real small and read-only disks, where this user may mount them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A disk of ``size`` bytes, at ``folder``, which is made. Skips the test where none may be."""
    folder.mkdir(parents=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "none", str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """``folder`` as a disk that takes no writing, while it lasts. Skips the test as above."""
    _mount("--bind", "-o", "ro", str(folder), str(folder))
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _mount(*options: str) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("disks are mounted on Linux only")
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this user may mount nothing: {done.stderr.strip()}")
