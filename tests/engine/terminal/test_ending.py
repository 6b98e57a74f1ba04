"""SIGTERM and SIGHUP end a command as Ctrl-C would: what was measured until then is kept."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.terminal.ending import Endings
from tests.engine.conftest import TinyPath
from tests.support.workers import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows ends programs by force")

BOTH = [signal.SIGTERM, signal.SIGHUP]


@contextlib.contextmanager
def handled(number: signal.Signals, handler: object) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", BOTH)
def test_the_first_signal_is_an_exception_and_a_second_one_is_not(number: signal.Signals) -> None:
    finished = False

    def work() -> None:
        nonlocal finished
        try:
            signal.raise_signal(number)
        finally:
            signal.raise_signal(number)
            finished = True

    with handled(number, signal.SIG_DFL), Endings() as endings:
        with pytest.raises(SystemExit) as ended:
            work()
        assert ended.value.code == endings.code == 128 + number
    assert finished


@pytest.mark.parametrize("number", BOTH)
def test_afterwards_the_signals_are_what_they_were(number: signal.Signals) -> None:
    with handled(number, signal.SIG_DFL):
        with Endings():
            assert signal.getsignal(number) is not signal.SIG_DFL
        assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda *_arguments: None])
@pytest.mark.parametrize("number", BOTH)
def test_a_signal_that_means_something_already_is_let_be(
    number: signal.Signals, handler: object
) -> None:
    with handled(number, handler), Endings() as endings:
        assert signal.getsignal(number) is handler
        signal.raise_signal(number)
        assert endings.code == 0


def test_on_another_thread_nothing_is_changed() -> None:
    seen: list[object] = []

    def look() -> None:
        with Endings():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]


@pytest.mark.parametrize("number", BOTH)
def test_a_benchmark_that_is_told_to_end_writes_down_its_finished_runs(
    tiny_path: TinyPath, tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "one.toml").write_text(
        'prompts = [{id="a", kind="code", messages=[{role="user", content="Hello"}]}]'
    )
    run = ["--target", tiny_path(), "--draft", tiny_path(noise=0.3), "--threads", 1]
    run += ["--repeats", 1000, "--max-tokens", 8, "--json", tmp_path / "runs.json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "engine", "bench", "--prompts", tmp_path / "one.toml"]
        + [str(argument) for argument in run],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("3 of 2000: "):
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 128 + number, err
    told = json.loads((tmp_path / "runs.json").read_text())
    assert told["partial"] is True
    assert len(told["runs"]) >= 3
    assert "predicted" in out
