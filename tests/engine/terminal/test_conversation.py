"""A conversation in the terminal: what is kept of it, and how it goes on after a failure."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

import pytest
from rich.console import Console

from engine.client import Client
from engine.errors import Stopped, WorkerDied
from engine.pairing import Verdict
from engine.protocol import Chat, Done, Emitted, Event, Failed, Message, ModelInfo, Piece, Ready
from engine.settings import Settings
from engine.stats import End, Figures
from engine.terminal import commands
from engine.terminal.advising import Advising
from engine.terminal.chat import _Loop
from engine.terminal.choosing import Chosen
from engine.terminal.conversation import Conversation, Talk
from engine.terminal.failures import Interrupted, RequestFailed
from engine.terminal.screen import Screen
from engine.terminal.session import Session
from tests.engine.conftest import TinyPath
from tests.support.workers import frail

MODEL = ModelInfo("a model", "llama 1B Q4_K", "/models/a.gguf", 1, 1, 1)
READY = Ready(MODEL, None, ("CPU (a processor)",), 4096, 2, 0, Verdict(ok=False), (), None)
SAID = (Message("user", "hello"), Message("assistant", "the first reply", (1, 2)))


@dataclass
class Shown:
    """A screen with a person before it, and what they saw."""

    screen: Screen
    file: io.StringIO

    @property
    def text(self) -> str:
        return " ".join(self.file.getvalue().split())


@pytest.fixture
def shown() -> Shown:
    file = io.StringIO()
    console = Console(file=file, width=100, color_system=None)
    return Shown(Screen(console, console, interactive=True), file)


class Asked:
    """A request to a session of the test's own."""

    def __init__(self, events: list[Event | Exception]) -> None:
        self.ticker = self
        self._events = events

    def clear(self) -> None: ...

    def __iter__(self) -> Iterator[Event]:
        for event in self._events:
            if isinstance(event, Exception):
                raise event
            yield event


class Scripted:
    """Answers each request with the next of its answers."""

    def __init__(self, *answers: list[Event | Exception]) -> None:
        self.ready = READY
        self.interrupted = False
        self.asked: list[Chat] = []
        self._answers = list(answers)

    @contextmanager
    def ask(self, request: Chat) -> Iterator[Asked]:
        self.asked.append(request)
        yield Asked(self._answers.pop(0))


def done(text: str, why: End = End.END) -> Done:
    return Done("chat", why, text, (7,) if text else (), Figures(), 1)


def emitted(text: str) -> Emitted:
    return Emitted("chat", [Piece(text, 0)], [], [], Figures())


def failure(error: type[Stopped | WorkerDied], **fields: str) -> RequestFailed:
    failed = Failed.of(error(**fields), 1)
    return RequestFailed(failed.code, failed.sentence, failed.detail)


@pytest.fixture
def talk(shown: Shown) -> Callable[..., Talk]:
    """A talk after one turn, whose next replies are scripted."""

    def begun(*answers: list[Event | Exception]) -> Talk:
        conversation = Conversation(Settings(), messages=list(SAID))
        session = Scripted(*answers)
        return Talk(shown.screen, session, conversation, Advising(READY, Settings()))

    return begun


# Writing anew ------------------------------------------------------------------------------------


NOTHING_CAME = {
    "stopped": [done("", End.STOPPED)],
    "stopped while it waited": [failure(Stopped)],
    "interrupted": [Interrupted()],
}


@pytest.mark.parametrize("answer", NOTHING_CAME.values(), ids=NOTHING_CAME.keys())
def test_a_reply_stays_until_another_one_begins(talk, answer) -> None:
    said = talk(answer, [emitted("another"), done("another")])
    assert said.again()
    assert said.conversation.messages == list(SAID)
    assert said.again()
    assert [message.content for message in said.conversation.messages] == ["hello", "another"]
    assert [len(chat.messages) for chat in said.session.asked] == [1, 1]
    assert [chat.options.variant for chat in said.session.asked] == [1, 1]


def test_a_reply_stays_where_the_engine_died_before_another_began(talk) -> None:
    said = talk([failure(WorkerDied, reason="signal 9")])
    with pytest.raises(RequestFailed):
        said.again()
    assert said.conversation.messages == list(SAID)


def test_what_was_written_anew_takes_the_earlier_ones_place_though_it_was_cut(talk) -> None:
    said = talk([emitted("half"), failure(WorkerDied, reason="signal 9")], [done("whole")])
    with pytest.raises(RequestFailed):
        said.again()
    assert said.conversation.messages[1:] == [Message("assistant", "half")]
    said.again()
    assert said.conversation.messages[1:] == [Message("assistant", "whole", (7,))]
    assert said.session.asked[1].options.variant == 2


def test_a_message_that_got_no_reply_is_answered(talk) -> None:
    said = talk([done("at last")])
    said.conversation.messages.pop()
    assert said.again()
    assert said.conversation.messages[-1].content == "at last"
    assert said.session.asked[0].options.variant == 0


def test_where_nothing_was_said_there_is_nothing_to_write_anew(talk) -> None:
    said = talk()
    said.conversation.clear()
    assert not said.again()


# Commands ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["/new", "/NEW", " /New ", "/new\n"])
def test_a_command_is_one_in_any_case(talk, line: str) -> None:
    said = talk()
    assert commands.run(said, Typed(), line)
    assert said.conversation.messages == []


@pytest.mark.parametrize("line", ["/foo", "/Foo 3", "/new2", "/quit3", "/?", "/gama3"])
def test_a_command_that_there_is_not_is_said_and_is_no_message(
    talk, shown: Shown, line: str
) -> None:
    said = talk()
    assert commands.run(said, Typed(), line)
    assert f"There is no {line.split(maxsplit=1)[0]}. /help lists the commands." in shown.text
    assert said.conversation.messages == list(SAID)


@pytest.mark.parametrize("line", ["/gamma 3", "/gamma3", "/GAMMA3", "/Gamma  3"])
def test_a_number_may_stand_right_behind_its_command(talk, line: str) -> None:
    said = talk()
    said.session.ready = replace(READY, draft=MODEL)
    assert commands.run(said, Typed(), line)
    assert said.conversation.gamma == 3


@pytest.mark.parametrize(
    "line", ["/usr/bin", "/etc/fstab is broken", "//new", "/3", "/a-b", "say /new", "/new: what?"]
)
def test_what_only_begins_with_a_slash_is_a_message(talk, line: str) -> None:
    assert commands.run(talk(), Typed(), line) is None


@pytest.mark.parametrize("line", ["/new\nplease", "/system You are\nkind.", "\n/stats\n\nand?"])
def test_several_lines_are_no_command(talk, line: str) -> None:
    said = talk()
    assert commands.run(said, Typed(), line) is None
    assert said.conversation.messages == list(SAID)
    assert said.conversation.system == ""


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("//new", "/new"),
        ("//new\n", "/new\n"),
        ("// a comment\nint x;", "// a comment\nint x;"),
        ("/usr/bin", "/usr/bin"),
        ("a // b", "a // b"),
    ],
)
def test_a_doubled_slash_stands_for_one_where_a_line_could_be_a_command(
    line: str, meant: str
) -> None:
    assert commands.message(line) == meant


# After a failure ---------------------------------------------------------------------------------


class Typed:
    """Lines that a person types."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def next(self) -> str | None:
        return self._lines.pop(0) if self._lines else None

    def watching(self, _stop: Callable[[], None]) -> nullcontext[None]:
        return nullcontext()


@pytest.mark.small
@pytest.mark.parametrize("fault", ["broken_copy", "abort"])
def test_the_models_are_loaded_again_where_the_chat_could_not_go_on_with_them(
    shown: Shown, tiny_path: TinyPath, fault: str
) -> None:
    settings = Settings(n_ctx=512, threads=1, max_tokens=2)
    with Client(command=frail(fault)) as client:
        session = Session(shown.screen, client, Chosen(tiny_path(), None), settings)
        session.load()
        process = client.pid
        conversation = Conversation(Settings(max_tokens=20))
        talk = Talk(shown.screen, session, conversation, Advising(session.ready, settings))
        assert _Loop(talk, Typed("hello")).run() == 0
        assert client.pid != process
        assert "The models are loaded again." in shown.text
        conversation.settings = settings  # too short for the fault
        talk.say("and?")
    assert [message.role for message in conversation.messages] == [
        *("user", "assistant"),  # what came before the failure
        *("user", "assistant"),
    ]
