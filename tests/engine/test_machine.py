"""How many threads to compute with, and what the machine is called."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from engine import machine


@pytest.fixture
def eight_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Linux machine of 8 cores with 16 threads; returns the file of its performance cores."""
    monkeypatch.setattr(machine.platform, "system", lambda: "Linux")
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=True: 16 if logical else 8)
    monkeypatch.setattr(machine, "_allowed", lambda: 16)
    monkeypatch.setattr(machine, "_PERFORMANCE_CORES", tmp_path / "cpus")
    return tmp_path / "cpus"


@pytest.mark.usefixtures("eight_cores")
def test_hyper_threads_are_not_used() -> None:
    assert machine.threads() == 8


@pytest.mark.parametrize(
    ("written", "cores"), [("0-11\n", 6), ("0-3,8-11", 4), ("0,2", 1), ("0", 8)]
)
def test_only_performance_cores_are_used_where_there_are_two_kinds(
    eight_cores: Path, written: str, cores: int
) -> None:
    eight_cores.write_text(written)
    assert machine.threads() == cores


@pytest.mark.usefixtures("eight_cores")
def test_no_more_threads_than_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_allowed", lambda: 3)
    assert machine.threads() == 3


@pytest.mark.usefixtures("eight_cores")
@pytest.mark.parametrize(("answer", "cores"), [("4\n", 4), ("", 8), ("unknown oid", 8)])
def test_a_mac_is_asked_for_its_performance_cores(
    monkeypatch: pytest.MonkeyPatch, answer: str, cores: int
) -> None:
    monkeypatch.setattr(machine.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(
        machine.subprocess, "run", lambda *_args, **_options: SimpleNamespace(stdout=answer)
    )
    assert machine.threads() == cores


def test_there_is_always_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "cpu_count", lambda logical=True: None)
    monkeypatch.setattr(machine, "_performance_cores", lambda: None)
    monkeypatch.setattr(machine.os, "cpu_count", lambda: None)
    monkeypatch.delattr(machine.os, "sched_getaffinity", raising=False)
    assert machine.threads() == 1


def test_this_machine_can_be_described() -> None:
    described = machine.describe()
    assert described["memory"] == psutil.virtual_memory().total
    assert described["processor"]
    assert described["system"]
    json.dumps(described)
