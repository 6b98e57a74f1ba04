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


# Memory and devices ------------------------------------------------------------------------------


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with 16 GB, 10 of them free; returns where its memory group is told."""
    seen = SimpleNamespace(total=16 * 2**30, available=10 * 2**30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: seen)
    files = (tmp_path / "memory.max", tmp_path / "memory.current")
    monkeypatch.setattr(machine, "_GROUPS", (files,))
    return tmp_path


def test_memory_is_the_computers_where_nothing_limits_it(groups: Path) -> None:
    assert machine.memory() == (16 * 2**30, 10 * 2**30)
    (groups / "memory.max").write_text("max\n")
    (groups / "memory.current").write_text("4096\n")
    assert machine.memory() == (16 * 2**30, 10 * 2**30)


@pytest.mark.parametrize(("used", "free"), [(2**30, 3 * 2**30), (5 * 2**30, 0)])
def test_a_containers_memory_is_what_it_may_have(groups: Path, used: int, free: int) -> None:
    (groups / "memory.max").write_text(f"{4 * 2**30}\n")
    (groups / "memory.current").write_text(f"{used}\n")
    assert machine.memory() == (4 * 2**30, free)


def test_this_machine_is_told_in_plain_numbers(tmp_path: Path) -> None:
    found = machine.this_machine(tmp_path / "not" / "there", features=("AVX2",))
    assert found.memory >= found.free > 0
    assert found.cores == machine.threads()
    assert found.disk > 0
    assert found.features == ("AVX2",)
    assert found.gpu is None
    assert not found.is_unified


def test_the_graphics_processor_with_the_most_memory_is_the_one() -> None:
    small = machine.Device("CUDA0", "a card", "gpu", 4, 4)
    large = machine.Device("CUDA1", "a card", "gpu", 1, 8)
    cpu = machine.Device("CPU", "a processor", "cpu", 99, 99)
    assert machine.Machine(1, 1, 1, 1, (cpu, small, large)).gpu == large
    assert machine.Machine(1, 1, 1, 1, (cpu,)).gpu is None


@pytest.mark.parametrize(
    ("name", "kind", "unified"),
    [("MTL0", "gpu", True), ("Vulkan0", "igpu", True), ("CUDA0", "gpu", False)],
)
def test_some_graphics_processors_share_the_computers_memory(
    name: str, kind: str, unified: bool
) -> None:
    found = machine.Machine(1, 1, 1, 1, (machine.Device(name, "", kind, 1, 1),))
    assert found.is_unified == unified
