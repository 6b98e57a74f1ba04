"""The engine's client in Qt's terms, over real processes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import bridge as bridge_module
from app.bridge import Bridge
from engine.children import WORKER, child_command
from engine.protocol import LIMIT, Chat, Done, Emitted, Failed, Load, Message, Ready
from tests.app.windows import until
from tests.support.fake_engine import fake
from tests.support.tidy import ExpectLog

HELLO = Chat((Message("user", "hello"),))

MakeBridge = Callable[..., "Heard"]


class Heard:
    """A bridge and all that it told."""

    def __init__(self, command: list[str]) -> None:
        self.bridge = Bridge(command)
        self.events: list[object] = []
        self.deaths: list[Failed] = []
        self.silences: list[bool] = []
        self.threads: set[int] = set()
        self.bridge.told.connect(self._hear)
        self.bridge.died.connect(self.deaths.append)
        self.bridge.silent.connect(self.silences.append)

    def _hear(self, event: object) -> None:
        self.events.append(event)
        self.threads.add(threading.get_ident())

    def has(self, kind: type) -> bool:
        return any(isinstance(event, kind) for event in self.events)


@pytest.fixture(name="make")
def bridges(qapp: QApplication) -> Iterator[MakeBridge]:
    made: list[Heard] = []

    def make(*options: str) -> Heard:
        made.append(Heard(fake(*options)))
        return made[-1]

    yield make
    for heard in made:
        heard.bridge.close()


@pytest.fixture(name="model")
def model_file(tmp_path: Path) -> str:
    path = tmp_path / "target.gguf"
    path.touch()
    return str(path)


def load(heard: Heard, model: str) -> None:
    heard.bridge.send(Load(model, model))
    until(lambda: heard.has(Ready))


def test_no_process_runs_before_the_first_request(make: MakeBridge) -> None:
    assert make().bridge.pid is None


def test_events_come_on_the_windows_thread_and_in_order(make: MakeBridge, model: str) -> None:
    heard = make()
    load(heard, model)
    number = heard.bridge.send(HELLO)
    until(lambda: heard.has(Done))
    assert heard.threads == {threading.get_ident()}
    reply = [event for event in heard.events if getattr(event, "id", 0) == number]
    text = "".join(
        piece.text for event in reply if isinstance(event, Emitted) for piece in event.pieces
    )
    assert isinstance(reply[-1], Done)
    assert text == reply[-1].text


def test_a_death_is_told_once_and_the_next_request_starts_another(
    make: MakeBridge, model: str, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    heard = make("--die-after", "2", "--last-words", "GGML_ASSERT(n > 0) failed")
    load(heard, model)
    heard.bridge.send(HELLO)
    until(lambda: heard.deaths)
    assert "GGML_ASSERT" in heard.deaths[0].detail
    assert heard.bridge.pid is None
    heard.events.clear()
    load(heard, model)
    assert len(heard.deaths) == 1
    assert heard.bridge.pid is not None


def test_a_killed_worker_has_died(make: MakeBridge, model: str, expect_log: ExpectLog) -> None:
    expect_log("The worker died")
    heard = make()
    load(heard, model)
    heard.bridge.kill()
    until(lambda: heard.deaths)
    assert "9" in heard.deaths[0].sentence


def test_a_worker_that_cannot_be_started_is_a_death(
    qapp: QApplication, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    heard = Heard(["/no/such/program"])
    heard.bridge.send(HELLO)
    until(lambda: heard.deaths)
    assert "could not be started" in heard.deaths[0].sentence
    heard.bridge.close()


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_a_worker_that_has_stopped_reading_holds_nobody_up(make: MakeBridge, model: str) -> None:
    heard = make()
    load(heard, model)
    pid = heard.bridge.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    heard.bridge.send(Chat((Message("user", "x" * 4_000_000),)))
    heard.bridge.ping()
    assert time.monotonic() - began < 0.1
    QTest.qWait(200)
    began = time.monotonic()
    heard.bridge.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_one_that_has_stopped_reading_can_be_killed_and_replaced(
    make: MakeBridge, model: str, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    heard = make()
    load(heard, model)
    os.kill(heard.bridge.pid or 0, signal.SIGSTOP)
    heard.bridge.send(Chat((Message("user", "x" * 4_000_000),)))
    QTest.qWait(100)
    heard.bridge.kill()
    until(lambda: heard.deaths)
    heard.events.clear()
    load(heard, model)
    number = heard.bridge.send(HELLO)
    until(lambda: any(isinstance(each, Done) and each.id == number for each in heard.events))
    assert len(heard.deaths) == 1


def test_a_message_that_is_too_large_is_a_failure_of_its_own(
    make: MakeBridge, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = make()
    load(heard, model)
    monkeypatch.setattr("engine.protocol.LIMIT", 1000)
    number = heard.bridge.send(Chat((Message("user", "x" * 2000),)))
    until(lambda: heard.has(Failed))
    failed = heard.events[-1]
    assert isinstance(failed, Failed)
    assert (failed.id, failed.code) == (number, "bad-message")
    assert LIMIT > 1000


def test_a_worker_that_does_not_answer_is_called_silent_until_it_does(
    make: MakeBridge, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("_LOOK_EVERY", 0.02), ("_QUIET", 0.05), ("PATIENCE", 0.2)):
        monkeypatch.setattr(bridge_module, name, seconds)
    heard = make("--pace", "0.3", "--reply", "one two three", "--deaf")
    load(heard, model)
    heard.bridge.send(HELLO)
    until(lambda: True in heard.silences)
    until(lambda: heard.has(Done))
    assert heard.silences[-1] is False


def test_a_slow_worker_that_answers_is_not_silent(
    make: MakeBridge, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("_LOOK_EVERY", 0.02), ("_QUIET", 0.05), ("PATIENCE", 0.4)):
        monkeypatch.setattr(bridge_module, name, seconds)
    heard = make("--prompt", "1.0")
    load(heard, model)
    heard.bridge.send(HELLO)
    until(lambda: heard.has(Done))
    assert heard.silences == []


def test_closing_hears_the_last_words_and_ends_the_process(make: MakeBridge, model: str) -> None:
    heard = make("--pace", "0.05", "--repeat", "50")
    load(heard, model)
    heard.bridge.send(HELLO)
    until(lambda: heard.has(Emitted))
    pid = heard.bridge.pid
    began = time.monotonic()
    heard.bridge.close()
    assert time.monotonic() - began < 3
    assert heard.has(Done)
    assert not psutil.pid_exists(pid or 0)


def test_the_signals_survive_two_thousand_emits(make: MakeBridge) -> None:
    """PySide6 6.12.0 on Python 3.11 loses a reference at each; the process dies after 600."""
    heard = make()
    for _ in range(2000):
        heard.bridge.silent.emit(True)
    assert len(heard.silences) == 2000


def test_the_worker_is_this_installations_own() -> None:
    assert child_command(WORKER)[0] == sys.executable
