"""Brings files into a folder, from the first source that can: whole, or not there at all."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from engine.errors import FetchFailed, ForewordError, NameTaken, NoSpace
from engine.models.arriving import (
    Arriving,
    Doing,
    ModelFile,
    Progress,
    disk_errors,
    size_in_words,
)
from engine.models.item import (
    Item,
    folder_of_its_own,
    is_another,
    lay_before,
    remove_note,
    write_note,
)
from engine.models.shards import shard_in

log = logging.getLogger("engine.models")

_LOCK_POLL = 0.1  # seconds


class SourceFailed(Exception):
    """A source cannot deliver (the rest of) a file; the text says why. The next one is tried.

    Attributes:
        error: The reason as an error with a sentence of its own, if it has one.
    """

    def __init__(self, reason: str | ForewordError) -> None:
        super().__init__(str(reason))
        self.error = reason if isinstance(reason, ForewordError) else None


class Source(Protocol):
    """Somewhere a file's bytes come from."""

    @property
    def name(self) -> str:
        """For a person, as it stands after "from"."""

    def spare(self, file: ModelFile) -> int:
        """Bytes of disk it needs for a while besides the file itself."""

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        """Write the bytes from ``arriving.length`` on, until none is missing.

        Raises:
            SourceFailed: It cannot go on. What came is kept.
        """


def installed(file: ModelFile, folder: Path) -> Path | None:
    """Where ``file`` lies in ``folder``, if it is there at its full size.

    A file gets its name only after its sha256 was checked, so this does not read 1 GB again.
    """
    path = folder / file.name
    try:
        return path if path.is_file() and path.stat().st_size == file.size else None
    except OSError:
        return None


def missing(file: ModelFile, folder: Path) -> int:
    """Bytes of ``file`` that are still to come: none, or all but what an earlier try left."""
    if installed(file, folder):
        return 0
    try:
        return max(0, file.size - (folder / f"{file.name}.part").stat().st_size)
    except OSError:
        return file.size


def download(
    file: ModelFile,
    folder: Path,
    sources: Sequence[Source],
    *,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
) -> Path:
    """Bring ``file`` into ``folder`` from the first source that can, and return its path.

    ``progress`` is called up to ten times a second, ``cancelled`` at least as often as bytes come.

    Raises:
        FetchCancelled, FetchFailed: What came so far is kept and used next time.
        ChecksumWrong: All bytes came and they are not the published ones; they are thrown away.
        NoSpace, FolderNotWritable: The folder cannot take it.
        NameTaken: Another file lies there under its name.
    """
    if here := installed(file, folder):  # even in a folder that cannot be written to
        return here
    _refuse_another(file, folder)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    arriving = Arriving(file, folder, progress, cancelled)
    with _alone(arriving):
        # Another process may have brought it while this one waited.
        return installed(file, folder) or _fetch(arriving, sources)


def bring(
    item: Item,
    folder: Path,
    sources: Sequence[Source],
    *,
    progress: Callable[[Progress], None],
    cancelled: Callable[[], bool],
    asked: float | None = None,
) -> tuple[Path, ...]:
    """Bring all files of ``item`` into ``folder`` and return their paths.

    ``progress`` hears of the item as a whole. Until the last file is there, a note tells a later
    start what was to come (`item.unfinished`); ``asked``: when, in seconds since 1970, by default
    now. Where the folder belongs, `item.place` says.

    Raises:
        FetchCancelled, FetchFailed, HubError: What came so far is kept and used next time.
        ChecksumWrong: All bytes of a file came and they are not the published ones; they are
            thrown away.
        NoSpace, FolderNotWritable, TooLargeForDisk: The folder cannot take it. What came is kept.
        NameTaken: Another file lies there under the name of one. What came is kept.
    """
    here = {file.name: file.size - missing(file, folder) for file in item.files}

    def tell(of_file: Progress) -> None:
        here[of_file.name] = of_file.done
        progress(replace(of_file, done=sum(here.values()), total=item.size))

    if any(not installed(file, folder) for file in item.files):
        for file in item.files:
            _refuse_another(file, folder)
        check_room(folder, item.size - sum(here.values()))
        write_note(item, folder, time.time() if asked is None else asked)
    paths = tuple(
        download(file, folder, sources, progress=tell, cancelled=cancelled) for file in item.files
    )
    remove_note(item, folder)
    return paths


def discard(item: Item, folder: Path, *, kept: Collection[str] = ()) -> None:
    """Remove what came of ``item`` and is not whole: its parts, and the shards that lack others.

    Files of the names in ``kept`` stay, however much of them has come. Nothing happens where
    they cannot be removed.
    """
    if not os.path.isdir(folder):
        return
    useless = _shards_that_lack_others(item, folder)
    for file in item.files:
        if file.name not in kept:
            _discard(file, folder, also_whole=file.name in useless)
    remove_note(item, folder)  # last: what a kill leaves is found again
    if f"{folder.name} ".startswith(f"{folder_of_its_own(item)} "):
        with suppress(OSError):
            folder.rmdir()  # only if nothing else is in it


def discardable(item: Item, folder: Path) -> list[Path]:
    """What `discard` would remove of ``item``, if it is there."""
    useless = _shards_that_lack_others(item, folder)
    parts = [folder / f"{file.name}.part" for file in item.files]
    whole = [folder / file.name for file in item.files if file.name in useless]
    return [path for path in (*parts, *whole) if path.exists()]


def is_growing(file: ModelFile, folder: Path) -> bool:
    """Whether a download, of whatever process, is at ``file`` just now."""
    lock = _lock_of(file, folder)
    try:
        if lock.exists():
            with FileLock(lock, timeout=0):
                pass
    except Timeout:
        return True
    except (OSError, NotImplementedError):  # a folder without rights, a drive without locks
        return False
    return False


def work_folder(file: ModelFile, folder: Path) -> Path:
    """Where a source may lay what it takes the bytes of ``file`` out of; a kill leaves it there."""
    return folder / f"{file.name}.wheels"


def _lock_of(file: ModelFile, folder: Path) -> Path:
    return folder / f"{file.name}.lock"


def _shards_that_lack_others(item: Item, folder: Path) -> set[str]:
    """The names of whole parts of which a model cannot be put together, in a pair too.

    Those that lay there before anybody asked for the others are somebody's own.
    """
    models: dict[str, list[ModelFile]] = {}
    for file in item.files:
        if shard := shard_in(file.name):
            models.setdefault(shard.stem, []).append(file)
    lacking = (parts for parts in models.values() if not all(installed(p, folder) for p in parts))
    whole = {part.name for parts in lacking for part in parts if installed(part, folder)}
    return whole - lay_before(item, folder)


def _discard(file: ModelFile, folder: Path, *, also_whole: bool) -> None:
    lock = _lock_of(file, folder)
    with suppress(OSError, NotImplementedError), FileLock(lock, timeout=0):  # a Timeout is one too
        for path in (folder / f"{file.name}.part", folder / file.name):
            if path.suffix == ".part" or also_whole:
                with suppress(OSError):
                    path.unlink()
        shutil.rmtree(work_folder(file, folder), ignore_errors=True)
        lock.unlink()


def check_room(folder: Path, need: int) -> None:
    """Raise NoSpace unless the disk of ``folder`` has ``need`` bytes free."""
    try:
        existing = next(place for place in (folder, *folder.parents) if place.exists())
        free = shutil.disk_usage(existing).free
    except OSError:
        return  # some network drives do not tell; writing will
    if free < need:
        raise NoSpace(folder=folder, free=size_in_words(free), need=size_in_words(need))


def _refuse_another(file: ModelFile, folder: Path) -> None:
    if is_another(file, folder):
        raise NameTaken(path=folder / file.name)


def _fetch(arriving: Arriving, sources: Sequence[Source]) -> Path:
    shutil.rmtree(work_folder(arriving.file, arriving.folder), ignore_errors=True)
    with arriving.open():
        if arriving.length:
            log.info("%s: going on at byte %d", arriving.file.name, arriving.length)
        failures = _fill(arriving, sources)
    if arriving.missing:
        raise _failure(arriving.file, failures)
    _refuse_another(arriving.file, arriving.folder)  # somebody may have put it there meanwhile
    path = arriving.finish()
    log.info("%s: arrived whole, its sha256 is right", arriving.file.name)
    return path


def _fill(arriving: Arriving, sources: Sequence[Source]) -> dict[str, SourceFailed]:
    """Try the sources in order until nothing is missing; return which failed, and why."""
    failures = {}
    for source in sources:
        if not arriving.missing:
            break
        check_room(arriving.folder, arriving.missing + source.spare(arriving.file))
        arriving.now_from(source.name)
        log.info("%s: fetching from %s", arriving.file.name, source.name)
        try:
            source.pour(arriving.file, arriving)
        except SourceFailed as failure:
            log.info("%s: %s: %s", arriving.file.name, source.name, failure)
            failures[source.name] = failure
    return failures


def _failure(file: ModelFile, failures: Mapping[str, SourceFailed]) -> ForewordError:
    """The one reason there is, in its own words; else all of them in one sentence."""
    errors = [failure.error for failure in failures.values()]
    if len(errors) == 1 and errors[0] is not None:
        return errors[0]
    reasons = [f"{name}: {failure}" for name, failure in failures.items()]
    reason = "; ".join(reasons).rstrip(".") or "there is no source for it"
    return FetchFailed(name=file.name, reason=reason, detail="\n".join(reasons))


@contextmanager
def _alone(arriving: Arriving) -> Iterator[None]:
    """Hold the file's lock, so that two processes never write the same part; wait for it first."""
    path = _lock_of(arriving.file, arriving.folder)
    lock = FileLock(path)
    while not _acquired(lock, arriving):
        arriving.check()
        with suppress(OSError):
            arriving.does(Doing.WAITING, under_way=arriving.part.stat().st_size)
    try:
        yield
        with suppress(OSError):  # Windows keeps it while it is open
            path.unlink()  # only after success: whoever waited finds the file, and takes it
    finally:
        lock.release()


def _acquired(lock: FileLock, arriving: Arriving) -> bool:
    with disk_errors(arriving.folder):
        try:
            lock.acquire(timeout=_LOCK_POLL)
        except Timeout:  # an OSError too, but no fault of the disk
            return False
        except NotImplementedError:
            log.info("%s cannot lock files; going on without", arriving.folder)
    return True
