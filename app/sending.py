"""Requests go to the worker on a thread of their own.

A pipe holds 64 KB. A worker that has stopped reading (suspended, or out of memory and swapping)
would hold up whoever writes a longer message to it: never the window's thread. No Qt.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.client import Client
from engine.errors import ForewordError
from engine.protocol import Event, Failed, Request

_PATIENCE = 0.4  # seconds for what waits to be sent when all ends
_CLOSING = 2.2  # seconds for the worker to end in, of the three that there are for all


class _Letter(NamedTuple):
    request: Request
    to_another: bool  # the worker before has died


class Sending:
    """The client, and the thread that writes to it. It runs from the first request on."""

    def __init__(self, hear: Callable[[Event], None], command: Sequence[str] | None = None) -> None:
        """``hear``: called with every event, on a thread of ours or the client's."""
        self._hear = hear
        self._command = command
        self._client: Client | None = None
        self._letters: queue.SimpleQueue[_Letter | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """The last worker's process."""
        return None if self._client is None else self._client.pid

    def send(self, request: Request, *, to_another: bool = False) -> None:
        """Send a request; ``to_another``: worker than before. What goes wrong is heard."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="requests", daemon=True)
            self._thread.start()
        self._letters.put(_Letter(request, to_another))

    def close(self) -> None:
        """End the worker within three seconds, and the thread; the last events were heard then."""
        if self._thread is None:
            return
        self._letters.put(None)
        self._thread.join(_PATIENCE)
        if self._client is not None:
            self._client.close(_CLOSING)
        self._thread.join()
        self._thread = None

    def _run(self) -> None:
        while (letter := self._letters.get()) is not None:
            try:
                self._running(letter).send(letter.request)
            except ForewordError as error:
                self._hear(Failed.of(error, letter.request.id))

    def _running(self, letter: _Letter) -> Client:
        if self._client is None:
            self._client = Client(self._hear, command=self._command)
        elif letter.to_another:
            self._client.restart()
        return self._client
