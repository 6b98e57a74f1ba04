"""Whether another window has the same history open.

What was deleted must not go for good under a window that may still bring it back, nor may a reply
that another window is writing be called lost. So each holds a part of a lock for as long as it has
the history open, and who gets all of it is the only one. The system takes the lock from a process
that ends, whatever ends it.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

_WAIT = 2000  # milliseconds for another window that is just opening or closing


class Presence:
    """This window's part of the lock. It is SQLite's own, on an empty file beside the database, for
    that is the same on every system."""

    def __init__(self, path: Path) -> None:
        """``path``: of the database."""
        self._lock: sqlite3.Connection | None = None
        with suppress(sqlite3.Error):  # in a folder that refuses, where nothing can be changed
            file = path.with_name(f"{path.name}-open")
            self._lock = sqlite3.connect(file, isolation_level=None)

    def is_alone(self) -> bool:
        """Whether nobody else has the history open; then everybody else finds that they are not,
        until `stay` or `leave`. True as well where that cannot be known."""
        try:
            self._take("BEGIN EXCLUSIVE", wait=0)
        except sqlite3.Error as error:
            self.stay()
            return getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY
        return True

    def stay(self) -> None:
        """Be here from now on."""
        with suppress(sqlite3.Error):
            self._take("BEGIN", wait=_WAIT)

    def leave(self) -> None:
        """Be gone."""
        if self._lock is not None:
            self._lock.close()

    def _take(self, begin: str, wait: int) -> None:
        if self._lock is None:
            return
        if self._lock.in_transaction:
            self._lock.rollback()
        self._lock.execute(f"PRAGMA busy_timeout = {wait}")
        self._lock.execute(begin)
        # Until something is read, nothing is locked.
        self._lock.execute("SELECT count(*) FROM sqlite_master").fetchall()
