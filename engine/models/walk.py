"""Finds the GGUF files below a folder: each once, whatever links lead in circles."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

SUFFIX = ".gguf"


def ggufs(
    folder: Path,
    *,
    trouble: Callable[[str], None],
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Path]:
    """The files called .gguf in ``folder`` and below, in order of name, folder by folder.

    Links to folders are followed, each folder is read once. A link that leads nowhere is a file
    that cannot be read; a folder called .gguf that holds none stands for itself, so that a list
    can say what is wrong with both. What macOS puts beside a file on a foreign disk ("._name") is
    none.

    Args:
        folder: Where to look.
        trouble: Told a sentence for each folder that cannot be read.
        cancelled: Asked at each folder whether to stop.
    """
    seen: set[object] = set()
    waiting = [folder]
    while waiting and not cancelled():
        place = waiting.pop()
        try:
            status = os.stat(place)
            # Some network drives on Windows number nothing: there the whole path tells.
            same = (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(place)
            if same in seen:
                continue
            seen.add(same)
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            trouble(f"The folder {place} cannot be read ({error.strerror or error}).")
            continue
        files, folders = _sorted_out(place, entries)
        if not (files or folders) and place.suffix.lower() == SUFFIX:
            yield place
        yield from files
        waiting += reversed(folders)


def _sorted_out(place: Path, entries: list[os.DirEntry[str]]) -> tuple[list[Path], list[Path]]:
    files, folders = [], []
    for entry in entries:
        if _is_folder(entry):
            folders.append(place / entry.name)
        elif entry.name.lower().endswith(SUFFIX) and not entry.name.startswith("._"):
            files.append(place / entry.name)
    return files, folders


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself, for one
        return False
