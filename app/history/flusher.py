"""Puts what was committed onto the disk for good, away from the thread that draws.

In WAL mode with synchronous = NORMAL a commit is safe from a crash of ours, but a power cut may
take whatever the system has not written back yet: up to half a minute. An fsync after each commit
would mend that and stall the window whenever the disk is busy, as during a download. So a thread
does it, at most one pause after the commit.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

PAUSE = 0.4
"""Seconds between two flushes at the least, and so the most that a power cut can take."""

IDLE = 5.0
"""Seconds without a commit after which the log is brought over into the file itself."""


class Flusher:
    """A thread that flushes the write-ahead log of the database at ``path``."""

    def __init__(self, path: Path, pause: float = PAUSE, idle: float = IDLE) -> None:
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._pause = pause
        self._idle = idle
        self._committed = threading.Event()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="history-flusher", daemon=True)
        self._thread.start()

    def committed(self) -> None:
        """Something was committed. Costs nothing; from any thread."""
        self._committed.set()

    def close(self) -> None:
        """End the thread. Closing the last connection flushes what is left."""
        self._closing.set()
        self._committed.set()
        self._thread.join()

    def _run(self) -> None:
        dirty = False
        while True:
            woken = self._committed.wait(self._idle if dirty else None)
            if self._closing.is_set():
                return
            self._committed.clear()
            # A failure here is met again, and told, by the next write.
            with suppress(OSError, sqlite3.Error):
                _flush(self._log) if woken else _checkpoint(self._path)
            dirty = woken
            self._closing.wait(self._pause)


def _flush(log: Path) -> None:
    # SQLite holds no lock on this file (its locks are on the two others), so that closing it here
    # takes none away. Windows flushes only what was opened for writing.
    handle = os.open(log, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checkpoint(path: Path) -> None:
    # Not while a reply streams: the first write after a checkpoint waits for the disk once.
    with closing(sqlite3.connect(path, timeout=0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
