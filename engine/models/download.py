"""Brings one file into a folder, from the first source that can: whole, or not there at all."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from filelock import FileLock, Timeout

from engine.errors import FetchFailed, NoSpace
from engine.models.arriving import Arriving, ModelFile, Progress, disk_errors, size_in_words

log = logging.getLogger("engine.models")

_LOCK_POLL = 0.1  # seconds


class SourceFailed(Exception):
    """A source cannot deliver (the rest of) a file; the text says why. The next one is tried."""


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
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    arriving = Arriving(file, folder, progress, cancelled)
    with _alone(arriving):
        # Another process may have brought it while this one waited.
        return installed(file, folder) or _fetch(arriving, sources)


def check_room(folder: Path, need: int) -> None:
    """Raise NoSpace unless the disk of ``folder`` has ``need`` bytes free."""
    try:
        existing = next(place for place in (folder, *folder.parents) if place.exists())
        free = shutil.disk_usage(existing).free
    except OSError:
        return  # some network drives do not tell; writing will
    if free < need:
        raise NoSpace(folder=folder, free=size_in_words(free), need=size_in_words(need))


def _fetch(arriving: Arriving, sources: Sequence[Source]) -> Path:
    with arriving.open():
        if arriving.length:
            log.info("%s: going on at byte %d", arriving.file.name, arriving.length)
        reasons = _fill(arriving, sources)
    if arriving.missing:
        raise FetchFailed(
            name=arriving.file.name, reason="; ".join(reasons), detail="\n".join(reasons)
        )
    path = arriving.finish()
    log.info("%s: arrived whole, its sha256 is right", arriving.file.name)
    return path


def _fill(arriving: Arriving, sources: Sequence[Source]) -> list[str]:
    """Try the sources in order until nothing is missing; return why some failed."""
    reasons = []
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
            reasons.append(f"{source.name}: {failure}")
    return reasons


@contextmanager
def _alone(arriving: Arriving) -> Iterator[None]:
    """Hold the file's lock, so that two processes never write the same part; wait for it first."""
    path = arriving.folder / f"{arriving.file.name}.lock"
    lock = FileLock(path)
    while not _acquired(lock, arriving):
        arriving.check()
        arriving.source = "another download of it"
        with suppress(OSError):
            arriving.report(under_way=arriving.part.stat().st_size)
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
