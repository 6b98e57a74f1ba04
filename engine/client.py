"""A front end's side of the worker: start it, talk to it, notice when it dies.

Neither Qt nor llama.cpp is needed here.
"""

from __future__ import annotations

import itertools
import logging
import queue
import re
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import BinaryIO, Self, cast

from engine.children import WORKER, child_command, child_environment
from engine.errors import BadMessage, WorkerDied
from engine.protocol import (
    VERSION,
    Event,
    Failed,
    Hello,
    Ping,
    Pong,
    Request,
    Stop,
    encode,
    messages,
)

log = logging.getLogger(__name__)

LAST_WORDS = 200
"""Lines of the worker's standard error that are kept for a report."""

_POLL_SECONDS = 0.2  # on Windows no signal interrupts a longer wait
_LONGEST_LINE = 2**12

_OUT_OF_MEMORY = re.compile(
    r"out of memory|bad_alloc|cannot allocate memory|failed to allocate|ErrorOutOf\w*Memory",
    re.IGNORECASE,
)
_ASSERTION = re.compile(r"[^/\\\s]+\.(c|cc|cpp|cu|h|hpp|m|mm):\d+: .+")  # as ggml and libc print it


class Exchange(Iterator[Event]):
    """One request, and the events that answer it up to its final one.

    Ctrl-C in the middle of waiting loses nothing: iterate on for the rest.
    """

    def __init__(self, client: Client, request: Request, *, kept: bool) -> None:
        """``kept``: whether anyone will iterate over the events."""
        self.id = request.id
        self._client = client
        self._final = request.final
        self._kept = kept
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._over = self._final is None

    def __next__(self) -> Event:
        while not self._over:
            event = self.next(_POLL_SECONDS)
            if event is not None:
                return event
        raise StopIteration

    def next(self, timeout: float) -> Event | None:
        """The next event, None where none came within ``timeout`` seconds."""
        with suppress(queue.Empty):
            event = self._events.get(timeout=timeout)
            self._over = self.is_ended_by(event)
            return event
        return None

    def stop(self) -> None:
        """Ask for an early end. The final event still comes."""
        self._client.stop(self.id)

    def is_ended_by(self, event: Event) -> bool:
        """Whether ``event`` is the final one."""
        return isinstance(event, Failed) or type(event) is self._final

    def put(self, event: Event) -> None:
        """For the client: the next event."""
        if self._kept:
            self._events.put(event)


class Client:
    """A worker process and what was asked of it. Use it as a context manager, or call close().

    Every event goes to ``on_message``, on a thread of the client's own, and those that answer a
    :meth:`request` to its Exchange too. When the worker dies by itself, every unanswered request
    ends in a Failed of code "worker-died" (where there is none, one of id 0 comes). So does every
    later one, at once and on the caller's thread, until :meth:`restart`. Any thread may call any
    method.
    """

    def __init__(
        self,
        on_message: Callable[[Event], None] = lambda _event: None,
        *,
        command: Sequence[str] | None = None,
    ) -> None:
        """Start the worker; it may be written to at once. ``command``: a test's own worker.

        Raises WorkerDied where it cannot be started.
        """
        self._on_message = on_message
        self._command = command or child_command(WORKER)
        self._lock = threading.Lock()
        self._open: dict[int, Exchange] = {}
        self._numbers = itertools.count(1)
        self._death: Failed | None = None
        self._start()

    def _start(self) -> None:
        try:
            process = _start(self._command)
        except WorkerDied as error:
            with self._lock:
                self._death = Failed.of(error, 0)  # what the next request is told
            raise
        with self._lock:
            self._death = None
            self._worker = _Worker(process, self._deliver, self._ended)

    @property
    def pid(self) -> int:
        """The worker's process."""
        return self._worker.process.pid

    def request(self, message: Request) -> Exchange:
        """Send a message; the events that answer it, as they come.

        It is given a number where it has none. Raises BadMessage where it is too large.
        """
        return self._submit(message, kept=True)

    def send(self, message: Request) -> int:
        """Send a message whose events only ``on_message`` hears; the number it was given."""
        return self._submit(message, kept=False).id

    def _submit(self, message: Request, *, kept: bool) -> Exchange:
        message = message if message.id else replace(message, id=next(self._numbers))
        line = encode(message)
        exchange = Exchange(self, message, kept=kept)
        if message.final is None:
            self._worker.write(line)
            return exchange
        with self._lock:
            death = self._death
            self._open[message.id] = exchange
        if death is None:
            self._worker.write(line)  # where this fails, the reader is about to find out why
        else:
            self._deliver(replace(death, id=message.id))
        return exchange

    def stop(self, number: int) -> None:
        """End the request of that number early; nothing where it is over."""
        self.send(Stop(id=number))

    def ping(self, timeout: float = 1.0) -> bool:
        """Whether the worker answers within ``timeout`` seconds. Not for ``on_message`` to call."""
        return isinstance(self.request(Ping()).next(timeout), Pong)

    def restart(self) -> None:
        """End the worker, if it still runs, and start another, in which nothing is loaded.

        Raises WorkerDied where it cannot be started.
        """
        self.close()
        self._start()

    def close(self, timeout: float = 3.0) -> None:
        """End the worker within ``timeout`` seconds: asked to, then terminated, then killed.

        A reply that is being written first ends as a stopped one, with what there is.
        """
        self._worker.close(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _deliver(self, event: Event) -> None:
        with self._lock:
            exchange = self._open.get(event.id)
            if exchange is not None and exchange.is_ended_by(event):
                del self._open[event.id]
        if exchange is not None:
            exchange.put(event)
        try:
            self._on_message(event)
        except Exception:
            log.exception("A listener failed at %s", type(event).__name__)

    def _ended(self, death: Failed, *, expected: bool) -> None:
        with self._lock:
            self._death = death
            unanswered = list(self._open)
        for number in unanswered or ([] if expected else [0]):
            self._deliver(replace(death, id=number))


class _Worker:
    """One run of the worker: its process, its pipes and the two threads that read them."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        deliver: Callable[[Event], None],
        ended: Callable[..., None],
    ) -> None:
        self._deliver = deliver
        self._ended = ended
        self._writing = threading.Lock()
        self._last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._fault = ""
        self._closing = False
        self.process = process
        self._listener = threading.Thread(target=self._listen, name="worker-errors", daemon=True)
        self._reader = threading.Thread(target=self._read, name="worker-events", daemon=True)
        self._listener.start()
        self._reader.start()

    def write(self, line: bytes) -> None:
        """Send one line; to a dead worker it is lost."""
        stdin = cast(BinaryIO, self.process.stdin)
        with self._writing, suppress(OSError, ValueError):  # a broken pipe, a closed one
            stdin.write(line)
            stdin.flush()

    def close(self, timeout: float) -> None:
        """End the process, and the threads with it."""
        self._closing = True
        self._close_input(timeout / 10)
        if not self._ends_within(timeout * 0.6):
            self.process.terminate()
            if not self._ends_within(timeout * 0.1):
                self.process.kill()
        if threading.current_thread() is not self._reader:
            self._reader.join(timeout * 0.2)

    def _close_input(self, patience: float) -> None:
        """The end of its input tells the worker to quit: unlike a message, it needs no room."""
        # A thread that is stuck in write() holds the lock: then the worker has stopped reading.
        if self._writing.acquire(timeout=patience):
            with suppress(OSError):
                cast(BinaryIO, self.process.stdin).close()
            self._writing.release()

    def _ends_within(self, seconds: float) -> bool:
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _listen(self) -> None:
        with cast(BinaryIO, self.process.stderr) as stream:
            while line := stream.readline(_LONGEST_LINE):
                self._last_words.append(line.decode(errors="replace").rstrip())

    def _read(self) -> None:
        with cast(BinaryIO, self.process.stdout) as stream:
            for event in messages(stream, Event):
                self._fault = _fault(event)
                if self._fault or isinstance(event, BadMessage):
                    break
                self._deliver(event)
        self._bury()

    def _bury(self) -> None:
        """The worker has closed its end: say why."""
        if self._fault or not self._ends_within(0.5):
            self.process.kill()
        self._close_input(0.1)
        self._listener.join(0.2)
        reason = self._fault or cause_of_death(self.process.wait(), list(self._last_words))
        error = WorkerDied("\n".join(self._last_words), reason=reason)
        self._ended(Failed.of(error, 0), expected=self._closing)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=child_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # a console's, on Windows
        )
    except OSError as error:
        reason = f"{command[0]} could not be started ({error.strerror})"
        raise WorkerDied(str(error), reason=reason) from error


def _fault(event: Event | BadMessage) -> str:
    """Why a worker that sends this is not to be listened to any further; "" for no reason."""
    if isinstance(event, BadMessage):
        return f"it sent what cannot be understood: {event.fields['reason']}"
    if isinstance(event, Hello) and event.version != VERSION:
        return f"it is of another version of Foreword (messages {event.version}, not {VERSION})"
    return ""


def cause_of_death(code: int, last_words: Sequence[str]) -> str:
    """Why a process ended, for a person: from its exit code and what it printed last."""
    failed = "an assertion in its native code failed ({})"
    for pattern, said in ((_OUT_OF_MEMORY, "it ran out of memory"), (_ASSERTION, failed)):
        found = next(filter(None, map(pattern.search, reversed(last_words))), None)
        if found and code not in (0, -signal.SIGTERM):
            return said.format(found[0])
    if code < 0:
        return _signal_words(-code)
    # A frozen build adds a line of its own to Python's.
    told = [line for line in last_words if not line.startswith("[PYI-")]
    if code == 1 and told:
        return told[-1]  # Python's own: which error it could not start for
    return f"it ended with exit code {code:#x}" if code > 255 else f"it ended with exit code {code}"


def _signal_words(number: int) -> str:
    name = signal.strsignal(number) or "unknown"
    more = ", by someone or for want of memory" if name == "Killed" else ""
    return f"signal {number} ({name.lower()}{more})"
