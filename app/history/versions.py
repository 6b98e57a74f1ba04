"""The versions of a reply: several answers to one message, of which one counts.

``answers`` is the message's id, in every reply of which there are or were several; ``aside``: when
a version was set aside for another. Of the versions of a reply that are not removed, exactly one is
not aside.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable

from app.history.database import Database
from engine.errors import HistoryGone

COUNTS = "deleted IS NULL AND aside IS NULL"
"""What of the entries a conversation consists of."""

_IN_PLACE = "deleted IS NULL AND answers = (SELECT answers FROM entries WHERE id = ?)"


def versions(database: Database, reply: int) -> list[int]:
    """The versions of a reply, that one included, in the order in which they were written."""
    rows = database.rows(f"SELECT id FROM entries WHERE {_IN_PLACE} ORDER BY id", reply)
    return [row["id"] for row in rows] or [reply]


def aside(database: Database, prompt: int) -> list[int]:
    """What is aside of the replies to a message."""
    rows = database.rows(
        "SELECT id FROM entries WHERE answers = ? AND aside IS NOT NULL AND deleted IS NULL "
        "ORDER BY id",
        prompt,
    )
    return [row["id"] for row in rows]


def set_aside(database: Database, reply: int, prompt: int) -> list[int]:
    """Make room for another reply to ``prompt``: this one is aside, all else after ``prompt`` is
    removed. Returns what was removed."""
    now = time.time()
    with database.writing() as connection:
        connection.execute(
            "UPDATE entries SET answers = ?, aside = ? WHERE id = ?", (prompt, now, reply)
        )
        removed = after(connection, prompt)
        remove(connection, removed, now)
    return removed


def choose(database: Database, version: int) -> None:
    """Let a version count; the others are aside."""
    with database.writing() as connection:
        _choose(connection, version)


def give_way(database: Database, reply: int, to: int) -> None:
    """Remove a version; ``to`` counts in its place."""
    with database.writing() as connection:
        remove(connection, [reply], time.time())
        _choose(connection, to)


def before(database: Database, reply: int) -> int | None:
    """The version that counted before this one, which counts; None where there is none."""
    if reply not in versions(database, reply):
        return None
    rows = database.rows(
        f"SELECT id FROM entries WHERE {_IN_PLACE} AND aside IS NOT NULL "
        "ORDER BY aside DESC, id DESC LIMIT 1",
        reply,
    )
    return rows[0]["id"] if rows else None


def after(connection: sqlite3.Connection, entry: int) -> list[int]:
    """What a conversation goes on with after an entry. Inside a transaction of the caller's."""
    rows = connection.execute(
        f"SELECT id FROM entries WHERE id > ? AND {COUNTS} "
        "AND conversation = (SELECT conversation FROM entries WHERE id = ?)",
        (entry, entry),
    )
    return [row["id"] for row in rows]


def remove(connection: sqlite3.Connection, entries: Iterable[int], when: float | None) -> None:
    """Mark entries as removed, or as there again. Inside a transaction of the caller's. Raises
    HistoryGone where one is to be there again that is gone for good."""
    marks = [(when, entry) for entry in entries]
    done = connection.executemany("UPDATE entries SET deleted = ? WHERE id = ?", marks)
    if when is None and marks and done.rowcount < len(marks):
        raise HistoryGone("an entry is not there any more")


def mend(connection: sqlite3.Connection) -> None:
    """Let a reply count again where Foreword ended before another one took its place. Inside a
    transaction of the caller's."""
    connection.execute(
        "UPDATE entries SET aside = NULL WHERE id IN (SELECT id FROM ("
        "SELECT id, max(aside) FROM entries WHERE answers IS NOT NULL AND deleted IS NULL "
        "GROUP BY answers HAVING count(aside) = count(*)))"  # max: the id is that one's
    )


def _choose(connection: sqlite3.Connection, version: int) -> None:
    connection.execute(
        f"UPDATE entries SET aside = iif(id = ?, NULL, coalesce(aside, ?)) WHERE {_IN_PLACE}",
        (version, time.time(), version),
    )
