"""What the worker has to say, and the thread that says it.

The engine must never wait for a slow reader, and a reply must not pile up in memory either: until a
message is written, a later one of its kind is merged into it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import BinaryIO

from engine.errors import BadMessage
from engine.protocol import Emitted, Event, Failed, Loading, Prompt, encode

log = logging.getLogger(__name__)


class Outbox:
    """A queue of events that merges what piles up, and its writer thread.

    Rounds of one lane become one Emitted, and of Prompt and Loading only the newest is kept. All
    else is written as it came, in order.
    """

    def __init__(self, stream: BinaryIO, lost: Callable[[], None]) -> None:
        """``lost`` is called, on the writer thread, when nobody reads ``stream`` any more."""
        self._stream = stream
        self._lost = lost
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, Event] = {}  # in the order of their first coming
        self._count = 0
        self._closed = False
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()

    def put(self, event: Event) -> None:
        """Have ``event`` written; returns at once. The lists of an Emitted are the outbox's now."""
        with self._changed:
            key = self._key(event)
            self._waiting[key] = _merged(self._waiting.get(key), event)
            self._changed.notify()

    def close(self, timeout: float) -> None:
        """Write what waits, for ``timeout`` seconds at the most, and nothing afterwards."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._writer.join(timeout)

    def __len__(self) -> int:
        """How many messages wait."""
        return len(self._waiting)

    def _key(self, event: Event) -> Hashable:
        """Messages with the same key are merged."""
        if isinstance(event, Emitted | Prompt):
            return type(event), event.id, event.lane
        if isinstance(event, Loading):
            return Loading, event.id
        self._count += 1
        return self._count

    def _write_all(self) -> None:
        try:
            while (event := self._next()) is not None:
                self._stream.write(_line(event))
                self._stream.flush()
        except OSError:
            self._lost()

    def _next(self) -> Event | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return None
            return self._waiting.pop(next(iter(self._waiting)))


def _merged(before: Event | None, event: Event) -> Event:
    if not isinstance(before, Emitted) or not isinstance(event, Emitted):
        return event
    # In place: joining anew each time would cost the square of a long reply.
    before.pieces.extend(event.pieces)
    before.tokens.extend(event.tokens)
    before.rounds.extend(event.rounds)
    return replace(before, figures=event.figures)


def _line(event: Event) -> bytes:
    """The event as it is written; one that cannot be becomes a Failed of the same request."""
    try:
        return encode(event)
    except (BadMessage, ValueError, TypeError) as error:
        detail = f"{type(event).__name__} could not be written: {type(error).__name__}"
        log.error(detail)  # noqa: TRY400 - the error's own words may quote the message
        return encode(Failed.unforeseen(detail, event.id))
