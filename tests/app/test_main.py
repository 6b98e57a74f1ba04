"""Foreword's one entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import main
from engine import __version__

ROOT = Path(__file__).resolve().parents[2]

WITHOUT_QT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from app.main import main
sys.argv = ["foreword", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.mark.parametrize("argv", [["--version"], ["chat", "--help"], ["models", "--json"]])
def test_commands_need_no_qt(argv):
    command = [sys.executable, "-W", "error", "-c", WITHOUT_QT, *argv]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    ran = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_window_loads_nothing_that_only_the_network_needs():
    code = "import app.window, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.decode().split()}
    assert loaded.isdisjoint({"huggingface_hub", "httpx2", "keyring", "llama_cpp"})


@pytest.mark.parametrize("argv", [[], ["compare", "--gamma", "99"]])
def test_the_terminal_is_handed_the_whole_command_line(monkeypatch, argv):
    handed: list[list[str]] = []

    def terminal(arguments: list[str]) -> int:
        handed.append(arguments)
        return 7

    monkeypatch.setattr("engine.cli.main", terminal)
    monkeypatch.setattr(sys, "argv", ["foreword", *argv])
    assert main.main() == 7
    assert handed == [argv]


def test_the_version_is_the_engines(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["foreword", "--version"])
    assert main.main() == 0
    assert capsys.readouterr().out == f"foreword {__version__}\n"
