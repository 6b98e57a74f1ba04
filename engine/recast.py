"""A draft recast: its weights rounded anew, once, into the format this processor computes fastest.

A draft only proposes. Whatever its law q is, accepting and correcting make the reply the target's
own (accept.py), so a draft may be rounded as one likes: the price is a little acceptance, the gain
is time. Processors have fast kernels for few formats (``ggml_repack_get_optimal_repack_type``,
ggml/src/ggml-cpu/repack.cpp), and what small models are published in is often not among them: no
row of 896 numbers can be stored in a K-quant's blocks of 256.

The copy lies in the cache folder. The engine tries it and keeps to it where replies come sooner.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from engine import paths
from engine.children import REQUANTISE, child_command, child_environment
from engine.costs import TYPICAL_ALPHA, Costs, best_drafting
from engine.errors import ForewordError, LoadCancelled
from engine.llama.library import library
from engine.models.header import Header, read_header

log = logging.getLogger(__name__)

ALPHA_LOST = 0.03
"""Per-token acceptance that rounding is taken to cost; ``make performance ARGS=recast`` measures it
for the starter pair."""

_SMALLEST, _LARGEST = 50 * 10**6, 3 * 10**9  # bytes: no time to gain; some 15 seconds to recast
_KEPT = 4  # copies
_FINE = {0, 1, 6, 7, 8, 13, 14, 30}  # F32, F16, Q5_0, Q5_1, Q8_0, Q5_K, Q6_K, BF16
_PAYS, _PAYS_NOT, _BROKEN = "pays", "does not pay", "broken"  # any other word: not tried yet
_POLL = 0.05  # seconds between two looks at whether to go on
_SHARE = 0.3  # of the weights' bytes; less than that in these types is not worth a copy


def pays(before: Costs, after: Costs) -> bool:
    """Whether the recast draft's time is worth the acceptance that it loses.

    The target's passes are the same ones, timed twice: a busy moment in one of the two must not
    decide for good.
    """
    after = replace(after, passes=before.passes)
    return best_drafting(after, TYPICAL_ALPHA - ALPHA_LOST) > best_drafting(before)


class Recaster:
    """The recast copies of this machine, in ``folder`` (by default, in the cache folder)."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or paths.cache_folder() / "recast"

    def settled(self, draft: Path, target: Path) -> Path | None:
        """The copy of ``draft`` that was found to pay for this ``target``, if there is one."""
        with suppress(OSError, ForewordError):
            copy = self._copy(draft)
            if self._said(draft, target) == _PAYS and copy.is_file():
                with suppress(OSError):  # a folder that may only be read serves as well
                    os.utime(copy)
                return copy
        return None

    def untried(self, draft: Path, target: Path, going: Callable[[], bool]) -> Path | None:
        """A copy of ``draft`` to try, made now where there is none.

        None where it was tried for this ``target``, is of no use, or cannot be made: the file
        itself serves. ``going`` answers False to cancel. Raises LoadCancelled.
        """
        try:
            said, copy = self._said(draft, target), self._copy(draft)
            if said == _PAYS_NOT or not _is_worth_a_try(read_header(draft)):
                return None
            if said == _BROKEN:
                copy.unlink(missing_ok=True)
            if not copy.is_file():
                self._make(draft, copy, going)
        except LoadCancelled:
            raise
        except (OSError, NotImplementedError, ForewordError) as error:  # a disk without locks, too
            log.info("not recast: %s", error)
            return None
        return copy

    def settle(self, draft: Path, target: Path, *, paid: bool) -> None:
        """Remember what the trial found."""
        self._rule(draft, target, _PAYS if paid else _PAYS_NOT)

    def distrust(self, draft: Path, target: Path) -> None:
        """Have the copy made anew the next time; some systems delete none that is loaded."""
        self._rule(draft, target, _BROKEN)

    def _rule(self, draft: Path, target: Path, word: str) -> None:
        with suppress(OSError):
            self._ruling(draft, target).write_text(word, encoding="utf-8")

    def _said(self, draft: Path, target: Path) -> str:
        try:
            return self._ruling(draft, target).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def _copy(self, draft: Path) -> Path:
        return self._folder / f"{_short(draft)}-{_digest(draft)}.gguf"

    def _ruling(self, draft: Path, target: Path) -> Path:
        return self._folder / f"{_short(draft)}-{_digest(draft, target)}.txt"

    def _make(self, draft: Path, copy: Path, going: Callable[[], bool]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with _alone(self._folder, going):
            if copy.is_file():  # made by the other one
                return
            for left in self._folder.glob("making-*"):  # by one that was killed
                shutil.rmtree(left, ignore_errors=True)
            if shutil.disk_usage(self._folder).free < 2 * draft.stat().st_size:
                raise OSError("no room for a copy")
            with tempfile.TemporaryDirectory(prefix="making-", dir=self._folder) as temporary:
                made = Path(temporary) / copy.name
                _requantise(draft, made, going)
                made.replace(copy)
            used_last = sorted(self._folder.glob("*.gguf"), key=lambda path: path.stat().st_mtime)
            for path in used_last[:-_KEPT]:
                path.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path, going: Callable[[], bool]) -> Iterator[None]:
    """One process at a time makes copies: two would do the same work. Raises LoadCancelled."""
    from filelock import FileLock, Timeout  # not in every worker: a copy is made once

    lock = FileLock(folder / "making.lock")
    while True:
        with suppress(Timeout):
            lock.acquire(timeout=_POLL)
            break
        if not going():
            raise LoadCancelled
    try:
        yield
    finally:
        lock.release()


def _is_worth_a_try(header: Header) -> bool:
    """Whether much of it is stored finer than in four bits, in one file of a fair size."""
    matrices = [tensor for tensor in header.tensors if len(tensor.shape) >= 2]
    every = sum(tensor.nbytes or 0 for tensor in matrices)
    fine = sum(tensor.nbytes or 0 for tensor in matrices if tensor.type in _FINE)
    fair = header.size <= header.file_size and _SMALLEST <= header.file_size <= _LARGEST
    return fair and "split.count" not in header.metadata and fine > _SHARE * every


def _short(draft: Path) -> str:
    """Its name, as far as there is room for more in the 255 bytes of one."""
    return draft.stem[:48]


def _digest(*files: Path) -> str:
    """Names these very files, this llama.cpp and what it computes with."""
    told = [library().version, library().instructions]
    for path in files:
        status = path.stat()
        told += [str(path.resolve()), str(status.st_size), str(status.st_mtime_ns)]
    return hashlib.sha256(os.fsencode("\n".join(told))).hexdigest()[:12]


def _requantise(draft: Path, to: Path, going: Callable[[], bool]) -> None:
    """In a process that can be ended, and ends with this one. Raises LoadCancelled, OSError."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            [*child_command(REQUANTISE), str(draft), str(to)],
            env=child_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        try:
            while _runs_on(process):
                if not going():
                    raise LoadCancelled
        finally:
            process.kill()
        if process.returncode:
            said.seek(0)
            raise OSError(said.read().decode("utf-8", errors="replace"))


def _runs_on(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL)
    except subprocess.TimeoutExpired:
        return True
    return False
