"""Writes one licence file for every part that a package holds.

    python packaging/licences/collect.py FOLDER [--frozen FROZEN]

``FROZEN`` is the frozen build: by default ``app`` beside ``FOLDER``, where there is one. Without a
build what Foreword requires is taken, with all that it requires in turn. Ends with a sentence where
a part has no licence text: nothing may be passed on without.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import libraries
from parts import Part, bundled, required, supplied

TEXTS = Path(__file__).resolve().parent / "texts"
_HEAD = """\
Foreword is under the Apache License, version 2.0: see LICENSE beside this folder. It holds these
parts of others', each with the licence in the file of its name. Where a licence of Debian's names
one in /usr/share/common-licenses, that text is in common-licenses here.

"""


def collect(folder: Path, frozen: Path | None) -> list[Part]:
    """Write the files into ``folder``, made anew; returns the parts.

    Raises SystemExit, naming all that have none, and where Qt is of another version than its text.
    """
    found = [*_python_parts(frozen), *supplied(TEXTS)]
    if frozen:
        found += libraries.parts(frozen)
    found.sort(key=lambda part: part.name.lower())
    if bare := [part.name for part in found if not part.text.strip()]:
        raise SystemExit(f"No licence text was found for: {', '.join(bare)}")
    _check_qt(found)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in found:
        (folder / part.file_name).write_text(part.document(), encoding="utf-8")
    _add_common(folder, found)
    listed = "".join(f"{part.title()}: {part.file_name}\n" for part in found)
    (folder / "README.txt").write_text(_HEAD + listed, encoding="utf-8")
    return found


def _python_parts(frozen: Path | None) -> list[Part]:
    """Python itself, and the distributions for it."""
    names = bundled(frozen) if frozen else required("foreword")
    parts = [Part.of_distribution(metadata.distribution(name), TEXTS) for name in sorted(names)]
    return [*parts, Part.of_python(TEXTS)]


def _check_qt(parts: Sequence[Part]) -> None:
    """What Qt holds of others' changes with its minor versions."""
    text = (TEXTS / "Qt-third-party.txt").read_text("utf-8")
    told = re.search(r"in the sources of qtbase (\d+\.\d+)\.", text)
    for part in parts:
        if part.name.startswith("PySide6") and not (
            told and part.version.startswith(f"{told[1]}.")
        ):
            raise SystemExit(
                f"Qt-third-party.txt is not of the Qt in {part.title()}: make it anew, as "
                "packaging/licences/README.md says."
            )


def _add_common(folder: Path, parts: Sequence[Part]) -> None:
    """Debian's licence files name long licences by their places on a Debian system."""
    place = re.compile(r"/usr/share/common-licenses/([\w.+-]*\w)")
    names = {name for part in parts for name in place.findall(part.text)}
    for name in sorted(names):
        source = Path("/usr/share/common-licenses") / name
        if source.is_file():
            (folder / "common-licenses").mkdir(exist_ok=True)
            shutil.copyfile(source, folder / "common-licenses" / name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect what the command line asks for."""
    parser = argparse.ArgumentParser(description="One licence file for every part of a package.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frozen", type=Path, metavar="FROZEN")
    given = parser.parse_args(arguments)
    beside = given.folder.parent / "app"
    frozen = given.frozen or (beside if beside.is_dir() else None)
    parts = collect(given.folder, frozen)
    sys.stdout.write(f"Licences of {len(parts)} parts are in {given.folder}\n")


if __name__ == "__main__":
    main()
