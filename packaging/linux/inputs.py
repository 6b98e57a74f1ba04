"""Whether the packages would differ from those that last passed ``make package-test``.

``python packaging/linux/inputs.py`` exits 0 where they would and 3 where that one still holds. The
trial takes minutes, and a change of a test or of the documentation is none of theirs.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))

import places

UNCHANGED = 3
# Everything in the checkout that goes into a package or says how it is built and tried.
_FOLDERS = ("app", "assets", "engine", "packaging")
_FILES = ("LICENSE", "Makefile", "pyproject.toml", "tests/packaging/test_processors.py")


def digest(root: Path = places.ROOT) -> str:
    """A digest of the names and contents of all inputs below a checkout."""
    found = hashlib.sha256(sys.version.encode())
    for path in _paths(root):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    return found.hexdigest()


def changed() -> bool:
    """Whether the inputs differ from those that passed last on this machine."""
    try:
        return _note().read_text(encoding="utf-8") != digest()
    except OSError:
        return True


def passed() -> None:
    """Keep the digest of what passed just now."""
    _note().parent.mkdir(parents=True, exist_ok=True)
    _note().write_text(digest(), encoding="utf-8")


def _note() -> Path:
    return places.cache() / "package-test-passed"


def _paths(root: Path) -> Iterator[Path]:
    yield from (root / name for name in _FILES if (root / name).is_file())
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


if __name__ == "__main__":
    sys.exit(0 if changed() else UNCHANGED)
