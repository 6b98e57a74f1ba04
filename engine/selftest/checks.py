"""The engine's checks, and how a row of checks is run: one line each, in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from engine.client import Client
from engine.errors import ForewordError
from engine.protocol import (
    Chat,
    Compare,
    Compared,
    Done,
    Event,
    Failed,
    Load,
    Message,
    Options,
    Ping,
    Pong,
    Ready,
    Request,
    Sampling,
)
from engine.selftest.pair import write_pair

Check = tuple[str, Callable[[], str]]
"""What is checked, in a word or two, and the check: it returns what it found, or raises."""

GAMMA, TOKENS = 3, 48
PATIENCE = 60.0
"""Seconds that any one answer may take: emulated processors are slow."""

_MESSAGES = (Message("user", "Count to three."),)

Answer = TypeVar("Answer", bound=Event)


class Fault(Exception):
    """A check found that something does not work; the text says what."""


def run(checks: Iterable[Check], say: Callable[[str], None]) -> bool:
    """Run every check, whatever the others found; a line for each. True where all passed."""
    passed = True
    for name, check in checks:
        try:
            say(f"ok      {name}: {check()}")
        except (Fault, ForewordError, OSError) as fault:
            say(f"FAILED  {name}: {fault}")
            passed = False
        except Exception as fault:  # noqa: BLE001 - the other checks are still worth their lines
            say(f"FAILED  {name}: {type(fault).__name__}: {fault}")
            passed = False
    return passed


def check_engine(say: Callable[[str], None]) -> bool:
    """The engine's checks alone. Raises OSError where there is no room for a temporary folder."""
    with TemporaryDirectory(prefix="foreword-", ignore_cleanup_errors=True) as folder:
        checks = EngineChecks(Path(folder))
        try:
            return run(checks, say)
        finally:
            checks.close()


class EngineChecks:
    """The worker, and a tiny pair in it. Close it when the checks are done."""

    def __init__(self, folder: Path, command: Sequence[str] | None = None) -> None:
        """``folder``: where the tiny models go; ``command``: another way to start the worker."""
        self._folder = folder
        self._command = command
        self._client: Client | None = None
        self._pair: tuple[Path, Path] | None = None

    def __iter__(self) -> Iterator[Check]:
        """In this order, for each needs the ones before it."""
        yield "libraries", self._libraries
        yield "tiny pair", self._write
        yield "loading", self._load
        yield "drafting and verifying", self._draft
        yield "same as plain", self._compare
        yield "downloads", _connect

    def close(self) -> None:
        """End the worker."""
        if self._client is not None:
            self._client.close()

    def _libraries(self) -> str:
        started = time.monotonic()
        self._client = Client(command=self._command)
        self._ask(Ping(), Pong)
        seconds = time.monotonic() - started
        with suppress(PackageNotFoundError):
            return f"llama-cpp-python {version('llama-cpp-python')}, ready after {seconds:.2f} s"
        return f"ready after {seconds:.2f} s"

    def _write(self) -> str:
        self._pair = write_pair(self._folder)
        size = sum(path.stat().st_size for path in self._pair)
        return f"{size / 1000:.0f} kB written to {self._folder}"

    def _load(self) -> str:
        if self._pair is None:
            raise Fault("there is no pair to load")
        target, draft = map(str, self._pair)
        ready = self._ask(Load(target, draft, n_ctx=512, gpu_layers=0), Ready)
        if ready.draft is None:
            raise Fault(f"the draft was refused: {ready.verdict.reason}")
        return f"on {', '.join(ready.devices)}, {ready.threads} threads"

    def _draft(self) -> str:
        figures = self._ask(Chat(_MESSAGES, _options()), Done).figures
        said = (
            f"{figures.tokens} tokens in {figures.rounds} rounds, "
            f"{figures.accepted} of {figures.drafted} drafted tokens accepted"
        )
        if figures.tokens != TOKENS or not 0 < figures.accepted < figures.drafted:
            raise Fault(f"{said}, which cannot be")
        return said

    def _compare(self) -> str:
        compared = self._ask(Compare(_MESSAGES, _options(), exact=True), Compared)
        if compared.same_tokens != TOKENS:
            raise Fault(f"the texts part after {compared.same_tokens} of {TOKENS} tokens")
        return f"all {TOKENS} tokens, under exact arithmetic"

    def _ask(self, request: Request, kind: type[Answer]) -> Answer:
        """The answer to a request. Raises Fault where it is another one, or none comes in time."""
        if self._client is None:
            raise Fault("the engine's process did not start")
        exchange = self._client.request(request)
        deadline = time.monotonic() + PATIENCE
        for event in iter(lambda: exchange.next(max(0.0, deadline - time.monotonic())), None):
            if isinstance(event, Failed):
                raise Fault(event.sentence)
            if isinstance(event, kind) and exchange.is_ended_by(event):
                return event
        raise Fault(f"no answer within {PATIENCE:.0f} s")


def _connect() -> str:
    """Everything short of the network: what it takes to connect safely, and to keep a key."""
    import ssl

    import keyring

    from engine.models.hub import Hub

    Hub()
    ring = keyring.get_keyring()
    return f"{ssl.OPENSSL_VERSION}, {ring.name if ring.priority >= 1 else 'no keyring'}"


def _options() -> Options:
    return Options(gamma=GAMMA, sampling=Sampling(temperature=0), max_tokens=TOKENS)
