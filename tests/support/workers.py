"""Worker processes for tests: driven without the client, or made to misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self, TypeVar

from engine.client import Exchange
from engine.protocol import Event, Load, Request, decode, encode

ROOT = Path(__file__).resolve().parent.parent.parent

Kind = TypeVar("Kind", bound=Event)


def frail(*faults: str) -> list[str]:
    """The command of a worker with faults of tests/support/frail_worker.py."""
    return [sys.executable, "-P", "-m", "tests.support.frail_worker", *faults]


def script(code: str) -> list[str]:
    """The command of something that is no worker at all."""
    return [sys.executable, "-c", code]


def load(target: Path, draft: Path | None = None, n_ctx: int = 512) -> Load:
    """One thread: on a busy machine two wait for each other, many times a pass."""
    return Load(str(target), str(draft) if draft else None, n_ctx=n_ctx, threads=1)


def until(exchange: Exchange, kind: type[Kind], times: int = 1) -> Kind:
    """Read on to the next event of ``kind``, or the next but some."""
    found = (event for event in exchange if isinstance(event, kind))
    return next(event for count, event in enumerate(found, start=1) if count == times)


def final(exchange: Exchange) -> Event:
    """Read on to the end."""
    *_, last = exchange
    return last


def wait_until(true: Callable[[], bool], seconds: float = 5.0) -> float:
    """Wait for something to become true; how long that took."""
    started = time.monotonic()
    while not true():
        assert time.monotonic() - started < seconds, "it did not happen"
        time.sleep(0.005)
    return time.monotonic() - started


class BareWorker:
    """A worker on bare pipes, read only when the test says so."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-P", "-m", "engine.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def send(self, message: Request | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(message if isinstance(message, bytes) else encode(message))
        self.process.stdin.flush()

    def read(self) -> Event:
        assert self.process.stdout is not None
        return decode(self.process.stdout.readline(), Event)

    def until(self, kind: type[Kind]) -> Iterator[Event]:
        """Events up to the first of ``kind``, that one included."""
        while True:
            event = self.read()
            yield event
            if isinstance(event, kind):
                return

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
