"""A file on its way: what it is to be, how far it is, and its running checksum.

It grows as ``<name>.part``, whose length is the whole of the state: whatever stopped the last try,
the next one goes on at that byte, from the same source or another, for all serve the same bytes.
Only a file whose sha256 is the published one is ever renamed to its own name.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from io import FileIO
from pathlib import Path

from engine.errors import (
    ChecksumWrong,
    FetchCancelled,
    FolderNotWritable,
    ForewordError,
    NoSpace,
    TooLargeForDisk,
)

_CHUNK = 1 << 20
_REPORT_EVERY = 0.1  # seconds


@dataclass(frozen=True)
class ModelFile:
    """A file that can be fetched.

    Attributes:
        name: Its plain file name, in the models folder.
        title: The model's name for a person.
        role: What it is for: "target", "draft" or "test".
        size: In bytes; 0 until the Hub was asked (`Hub.known`).
        sha256: Of the whole file, in hexadecimal; "" until the Hub was asked.
        licence: SPDX identifier.
        repo: The Hub repository that holds it.
        packages: Pinned packages ("name==version") whose wheels hold it, in order.
        part_size: Bytes of it in each package but the last; 0 where one package holds it all.
        revision: Commit or branch of the repository; "" for its main branch as it is now.
        path: Where it lies in the repository; "" where that is its name.
    """

    name: str
    title: str
    role: str
    size: int
    sha256: str
    licence: str
    repo: str
    packages: tuple[str, ...] = ()
    part_size: int = 0
    revision: str = ""
    path: str = ""

    @property
    def is_known(self) -> bool:
        """Whether its size and checksum are known, so that it can be fetched."""
        return self.size > 0 and bool(self.sha256)


class Doing(StrEnum):
    """What a download is about, when it is under way and no bytes come."""

    FETCHING = "fetching"
    WAITING = "waiting for another download of it"
    CHECKING = "checking what is here"
    CONNECTING = "connecting"
    TRYING_AGAIN = "the connection was lost; trying again"
    TOLD_TO_WAIT = "asked to wait a little"
    PASSING_OVER = "the server starts over; passing over what is here"


@dataclass(frozen=True)
class Progress:
    """How far a file, or an item of several, has come.

    Attributes:
        name: Of the file that comes now.
        done: Bytes that are here.
        total: Of how many.
        source: Where they come from, as it stands after "from".
        doing: What goes on.
    """

    name: str
    done: int
    total: int
    source: str
    doing: Doing = Doing.FETCHING


class Arriving:
    """A file on its way: ``<name>.part``, its running sha256, and who hears of both.

    Attributes:
        file: What it is to become.
        part: Where it grows.
        length: Bytes it has.
        source: Where bytes come from now, for `Progress`.
    """

    def __init__(
        self,
        file: ModelFile,
        folder: Path,
        progress: Callable[[Progress], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self.file = file
        self.folder = folder
        self.part = folder / f"{file.name}.part"
        self.length = 0
        self.source = ""
        self._doing = Doing.CHECKING
        self._progress = progress
        self._cancelled = cancelled
        self._hash = hashlib.sha256()
        self._stream: FileIO | None = None
        self._reported = 0
        self._reported_at = 0.0

    @property
    def missing(self) -> int:
        """Bytes still to come."""
        return self.file.size - self.length

    @contextmanager
    def open(self) -> Iterator[None]:
        """Take up what an earlier try left, and keep what comes, whatever ends this one."""
        with disk_errors(self.folder):
            # Without a buffer of Python's: what was written is there, even after a kill.
            stream = open(self.part, "ab", buffering=0)  # noqa: SIM115 (closed below)
        try:
            self._stream = stream
            if stream.tell() > self.file.size:
                stream.truncate(0)  # not ours: no try writes beyond the end
            self.does(Doing.CHECKING)
            self._take_up()
            yield
        finally:
            self._stream = None
            with disk_errors(self.folder):
                with stream:
                    os.fsync(stream.fileno())
                if not self.part.stat().st_size:
                    self.part.unlink()  # nothing came: leave nothing lying about

    def write(self, data: bytes) -> None:
        """Append the next bytes; beyond the file's end they are ignored.

        Raises:
            FetchCancelled: The user wants no more.
            NoSpace, FolderNotWritable: The disk refused them.
        """
        assert self._stream is not None, "write() outside open()"
        self.check()
        data = data[: self.missing]
        with disk_errors(self.folder):
            left = memoryview(data)
            while left:  # a disk that fills up takes a part first
                left = left[self._stream.write(left) :]
        self._hash.update(data)
        self.length += len(data)
        self.report()

    def bookmark(self) -> Callable[[], None]:
        """Remember the present state; calling the result drops what came since."""
        length, hashed = self.length, self._hash.copy()

        def undo() -> None:
            assert self._stream is not None, "a bookmark outlived open()"
            self.length = self._reported = length
            self._hash = hashed
            with disk_errors(self.folder):
                self._stream.truncate(length)

        return undo

    def check(self) -> None:
        """Raise FetchCancelled if the user wants no more."""
        if self._cancelled():
            raise FetchCancelled

    def now_from(self, source: str) -> None:
        """Name the source that the next bytes come from, and tell it at once."""
        self.source = source
        self._doing = Doing.FETCHING
        self._reported_at = 0.0
        self.report()

    def does(self, doing: Doing, under_way: int = 0) -> None:
        """Say what goes on from now on, and tell it at once; ``under_way`` as in `report`."""
        if doing is not self._doing:
            self._doing = doing
            self._reported_at = 0.0
        self.report(under_way)

    def report(self, under_way: int = 0) -> None:
        """Tell how far it is, at most ten times a second and never going back.

        ``under_way``: bytes that have come but are not in the file yet.
        """
        now = time.monotonic()
        done = min(self.length + under_way, self.file.size)
        due = now - self._reported_at >= _REPORT_EVERY or not self.missing
        if due and done >= self._reported:
            self._reported, self._reported_at = done, now
            self._progress(Progress(self.file.name, done, self.file.size, self.source, self._doing))

    def finish(self) -> Path:
        """Check the whole and give it its own name.

        Raises:
            ChecksumWrong: The bytes are not the published ones; they are gone.
            FolderNotWritable: It cannot be renamed.
        """
        if self._hash.hexdigest() != self.file.sha256:
            self.part.unlink(missing_ok=True)
            raise ChecksumWrong(
                name=self.file.name, detail=f"{self._hash.hexdigest()}, not {self.file.sha256}"
            )
        path = self.folder / self.file.name
        with disk_errors(self.folder):
            os.replace(self.part, path)
        _settle(self.folder)
        return path

    def _take_up(self) -> None:
        with disk_errors(self.folder), open(self.part, "rb") as earlier:
            while data := earlier.read(_CHUNK):
                self.check()
                self._hash.update(data)
                self.length += len(data)
                self.report()


def _settle(folder: Path) -> None:
    """See to it that a renamed file has its name after a power cut too, where that can be done."""
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def size_in_words(size: int) -> str:
    """A size for a person, in the units disks are sold by: "491 MB", "1.1 GB"."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            amount = size / factor
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"
    return f"{size} bytes"


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn the disk's refusals into words."""
    try:
        yield
    except ForewordError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoSpace(folder=folder, free="nothing", need="more") from error
        if error.errno == errno.EFBIG:
            raise TooLargeForDisk(folder=folder) from error
        reason = error.strerror or str(error)
        raise FolderNotWritable(folder=folder, reason=reason, detail=repr(error)) from error
