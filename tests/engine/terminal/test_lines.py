"""Lines from a pipe, and a /stop that comes while a reply streams."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator

import pytest

from engine.terminal.lines import PipedLines, SimpleLines, TerminalLines, open_lines


class Pipe:
    """A pipe that a test writes into."""

    def __init__(self) -> None:
        self.source, self._sink = os.pipe()
        self.lines = PipedLines(self.source)

    def write(self, text: str) -> None:
        os.write(self._sink, text.encode())

    def end(self) -> None:
        if self._sink >= 0:
            os.close(self._sink)
            self._sink = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.end()
    os.close(made.source)


def test_a_pipe_gives_its_lines_the_last_one_without_an_end_too(pipe):
    pipe.write("one\r\n\ntwo é")
    pipe.end()
    assert [pipe.lines.next() for _ in range(5)] == ["one", "", "two é", None, None]


def test_a_stop_that_comes_while_a_reply_streams_ends_it(pipe):
    stopped = threading.Event()
    with pipe.lines.watching(stopped.set):
        pipe.write("/stop\nnext\n")
        assert stopped.wait(5)
    assert pipe.lines.next() == "next"


def test_a_stop_that_stands_next_already_ends_it_too(pipe):
    stopped = threading.Event()
    pipe.write("hello\n/stop\nnext\n")
    assert pipe.lines.next() == "hello"
    with pipe.lines.watching(stopped.set):
        assert stopped.wait(5)
    assert pipe.lines.next() == "next"


def test_a_later_stop_belongs_to_a_later_reply(pipe):
    pipe.write("first\nsecond\n/stop\n")
    assert pipe.lines.next() == "first"
    with pipe.lines.watching(lambda: pytest.fail("the first reply was stopped")):
        pass
    assert pipe.lines.next() == "second"


def test_what_else_comes_meanwhile_waits(pipe):
    with pipe.lines.watching(lambda: pytest.fail("nobody asked to stop")):
        pipe.write("a message")
    pipe.write(" in two parts\n")
    assert pipe.lines.next() == "a message in two parts"


def test_a_stop_is_one_in_capitals_too(pipe):
    stopped = threading.Event()
    with pipe.lines.watching(stopped.set):
        pipe.write("/STOP\nnext\n")
        assert stopped.wait(5)
    assert pipe.lines.next() == "next"


def test_a_stand_in_without_a_descriptor_is_read_line_by_line(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo"))
    lines = open_lines("> ", [], interactive=False)
    assert isinstance(lines, SimpleLines)
    assert [lines.next() for _ in range(3)] == ["one", "two", None]


# At a prompt ------------------------------------------------------------------------------------


def entered(monkeypatch: pytest.MonkeyPatch, *lines: str) -> str | None:
    """The first message of what a person enters at the prompt, pastes included."""
    left = list(lines)

    def read(_prompt: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        monkeypatch.setattr("builtins.input", read)
        return TerminalLines("> ", []).next()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['"""one', "", 'two"""'], "one\n\ntwo"),
        (['"""', "one", '"""'], "\none\n"),
        (['"""one"""', "two"], "one"),
        (['""""', '"""'], '"\n'),
    ],
)
def test_quotes_begin_and_end_a_message_of_several_lines(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], message: str
) -> None:
    assert entered(monkeypatch, *lines) == message


@pytest.mark.parametrize(
    "line",
    [
        'what is """',
        'def f():\n    """Does it."""',
        '"""A module."""\n\nimport os\n',
        '"""\nA module.\n"""',
    ],
)
def test_quotes_that_belong_to_a_message_stay_in_it(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    assert entered(monkeypatch, line) == line


def test_the_end_of_the_input_is_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    assert entered(monkeypatch) is None
