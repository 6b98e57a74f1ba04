"""An exported conversation on its way into the history, a piece at a time."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain

from app.history.database import Database, insert
from app.history.exchange import from_json
from app.history.rows import columns_of_conversation, columns_of_entry
from engine.errors import HistoryUnsaved

_STEP = 0.012
"""Seconds for which a step goes on to write: less than a frame."""

_TIMES_ITS_SIZE = 4
"""Room that a file takes in the history at the most: in its log, in the file, in the index."""


class Incoming:
    """What is to be written of a file that was read and checked; made on any thread."""

    def __init__(self, text: str | bytes, between: Callable[[], object] = lambda: None) -> None:
        """``between`` is called again and again, and may raise to end it. Raises BadImport."""
        conversation, entries = from_json(text, between)
        self._size = len(text)
        self._head = columns_of_conversation(conversation)
        self._rows = []
        for entry in entries:
            between()
            self._rows.append(columns_of_entry(entry))

    def written(self, database: Database) -> Iterator[int]:
        """Write it. Every step gives the conversation's id. Raises HistoryUnsaved.

        Until the last step it counts as deleted: whatever ends it early, what was written by then
        is in no list, and is forgotten as what was deleted is.
        """
        _need_room(database, _TIMES_ITS_SIZE * self._size)
        with database.writing() as connection:
            deleted = {"deleted": time.time()}
            number = insert(connection, "conversations", self._head | deleted)
        try:
            yield from self._rows_written(database, number)
            database.change("conversations", number, {"deleted": None})
        except HistoryUnsaved:
            with suppress(HistoryUnsaved):  # it gives the room back
                _forget(database, number)
            raise
        yield number

    def _rows_written(self, database: Database, number: int) -> Iterator[int]:
        rows = iter(self._rows)
        for first in rows:
            with database.writing() as connection:
                end = time.perf_counter() + _STEP
                for row in chain([first], rows):
                    insert(connection, "entries", row | {"conversation": number})
                    if time.perf_counter() > end:
                        break
            yield number


def _need_room(database: Database, size: int) -> None:
    """Raise HistoryUnsaved where the disk has less: a half import would take the room that is
    left."""
    with suppress(OSError):  # then it is seen as it is written
        if database.saved and shutil.disk_usage(database.path.parent).free < size:
            raise HistoryUnsaved(path=database.path, reason=os.strerror(errno.ENOSPC))


def _forget(database: Database, number: int) -> None:
    with database.writing() as connection:
        connection.execute("DELETE FROM conversations WHERE id = ?", (number,))
