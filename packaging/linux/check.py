"""What the Linux packages must keep to: sizes, and the systems that they run on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import elf
import needs

MEGABYTE = 1_000_000
DEB_LIMIT, INSTALLED_LIMIT = 95 * MEGABYTE, 240 * MEGABYTE
_OLDEST = "libggml-cpu-x64.so"
"""The module for any x86-64 processor. It is there where there is one for each kind."""


@dataclass(frozen=True)
class Finding:
    """One measure: its name, what was found, the limit, and whether it is kept."""

    measure: str
    found: str
    limit: str
    kept: bool

    def __str__(self) -> str:
        word = "ok    " if self.kept else "TOO MUCH"
        return f"{word}  {self.measure}: {self.found} (at most {self.limit})"


def sizes(program: Path, deb: Path) -> Iterator[Finding]:
    """Of the package, and of the program where it is installed."""
    yield _size(".deb", deb.stat().st_size, DEB_LIMIT)
    yield _size("installed", installed_bytes(program), INSTALLED_LIMIT)


def symbols(found: elf.Needs) -> Iterator[Finding]:
    """Of the C and C++ libraries, as old as they may be."""
    for prefix, limit in (("GLIBC", needs.GLIBC), ("GLIBCXX", needs.GLIBCXX)):
        version, file = found.newest[prefix]
        words = f"{_dotted(version)}, by {file}"
        yield Finding(f"newest {prefix} symbol", words, _dotted(limit), version <= limit)


def for_any_processor(libraries: Path) -> None:
    """Raises SystemExit where llama.cpp, in this folder, may use what only this processor has."""
    if not (libraries / _OLDEST).is_file():
        raise SystemExit(
            f"The llama.cpp in .venv is for this machine's processor: there is no {_OLDEST}. On "
            "others the package would end with an illegal instruction. Run make package without "
            "CMAKE_ARGS, or with -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON "
            "-DGGML_CPU_ALL_VARIANTS=ON among them."
        )


def installed_bytes(folder: Path) -> int:
    """Bytes of the files below a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in paths)


def _size(measure: str, found: int, limit: int) -> Finding:
    shown = f"{found / MEGABYTE:.1f} MB"
    return Finding(measure, shown, f"{limit / MEGABYTE:.0f} MB", found <= limit)


def _dotted(version: elf.Version) -> str:
    return ".".join(map(str, version))
