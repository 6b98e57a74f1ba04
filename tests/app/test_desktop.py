"""Starting the window, in processes of their own."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app import faults as faults_module
from app import main
from app.faults import Faults, log_file
from tests.support.tidy import ExpectLog
from tests.support.workers import ROOT, wait_until

START = """
import sys
from app import desktop
begin = desktop.begin
def told(window, files):
    begin(window, files)
    sys.stdout.write(f"begun {[path.name for path in files]}\\n")
    sys.stdout.flush()
    open_any = window.opener.open_any
    def asked(paths, composer):
        open_any(paths, composer)
        sys.stdout.write(f"asked {[path.name for path in paths]}\\n")
        sys.stdout.flush()
    window.opener.open_any = asked
desktop.begin = told
from pathlib import Path
sys.exit(desktop.open_window([Path(each) for each in sys.argv[1:]]))
"""


def start(*files: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", START, *map(str, files)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


@pytest.fixture(name="first")
def first_window() -> Iterator[subprocess.Popen[str]]:
    process = start()
    assert process.stdout is not None
    assert process.stdout.readline() == "begun []\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_start_raises_the_first_and_ends(
    first: subprocess.Popen[str], tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("milk")
    second = start(notes)
    assert second.communicate(timeout=20) == ("", "")
    assert second.returncode == 0
    assert first.stdout is not None
    assert first.stdout.readline() == "asked ['notes.txt']\n"
    # And with an attachment's pictures on the screen it ends without a crash.
    first.terminate()
    assert first.communicate(timeout=10) == ("", "")
    assert first.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_window_in_order(
    first: subprocess.Popen[str], number: signal.Signals
) -> None:
    began = time.monotonic()
    first.send_signal(number)
    _out, errors = first.communicate(timeout=10)
    assert time.monotonic() - began < 3
    assert (first.returncode, errors) == (0, "")


def test_a_window_leaves_a_log_without_words(first: subprocess.Popen[str]) -> None:
    first.terminate()
    first.communicate(timeout=10)
    assert log_file().exists()


@pytest.fixture(name="display")
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.setenv("DISPLAY", ":9")


@pytest.fixture(name="opened")
def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Path], bool]]:
    opened: list[tuple[list[Path], bool]] = []

    def open_window(files: list[Path], *, alone: bool) -> int:
        opened.append((files, alone))
        return 0

    monkeypatch.setattr("app.desktop.open_window", open_window)
    return opened


@pytest.mark.usefixtures("display")
def test_a_bare_start_opens_the_window(
    monkeypatch: pytest.MonkeyPatch, opened: list[tuple[list[Path], bool]], tmp_path: Path
) -> None:
    model = tmp_path / "model.gguf"
    model.touch()
    for arguments in ([], [str(model)], ["--new-instance"]):
        monkeypatch.setattr(sys, "argv", ["foreword", *arguments])
        assert main.main() == 0
    assert opened == [([], False), ([model], False), ([], True)]


@pytest.mark.usefixtures("display")
@pytest.mark.parametrize("argument", ["chat", "--version", "/no/such/file.gguf", "x" * 300])
def test_all_else_is_the_terminals(
    monkeypatch: pytest.MonkeyPatch,
    opened: list[tuple[list[Path], bool]],
    argument: str,
) -> None:
    handed: list[list[str]] = []
    monkeypatch.setattr("engine.cli.main", lambda argv: handed.append(argv) or 3)
    monkeypatch.setattr(sys, "argv", ["foreword", argument])
    assert main.main() == 3
    assert (handed, opened) == ([[argument]], [])


def test_a_frozen_build_starts_its_engine_by_a_switch() -> None:
    command = [sys.executable, "-m", "app.main", "--engine-worker"]
    worker = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert '"type":"hello"' in worker.stdout.readline()
    loaded = [m.path for m in psutil.Process(worker.pid).memory_maps() if "PySide6" in m.path]
    assert loaded == []
    worker.communicate("", timeout=10)
    assert worker.returncode == 0


def test_a_fault_of_ours_is_told_and_logged_without_its_words(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, expect_log: ExpectLog, caplog
) -> None:
    expect_log("Met ZeroDivisionError")
    for module, name in ((sys, "excepthook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(faults_module, "qInstallMessageHandler", lambda _handler: None)
    faults, said = Faults(), []
    words = "the user's own words"
    faults.met.connect(said.append)
    faults.install()
    try:
        raise ZeroDivisionError(words)
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    assert "ZeroDivisionError" in said[0]
    assert "own words" not in said[0] + caplog.text


def test_what_qt_says_is_logged(expect_log: ExpectLog, caplog) -> None:
    expect_log("Qt: something odd")
    caplog.set_level(logging.DEBUG)
    before = qInstallMessageHandler(faults_module._log_qt)
    try:
        from PySide6.QtCore import qWarning

        qWarning("something odd")
    finally:
        qInstallMessageHandler(before)
    wait_until(lambda: "something odd" in caplog.text)
