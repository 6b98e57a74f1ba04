"""Each file of the payload, as NSIS installs and removes it.

Named one by one, so that the uninstaller removes what was installed and nothing else: a person may
have chosen a folder with other things in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath


def write(payload: Path, folder: Path) -> None:
    """Write ``files.nsh`` and ``removal.nsh`` for all below ``payload`` into ``folder``."""
    files = sorted(path for path in payload.rglob("*") if path.is_file())
    names = [path.relative_to(payload) for path in files]
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (
        ("files.nsh", _installing(payload, names)),
        ("removal.nsh", _removing(names)),
    ):
        # makensis takes a file for UTF-8 only where it says so.
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8-sig")


def kilobytes(payload: Path) -> int:
    """What the payload takes, for the list of installed programs."""
    return sum(path.stat().st_size for path in payload.rglob("*") if path.is_file()) // 1024


def _installing(payload: Path, names: Sequence[PurePath]) -> Iterator[str]:
    here: PurePath | None = None
    for name in sorted(names, key=lambda name: (str(name.parent), name.name)):
        if name.parent != here:
            here = name.parent
            yield f'SetOutPath "{_installed(here)}"'
        yield f'File "{payload / name}"'  # a path here is no string of NSIS's: "$" is "$"


def _removing(names: Sequence[PurePath]) -> Iterator[str]:
    for name in names:
        yield f'Delete "{_installed(name)}"'
    folders = {parent for name in names for parent in name.parents if parent.parts}
    # The deepest first: only an empty one can be removed.
    for folder in sorted(folders, key=lambda folder: (-len(folder.parts), str(folder))):
        yield f'RMDir "{_installed(folder)}"'


def _installed(name: PurePath) -> str:
    return _escaped("\\".join(("$INSTDIR", *name.parts)), sparing="$INSTDIR")


def _escaped(text: str, sparing: str = "") -> str:
    """With NSIS's own sign doubled, but for the variable at the beginning."""
    return sparing + text.removeprefix(sparing).replace("$", "$$")
