"""Whether a window could be shown, told before Qt is asked."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from app import display, main

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere there is always a display"
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(name="folder")
def short_folder() -> Iterator[Path]:
    """A socket's path has room for a hundred letters."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_a_name_at_which_nobody_answers_is_unreachable(monkeypatch, folder) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("DISPLAY", ":5999")
    assert display.unreachable() == [":5999"]
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert display.unreachable() == ["wayland-9", ":5999"]


def test_a_server_on_another_port_is_reached_and_a_closed_one_is_not(monkeypatch) -> None:
    with socket.create_server(("localhost", 0)) as server:
        name = f"localhost:{server.getsockname()[1] - 6000}.0"
        monkeypatch.setenv("DISPLAY", name)
        assert display.unreachable() == []
    assert display.unreachable() == [name]


def test_a_compositor_is_reached_even_where_x_is_not(monkeypatch, folder) -> None:
    monkeypatch.setenv("DISPLAY", ":5999")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "wayland-9"))
        server.listen()
        monkeypatch.setenv("WAYLAND_DISPLAY", str(folder / "wayland-9"))
        assert display.unreachable() == []
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
        assert display.unreachable() == []
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    assert display.unreachable() == ["wayland-9", ":5999"]  # the file is there, and nobody


def test_a_server_that_is_too_busy_to_answer_is_qts_to_wait_for(monkeypatch, folder) -> None:
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as first:
        server.bind(str(folder / "w"))
        server.listen(0)
        first.connect(str(folder / "w"))
        monkeypatch.setenv("WAYLAND_DISPLAY", str(folder / "w"))
        began = time.monotonic()
        assert display.unreachable() == []
        assert time.monotonic() - began < 0.1


@pytest.mark.parametrize("name", ["[::1]:0", "/tmp/launch/org.xquartz:0", "tcp/host:0", "what?"])
def test_unusual_names_are_qts_to_judge(monkeypatch, name) -> None:
    monkeypatch.setenv("DISPLAY", name)
    assert display.unreachable() == []


def test_a_platform_of_the_users_is_left_alone(monkeypatch) -> None:
    monkeypatch.setenv("DISPLAY", ":5999")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert display.unreachable() == []


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="Debian: xvfb")
def test_a_real_x_server_is_reached_and_serves_on() -> None:
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "64x64x24"]
    silent = subprocess.DEVNULL
    server = subprocess.Popen(command, pass_fds=(writing,), stdout=silent, stderr=silent)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            name = f":{told.readline().strip()}"
        show = (
            "from app import display\n"
            "assert display.unreachable() == []\n"
            "from PySide6.QtGui import QGuiApplication\n"
            "print(QGuiApplication([]).platformName())\n"
        )
        environment = {**os.environ, "DISPLAY": name}
        for _start in range(2):  # it begins anew when its last client leaves
            shown = subprocess.run(
                [sys.executable, "-c", show],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert (shown.returncode, shown.stdout) == (0, "xcb\n"), shown.stderr
    finally:
        server.terminate()
        server.wait()


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["foreword", *arguments])
    return main.main()


def test_a_display_that_cannot_be_reached_is_told(monkeypatch, capsys) -> None:
    monkeypatch.setenv("DISPLAY", ":5999")
    assert run(monkeypatch) == 1
    said = "The display :5999 cannot be reached. To chat in the terminal, run: foreword chat\n"
    assert capsys.readouterr().err == said


def test_a_file_without_a_display_is_told_how_to_chat_with_it(
    monkeypatch, capsys, tmp_path
) -> None:
    model = tmp_path / "a model.gguf"
    model.touch()
    assert run(monkeypatch, str(model)) == 1
    said = capsys.readouterr().err
    assert said.startswith("A window needs a display, and there is none.")
    assert said.endswith(f"run: foreword chat --target '{model}'\n")


def test_on_windows_a_box_tells_what_no_console_would(monkeypatch) -> None:
    said: list[tuple[object, ...]] = []
    user32 = SimpleNamespace(MessageBoxW=lambda *given: said.append(given))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(user32=user32), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stderr", None)
    assert main._stop("It cannot be.") == 1
    assert said == [(None, "It cannot be.", "Foreword", 0x10)]


def test_a_user_without_a_home_is_told(monkeypatch, capsys) -> None:
    import pwd

    def nobody(_number: int) -> None:
        raise KeyError("uid not found")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert run(monkeypatch, "chat") == 1
    assert "Set HOME to a folder" in capsys.readouterr().err
