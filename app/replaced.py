"""Whether the program on the disk is still the one that runs.

A package's manager, or install.sh of another version, may replace or remove it under an open
window, and what that window imports only now would come from there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any


class Program:
    """The frozen program of this process as it is on the disk now; elsewhere there is nothing to
    tell: a checkout is edited while it runs."""

    def __init__(self) -> None:
        self._path = Path(sys.executable) if getattr(sys, "frozen", False) else None
        self._at_start = _identity(self._path)
        _soften(sys.modules.get("pyimod01_archive"))

    @property
    def is_replaced(self) -> bool:
        """Whether it is gone, or another since this was made."""
        return _identity(self._path) != self._at_start


def _identity(path: Path | None) -> tuple[int, ...]:
    if path is None:
        return ()
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _soften(archive: Any) -> None:
    """Have a module that cannot be read any more be an error like others.

    PyInstaller's own reader (its module ``pyimod01_archive``) ends the process where its file is
    gone, without a word that anybody sees.
    """
    if archive is None:
        return
    extract = archive.ZlibArchiveReader.extract

    def softly(reader: Any, name: str, raw: bool = False) -> Any:
        try:
            return extract(reader, name, raw)
        except SystemExit as gone:
            raise ImportError(f"{name} cannot be read any more") from gone

    archive.ZlibArchiveReader.extract = softly
