"""The starter pair on its way to the models folder, as the first page watches it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.pairs import Pair
from engine.errors import FetchCancelled, ForewordError
from engine.models import download, starter
from engine.models.arriving import ModelFile, Progress

_WINDOW = 5.0  # seconds over which the speed is taken


@dataclass(frozen=True)
class Far:
    """How far all files together are: bytes, bytes per second, and the one that comes now."""

    done: int
    total: int
    speed: float
    title: str
    source: str

    @property
    def seconds_left(self) -> float | None:
        """None while nobody can say."""
        return (self.total - self.done) / self.speed if self.speed > 0 else None


class Fetch(QObject):
    """One download of the pair at a time; it goes on where an earlier one stopped.

    Signals:
        progressed: A Far, about ten times a second.
        done: The Pair that has come.
        failed: The ForewordError that ended it; None where a person did.
    """

    progressed = Signal(object)
    done = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        files: Sequence[ModelFile] = starter.STARTER_PAIR,
        sources: Sequence[download.Source] | None = None,
        parent: QObject | None = None,
    ) -> None:
        """``sources``: a test's own."""
        super().__init__(parent)
        self.files = tuple(files)
        self._jobs = jobs
        self._sources = sources
        self._job: Job | None = None

    @property
    def is_running(self) -> bool:
        """Whether one is under way."""
        return self._job is not None

    def here(self, folder: Path) -> int:
        """Bytes that need not come any more."""
        return sum(file.size - download.missing(file, folder) for file in self.files)

    def start(self, folder: Path) -> None:
        """Fetch what is missing into ``folder``."""
        if self._job is None:
            meter = _Meter(self.files, folder)
            self._job = self._jobs.start(
                lambda job: self._fetch(job, folder),
                done=self._finish,
                failed=self._fail,
                progressed=lambda progress: self.progressed.emit(meter.far(progress)),
            )

    def cancel(self) -> None:
        """Give it up; what came is kept."""
        if self._job is not None:
            self._job.cancel()

    def _fetch(self, job: Job, folder: Path) -> Pair:
        """The work itself, on a thread of the pool."""
        starter.check_room(self.files, folder)
        paths = [
            starter.fetch(
                file,
                folder,
                progress=job.report,
                cancelled=job.cancelled,
                sources=self._sources,
            )
            for file in self.files
        ]
        return Pair(paths[0], paths[1] if len(paths) > 1 else None)

    def _finish(self, pair: Pair) -> None:
        self._job = None
        self.done.emit(pair)

    def _fail(self, error: ForewordError) -> None:
        self._job = None
        self.failed.emit(None if isinstance(error, FetchCancelled) else error)


class _Meter:
    """Makes one progress of the files', and knows how fast it goes."""

    def __init__(self, files: Sequence[ModelFile], folder: Path) -> None:
        self._files = {file.name: file for file in files}
        self._done = {file.name: file.size - download.missing(file, folder) for file in files}
        self._seen: deque[tuple[float, int]] = deque()

    def far(self, progress: Progress) -> Far:
        """How far all are, now that one is so far."""
        self._done[progress.name] = progress.done
        now, done = time.monotonic(), sum(self._done.values())
        self._seen.append((now, done))
        while self._seen[0][0] < now - _WINDOW and len(self._seen) > 2:
            self._seen.popleft()
        then, before = self._seen[0]
        speed = (done - before) / (now - then) if now > then else 0.0
        total = sum(file.size for file in self._files.values())
        title = self._files[progress.name].title
        return Far(done, total, max(0.0, speed), title, progress.source)
