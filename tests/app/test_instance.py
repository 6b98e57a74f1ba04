"""One window at a time."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication

from app.instance import Instance, instance_name
from engine import __version__
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


def test_what_a_crash_left_behind_is_no_window(make: MakeInstance, tmp_path: Path) -> None:
    first = make()
    assert first.claim()
    first.close()
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
