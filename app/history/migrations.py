"""The tables, as the list of small steps that made them.

To change them, append a function: it runs once on every file, inside one transaction with its
record. Never edit one that was released.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence

from app.history.rows import attached_of, attachments_of

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
    _follow(database, "content")


def _follow(database: sqlite3.Connection, *columns: str) -> None:
    """Have the index hold these columns of every entry that is finished, and of no other."""
    names = ", ".join(columns)
    old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("old", "new"))
    enter = f"INSERT INTO words (rowid, {names}) VALUES (new.id, {new})"
    leave = f"INSERT INTO words (words, rowid, {names}) VALUES ('delete', old.id, {old})"
    other = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
    changed = f"({other} OR (old.state = 'writing') <> (new.state = 'writing'))"
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


def attached(database: sqlite3.Connection) -> None:
    """``attached``: the texts that go with a message, which are searched as it is."""
    for name in ("enter", "leave", "change_out", "change_in"):
        database.execute(f"DROP TRIGGER words_{name}")
    database.execute("DROP TABLE words")
    database.execute("DROP VIEW finished")
    database.execute("ALTER TABLE entries ADD COLUMN attached TEXT NOT NULL DEFAULT ''")
    for (entry,) in database.execute("SELECT id FROM entries WHERE attachments <> '[]'").fetchall():
        cell = "SELECT attachments FROM entries WHERE id = ?"
        (attachments,) = database.execute(cell, (entry,)).fetchone()
        text = attached_of(attachments_of(attachments))
        database.execute("UPDATE entries SET attached = ? WHERE id = ?", (text, entry))
    database.execute(
        "CREATE VIEW finished AS SELECT id, content, attached FROM entries WHERE state <> 'writing'"
    )
    database.execute(
        """CREATE VIRTUAL TABLE words USING fts5 (
            content, attached, content = 'finished', content_rowid = 'id', prefix = '2 3',
            tokenize = "unicode61 remove_diacritics 2"
        )"""
    )
    _follow(database, "content", "attached")
    database.execute("INSERT INTO words (words) VALUES ('rebuild')")


MIGRATIONS: tuple[Migration, ...] = (conversations, entries, words, versions, attached)


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
