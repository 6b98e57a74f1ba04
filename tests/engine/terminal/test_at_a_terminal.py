"""The terminal as a person meets it: prompts, keys, Ctrl-C, and two columns that redraw."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import psutil
import pytest

from engine import paths
from tests.engine.conftest import TinyPath
from tests.support.ggufs import write_gguf
from tests.support.workers import ROOT

pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")
readline = pytest.importorskip("readline")

LETTER_A = 6 + ord("a")
ENDLESS = {"layers": 6, "width": 256, "always": LETTER_A, "context_length": 8192}
"""Writes a's until it is stopped."""
CTRL_C, ESCAPE, ENTER = "\x03", "\x1b", "\r"
MARKS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A terminal of 100 × 30 with a ``foreword`` in it."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process = process
        self._screen = screen
        self._unread = ""
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())

    def wait_for(self, pattern: str, seconds: float = 20.0) -> None:
        """Wait until the pattern appears in what is new on the screen."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, MARKS.sub("", self._unread))):
            assert time.monotonic() < deadline, f"no {pattern!r} in {self._unread!r}"
            self._read(0.1)
        self._unread = MARKS.sub("", self._unread)[found.end() :]

    def wait_for_prompt(self) -> None:
        """Wait until the program reads a line. A Ctrl-C in the first instant would go unheard:
        Python looks for signals before it waits for keys, and then only after the next one."""
        self.wait_for("> ")
        time.sleep(0.2)

    def end(self, seconds: float = 20.0) -> int:
        """Wait for the program to end; its exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still there: {self._unread!r}"
            self._read(0.05)
        self._read(0)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        if not select.select([self._screen], [], [], seconds)[0]:
            return
        try:
            text = os.read(self._screen, 1 << 16).decode(errors="replace")
        except OSError:  # Linux: the other side is closed
            time.sleep(seconds)
            return
        self._unread += text
        self.shown += text


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Ours, without what the tests themselves may have been told of a terminal."""
    told = ("COLUMNS", "LINES", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in told}
    return {**kept, "TERM": "xterm-256color", **changes}


FOREWORD = (sys.executable, "-m", "engine")
FROM_A_SHELL = ("sh", "-c", '"$@"; echo "it left with $?"; stty -a', "sh", *FOREWORD)
"""Afterwards the shell says how the terminal was left. It leads the session: were that Foreword,
the system would put the terminal in order at its end."""


@contextmanager
def terminal(
    *argv: object, command: Sequence[str] = FOREWORD, **environment: str
) -> Iterator[Terminal]:
    screen, inside = pty.openpty()
    termios.tcsetwinsize(inside, (30, 100))
    process = subprocess.Popen(
        [*command, *map(str, argv)],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        cwd=ROOT,
        env=_environment(environment),
        preexec_fn=lambda: os.login_tty(os.dup(0)),  # noqa: PLW1509 - or Ctrl-C reaches nobody
    )
    os.close(inside)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.wait()
        os.close(screen)


@pytest.fixture
def endless(tiny_path: TinyPath) -> list[object]:
    path = tiny_path(**ENDLESS)
    return ["--target", path, "--draft", path, "--threads", 1, "--temperature", 0]


def test_ctrl_c_stops_a_reply_and_a_second_one_leaves(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for("Foreword")
        at.wait_for("γ 3, as you chose")
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type(CTRL_C)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for_prompt()
        at.type(CTRL_C)
        assert at.end() == 130


def test_ctrl_c_at_the_prompt_first_says_how_to_leave(endless):
    with terminal("chat", *endless) as at:
        at.wait_for_prompt()
        at.type(CTRL_C)
        at.wait_for("Ctrl-C again leaves")
        at.type("/gamma" + ENTER)
        at.wait_for("γ is")
        at.type("/quit" + ENTER)
        assert at.end() == 0


def test_keys_stop_a_reply_and_what_is_typed_meanwhile_waits_for_the_prompt(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type("/st")
        at.type("op" + ENTER)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for_prompt()
        at.type("/regenerate" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type("/gam\x7f\x7fg")
        time.sleep(0.1)  # a key that comes with others is no Escape
        at.type(ESCAPE)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for("> /gg")
        at.type("\x7famma" + ENTER)
        at.wait_for("γ is 3")
        at.wait_for_prompt()
        at.type("\x04")
        assert at.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_reply_that_is_told_to_end_gives_the_terminal_back(endless, number):
    with terminal("chat", *endless, "--gamma", 3, command=FROM_A_SHELL) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        (foreword,) = psutil.Process(at.process.pid).children()
        engines = foreword.children()
        foreword.send_signal(number)
        at.wait_for(f"it left with {128 + number}")
        at.wait_for(r"\sicanon\s")
        at.wait_for(r"\secho\s")
        assert at.end() == 0
        assert not any(engine.is_running() for engine in engines)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_prompt_that_is_told_to_end_gives_the_terminal_back(endless, number):
    with terminal("chat", *endless, command=FROM_A_SHELL) as at:
        at.wait_for_prompt()
        (foreword,) = psutil.Process(at.process.pid).children()
        foreword.send_signal(number)
        at.wait_for(f"it left with {128 + number}")
        at.wait_for(r"\sicanon\s")
        at.wait_for(r"\secho\s")
        assert at.end() == 0


@pytest.mark.skipif("libedit" in (readline.__doc__ or ""), reason="libedit takes no pastes")
def test_lines_that_are_pasted_are_one_message_and_no_command(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for_prompt()
        assert "\x1b[?2004h" in at.shown  # the terminal is asked to mark what is pasted
        at.type("\x1b[200~one\r/new\r/gamma 7\rtwo\x1b[201~")
        at.wait_for("two")
        at.type(ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type(ESCAPE)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for_prompt()
        at.type("/stats" + ENTER)
        at.wait_for("all 1")
        at.wait_for_prompt()
        assert "A new conversation." not in at.shown


@pytest.mark.skipif("libedit" in (readline.__doc__ or ""), reason="libedit takes no pastes")
def test_lines_that_are_pasted_while_a_reply_streams_are_one_message_too(endless):
    with terminal("chat", *endless, "--gamma", 3, "--temperature", 0) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type("\x1b[200~one\r/new\rtwo\r\x1b[201~")
        at.type("three" + ENTER)
        at.type("begun \x1b[200~here\rand\x1b[201~")
        at.type(" there")
        time.sleep(0.1)  # a key that comes with others is no Escape
        at.type(ESCAPE)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for("> one\r\n/new\r\ntwo\r\nthree\r\n")
        at.wait_for("aaaaaaaaaa")
        at.type(ESCAPE)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for("> begun here")
        at.wait_for("and there")
        at.type("\x15" + "/stats" + ENTER)
        at.wait_for("all 2")
        at.type("/quit" + ENTER)
        assert at.end() == 0
        assert "A new conversation." not in at.shown
        # The terminal marks pastes while a reply streams and at a prompt, and no longer afterwards.
        assert at.shown.rfind("\x1b[?2004l") > at.shown.rfind("\x1b[?2004h")


def test_a_stop_is_heeded_behind_a_message_that_waits_its_turn(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type("/gamma" + ENTER)
        at.type("/stop" + ENTER)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for("> /gamma")
        at.wait_for("γ is 3")
        at.wait_for_prompt()
        at.type("/quit" + ENTER)
        assert at.end() == 0
        assert "Nothing is being written" not in at.shown


def test_what_was_typed_ahead_moves_no_cursor_when_its_turn_comes(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        at.type("/system x\x1b[2Jy" + ENTER)
        time.sleep(0.1)  # a key that comes with others is no Escape
        at.type(ESCAPE)
        at.wait_for(r"γ 3 · stopped")
        at.wait_for(r"> /system x\\x1b\[2Jy")
        at.wait_for("The system prompt is")
        assert "\x1b[2J" not in at.shown


@pytest.mark.parametrize("dull", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_a_prompt_where_there_is_no_colour_is_plain(endless, dull):
    with terminal("chat", *endless, **dull) as at:
        at.wait_for_prompt()
        at.type("/quit" + ENTER)
        assert at.end() == 0
        assert "\x1b[1m> " not in at.shown
        if "TERM" in dull:
            assert "\x1b" not in at.shown


def test_an_engine_that_does_not_answer_is_told_of_and_can_be_left(endless):
    with terminal("chat", *endless, "--gamma", 3) as at:
        at.wait_for_prompt()
        at.type("Hello" + ENTER)
        at.wait_for("aaaaaaaaaa")
        (engine,) = psutil.Process(at.process.pid).children()
        engine.suspend()
        at.type(CTRL_C)
        at.wait_for("The engine does not answer. Ctrl-C again quits.")
        at.type(CTRL_C)
        assert at.end() == 130
        assert not engine.is_running()


def test_both_lanes_are_drawn_while_they_write_and_keys_do_not_tear_them(endless):
    with terminal("compare", *endless, "--gamma", 3, "--max-tokens", 150, "Hello") as at:
        at.wait_for("drafting ahead, γ 3 ─.*─ plain")
        at.type("xyzzy" + ENTER)
        at.wait_for("tokens/s · 100 % accepted")
        at.wait_for("> Hello")
        at.wait_for("Both lanes wrote the same 150 tokens.")
        assert at.end() == 0
        assert "\x1b[32m" in at.shown  # accepted tokens are green
        assert "xyzzy" not in at.shown


def test_ctrl_c_ends_a_comparison_with_what_there_is(endless):
    with terminal("compare", *endless, "--gamma", 3, "--max-tokens", 4000, "Hello") as at:
        at.wait_for("tokens/s · 100 % accepted")
        at.type(CTRL_C)
        at.wait_for("speed-up")
        assert at.end() == 130


def test_a_person_is_asked_before_anything_is_fetched():
    with terminal() as at:
        at.wait_for("To fetch: Qwen2.5-Coder 1.5B Instruct")
        at.wait_for(r"Fetch it now\? \[y/N\] ")
        at.type("n" + ENTER)
        at.wait_for("There is no model to work with")
        assert at.end() == 2


@pytest.mark.parametrize(("answer", "stays"), [("n", True), ("y", False)])
def test_a_person_is_asked_before_anything_is_removed(answer, stays):
    path = write_gguf(paths.models_folder() / "mine.gguf")
    with terminal("models", "remove", "mine") as foreword:
        foreword.wait_for(r"\?\s+\[y/N\] ")
        foreword.type(answer + ENTER)
        assert foreword.end() == (1 if stays else 0)
    assert path.exists() is stays
