"""Opening the SQLite file: checked, brought up to date, set aside where it cannot be used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from app.history import migrations, versions
from app.history.database import (
    DAMAGED_CODES,
    WAIT_SECONDS,
    Database,
    code_of,
    purge,
    rebuild_words,
    suspicion,
)
from app.history.presence import Presence
from engine.errors import ForewordError, HistoryAside, HistoryNewer, HistoryUnsaved

_WAIT_SECONDS = 2.0  # for another process that is just writing, while nothing is shown yet
_LOG_PAGES = 16_000  # the flusher brings the log over long before
_CHECKED_BYTES = 32 * 2**20  # a check reads all of it: larger files only where there is a reason


class _Unusable(Exception):
    """The file itself is at fault. ``kind`` of error to tell it by; ``word`` for its new name."""

    def __init__(self, kind: type[HistoryAside], word: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.word, self.reason = kind, word, reason


def open_database(path: Path) -> tuple[Database, ForewordError | None]:
    """The database at ``path``, and what was wrong: then it is a fresh one, or one in memory."""
    path = path.absolute()
    try:
        return _open(path), None
    except _Unusable as problem:
        unusable = problem
    except (OSError, sqlite3.Error) as error:
        return _in_memory(path), HistoryUnsaved(repr(error), path=path, reason=_reason(error))
    try:
        aside = _set_aside(path, unusable.word)
        trouble = unusable.kind(path=path, aside=aside, reason=unusable.reason)
        return _open(path), trouble
    except (OSError, sqlite3.Error, _Unusable) as error:
        return _in_memory(path), HistoryUnsaved(repr(error), path=path, reason=_reason(error))


def _open(path: Path) -> Database:
    path.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as undone:
        presence = Presence(path)
        undone.callback(presence.leave)
        is_first = presence.is_alone()
        connection = _connect(path)
        undone.callback(connection.close)
        with _damage_told():
            _refuse_others(connection)
            _check(connection, path)
            _prepare_whole(connection, is_alone=is_first)
        presence.stay()
        database = Database(path, connection, presence, is_first=is_first)
        database.wait_for_others(WAIT_SECONDS)
        undone.pop_all()
        return database


def _connect(path: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    # No implicit transactions: Database.writing says where one begins.
    return sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, uri=uri)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Sets errors that mean a damaged file apart from those of a full disk or a locked file."""
    try:
        yield
    except sqlite3.Error as error:
        code = code_of(error) & 0xFF
        missing_module = "no such module" in str(error)
        if code in DAMAGED_CODES or (code == sqlite3.SQLITE_ERROR and not missing_module):
            raise _damaged(str(error)) from error
        raise


def _damaged(reason: str) -> _Unusable:
    return _Unusable(HistoryAside, "damaged", f"is damaged ({reason})")


def _refuse_others(connection: sqlite3.Connection) -> None:
    """Before anything is written: is this file ours to write?"""
    if migrations.is_foreign(connection):
        raise _Unusable(HistoryAside, "foreign", "was made by another program")
    if migrations.is_newer(connection):
        raise _Unusable(HistoryNewer, "newer", "")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    crashed = log.exists() and log.stat().st_size > 0
    if path.stat().st_size <= _CHECKED_BYTES or crashed or suspicion(path).exists():
        found = [line for (line,) in connection.execute("PRAGMA quick_check")]
        faults = [line for line in found if line != "ok" and "fts5" not in line.lower()]
        if faults:
            raise _damaged(faults[0])
        if found != ["ok"]:  # SQLite 3.44 and later look into the search index too
            rebuild_words(connection)
        with suppress(OSError):  # then the next start checks once more
            suspicion(path).unlink(missing_ok=True)


def _prepare_whole(connection: sqlite3.Connection, *, is_alone: bool = True) -> None:
    """Where only the search index is damaged, all else is there: it is made anew."""
    try:
        _prepare(connection, is_alone=is_alone)
    except sqlite3.DatabaseError as error:
        if code_of(error) != sqlite3.SQLITE_CORRUPT_VTAB:
            raise
        rebuild_words(connection)
        _prepare(connection, is_alone=is_alone)


def _prepare(connection: sqlite3.Connection, *, is_alone: bool = True) -> None:
    """``is_alone``: what looks left behind by a crash is that, not another window's."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what was deleted is overwritten
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        migrations.migrate(connection)
        if is_alone:
            purge(connection)
            versions.mend(connection)
            connection.execute("UPDATE entries SET state = 'lost' WHERE state = 'writing'")


def _set_aside(path: Path, word: str) -> Path:
    """Rename the file, with its log, to a free name that says what it is and when."""
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d %H.%M.%S")
    aside = path.with_name(f"{path.stem} {word} {stamp}{path.suffix}")
    while aside.exists():
        aside = aside.with_name(f"{aside.stem}+{path.suffix}")
    # The log first: beside a fresh file, SQLite would take a stale one for its own.
    for ending in ("-wal", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    return aside


def _in_memory(path: Path) -> Database:
    """A database that lasts as long as the window, with what could be read of the file."""
    # A log in a folder that refuses writing can be read only if it is open already; without it
    # ("immutable"), what it holds is missing and the rest is there.
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        copy = _connect(":memory:")
        try:
            _copy(f"{path.as_uri()}?{mode}", copy)
            return Database(path, copy)
        except (sqlite3.Error, _Unusable):
            copy.close()
    empty = _connect(":memory:")
    _prepare(empty)
    return Database(path, empty)


def _copy(uri: str, copy: sqlite3.Connection) -> None:
    with closing(_connect(uri, uri=True)) as source:
        _refuse_others(source)
        source.backup(copy)
    _prepare_whole(copy)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
