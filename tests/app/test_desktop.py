"""Starting the window, in processes of their own."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QMessageBox

from app import faults as faults_module
from app import main
from app.faults import Faults, log_file
from app.replaced import Program
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


OPENED = f"""
import sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFileOpenEvent
from app import desktop
assemble = desktop._parts
def parts(app):
    QCoreApplication.sendEvent(app, QFileOpenEvent("/early.txt"))
    return assemble(app)
desktop._parts = parts
show = desktop.Window.show
def shown(window):
    show(window)
    from PySide6.QtCore import QTimer, QUrl
    app = QCoreApplication.instance()
    def later():
        QCoreApplication.sendEvent(app, QFileOpenEvent(QUrl("https://example.org/no-file")))
        QCoreApplication.sendEvent(app, QFileOpenEvent("/a late.gguf"))
    QTimer.singleShot(200, later)
desktop.Window.show = shown
{START}
"""


def test_files_that_macos_names_by_an_event_are_opened_early_or_late() -> None:
    command = [sys.executable, "-W", "error", "-c", OPENED]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun ['early.txt']\n"
        assert process.stdout.readline() == "asked ['a late.gguf']\n"
    finally:
        process.kill()
        process.communicate()


FAILING = """
import sys
from PySide6.QtWidgets import QMessageBox
from app import desktop
QMessageBox.critical = lambda _parent, title, text: sys.stdout.write(f"{title}: {text}\\n")
def fail(*_given):
    raise %s
desktop.%s = fail
sys.exit(desktop.open_window())
"""


@pytest.mark.parametrize(
    ("place", "error", "reason"),
    [
        # A package that is not whole, and a fault of ours: of that the words may be the user's.
        ("paths.asset", "desktop.paths.FileMissing(path='/x.svg')", "FileMissing: /x.svg"),
        ("Window", "ZeroDivisionError('the words of a message')", "ZeroDivisionError"),
    ],
)
def test_a_start_that_fails_is_told_in_a_box_and_ends(place: str, error: str, reason: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", FAILING % (error, place)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout == (
        f"Foreword: Foreword could not start ({reason}). Install it again. If that does not help, "
        f"the details are in {log_file()}.\n"
    )
    logged = log_file().read_text(encoding="utf-8")
    assert f"Could not start: {reason.partition(':')[0]}" in logged
    assert "the words" not in logged


@pytest.fixture(name="display")
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with socket.create_server(("localhost", 0)) as server:
        monkeypatch.setenv("DISPLAY", f"localhost:{server.getsockname()[1] - 6000}")
        yield


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
def test_a_system_without_the_windows_libraries_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Lacking:
        def find_spec(self, name: str, *_more: object) -> None:
            if name == "app.desktop":
                raise ImportError("libEGL.so.1: cannot open shared object file")

    monkeypatch.delitem(sys.modules, "app.desktop", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Lacking(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["foreword"])
    assert main.main() == 1
    assert capsys.readouterr().err == (
        "The window cannot be opened: libEGL.so.1: cannot open shared object file. Install what is "
        "missing, or Foreword again. To chat in the terminal, run: foreword chat\n"
    )


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


@pytest.fixture(name="said")
def faults_that_are_told(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a person reads of errors from here on. A frozen program is told by ``sys``."""
    for module, name in ((sys, "excepthook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(faults_module, "qInstallMessageHandler", lambda _handler: None)
    said: list[str] = []
    faults = Faults(qapp)
    faults.met.connect(said.append)
    faults.install()
    return said


def meet(error: Exception) -> None:
    try:
        raise error
    except type(error) as met:
        sys.excepthook(type(met), met, met.__traceback__)


def test_a_fault_of_ours_is_told_and_logged_without_its_words(
    said: list[str], expect_log: ExpectLog, caplog
) -> None:
    expect_log("Met ZeroDivisionError")
    meet(ZeroDivisionError("the user's own words"))
    assert "ZeroDivisionError" in said[0]
    assert "own words" not in said[0] + caplog.text


class Reader:
    """As PyInstaller's reader does: it ends the process where the program's file is gone."""

    def extract(self, name: str, raw: bool = False) -> str:
        try:
            return Path(sys.executable).read_text()
        except FileNotFoundError:
            raise SystemExit("moved or deleted") from None


@pytest.fixture(name="program")
def frozen_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    program = tmp_path / "foreword"
    program.write_text("1.0")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    archive = SimpleNamespace(ZlibArchiveReader=type("ZlibArchiveReader", (Reader,), {}))
    monkeypatch.setitem(sys.modules, "pyimod01_archive", archive)
    return program


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("2.0 is longer")])
def test_a_program_that_is_gone_or_another_says_so_once(
    program: Path, request: pytest.FixtureRequest, expect_log: ExpectLog, change
) -> None:
    said = request.getfixturevalue("said")
    expect_log("Met ImportError")
    meet(ImportError("some module"))
    assert "Something went wrong" in said.pop()
    change(program)
    for _fault in range(2):
        meet(ImportError("some module"))
    wait_until(lambda: bool(boxes()) or QApplication.processEvents())
    QApplication.processEvents()
    (box,) = boxes()
    assert box.text() == "Foreword was updated or removed. Start it again."
    assert said == []
    box.close()


def boxes() -> list[QMessageBox]:
    shown = QApplication.topLevelWidgets()
    return [each for each in shown if isinstance(each, QMessageBox) and each.isVisible()]


def test_a_fault_of_the_telling_is_only_logged(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, expect_log: ExpectLog
) -> None:
    expect_log("Met ValueError")
    expect_log("Met ZeroDivisionError")
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(faults_module, "qInstallMessageHandler", lambda _handler: None)
    faults = Faults(qapp)
    tellings: list[str] = []

    def tell(sentence: str) -> None:
        tellings.append(sentence)
        meet(ZeroDivisionError())

    faults.met.connect(tell)
    faults.install()
    for _fault in range(2):
        meet(ValueError())
    assert len(tellings) == 2
    assert all("ValueError" in each for each in tellings)


def test_a_module_of_a_program_that_is_gone_is_an_error_and_no_end(program: Path) -> None:
    Program()
    reader = sys.modules["pyimod01_archive"].ZlibArchiveReader()
    assert reader.extract("app.window") == "1.0"
    program.unlink()
    with pytest.raises(ImportError, match=r"app\.window cannot be read"):
        reader.extract("app.window")


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
