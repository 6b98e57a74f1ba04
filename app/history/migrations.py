"""The tables, as the list of small steps that made them.

To change them, append a function: it runs once on every file, inside one transaction with its
record. Never edit one that was released.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence

Migration = Callable[[sqlite3.Connection], None]

APPLICATION = int.from_bytes(b"Fwrd", "big")
"""SQLite's application_id: tells our file from any other."""


def conversations(database: sqlite3.Connection) -> None:
    """``settings`` is JSON; ``deleted`` is when, until the next start purges the row."""
    database.execute(
        """CREATE TABLE conversations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,  -- no id is used twice: the window keeps some
            title TEXT NOT NULL DEFAULT '',
            created REAL NOT NULL,
            updated REAL NOT NULL,
            system TEXT NOT NULL DEFAULT '',
            settings TEXT NOT NULL DEFAULT '{}',
            draft TEXT NOT NULL DEFAULT '',
            deleted REAL
        )"""
    )


def entries(database: sqlite3.Connection) -> None:
    """Their order is that of their ids. Lists and tables are JSON, ``sources`` is packed."""
    database.execute(
        """CREATE TABLE entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            role TEXT NOT NULL,
            content TEXT NOT NULL,
            tokens TEXT NOT NULL DEFAULT '[]',
            state TEXT NOT NULL,
            figures TEXT NOT NULL DEFAULT 'null',
            sources BLOB,
            attachments TEXT NOT NULL DEFAULT '[]',
            created REAL NOT NULL,
            deleted REAL
        )"""
    )
    database.execute("CREATE INDEX entries_in_order ON entries (conversation, id)")
    # What a start has to mend or to purge is found without reading everything.
    database.execute("CREATE INDEX entries_unfinished ON entries (id) WHERE state = 'writing'")
    database.execute("CREATE INDEX entries_deleted ON entries (id) WHERE deleted IS NOT NULL")


def words(database: sqlite3.Connection) -> None:
    """Full-text search. An entry enters it when it is no longer being written: indexing a growing
    reply twice a second would cost more than all the rest of keeping it."""
    database.execute(
        "CREATE VIEW finished AS SELECT id, content FROM entries WHERE state <> 'writing'"
    )
    database.execute(
        """CREATE VIRTUAL TABLE words USING fts5 (
            content, content = 'finished', content_rowid = 'id', prefix = '2 3',
            tokenize = "unicode61 remove_diacritics 2"
        )"""
    )
    enter = "INSERT INTO words (rowid, content) VALUES (new.id, new.content)"
    leave = "INSERT INTO words (words, rowid, content) VALUES ('delete', old.id, old.content)"
    changed = (
        "(old.content IS NOT new.content OR (old.state = 'writing') <> (new.state = 'writing'))"
    )
    for name, event, condition, action in (
        ("enter", "INSERT", "new.state <> 'writing'", enter),
        ("leave", "DELETE", "old.state <> 'writing'", leave),
        ("change_out", "UPDATE", f"{changed} AND old.state <> 'writing'", leave),
        ("change_in", "UPDATE", f"{changed} AND new.state <> 'writing'", enter),
    ):
        # The change must leave with its old words before it enters with its new ones.
        when = "BEFORE" if name == "change_out" else "AFTER"
        database.execute(
            f"CREATE TRIGGER words_{name} {when} {event} ON entries WHEN {condition} "
            f"BEGIN {action}; END"
        )


def versions(database: sqlite3.Connection) -> None:
    """``answers`` is the id of the message that a reply answers, where there are or were several;
    ``aside``: when it was set aside for another of them."""
    database.execute("ALTER TABLE entries ADD COLUMN answers INTEGER")
    database.execute("ALTER TABLE entries ADD COLUMN aside REAL")
    database.execute(
        "CREATE INDEX entries_answering ON entries (answers) WHERE answers IS NOT NULL"
    )


MIGRATIONS: tuple[Migration, ...] = (conversations, entries, words, versions)


def is_newer(database: sqlite3.Connection) -> bool:
    """Whether a later version of Foreword has changed this file."""
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version > len(MIGRATIONS)


def is_foreign(database: sqlite3.Connection) -> bool:
    """Whether another program made this file. An empty file is nobody's."""
    application: int = database.execute("PRAGMA application_id").fetchone()[0]
    tables: int = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return tables > 0 and application != APPLICATION


def migrate(database: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run what this file has not seen yet. Inside a transaction of the caller's."""
    database.execute(
        "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied REAL NOT NULL)"
    )
    done = {name for (name,) in database.execute("SELECT name FROM migrations")}
    for migration in migrations:
        if migration.__name__ not in done:
            migration(database)
            record = (migration.__name__, time.time())
            database.execute("INSERT INTO migrations VALUES (?, ?)", record)
    database.execute(f"PRAGMA user_version = {len(migrations)}")
    database.execute(f"PRAGMA application_id = {APPLICATION}")
