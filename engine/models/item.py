"""One thing to download, of one file or several, and the note that tells a later start of it.

The note lies beside the growing file as ``<first file's name>.part.json`` (of several files, with a
mark of all their names before ``.part``) from the moment that the download is asked for until its
last file has its name. Whatever ends the program in between, the
next start finds what was to come, from where, and how far it is.
"""

from __future__ import annotations

import glob
import hashlib
import itertools
import json
import logging
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import BadFileName
from engine.models.arriving import ModelFile, disk_errors
from engine.models.shards import shard_in

if TYPE_CHECKING:
    from engine.models.catalogue import CatalogueModel

log = logging.getLogger("engine.models")

_NOTE = ".part.json"
_FRESH = ".new"
_VERSION = 1
_LARGEST_NOTE = 1 << 20  # bytes
# What no system takes, or takes for something else than a name; on Windows "con.gguf" is a device.
_PLAIN = re.compile(
    r"(?!(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|$))"
    r'[^\x00-\x1f\x7f-\x9f\ud800-\udfff\\/:*?"<>|]{1,200}(?<![. ])',
    re.IGNORECASE,
)
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_SHA256 = re.compile(r"(?:[0-9a-f]{64})?")
_PACKAGE = re.compile(r"\w[\w.-]*==[\w.]+")


@dataclass(frozen=True)
class Item:
    """What a person asks for: a model with all its shards, or a pair.

    Attributes:
        title: For a person.
        files: In the order in which they come; at least one.
    """

    title: str
    files: tuple[ModelFile, ...]

    def __post_init__(self) -> None:
        """Raises BadFileName for a name that could lie outside its folder."""
        for file in self.files:
            if not _PLAIN.fullmatch(file.name) or file.name.startswith("."):
                raise BadFileName(name=file.name)

    @property
    def name(self) -> str:
        """The first file's name."""
        return self.files[0].name

    @property
    def names(self) -> tuple[str, ...]:
        """All files' names: another item in the same folder has others, if perhaps some of them."""
        return tuple(file.name for file in self.files)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def is_known(self) -> bool:
        """Whether all sizes and checksums are known, so that it can be fetched."""
        return all(file.is_known for file in self.files)

    @property
    def is_sharded(self) -> bool:
        """Whether its files are the parts of one model, useless without each other."""
        return len(self.files) > 1 and all(shard_in(file.name) for file in self.files)


@dataclass(frozen=True)
class Unfinished:
    """A download that an earlier start left: ``item`` in ``folder``, asked for at ``asked``.

    ``before``: the names of its files that lay there already when it was.
    """

    item: Item
    folder: Path
    asked: float
    before: frozenset[str] = frozenset()


def catalogue_item(model: CatalogueModel, role: str = "") -> Item:
    """A model of the catalogue as a thing to download."""
    files = tuple(
        ModelFile(
            name=file.name.rpartition("/")[2],
            title=model.title,
            role=role,
            size=file.size or 0,
            sha256=file.sha256 or "",
            licence=model.licence,
            repo=model.repo,
            revision=model.revision or "",
            path=file.name if "/" in file.name else "",
        )
        for file in model.files
    )
    return Item(model.title, files)


def place(item: Item, folder: Path) -> Path:
    """Where ``item`` goes: ``folder``, or one in it named after the repository, perhaps numbered.

    The latter where another file has one of the names: publishers call their versions of a model
    alike.
    """
    own = folder_of_its_own(item)
    further = (folder / f"{own} {number}" for number in itertools.count(2))
    places = itertools.chain((folder, folder / own), further)
    return next(where for where in places if taken(item.files, where) is None)


def folder_of_its_own(item: Item) -> str:
    """What a folder for ``item`` alone is called."""
    owner, _, repo = item.files[0].repo.partition("/")
    return f"{owner} {repo}".strip()


def coming(folder: Path) -> list[ModelFile]:
    """The files of every download to ``folder`` itself that is not at its end."""
    return [file for kept in _kept(folder.glob(f"*{_NOTE}")) for file in kept.item.files]


def taken(files: Iterable[ModelFile], folder: Path) -> Path | None:
    """Another file that has the name of one of ``files`` in ``folder``, or grows to have it."""
    there = coming(folder)
    for file in files:
        if any(_differ(file, other) for other in there if other.name == file.name):
            return folder / f"{file.name}.part"
        if is_another(file, folder):
            return folder / file.name
    return None


def is_another(file: ModelFile, folder: Path) -> bool:
    """Whether what lies in ``folder`` under the name of ``file`` is something else."""
    path = folder / file.name
    try:
        size = path.stat().st_size
    except OSError:
        return os.path.islink(path)  # to a disk that is away, perhaps
    return file.size not in (0, size)


def note_name(item: Item) -> str:
    """What the note of ``item`` is called: a pair's otherwise than that of its target alone."""
    if len(item.files) == 1:
        return item.name + _NOTE
    mark = hashlib.sha256("/".join(item.names).encode()).hexdigest()[:8]
    return f"{item.name}.{mark}{_NOTE}"


def write_note(item: Item, folder: Path, asked: float, before: Iterable[str] = ()) -> None:
    """Note that ``item`` is to come to ``folder``.

    ``before``: names of files that no download brought, besides those that lie there when the note
    is first written. Raises FolderNotWritable, NoSpace.
    """
    path = folder / note_name(item)
    note = {"version": _VERSION, "asked": asked, "title": item.title}
    note["files"] = [asdict(file) for file in item.files]
    earlier = _read_note(path)
    there = {name for name in item.names if os.path.lexists(folder / name)}
    note["before"] = sorted(earlier.before if earlier else there.union(before))
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # Two may write it at once: the queue that adds it, and a download of it under way.
        fresh = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{_FRESH}")
        fresh.write_text(json.dumps(note, indent=1), encoding="utf-8")
        os.replace(fresh, path)


def lay_before(item: Item, folder: Path) -> frozenset[str]:
    """The names of the files of ``item`` that no download brought, as far as a note says so."""
    kept = _read_note(folder / note_name(item))
    return kept.before if kept else frozenset()


def is_noted(item: Item, folder: Path) -> bool:
    """Whether somebody waits for ``item`` already."""
    return (folder / note_name(item)).is_file()


def remove_note(item: Item, folder: Path) -> None:
    """Forget that ``item`` is to come; nothing happens where that cannot be."""
    note = note_name(item)
    with suppress(OSError):
        for fresh in folder.glob(f"{glob.escape(note)}.*{_FRESH}"):  # a kill may have left one
            fresh.unlink()
        (folder / note).unlink()


def unfinished(folder: Path) -> list[Unfinished]:
    """What is still to come to ``folder`` and the folders in it, as it was asked for."""
    notes = (path for pattern in (f"*{_NOTE}", f"*/*{_NOTE}") for path in folder.glob(pattern))
    return sorted(_kept(notes), key=lambda kept: kept.asked)


def _kept(notes: Iterator[Path]) -> Iterator[Unfinished]:
    with suppress(OSError):
        for path in sorted(notes):
            kept = _read_note(path)
            if kept is not None and note_name(kept.item) == path.name:
                yield kept


def _differ(file: ModelFile, other: ModelFile) -> bool:
    if file.sha256 and other.sha256:
        return file.sha256 != other.sha256
    return file.repo != other.repo


def _read_note(path: Path) -> Unfinished | None:
    """What a note says; None for one that is not there, or that somebody wrote something else in.

    It is believed no more than a stranger's: a name in it must not lead out of the folder.
    """
    try:
        if path.stat().st_size > _LARGEST_NOTE:
            return None
        note = json.loads(path.read_text(encoding="utf-8"))
        files = tuple(_file(entry) for entry in note["files"])
        item = Item(str(note["title"]), files)
        before = frozenset(map(str, note.get("before", ()))).intersection(item.names)
        return Unfinished(item, path.parent, float(note["asked"]), before) if files else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, BadFileName) as error:
        log.info("%s is no note of a download: %s", path, error)
        return None


def _file(entry: Mapping[str, Any]) -> ModelFile:
    known = {field.name: entry[field.name] for field in fields(ModelFile) if field.name in entry}
    known["packages"] = tuple(str(package) for package in entry.get("packages", ()))
    file = ModelFile(**known)
    numbers: tuple[Any, ...] = (file.size, file.part_size)
    texts: tuple[Any, ...] = (
        file.name,
        file.title,
        file.role,
        file.licence,
        file.revision,
        file.path,
    )
    if not all(isinstance(n, int) and n >= 0 for n in numbers):
        raise ValueError("a size that is none")
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a text that is none")
    if not _REPO.fullmatch(file.repo) or not _SHA256.fullmatch(file.sha256):
        raise ValueError("a repository or checksum that is none")
    if not all(map(_PACKAGE.fullmatch, file.packages)):
        raise ValueError("a package that is none")
    return file
