"""Searching the history: the titles, and the entries with what goes with them, by their index."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from app.history.database import Database
from app.history.model import Hit
from app.history.search import Marker, Term, terms_of
from engine.errors import HistoryUnread

MOST_HITS = 100
_PIECE, _OVERLAP = 20_000, 500
_MOST_READ = 1_000_000
"""Characters of what goes with entries that one search reads for the words to show: 0.1 s."""


def find(database: Database, text: str, limit: int) -> list[Hit]:
    """Titles, then entries, in which everything that was typed is found; the newest first."""
    terms = terms_of(text)
    if not terms:
        return []
    marker = Marker(terms)
    hits = _titles(database, marker)
    try:
        rows = _entries(database, terms, limit)
    except HistoryUnread:  # it was the index, then it is mended by now; or this raises again
        rows = _entries(database, terms, limit)
    left = _MOST_READ
    for row in rows[: max(0, limit - len(hits))]:
        shown: str = row["content"]
        if left > 0 and not marker.has_any(shown):
            attached: str = database.one("attached", "entries", row["id"])["attached"]
            read, piece = _piece(marker, attached, left)
            left -= read
            shown = piece or shown
        hits.append(Hit(row["conversation"], row["id"], row["title"], *marker.snippet(shown)))
    return hits[:limit]


def _piece(marker: Marker, attached: str, most: int) -> tuple[int, str]:
    """How many characters of what went with an entry were read, ``most`` at the most, and those in
    which something that was sought was found; "" where it was not."""
    end = min(len(attached), most)
    for at in range(0, end, _PIECE):
        piece = attached[at : at + _PIECE + _OVERLAP]
        if marker.has_any(piece):
            return at + _PIECE, piece
    return end, ""


def _titles(database: Database, marker: Marker) -> list[Hit]:
    rows = database.rows(
        "SELECT id, title FROM conversations WHERE deleted IS NULL ORDER BY updated DESC, id DESC"
    )
    return [
        Hit(row["id"], None, row["title"], *marker.snippet(row["title"]))
        for row in rows
        if marker.has_all(row["title"])
    ]


def _entries(database: Database, terms: Sequence[Term], limit: int) -> list[sqlite3.Row]:
    indexed = " ".join(term.match for term in terms if not term.literal)
    literal = [term.like for term in terms if term.literal]
    conditions = ["e.deleted IS NULL", "e.aside IS NULL", "c.deleted IS NULL"]
    conditions += ["e.state <> 'writing'"]
    conditions += [r"(e.content LIKE ? ESCAPE '\' OR e.attached LIKE ? ESCAPE '\')"] * len(literal)
    both = [pattern for pattern in literal for _column in range(2)]
    source, number, values = "entries e", "e.id", [*both, limit]
    if indexed:
        # By the index's own number: else every hit is read and sorted, not the newest alone.
        source, number = "words JOIN entries e ON e.id = words.rowid", "words.rowid"
        conditions.insert(0, "words MATCH ?")
        values.insert(0, indexed)
    return database.rows(
        f"SELECT e.id, e.conversation, e.content, c.title FROM {source} "
        "JOIN conversations c ON c.id = e.conversation "
        f"WHERE {' AND '.join(conditions)} ORDER BY {number} DESC LIMIT ?",
        *values,
    )
