"""Real small and read-only disks, where this user may mount them, and folders that are closed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


@contextmanager
def closed(folder: Path, why: int = errno.EACCES, *, listed: bool = True) -> Iterator[None]:
    """``folder`` as one that the system lets nobody into, while it lasts; ``why``: its reason.

    The answers are replaced: root may enter any. ``listed``: the folder itself can be looked at, as
    one without permissions can; one in a folder that is closed, or on a disk that went, cannot.
    """

    def refusing(real: Callable[..., Any], least: int) -> Callable[..., Any]:
        def ask(path: Any = ".", *arguments: Any, **options: Any) -> Any:
            place = Path(os.fsdecode(path)) if isinstance(path, str | bytes | Path) else Path()
            if place.is_relative_to(folder) and len(place.relative_to(folder).parts) >= least:
                raise OSError(why, os.strerror(why), str(place))
            return real(path, *arguments, **options)

        return ask

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", refusing(os.scandir, 0))
        for name in ("stat", "lstat"):
            patch.setattr(os, name, refusing(getattr(os, name), 1 if listed else 0))
        yield


def _mount(*options: str) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("disks are mounted on Linux only")
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this user may mount nothing: {done.stderr.strip()}")
