"""Which parts a package is made of, and their licence texts."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
# Their wheels hold no text; Qt.txt says what a person may do.
_TEXTS_OF = {
    "pyside6-essentials": (
        "Qt.txt",
        "LGPL-3.0.txt",
        "GPL-3.0.txt",
        "Qt-third-party.txt",
        "Qt-others.txt",
    ),
    "shiboken6": ("Qt.txt", "LGPL-3.0.txt", "GPL-3.0.txt"),
}
_PYTHON_TEXTS = ("LICENSE.txt", "LICENSE", "copyright")


@dataclass(frozen=True)
class Part:
    """A part of the package: its name and version, its licence in a word, and all of its text."""

    name: str
    version: str
    licence: str
    text: str

    @classmethod
    def of_distribution(cls, found: metadata.Distribution, texts: Path) -> Part:
        """An installed distribution. The text is empty where it has none."""
        name = found.metadata["Name"]
        own = [(texts / each).read_text("utf-8") for each in _TEXTS_OF.get(key(name), ())]
        text = "\n\n".join([*own, *_texts(found)])
        return cls(name, found.version, _word(found), text)

    @classmethod
    def of_python(cls, texts: Path) -> Part:
        """The interpreter, and OpenSSL, which it and ``cryptography`` link."""
        version = ".".join(map(str, sys.version_info[:3]))
        openssl = "OpenSSL, which Python links, is under this licence:\n\n"
        text = _python_text()
        if text:
            text += f"\n\n{openssl}{(texts / 'Apache-2.0.txt').read_text('utf-8')}"
        return cls("Python", version, "PSF-2.0", text)

    @property
    def file_name(self) -> str:
        """The name of its licence file."""
        return re.sub(r"[^\w.+-]", "-", self.name) + ".txt"

    def title(self) -> str:
        """Name, version and licence in one line."""
        named = " ".join(word for word in (self.name, self.version) if word)
        return f"{named} ({self.licence})" if self.licence else named

    def document(self) -> str:
        """What is written into its licence file."""
        title = self.title()
        return f"{title}\n{'=' * len(title)}\n\n{self.text.strip()}\n"


def supplied(texts: Path) -> list[Part]:
    """Parts that are no distributions of their own: llama.cpp, and what starts a frozen build."""
    llama = Part("llama.cpp", "", "MIT", (texts / "llama.cpp.txt").read_text("utf-8"))
    try:
        starter = metadata.distribution("pyinstaller")
    except metadata.PackageNotFoundError:  # nothing is frozen here
        return [llama]
    licence = "GPL-2.0-or-later with an exception for what it starts"
    text = "\n\n".join(_texts(starter))
    return [llama, Part("PyInstaller's bootloader", starter.version, licence, text)]


def key(name: str) -> str:
    """A distribution's name as it is compared."""
    return str(canonicalize_name(name))


def required(name: str) -> set[str]:
    """Names of what a distribution requires on this system, with all that it requires in turn.

    Raises SystemExit where one of them is not installed.
    """
    found: set[str] = set()
    to_see: list[tuple[str, frozenset[str]]] = [(name, frozenset())]
    seen = set(to_see)
    while to_see:
        each, extras = to_see.pop()
        found.add(key(each))
        for text in _distribution(each).requires or ():
            need = Requirement(text)
            wanted = need.name, frozenset(need.extras)
            if _applies(need, extras) and wanted not in seen:
                seen.add(wanted)
                to_see.append(wanted)
    return found - {key(name)}


def _distribution(name: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise SystemExit(f"{name} is required, and it is not installed here.") from None


def _applies(need: Requirement, extras: frozenset[str]) -> bool:
    if need.marker is None:
        return True
    return any(need.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def bundled(frozen: Path) -> set[str]:
    """Names of the distributions that a frozen build holds modules of."""
    owners = metadata.packages_distributions()
    ours = {"foreword"}
    tops = {module.partition(".")[0] for module in _modules(frozen)}
    return {key(name) for top in tops for name in owners.get(top, ())} - ours


def _modules(frozen: Path) -> set[str]:
    """Dotted names of the modules in the program, and the folders beside it."""
    from PyInstaller.archive.readers import CArchiveReader  # type: ignore[import-untyped]

    programs = [*frozen.glob("[Ff]oreword"), *frozen.glob("*.exe")]
    programs += frozen.glob("Contents/MacOS/Foreword")
    if not programs:
        raise SystemExit(f"There is no frozen Foreword in {frozen}")
    archive = CArchiveReader(str(programs[0]))
    names = set(archive.open_embedded_archive("PYZ.pyz").toc)
    folders = (frozen / "_internal", frozen / "Contents" / "Frameworks")
    return names | {path.stem for folder in folders for path in folder.glob("*")}


def _texts(found: metadata.Distribution) -> list[str]:
    """Its licence files, each headed by its name where there are several."""
    files = [
        file
        for file in found.files or ()
        if ".dist-info" in file.parts[0] and _LICENCE.search(file.name) and _is_text(file)
    ]
    read = [(file.name, found.locate_file(file)) for file in sorted(files)]
    texts = [(name, Path(str(path)).read_text("utf-8", errors="replace")) for name, path in read]
    return [text if len(texts) == 1 else f"--- {name}\n\n{text}" for name, text in texts]


def _is_text(file: PurePosixPath) -> bool:
    return file.suffix.lower() not in (".py", ".pyc", ".json", ".toml")


def _word(found: metadata.Distribution) -> str:
    """Its licence in a word; empty where its metadata hold only the text, or nothing."""
    given = found.metadata.get("License-Expression") or found.metadata.get("License") or ""
    return given if "\n" not in given and len(given) < 80 else ""


@cache
def _python_text() -> str:
    """What Python's own installers lay beside it, or Debian."""
    base, stdlib = Path(sys.base_prefix), f"python{sys.version_info[0]}.{sys.version_info[1]}"
    folders = (base, base / "lib" / stdlib, Path("/usr/share/doc") / stdlib)
    for path in (folder / name for folder in folders for name in _PYTHON_TEXTS):
        if path.is_file():
            return path.read_text("utf-8", errors="replace")
    return ""
