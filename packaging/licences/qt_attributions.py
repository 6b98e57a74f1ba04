"""Makes ``texts/Qt-third-party.txt`` anew: what Qt's own sources hold of others', and the licences.

    python packaging/licences/qt_attributions.py SOURCES

``SOURCES``: unpacked sources of qtbase, of the minor version that is bundled, as Qt publishes them
or a distribution's source package holds them. Beside the code of others lies a qt_attribution.json
that tells of it; Qt makes its own list of licences from those.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TEXT = Path(__file__).with_name("texts") / "Qt-third-party.txt"
# What is in no library of Qt's: how it is built and tested, and systems that Foreword is not for.
_ELSEWHERE = {"android", "cmake", "gradle", "testinternal", "testlib", "wasm"}
_HEAD = """\
Parts of others in Qt's sources and libraries, with their licences.

Made from the attributions in the sources of qtbase {version}. Which of these parts a build holds
depends on the system: on Linux, FreeType is the system's.
"""
_VERSION = re.compile(r'set\(QT_REPO_MODULE_VERSION "([\d.]+)"\)')


@dataclass(frozen=True)
class Attribution:
    """A part of others': what it is, whose, and the whole of its licence."""

    title: str
    licence: str
    copyright: str
    text: str


def document(sources: Path) -> str:
    """The whole file. Raises SystemExit where a licence text is not there."""
    version = _VERSION.search((sources / ".cmake.conf").read_text(encoding="utf-8"))
    if version is None:
        raise SystemExit(f"{sources} holds no sources of qtbase.")
    by_text: dict[str, list[Attribution]] = {}
    for found in attributions(sources):
        by_text.setdefault(found.text, []).append(found)
    blocks = [_HEAD.format(version=version[1])]
    for text, sharing in by_text.items():
        for each in sharing:
            blocks.append(f"{each.title}\n{'-' * len(each.title)}\n\n{each.licence}\n")
            blocks.append(f"{each.copyright}\n")
        blocks.append(f"{text}\n")
    return "\n".join(blocks)


def attributions(sources: Path) -> Iterator[Attribution]:
    """All of them, in the order of their folders."""
    for path in sorted(sources.rglob("qt_attribution.json")):
        if _ELSEWHERE.isdisjoint(path.relative_to(sources).parts):
            # Texts of several lines stand in them as they are, which JSON forbids.
            read = json.loads(path.read_text(encoding="utf-8"), strict=False)
            for entry in read if isinstance(read, list) else [read]:
                yield _attribution(entry, path.parent, sources)


def _attribution(entry: Mapping[str, Any], folder: Path, sources: Path) -> Attribution:
    version = re.sub(r"\s+", " ", str(entry.get("Version", "")))
    holders = entry.get("Copyright", [])
    if name := entry.get("CopyrightFile"):
        holders = (folder / name).read_text(encoding="utf-8")
    lines = holders if isinstance(holders, list) else holders.splitlines()
    return Attribution(
        title=f"{entry['Name']} {version}".strip(),
        licence=f"In {folder.relative_to(sources).as_posix()}. {entry['License']}",
        copyright="\n".join(line.strip() for line in lines),
        text="\n\n".join(_read(path) for path in _files(entry, folder, sources)),
    )


def _files(entry: Mapping[str, Any], folder: Path, sources: Path) -> list[Path]:
    """The licence's own files, or else those of its names in SPDX."""
    if named := entry.get("LicenseFiles") or entry.get("LicenseFile"):
        return [folder / each for each in ([named] if isinstance(named, str) else named)]
    names = re.split(r" (?:OR|AND) ", str(entry["LicenseId"]))
    return [sources / "LICENSES" / f"{name}.txt" for name in names]


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SystemExit(f"{path} is not there: {error.strerror}.") from error
    return "\n".join(line.rstrip() for line in text.expandtabs().splitlines()).strip("\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    TEXT.write_text(document(Path(sys.argv[1])), encoding="utf-8", newline="\n")
