"""What ELF files link and which versions of symbols they need, as ``objdump -p`` tells it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

Version = tuple[int, ...]


@dataclass
class Needs:
    """What some files need.

    ``libraries``: file names that are linked, ``sonames``: the names that the files go by;
    ``newest``: by prefix ("GLIBC", "GLIBCXX"), the newest version and a file that needs it.
    """

    libraries: set[str] = field(default_factory=set)
    sonames: set[str] = field(default_factory=set)
    newest: dict[str, tuple[Version, str]] = field(default_factory=dict)


def files(folder: Path) -> Iterator[Path]:
    """The ELF files below a folder, links left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def read(paths: Iterable[Path]) -> Needs:
    """What these files need."""
    needs = Needs()
    for path in paths:
        needs.sonames.add(path.name)
        command = ["objdump", "-p", str(path)]
        add(needs, path.name, subprocess.check_output(command, text=True))
    return needs


def add(needs: Needs, name: str, told: str) -> None:
    """Add what objdump told of the file ``name``."""
    needs.libraries.update(re.findall(r"^\s+NEEDED\s+(\S+)", told, re.MULTILINE))
    needs.sonames.update(re.findall(r"^\s+SONAME\s+(\S+)", told, re.MULTILINE))
    references = told.partition("Version References:")[2]
    for prefix, digits in re.findall(r"\b(GLIBC|GLIBCXX)_([\d.]+)", references):
        version = tuple(map(int, digits.split(".")))
        if version > needs.newest.get(prefix, ((0,), ""))[0]:
            needs.newest[prefix] = (version, name)
