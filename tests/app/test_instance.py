"""One window at a time."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from app import instance as instance_module
from app.instance import Instance, instance_name
from engine import __version__
from engine.paths import data_folder
from tests.app.windows import until
from tests.support.workers import ROOT, script

MakeInstance = Callable[[], Instance]

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import Instance
app = QCoreApplication([])
sys.exit(Instance({name!r}).claim([Path("/a b/ü.gguf")]))
"""


@pytest.fixture(name="name")
def own_name() -> str:
    return f"foreword-test-{secrets.token_hex(8)}"


@pytest.fixture(name="make")
def instances(qapp: QApplication, name: str) -> Iterator[MakeInstance]:
    made: list[Instance] = []

    def make() -> Instance:
        made.append(Instance(name))
        return made[-1]

    yield make
    for instance in made:
        instance.close()


def test_a_second_start_raises_the_first_and_hands_its_files_over(
    make: MakeInstance, name: str
) -> None:
    import subprocess

    first = make()
    asked: list[list[Path]] = []
    first.asked.connect(asked.append)
    assert first.claim()
    second = subprocess.Popen(script(SECOND.format(name=name)), cwd=ROOT)
    until(lambda: second.poll() is not None)
    assert second.returncode == 0
    assert asked == [[Path("/a b/ü.gguf")]]


@pytest.mark.parametrize("other", ["", "9.9.9"])
def test_a_window_of_another_version_is_told_of(make: MakeInstance, name: str, other: str) -> None:
    import subprocess

    first = make()
    assert first.claim()
    second = f"""
import sys
from PySide6.QtCore import QCoreApplication
from app import instance
instance.__version__ = {other!r} or instance.__version__
app = QCoreApplication([])
it = instance.Instance({name!r})
print(it.claim(), it.trouble)
"""
    ran = subprocess.Popen(script(second), cwd=ROOT, stdout=subprocess.PIPE, text=True)
    until(lambda: ran.poll() is not None)
    claimed, _, trouble = ran.communicate()[0].strip().partition(" ")
    assert claimed == "False"
    assert trouble.startswith(f"Foreword {__version__} is open, and this") == bool(other)


KILLED = """
import os, signal
from PySide6.QtCore import QCoreApplication
from app.instance import Instance
app = QCoreApplication([])
it = Instance({name!r})
assert it.claim()
print("claimed", flush=True)
os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
"""


def test_what_a_killed_window_left_behind_is_no_window(make: MakeInstance, name: str) -> None:
    import subprocess

    killed = script(KILLED.format(name=name))
    ran = subprocess.run(killed, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
    assert ran.stdout == "claimed\n"
    began = time.monotonic()
    assert make().claim()
    assert time.monotonic() - began < 1


def test_a_window_that_was_closed_leaves_the_place_free(make: MakeInstance) -> None:
    first = make()
    assert first.claim()
    first.close()
    assert make().claim()


def test_a_second_start_waits_for_a_first_window_that_is_busy(
    make: MakeInstance, name: str
) -> None:
    import subprocess

    first = make()
    asked: list[list[Path]] = []
    first.asked.connect(asked.append)
    assert first.claim()
    second = subprocess.Popen(script(SECOND.format(name=name)), cwd=ROOT)
    time.sleep(2.5)  # neither a signal nor the socket is looked at meanwhile
    assert second.poll() is None
    until(lambda: second.poll() is not None)
    assert second.returncode == 0
    assert asked == [[Path("/a b/ü.gguf")]]


@pytest.fixture(name="impatient")
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instance_module, "_PATIENCE", 300)


@pytest.mark.usefixtures("impatient")
def test_a_first_window_that_never_answers_is_still_the_one(make: MakeInstance, name: str) -> None:
    silent = QLocalServer()
    assert silent.listen(name)
    second = make()
    assert not second.claim()
    assert "does not answer" in second.trouble
    silent.close()
    assert make().claim()  # the one that gave up holds nothing


@pytest.mark.usefixtures("impatient")
def test_a_claim_that_nobody_answers_for_is_still_a_claim(make: MakeInstance) -> None:
    first = make()
    assert first.claim()
    first._server.close()
    second = make()
    assert not second.claim()
    assert "does not answer" in second.trouble


def test_a_start_beside_a_window_that_ends_becomes_the_window(make: MakeInstance) -> None:
    held = FileLock(data_folder() / "window.lock", thread_local=False)
    data_folder().mkdir(parents=True)
    held.acquire()
    ending = threading.Timer(0.3, held.release)
    ending.start()
    assert make().claim()
    ending.join()


def test_a_folder_that_takes_no_locks_keeps_nobody_out(
    make: MakeInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FOREWORD_DATA", str(tmp_path / "file"))
    assert make().claim()


@pytest.mark.parametrize("line", [b"\n", b"no JSON\n", b"[]\n", b'{"files": 3}\n'])
def test_whatever_else_is_said_only_raises_the_window(
    make: MakeInstance, name: str, line: bytes
) -> None:
    first = make()
    asked: list[list[Path]] = []
    first.asked.connect(asked.append)
    first.claim()
    socket = QLocalSocket()
    socket.connectToServer(name)
    assert socket.waitForConnected(1000)
    socket.write(line)
    socket.flush()
    until(lambda: asked)
    assert asked == [[]]
    socket.abort()


def test_other_folders_are_another_window(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = instance_name()
    monkeypatch.setenv("FOREWORD_DATA", str(tmp_path / "elsewhere"))
    assert instance_name() != before


@pytest.mark.skipif(os.name == "nt", reason="every user of Windows has a name")
def test_a_user_without_an_account_has_a_window_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    before = instance_name()
    monkeypatch.setattr(instance_module.getpass, "getuser", nobody)
    assert instance_name() not in ("", before)
