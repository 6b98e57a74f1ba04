"""The engine's process (``python -m engine.worker``): pipes, threads, and how it ends.

The main thread listens: it answers pings and raises the stop flag at once, whatever the engine is
at. One engine thread makes every llama.cpp call. One writer thread (the outbox) writes the events.

The messages go through private descriptors: standard input is empty and standard output leads to
standard error, because libraries print there.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from time import perf_counter
from typing import TYPE_CHECKING, BinaryIO

from engine import __version__, paths
from engine.errors import BadMessage, Busy, Stopped
from engine.outbox import Outbox
from engine.protocol import (
    VERSION,
    Event,
    Failed,
    Hello,
    Ping,
    Pong,
    Quit,
    Request,
    Stop,
    Unload,
    messages,
)

if TYPE_CHECKING:  # they load llama.cpp, which must not happen before standard output is moved
    from engine.llama.context import StopFlag
    from engine.service import Service

log = logging.getLogger("engine.worker")

GRACE_SECONDS = 0.45
"""For the engine to end a reply when the process is told to end. Twice that, and it is over."""


class Desk:
    """The requests that came for the engine: one at work, the rest waiting.

    A request is refused while another is at work, unless that one has been told to stop: then it
    waits the moment until it may begin. Unload never is.
    """

    def __init__(self, flag: StopFlag) -> None:
        self._flag = flag
        self._changed = threading.Condition()
        self._waiting: deque[Request] = deque()
        self._current: Request | None = None
        self._stopping = False
        self._closed = False

    def put(self, request: Request) -> None:
        """Let the request wait its turn. Raises Busy where it would have to wait for long."""
        with self._changed:
            if isinstance(request, Unload):
                self._stop_current()
            elif self._is_busy():
                raise Busy
            self._waiting.append(request)
            self._changed.notify()

    def _is_busy(self) -> bool:
        current = () if self._current is None or self._stopping else (self._current,)
        return any(not isinstance(request, Unload) for request in (*current, *self._waiting))

    def take(self) -> Request | None:
        """The next request, once there is one, the flag down; None when the desk is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            self._current, self._stopping = self._waiting.popleft(), False
            self._flag.clear()
            return self._current

    def done(self) -> None:
        """The request taken last is answered. To be called before anyone hears the answer."""
        with self._changed:
            self._current = None

    def stop(self, number: int) -> bool:
        """Stop the request of that number. True where it had not begun: then it never will."""
        with self._changed:
            if self._current is not None and self._current.id == number:
                self._stop_current()
            waiting = next((request for request in self._waiting if request.id == number), None)
            if waiting is None or isinstance(waiting, Unload):
                return False
            self._waiting.remove(waiting)
            return True

    def close(self) -> None:
        """Stop what is at work and begin nothing more."""
        with self._changed:
            self._closed = True
            self._stop_current()
            self._changed.notify()

    def _stop_current(self) -> None:
        self._stopping = True
        if self._current is not None:
            self._flag.set()


class Worker:
    """The three threads at their desk."""

    def __init__(self, desk: Desk, outbox: Outbox, service: Service) -> None:
        self._desk = desk
        self._outbox = outbox
        self._service = service
        self._engine = threading.Thread(target=self._work, name="engine", daemon=True)

    def run(self, requests: BinaryIO) -> None:
        """Serve until Quit or the end of ``requests``; then end what runs, within a second."""
        self._engine.start()
        for request in messages(requests, Request):
            if isinstance(request, Quit):
                break
            self._receive(request)
        # Whatever holds the rest of this up, the interpreter's lock included, C code ends it.
        faulthandler.dump_traceback_later(2 * GRACE_SECONDS, exit=True, file=2)
        self._desk.close()
        self._engine.join(GRACE_SECONDS)
        self._outbox.close(GRACE_SECONDS / 2)

    def _receive(self, request: Request | BadMessage) -> None:
        """Everything that must not wait for the engine."""
        match request:
            case BadMessage():
                log.warning("A request was not understood: %s", request.fields["reason"])
                self._outbox.put(Failed.of(request, _number(request)))
            case Ping():
                self._outbox.put(Pong(id=request.id))
            case Stop():
                if self._desk.stop(request.id):
                    self._outbox.put(Failed.of(Stopped(), request.id))
            case _:
                self._put(request)

    def _put(self, request: Request) -> None:
        try:
            self._desk.put(request)
        except Busy as error:
            self._outbox.put(Failed.of(error, request.id))

    def _work(self) -> None:
        while (request := self._desk.take()) is not None:
            started = perf_counter()
            event = self._service.answer(request)
            seconds = perf_counter() - started
            log.info("%s, %.2f s: %s", _named(request), seconds, _named(event))
            self._desk.done()
            self._outbox.put(event)


def _named(message: Request | Event) -> str:
    """A message for the log, without anything a person wrote."""
    code = f" ({message.code})" if isinstance(message, Failed) else ""
    return f"{type(message).__name__} {message.id}{code}"


def _number(error: BadMessage) -> int:
    number = error.fields["id"]
    return number if isinstance(number, int) else 0


def main(_arguments: Sequence[str] = ()) -> None:
    """Be the worker. Ends the process itself, so that nothing native can hold it up."""
    requests, replies = _private_pipes()
    _prepare_process()
    outbox = Outbox(replies, lost=_end_process)
    outbox.put(Hello(VERSION, os.getpid()))
    _start_log()
    from engine.llama.context import StopFlag
    from engine.service import Service

    flag = StopFlag()
    log.info("Foreword %s, worker %d", __version__, os.getpid())
    Worker(Desk(flag), outbox, Service(flag, outbox.put)).run(requests)
    log.info("Worker %d ends", os.getpid())
    _end_process()


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """What came as standard input and output, moved where no library reads or prints."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _prepare_process() -> None:
    """How this process meets signals and crashes."""
    faulthandler.enable(2)
    # A terminal sends Ctrl-C to both processes; what it means is for the client to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # On a failed assertion ggml would start a debugger on us first, which takes seconds.
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")


def _start_log() -> None:
    """At INFO, and at DEBUG with llama.cpp's own words where FOREWORD_DEBUG asks for it."""
    level = logging.DEBUG if os.environ.get("FOREWORD_DEBUG") else logging.INFO
    form = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"
    logging.basicConfig(level=level, format=form, handlers=[_log_file()])
    logging.captureWarnings(True)


def _log_file() -> logging.Handler:
    """A rotating file, where its folder allows: a chat without a log is better than none."""
    folder = paths.log_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(
            folder / "engine.log",
            maxBytes=2**20,
            backupCount=3,
            encoding="utf-8",
            errors="backslashreplace",  # a path may hold bytes that are no text
        )
    except OSError:
        return logging.NullHandler()


def _end_process() -> None:
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    main()
