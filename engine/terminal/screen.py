"""Where words go: to a person's terminal, or as plain text to a pipe."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

from rich.console import Console

from engine.terminal.failures import BadInput, OutputFailed
from engine.terminal.wrapping import Wrap

PIPE_WIDTH = 100
"""Columns of a table that no terminal limits."""

# A model's reply must not move the cursor, ring the bell or open links: ESC and its like are shown.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
# How Python holds the bytes of a file's name that are no text (os.fsdecode).
_BYTES = {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(128, 256)}
_SAFE = str.maketrans({**_CONTROLS, **_BYTES, 9: "\t", 10: "\n", 13: None})


class _Output:
    """Standard output where it is no terminal: a full disk is an error that can be explained."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with _explained():
            return self._stream.write(text)

    def flush(self) -> None:
        with _explained():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # a reader that has gone is no failure
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputFailed(f"Standard output cannot be written ({reason}).") from error


class PipeConsole(Console):
    """A console that leaves a broken pipe to whoever is in charge (rich would end the program)."""

    def on_broken_pipe(self) -> None:
        """Called while a BrokenPipeError is being handled: let it go on."""
        raise BrokenPipeError


@dataclass
class Screen:
    """Replies and tables go ``out``; what happens meanwhile, and what went wrong, to ``err``.

    ``interactive``: a person is reading and typing, so we may ask, and redraw what stands there.
    """

    out: Console
    err: Console
    interactive: bool
    _wrap: Wrap = field(default_factory=Wrap)

    @property
    def live(self) -> bool:
        """Whether what was written to ``out`` may be redrawn."""
        return redraws(self.out)

    @property
    def terminal(self) -> int | None:
        """The descriptor of the terminal that shows either of the two, if one does."""
        shown = next((each for each in (self.out, self.err) if each.is_terminal), None)
        return shown.file.fileno() if shown else None

    def say(self, text: str, style: str = "") -> None:
        """One sentence about what happens, beside the replies."""
        with suppress(OSError):  # where nobody can be told, the replies matter all the same
            _print(self.err, text, style)

    def note(self, text: str) -> None:
        """A sentence that is good to know and needs no answer."""
        self.say(text, "dim")

    def stream(self, text: str, style: str = "") -> None:
        """A part of a reply, at once; a terminal gets it broken between words.

        What a terminal would obey is made visible.
        """
        text = safe(text)
        if self.live:
            text = self._wrap.feed(text, self.out.width)
        self.out.out(text, style=style or None, end="", highlight=False)

    def begin(self) -> None:
        """The next text to stream is another one."""
        self._wrap = Wrap()

    def line(self, text: str = "", style: str = "") -> None:
        """A line or a paragraph of our own among the replies."""
        _print(self.out, text, style)

    def yes(self, question: str) -> bool:
        """Ask; only a clear yes is one. The end of input is a no."""
        try:
            self.err.print(f"{question} [y/N] ", end="", markup=False, highlight=False)
            return sys.stdin.readline().strip().lower() in ("y", "yes")
        finally:
            self.err.file.flush()


def redraws(console: Console) -> bool:
    """Whether what was written to it may be drawn over: a dumb terminal shows codes as they are."""
    return console.is_terminal and not console.is_dumb_terminal


def _print(console: Console, text: str, style: str) -> None:
    """Print at the width of a terminal, broken between words; a pipe gets one line."""
    wrap = console.is_terminal
    console.print(safe(text), style=style, markup=False, highlight=False, soft_wrap=not wrap)


def open_screen() -> Screen:
    """The screen that this process was started with."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # started with that stream closed
            setattr(sys, name, open(os.devnull, "r+", encoding="utf-8"))  # noqa: SIM115 - for good
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a stray byte must not end a conversation
    out, err = _console(sys.stdout), _console(sys.stderr)
    if not (out.is_terminal or isinstance(sys.stdout, _Output)):
        sys.stdout = out.file = cast(TextIO, _Output(sys.stdout))
    return Screen(out, err, interactive=sys.stdin.isatty() and out.is_terminal)


def _console(stream: TextIO) -> Console:
    terminal = stream.isatty()
    if isinstance(stream, io.TextIOWrapper):
        # A γ that the terminal cannot show must not end a chat; a pipe gets UTF-8 everywhere.
        stream.reconfigure(errors="replace", encoding=None if terminal else "utf-8")
    # Not left to FORCE_COLOR and the like: what is piped is read by programs.
    return PipeConsole(
        file=stream,
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        width=None if terminal else PIPE_WIDTH,
        legacy_windows=None if terminal else False,
    )


def safe(text: str) -> str:
    """``text`` with everything that a terminal would obey made visible."""
    return text.translate(_SAFE)


@dataclass(frozen=True)
class JsonTarget:
    """Where ``--json`` wants its object: a file, or "-" for standard output."""

    path: str

    @property
    def to_stdout(self) -> bool:
        return self.path == "-"

    def check(self) -> None:
        """Raise BadInput now, not after minutes of measuring, if it cannot be written."""
        if self.to_stdout:
            return
        path = Path(self.path)
        existed = os.path.exists(path)  # pathlib's own raises where one may not look
        if existed and not (os.path.isfile(path) or os.path.isdir(path)):
            # Opened and closed, a pipe has its reader leave before anything is written.
            with _writing(path):
                if not os.access(path, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
        with _writing(path), path.open("a", encoding="utf-8"):
            pass
        if not existed:
            path.unlink(missing_ok=True)

    def write(self, value: Any) -> None:
        """Write ``value`` as one JSON document."""
        text = _LONE.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=2)) + "\n"
        if self.to_stdout:
            sys.stdout.write(text)
            sys.stdout.flush()
            return
        with _writing(Path(self.path)):
            Path(self.path).write_text(text, encoding="utf-8", errors="replace")


# The bytes of a file's name that are no text: JSON can carry them, and UTF-8 cannot.
_LONE = re.compile("[\ud800-\udfff]")


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(
            f"{path} cannot be written ({reason}). Name another file for --json."
        ) from error
