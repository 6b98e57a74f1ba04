"""The client: whatever happens to the worker, every request is answered and nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path

import pytest

from engine.children import WORKER, child_command
from engine.client import LAST_WORDS, Client, Exchange, cause_of_death
from engine.errors import BadMessage, WorkerDied
from engine.protocol import (
    VERSION,
    Chat,
    Done,
    Emitted,
    End,
    Event,
    Failed,
    Hello,
    Load,
    Message,
    Options,
    Ping,
    Ready,
)
from tests.engine.conftest import TinyPath
from tests.support.workers import ROOT, final, frail, load, script, until, wait_until

pytestmark = pytest.mark.small

HELLO = (Message("user", "hello"),)
LETTER_A = 6 + ord("a")
IDLE = script("input()")
"""Something that reads what is sent and says nothing."""
ASSERTED = "an assertion in its native code failed"
PROMISED = 1.5
"""Seconds within which a death is told; the aim is 1, and a quiet machine takes 0.03."""


@pytest.fixture
def endless(tiny_path: TinyPath) -> Load:
    """To load a model that says "a" until its context is full, which takes it many seconds."""
    path = tiny_path(always=LETTER_A, layers=6, width=512, context_length=8192)
    return load(path, None, 8192)


def chatting(client: Client, model: Load) -> Exchange:
    """A reply that has begun."""
    assert isinstance(final(client.request(model)), Ready)
    reply = client.request(Chat(HELLO))
    until(reply, Emitted)
    return reply


# Deaths ----------------------------------------------------------------------------------------


def test_a_worker_killed_in_mid_reply_is_told_and_replaced(endless: Load) -> None:
    with Client() as client:
        reply = chatting(client, endless)
        started = time.monotonic()
        os.kill(client.pid, signal.SIGKILL)
        *_, failed = reply
        assert time.monotonic() - started < PROMISED
        assert isinstance(failed, Failed)
        assert failed.code == "worker-died"
        assert failed.sentence.startswith("The engine stopped: signal 9 (killed, ")
        client.restart()
        assert isinstance(final(client.request(endless)), Ready)
        done = final(client.request(Chat(HELLO, Options(max_tokens=5))))
        assert isinstance(done, Done)
        assert done.text == "aaaaa"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("abort", "signal 6 (aborted)"),
        ("assertion", f"{ASSERTED} (ggml.c:42: GGML_ASSERT(n > 0) failed)"),
        ("out_of_memory", "it ran out of memory"),
    ],
)
def test_a_worker_that_gives_up_is_told_with_the_reason(
    tiny_path: TinyPath, fault: str, reason: str
) -> None:
    with Client(command=frail(fault)) as client:
        assert isinstance(final(client.request(load(tiny_path()))), Ready)
        started = time.monotonic()
        *events, failed = client.request(Chat(HELLO))
        assert time.monotonic() - started < 1 + PROMISED
        assert isinstance(failed, Failed)
        assert failed.sentence.startswith(f"The engine stopped: {reason}.")
        assert "Fatal Python error: Aborted" in failed.detail
        assert sum(isinstance(event, Emitted) for event in events) >= 1


def test_every_request_that_waits_for_an_answer_gets_one(endless: Load) -> None:
    heard: list[Event] = []
    with Client(heard.append) as client:
        chatting(client, endless)
        os.kill(client.pid, signal.SIGSTOP)
        numbers = [client.send(Ping()) for _ in range(3)]
        os.kill(client.pid, signal.SIGKILL)
        wait_until(lambda: len([e for e in heard if isinstance(e, Failed)]) == 4)
    assert set(numbers) < {event.id for event in heard if isinstance(event, Failed)}


def test_a_worker_that_dies_while_nothing_is_asked_is_told_all_the_same() -> None:
    heard: list[Event] = []
    with Client(heard.append) as client:
        assert client.ping(5)
        os.kill(client.pid, signal.SIGKILL)
        wait_until(lambda: isinstance(heard[-1], Failed))
    assert (heard[-1].id, len(heard)) == (0, 3)


def test_a_request_to_a_dead_worker_is_answered_at_once() -> None:
    with Client() as client:
        os.kill(client.pid, signal.SIGKILL)
        assert not client.ping(5)
        failed = final(client.request(Chat(HELLO)))
        assert isinstance(failed, Failed)
        assert failed.code == "worker-died"
        client.restart()
        assert client.ping(5)


def test_a_request_after_a_restart_that_failed_is_answered_at_once() -> None:
    with Client() as client:
        client._command = ["/no/such/program"]
        with pytest.raises(WorkerDied, match="/no/such/program could not be started"):
            client.restart()
        failed = client.request(Ping()).next(5)
        assert isinstance(failed, Failed)
        assert "/no/such/program could not be started" in failed.sentence
        client._command = child_command(WORKER)
        client.restart()
        assert client.ping(5)


def test_a_worker_of_another_version_is_not_listened_to() -> None:
    hello = 'print(\'{"type":"hello","id":0,"version":99,"pid":1}\', flush=True)'
    with Client(command=script(f"{hello}; input()")) as client:
        failed = final(client.request(Ping()))
        assert isinstance(failed, Failed)
        assert f"another version of Foreword (messages 99, not {VERSION})" in failed.sentence


def test_a_worker_that_talks_nonsense_is_not_listened_to() -> None:
    with Client(command=script("print('hello', flush=True); input()")) as client:
        failed = final(client.request(Ping()))
        assert isinstance(failed, Failed)
        assert "what cannot be understood: it is not JSON" in failed.sentence


def test_a_worker_that_cannot_begin_says_why() -> None:
    with Client(command=script("import no_such_module")) as client:
        failed = final(client.request(Ping()))
        assert isinstance(failed, Failed)
        assert "ModuleNotFoundError: No module named 'no_such_module'" in failed.sentence


def test_a_command_that_cannot_be_run_is_an_error() -> None:
    with pytest.raises(WorkerDied, match="/no/such/program could not be started"):
        Client(command=["/no/such/program"])


def test_only_the_last_lines_of_standard_error_are_kept() -> None:
    code = "import sys; [print(i, file=sys.stderr) for i in range(5000)]; sys.exit(3)"
    with Client(command=script(code)) as client:
        failed = final(client.request(Ping()))
    assert isinstance(failed, Failed)
    assert failed.detail.splitlines() == [str(i) for i in range(5000 - LAST_WORDS, 5000)]
    assert "exit code 3" in failed.sentence


@pytest.mark.parametrize(
    ("code", "last_words", "reason"),
    [
        (-9, [], "signal 9 (killed, by someone or for want of memory)"),
        (-9, ["out of memory"], "it ran out of memory"),
        (-11, ["Fatal Python error"], "signal 11 (segmentation fault)"),
        (
            -6,
            ["/a/x.cpp:1: GGML_ASSERT(a) failed", "more"],
            f"{ASSERTED} (x.cpp:1: GGML_ASSERT(a) failed)",
        ),
        (
            -6,
            ["python: f.c:2: f: Assertion `x' failed."],
            f"{ASSERTED} (f.c:2: f: Assertion `x' failed.)",
        ),
        (1, ["Traceback", "ImportError: no libgomp"], "ImportError: no libgomp"),
        (1, [], "it ended with exit code 1"),
        (0, ["GGML_ASSERT"], "it ended with exit code 0"),
        (0xC0000005, [], "it ended with exit code 0xc0000005"),
    ],
)
def test_the_cause_of_a_death_in_words(code: int, last_words: list[str], reason: str) -> None:
    assert cause_of_death(code, last_words) == reason


# Ends ------------------------------------------------------------------------------------------


def test_closing_in_mid_reply_ends_it_with_what_there_is(endless: Load) -> None:
    client = Client()
    reply = chatting(client, endless)
    process = client._worker.process
    started = time.monotonic()
    client.close()
    assert time.monotonic() - started < 3
    assert process.returncode == 0
    *_, done = reply
    assert isinstance(done, Done)
    assert done.why is End.STOPPED


STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"


@pytest.mark.parametrize(("code", "end"), [("import time; time.sleep(60)", 15), (STUBBORN, 9)])
def test_a_worker_that_does_not_quit_is_ended(code: str, end: int) -> None:
    client = Client(command=script(code))
    request = client.request(Ping())
    process = client._worker.process
    started = time.monotonic()
    client.close(timeout=1)
    assert time.monotonic() - started < 2
    assert process.returncode == -end
    assert isinstance(final(request), Failed)


def test_closing_does_not_wait_for_a_worker_that_stopped_reading() -> None:
    with Client(command=script("import time; time.sleep(60)")) as client:
        full = threading.Thread(
            target=client.request, args=(Chat((Message("user", "x" * 2**20),)),)
        )
        full.start()
        started = time.monotonic()
        client.close(timeout=1)
        assert time.monotonic() - started < 2
        full.join()


def test_closing_twice_is_once() -> None:
    client = Client(command=IDLE)
    client.close()
    client.close()


def open_files() -> set[str]:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
        except FileNotFoundError:  # the listing's own
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
def test_no_descriptor_is_left() -> None:
    before = open_files()
    with Client() as client:
        assert client.ping(5)
        client.restart()
        os.kill(client.pid, signal.SIGKILL)
        client.ping(5)
        client.restart()
    assert open_files() == before


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
def test_the_worker_inherits_nothing_else(tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        with Client() as client:
            assert client.ping(5)
            held = Path(f"/proc/{client.pid}/fd")
            assert str(tmp_path / "secret") not in [os.readlink(fd) for fd in held.iterdir()]


# Talking ---------------------------------------------------------------------------------------


def test_events_go_to_the_listener_and_to_whoever_asked(tiny_path: TinyPath) -> None:
    heard: list[Event] = []
    with Client(heard.append) as client:
        asked = list(client.request(load(tiny_path())))
        assert isinstance(heard[0], Hello)
        assert heard[1:] == asked
        number = client.send(Chat(HELLO, Options(max_tokens=5)))
        wait_until(lambda: isinstance(heard[-1], Done))
    assert {event.id for event in heard[len(asked) + 1 :]} == {number}


def test_a_listener_that_fails_does_not_stop_the_others(expect_log) -> None:
    expect_log("A listener failed at Hello")
    expect_log("A listener failed at Pong")

    def fail(_event: Event) -> None:
        raise ValueError

    with Client(fail) as client:
        assert client.ping(5)
        assert client.ping(5)


def test_an_interrupted_wait_can_be_taken_up_again(endless: Load) -> None:
    with Client() as client:
        reply = chatting(client, endless)
        ctrl_c = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        ctrl_c.start()
        with pytest.raises(KeyboardInterrupt):
            deque(reply)
        reply.stop()
        *_, done = reply
        assert isinstance(done, Done)


def test_a_message_that_is_too_large_is_not_sent() -> None:
    with Client(command=IDLE) as client, pytest.raises(BadMessage, match="bytes long"):
        client.request(Chat((Message("user", "x" * 2**26),)))


def test_numbers_are_never_used_twice() -> None:
    with Client(command=IDLE) as client:
        first = [client.send(Ping()) for _ in range(5)]
        client.restart()
        assert client.send(Ping()) == max(first) + 1
        assert client.request(Ping(id=1000)).id == 1000


def test_a_ping_that_is_not_answered_is_no() -> None:
    with Client(command=script("import time; time.sleep(60)")) as client:
        assert not client.ping(0.1)
        client.close(timeout=0.5)


def test_a_long_prompt_goes_through_the_pipe(tiny_path: TinyPath) -> None:
    with Client() as client:
        final(client.request(load(tiny_path())))
        failed = final(client.request(Chat((Message("user", "hello " * 400_000),))))
        assert isinstance(failed, Failed)
        assert failed.code == "prompt-too-long"


# Where it starts from --------------------------------------------------------------------------


def test_the_folder_one_is_in_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files must not stand in for modules of ours or of Python's."""
    (tmp_path / "json.py").write_text("raise ImportError('the wrong json')")
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise ImportError('the wrong engine')")
    monkeypatch.chdir(tmp_path)
    with Client() as client:
        assert client.ping(5)


def test_a_frozen_app_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command(WORKER) == [sys.executable, "--engine-worker"]


def test_a_front_end_needs_no_llama_cpp() -> None:
    code = "import engine.client, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.decode().split()}
    assert loaded.isdisjoint({"llama_cpp", "PySide6", "app", "jinja2", "psutil"})
