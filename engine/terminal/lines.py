"""What the user types: lines from a terminal or a pipe, and what comes while a reply streams."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from engine.terminal.screen import safe
from engine.terminal.typed import PASTES_OFF, PASTES_ON, STOP, Typed

try:  # neither exists on Windows, whose console edits lines by itself
    import readline
    import termios
except ImportError:
    EDITS = False
else:
    EDITS = True

_QUOTES = '"""'
_MORE = "… "
_PASTE_SECONDS = 0.5  # within which the rest of a paste comes


class Lines(Protocol):
    """A source of messages and commands."""

    def next(self) -> str | None:
        """The next one; None at the end of the input. Raises KeyboardInterrupt for Ctrl-C."""

    def watching(self, stop: Callable[[], None]) -> AbstractContextManager[None]:
        """While it is open, a typed /stop calls ``stop``; what else is typed waits for `next`."""


class SimpleLines:
    """Lines of a stream that can only be read when it is time."""

    def next(self) -> str | None:
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None

    def watching(self, _stop: Callable[[], None]) -> AbstractContextManager[None]:
        return nullcontext()


class PipedLines:
    """Lines of a pipe or a file. A /stop that stands next in it ends the reply that streams."""

    def __init__(self, source: int) -> None:
        self._incoming = _Incoming(source)

    def next(self) -> str | None:
        while not self._incoming.has_line and self._incoming.read():
            pass
        return self._incoming.take()

    @contextmanager
    def watching(self, stop: Callable[[], None]) -> Iterator[None]:
        def look() -> bool:
            more = self._incoming.has_line or self._incoming.read()
            if self._incoming.next_is(STOP):
                self._incoming.take()
                stop()
            return more and not self._incoming.has_line

        with _looking(self._incoming.source, look, ready=self._incoming.has_line):
            yield


class TerminalLines:
    """A person at a keyboard: a prompt, a history, and typing ahead while a reply streams."""

    def __init__(self, prompt: str, commands: list[str]) -> None:
        self._prompt = prompt
        self._source = sys.stdin.fileno()
        self._ahead = Typed()
        self._marks_pastes = EDITS and _takes_pastes()
        if EDITS:
            # Our own words begin with a slash, which readline would cut off.
            readline.set_completer_delims(" ")
            readline.set_completer(lambda text, n: _completion(commands, text, n))
            readline.parse_and_bind("tab: complete")
            if self._marks_pastes:
                readline.parse_and_bind("set enable-bracketed-paste on")

    def next(self) -> str | None:
        try:
            line = self._line(self._prompt)
            if "\n" in line or not line.startswith(_QUOTES):  # quotes in a paste are its own
                return line
            while not _is_closed(line):
                line = f"{line}\n{self._line(_MORE)}"
        except EOFError:
            return None
        return line.removeprefix(_QUOTES).removesuffix(_QUOTES)

    def _line(self, prompt: str) -> str:
        if self._ahead.has_line:
            line = self._ahead.take()
            sys.stdout.write(f"{_shown(prompt)}{safe(line)}\n")
            sys.stdout.flush()
            return line
        begun = self._ahead.rest()
        if not EDITS:
            return input(_shown(prompt))
        readline.set_startup_hook(lambda: readline.insert_text(begun))
        try:
            return input(prompt)
        finally:
            readline.set_startup_hook()

    @contextmanager
    def watching(self, stop: Callable[[], None]) -> Iterator[None]:
        def look() -> bool:
            keys = _keys(self._source)
            if self._ahead.feed(keys):
                stop()
            return bool(keys)

        if not EDITS:
            yield
            return
        with _silent(self._source), self._marking_pastes():
            try:
                with _looking(self._source, look):
                    yield
            finally:
                while self._ahead.in_paste and _has_more(self._source) and look():
                    pass

    @contextmanager
    def _marking_pastes(self) -> Iterator[None]:
        """While it is open, the terminal marks what is pasted; at a prompt readline sees to it."""
        if not self._marks_pastes:
            yield
            return
        _tell(PASTES_ON)
        try:
            yield
        finally:
            _tell(PASTES_OFF)


class _Incoming:
    """Bytes from a descriptor, cut into lines as they are asked for."""

    def __init__(self, source: int) -> None:
        self.source = source
        self._bytes = b""
        self._ended = False

    @property
    def has_line(self) -> bool:
        return b"\n" in self._bytes

    def read(self) -> bool:
        """Wait for more; False at the end."""
        if not self._ended:
            chunk = os.read(self.source, 1 << 16)
            self._bytes += chunk
            self._ended = not chunk
        return not self._ended

    def next_is(self, line: str) -> bool:
        return self.has_line and self._bytes.split(b"\n", 1)[0].strip().lower() == line.encode()

    def take(self) -> str | None:
        """The next line, or what stands at the end without one; None when there is nothing."""
        if not self._bytes:
            return None
        line, _, self._bytes = self._bytes.partition(b"\n")
        return line.decode("utf-8", errors="replace").rstrip("\r")


def open_lines(prompt: str, commands: list[str], *, interactive: bool) -> Lines:
    """Where this process reads messages from."""
    if interactive:
        return TerminalLines(prompt, commands)
    try:
        return PipedLines(sys.stdin.fileno()) if os.name == "posix" else SimpleLines()
    except (OSError, ValueError):  # a stand-in without a descriptor
        return SimpleLines()


def _takes_pastes() -> bool:
    """Whether several lines that are pasted at once can come as one message.

    Python has GNU's readline take them as if each had been typed; libedit does so anyway.
    """
    is_gnu = "libedit" not in (readline.__doc__ or "")
    return is_gnu and os.environ.get("TERM", "dumb") != "dumb"


def _is_closed(line: str) -> bool:
    """Whether a message that begins with three quotes has the other three."""
    return len(line) >= 2 * len(_QUOTES) and line.endswith(_QUOTES)


def _keys(source: int) -> bytes:
    """What was typed since the last look; nothing where the terminal has gone."""
    try:
        return os.read(source, 1 << 12)
    except OSError:
        return b""


def _has_more(source: int) -> bool:
    return bool(select.select([source], [], [], _PASTE_SECONDS)[0])


def _tell(code: str) -> None:
    sys.stdout.write(code)
    sys.stdout.flush()


def _completion(commands: list[str], text: str, n: int) -> str | None:
    found = [command for command in commands if text.startswith("/") and command.startswith(text)]
    return found[n] if n < len(found) else None


def _shown(prompt: str) -> str:
    """The prompt without the marks that tell readline what takes no room."""
    return prompt.replace("\001", "").replace("\002", "")


@contextmanager
def unechoed(terminal: int | None) -> Iterator[None]:
    """While it is open, keys are not shown: each would tear what is being redrawn.

    What is typed waits for whoever reads next, line by line as ever. None: there is no terminal.
    """
    if terminal is None or not EDITS or not _is_ours(terminal):
        yield
        return
    with _without(terminal, termios.ECHO):
        yield


def _is_ours(terminal: int) -> bool:
    """Whether we are in its foreground: others are stopped for changing how it behaves."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # it is somebody else's
        return False


@contextmanager
def _silent(terminal: int) -> Iterator[None]:
    """Keys come one by one and are not echoed into the reply; Ctrl-C still is one."""
    with _without(terminal, termios.ICANON | termios.ECHO):
        yield


@contextmanager
def _without(terminal: int, modes: int) -> Iterator[None]:
    before = termios.tcgetattr(terminal)
    changed = termios.tcgetattr(terminal)
    changed[3] &= ~modes
    termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _looking(source: int, look: Callable[[], bool], *, ready: bool = False) -> Iterator[None]:
    """Call ``look`` on a thread each time ``source`` has something, until it answers False.

    ``ready``: something has come before and is to be looked at first.
    """
    wake, waker = os.pipe()

    def run() -> None:
        go_on = look() if ready else True
        while go_on:
            readable, _, _ = select.select([source, wake], [], [])
            if wake in readable:
                return
            go_on = look()

    thread = threading.Thread(target=run, name="keyboard", daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.write(waker, b"x")
        thread.join()
        for end in (wake, waker):
            with contextlib.suppress(OSError):
                os.close(end)
