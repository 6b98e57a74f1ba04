"""The real pair, driven as a person or a script would from a terminal without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.real

Foreword = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def foreword(starter_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Foreword:
    """Runs the command line with the starter pair in place; standard input is a pipe."""
    monkeypatch.setenv("FOREWORD_MODELS", str(starter_folder))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "app.main", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env=os.environ,
        )

    return run


def test_a_conversation_of_two_turns_remembers_the_first(foreword: Foreword) -> None:
    talk = "My name is Ottilie. Say hello to me.\nWhat is my name? One word.\n"
    out = foreword("chat", "--temperature", "0", "--gamma", "3", stdin=talk)

    assert out.returncode == 0, out.stderr
    assert out.stdout.count("Ottilie") >= 2
    assert "accepted" in out.stdout + out.stderr
    assert "\x1b" not in out.stdout


def test_a_comparison_writes_both_lanes_and_says_what_drafting_gained(foreword: Foreword) -> None:
    report = _json(foreword("compare", "Count from 1 to 20.", "--max-tokens", "40", "--json", "-"))

    lanes = report["lanes"]
    assert set(lanes) == {"speculative", "plain"}
    assert lanes["speculative"]["figures"]["drafted"] > 0
    assert lanes["plain"]["figures"]["drafted"] == 0
    assert report["speed_up"] > 0


def test_under_exact_arithmetic_both_lanes_write_the_same_words(foreword: Foreword) -> None:
    prompt = "Write a short story about a lighthouse keeper."
    report = _json(
        foreword(
            *("compare", prompt, "--exact", "--temperature", "0.8", "--seed", "7"),
            *("--gamma", "5", "--max-tokens", "120", "--json", "-"),
        )
    )

    lanes = report["lanes"]
    assert lanes["speculative"]["text"] == lanes["plain"]["text"]
    assert len(lanes["plain"]["text"]) > 200
    assert report["parting"] is None


def test_a_bench_of_two_prompts_measures_both_lanes(foreword: Foreword, tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.json"
    rows = [
        {"id": "sum", "kind": "code", "messages": [_user("Write a Python function that adds.")]},
        {"id": "sea", "kind": "story", "messages": [_user("Tell me a story about the sea.")]},
    ]
    prompts.write_text(json.dumps(rows))
    report = _json(
        foreword(
            *("bench", "--gamma", "3", "--temperature", "0", "--prompts", str(prompts)),
            *("--max-tokens", "24", "--repeats", "1", "--json", "-"),
        )
    )

    assert {(run["prompt"], run["lane"]) for run in report["runs"]} == {
        (prompt, lane) for prompt in ("sum", "sea") for lane in ("plain", "speculative")
    }
    assert {row["kind"] for row in report["summary"]} >= {"code", "story"}
    assert all(row["speed_up"] > 0 for row in report["summary"])


def test_without_display_and_terminal_the_bare_command_compares_once(foreword: Foreword) -> None:
    out = foreword()

    assert out.returncode == 0, out.stderr
    assert "speed-up" in out.stdout


def _user(content: str) -> dict[str, str]:
    return {"role": "user", "content": content}


def _json(out: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert out.returncode == 0, out.stderr
    loaded: dict[str, Any] = json.loads(out.stdout)
    return loaded
