"""The SQLite file while it is in use: read, and written in transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from app.history.flusher import Flusher
from app.history.presence import Presence
from engine.errors import ForewordError, HistoryGone, HistoryUnread, HistoryUnsaved

# What a damaged search index answers with; a broken foreign key has a longer code.
_INDEX_CODES = (sqlite3.SQLITE_CORRUPT_VTAB, sqlite3.SQLITE_CONSTRAINT)

DAMAGED_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
"""Result codes that say that the file itself is at fault."""

WAIT_SECONDS = 0.05
"""For another process that is just writing, at each write: the thread that draws waits."""


class Database:
    """One connection, used by the thread that made it, and its flusher.

    Attributes:
        saved: The connection is to the file at ``path``, not to memory.
        is_first: No other window had the history open when this one opened it.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        presence: Presence | None = None,
        *,
        is_first: bool = True,
    ) -> None:
        """``presence``: this window's, where the connection is to the file."""
        self.path = path
        self.saved = presence is not None
        self.is_first = is_first
        self._presence = presence
        self._connection = connection
        connection.row_factory = sqlite3.Row
        self._flusher = Flusher(path) if self.saved else None

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """All rows of a query. Raises HistoryUnread."""
        with self._told(HistoryUnread):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or nothing, with those inside it. Raises HistoryUnsaved."""
        if self._connection.in_transaction:
            yield self._connection
            return
        with self._told(HistoryUnsaved):
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                yield self._connection
        if self._flusher:
            self._flusher.committed()

    def one(self, columns: str, table: str, number: int) -> sqlite3.Row:
        """The row with this id. Raises HistoryGone, HistoryUnread."""
        found = self.rows(f"SELECT {columns} FROM {table} WHERE id = ?", number)
        if not found:
            raise HistoryGone(f"{table} has no {number}")
        return found[0]

    def change(self, table: str, number: int, columns: Mapping[str, object]) -> None:
        """Set columns of the row with this id. Raises HistoryGone, HistoryUnsaved."""
        names = ", ".join(f"{name} = ?" for name in columns)
        with self.writing() as connection:
            done = connection.execute(
                f"UPDATE {table} SET {names} WHERE id = ?", (*columns.values(), number)
            )
            if not done.rowcount:
                raise HistoryGone(f"{table} has no {number}")

    def wait_for_others(self, seconds: float) -> None:
        """Wait so long from now on for another process that is just writing."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")

    def is_alone(self) -> bool:
        """Whether no other window has the history open."""
        return self._presence is None or self._presence.is_alone()

    def close(self) -> None:
        """Bring everything into the file and close it. What was deleted is forgotten, unless
        another window may still bring it back: then that one forgets it."""
        if self._flusher:
            self._flusher.close()
        with suppress(sqlite3.Error):  # then the next start does it
            if self.is_alone():
                self._connection.execute("BEGIN IMMEDIATE")
                with self._connection:
                    purge(self._connection)
        self._connection.close()
        if self._presence:
            self._presence.leave()

    @contextmanager
    def _told(self, kind: type[ForewordError]) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if code_of(error) in _INDEX_CODES:
                self._rebuild_words()  # so that the next try succeeds
            elif type(error) not in (sqlite3.OperationalError, sqlite3.DatabaseError):
                raise  # a mistake of ours, not of the file's
            elif code_of(error) & 0xFF in DAMAGED_CODES:
                self._suspect()
            raise kind(repr(error), path=self.path, reason=error) from error

    def _suspect(self) -> None:
        """Have the next start check all of the file, however large it is."""
        if self.saved:
            with suppress(OSError):
                suspicion(self.path).touch()

    def _rebuild_words(self) -> None:
        """Make the search index anew: it holds nothing that the entries do not."""
        with suppress(sqlite3.Error):
            rebuild_words(self._connection)


def suspicion(path: Path) -> Path:
    """The empty file that stands beside a database which turned out damaged while in use."""
    return path.with_name(f"{path.name}-suspect")


def rebuild_words(connection: sqlite3.Connection) -> None:
    """Make the search index anew from the entries."""
    rebuild = "INSERT INTO words (words) VALUES ('rebuild')"
    try:
        connection.execute(rebuild)
    except sqlite3.DatabaseError as error:
        if code_of(error) & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        # What says of which parts it consists is damaged: it can only be opened as an empty one,
        # which must not stay where the disk refuses the rest.
        connection.execute("SAVEPOINT anew")
        try:
            connection.execute("REPLACE INTO words_data VALUES (1, x''), (10, x'00000000000000')")
            connection.execute(rebuild)
        except sqlite3.Error:
            connection.execute("ROLLBACK TO anew")
            raise
        finally:
            connection.execute("RELEASE anew")


def purge(connection: sqlite3.Connection) -> None:
    """Take out for good what was deleted. Inside a transaction of the caller's."""
    before = connection.total_changes
    connection.execute("DELETE FROM entries WHERE deleted IS NOT NULL")
    connection.execute(  # set aside, and the message that it answers is gone
        "DELETE FROM entries WHERE answers IS NOT NULL AND aside IS NOT NULL "
        "AND answers NOT IN (SELECT id FROM entries)"
    )
    connection.execute("DELETE FROM conversations WHERE deleted IS NOT NULL")
    connection.execute(  # begun and never used
        "DELETE FROM conversations WHERE title = '' AND system = '' AND draft = '' "
        "AND settings = '{}' AND id NOT IN (SELECT conversation FROM entries)"
    )
    if connection.total_changes > before:
        # The index only notes what left it, until its parts are merged.
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")


def insert(connection: sqlite3.Connection, table: str, columns: Mapping[str, object]) -> int:
    """Add a row inside the caller's transaction; returns its id."""
    names, places = ", ".join(columns), ", ".join("?" * len(columns))
    done = connection.execute(
        f"INSERT INTO {table} ({names}) VALUES ({places})", tuple(columns.values())
    )
    return done.lastrowid or 0


def code_of(error: sqlite3.Error) -> int:
    """SQLite's extended result code."""
    return getattr(error, "sqlite_errorcode", 0)  # errors of the module's own have none
