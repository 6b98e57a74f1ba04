"""The shared libraries of the system's that a frozen build for Linux took along.

Each is of a Debian package, and Debian has a licence file for each. On other systems a build takes
no library but those of Python's own installer, whose licence file covers them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from parts import Part

_DOCUMENTS = Path("/usr/share/doc")


def parts(frozen: Path) -> list[Part]:
    """One part for each Debian package that a library came from.

    Raises SystemExit for a library that no package here owns.
    """
    if not sys.platform.startswith("linux"):
        return []
    packages: dict[str, list[str]] = {}
    for library in loose(frozen):
        packages.setdefault(_owner(library), []).append(library)
    return [_part(package, held) for package, held in sorted(packages.items())]


def loose(frozen: Path) -> list[str]:
    """Names of the libraries that lie beside Python's own.

    What came with a distribution lies in that one's folder, and here is a link to it at most.
    """
    return sorted(
        path.name
        for path in (frozen / "_internal").glob("lib*.so*")
        if not path.is_symlink() and not re.match(r"libpython\d", path.name)
    )


def _owner(library: str) -> str:
    asked = subprocess.run(
        ["dpkg-query", "--search", f"*/{library}"], capture_output=True, text=True, check=False
    )
    if asked.returncode != 0 or not asked.stdout:
        raise SystemExit(f"No licence text was found for: {library}, of no Debian package here")
    return re.split(r"[:,\s]", asked.stdout, maxsplit=1)[0]


def _part(package: str, held: list[str]) -> Part:
    version = subprocess.check_output(
        ["dpkg-query", "--show", "--showformat=${Version}\n", package], text=True
    ).split()[0]
    document = _DOCUMENTS / package / "copyright"
    text = document.read_text("utf-8", errors="replace") if document.is_file() else ""
    if text:
        text = f"Holds {', '.join(held)}\n\n{text}"
    return Part(f"debian-{package}", version, "", text)
