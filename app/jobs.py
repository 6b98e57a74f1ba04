"""Work that takes a while and must not hold the window up: downloads, looking into files.

One line starts it; its result comes back as a call on the thread of the window.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

from engine.errors import ForewordError

log = logging.getLogger(__name__)

_AT_ONCE = 8  # most of them wait for a disk or another computer
_PATIENCE = 2000  # milliseconds for a job that was told to end


class Job(QObject):
    """One piece of work under way.

    Signals:
        progressed: Whatever the work reports on its way.
        done: It ended well, with this result.
        failed: It ended in this ForewordError.
    """

    progressed = Signal(object)
    done = Signal(object)
    failed = Signal(object)

    def __init__(self, work: Callable[[Job], Any]) -> None:
        super().__init__()
        self._work = work
        self._cancelled = threading.Event()
        self.is_forgotten = False

    def cancel(self) -> None:
        """Ask for an early end. The work decides how it ends then."""
        self._cancelled.set()

    def forget(self) -> None:
        """Nobody wants to hear of it any more."""
        self.is_forgotten = True
        self.cancel()

    def cancelled(self) -> bool:
        """Whether an early end is asked for. Any thread may ask."""
        return self._cancelled.is_set()

    def report(self, progress: object) -> None:
        """Tell, from within the work, how far it is."""
        self.progressed.emit(progress)

    def run(self) -> None:
        """Do the work, on a thread of the pool."""
        try:
            result = self._work(self)
        except ForewordError as error:
            self.failed.emit(error)
        except Exception as error:  # a job's fault must reach the person who waits for it
            log.exception("A job failed")
            self.failed.emit(ForewordError(repr(error)))
        else:
            self.done.emit(result)


class Jobs(QObject):
    """The jobs of one window. Close it before the window goes."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(max(_AT_ONCE, self._pool.maxThreadCount()))
        self._running: set[Job] = set()

    def start(
        self,
        work: Callable[[Job], Any],
        *,
        done: Callable[[Any], None],
        failed: Callable[[ForewordError], None] = lambda _error: None,
        progressed: Callable[[Any], None] | None = None,
    ) -> Job:
        """Do ``work`` in the pool; then call ``done`` with its result, or ``failed``, here."""
        job = Job(work)
        queued = Qt.ConnectionType.QueuedConnection
        if progressed is not None:
            job.progressed.connect(self._relay(job, progressed), queued)
        job.done.connect(self._relay(job, done, last=True), queued)
        job.failed.connect(self._relay(job, failed, last=True), queued)
        self._running.add(job)
        self._pool.start(job.run)
        return job

    def cancel_all(self) -> None:
        """Ask every job for an early end; nobody hears of them any more."""
        for job in self._running:
            job.cancel()
        self._running.clear()

    def close(self) -> None:
        """Cancel all jobs and wait a moment for them."""
        self.cancel_all()
        self._pool.waitForDone(_PATIENCE)

    def _relay(
        self, job: Job, listener: Callable[[Any], None], *, last: bool = False
    ) -> Callable[[Any], None]:
        """``listener``, for as long as the job is one of ours."""

        def hear(told: Any) -> None:
            if job not in self._running:
                return
            if last:
                self._running.discard(job)
            if not job.is_forgotten:
                listener(told)

        return hear
