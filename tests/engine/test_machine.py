"""How many threads to compute with, and what the machine is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from engine import machine
from tests.support.disks import closed


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


@pytest.fixture
def quota(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """16 processors, and a container whose share of their time is told so, a text a file."""
    if hasattr(machine.os, "sched_getaffinity"):
        monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _process: set(range(16)))
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 16)

    def told(*texts: str) -> None:
        files = [tmp_path / f"quota-{number}" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        monkeypatch.setattr(machine, "_QUOTAS", [(tmp_path / "no such file",), files])

    return told


@pytest.mark.parametrize(
    ("texts", "allowed"),
    [
        (["200000 100000\n"], 2),
        (["150000 100000\n"], 2),
        (["5000 100000\n"], 1),
        (["3200000 100000\n"], 16),
        (["max 100000\n"], 16),
        (["200000\n", "100000\n"], 2),
        (["-1\n", "100000\n"], 16),
        (["200000\n", "0\n"], 16),
        (["no numbers\n"], 16),
        (["3\n"], 16),
        (["\n"], 16),
    ],
)
def test_no_more_threads_than_a_containers_share_of_time(
    quota: Callable[..., None], texts: list[str], allowed: int
) -> None:
    quota(*texts)
    assert machine._allowed() == allowed


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


@pytest.fixture(params=machine._GROUPS, ids=["v2", "v1"])
def groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with 16 GB, 10 of them free; returns where its memory group is told."""
    seen = SimpleNamespace(total=16 * 2**30, available=10 * 2**30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: seen)
    told = [tmp_path / name for name in ("memory.max", "memory.current", "memory.stat")]
    monkeypatch.setattr(machine, "_GROUPS", [machine._Group(*told, request.param.caches)])
    return tmp_path


def test_memory_is_the_computers_where_nothing_limits_it(groups: Path) -> None:
    assert machine.memory() == (16 * 2**30, 10 * 2**30)
    (groups / "memory.max").write_text("max\n")
    (groups / "memory.current").write_text("4096\n")
    assert machine.memory() == (16 * 2**30, 10 * 2**30)


def contained(groups: Path, used: int, kinds: str) -> int:
    """What is free in a container of 4 GB that uses so much, of these kinds."""
    (groups / "memory.max").write_text(f"{4 * 2**30}\n")
    (groups / "memory.current").write_text(f"{used}\n")
    (groups / "memory.stat").write_text(kinds)
    total, free = machine.memory()
    assert total == 4 * 2**30
    return free


@pytest.mark.parametrize(("used", "free"), [(2**30, 3 * 2**30), (5 * 2**30, 0)])
@pytest.mark.parametrize("kinds", ["", "anon 1\nshmem 4096\n", "no such list", "inactive_file x\n"])
def test_a_containers_memory_is_what_it_may_have(
    groups: Path, used: int, free: int, kinds: str
) -> None:
    assert contained(groups, used, kinds) == free


def test_files_that_a_container_has_read_leave_its_memory_free(groups: Path) -> None:
    active, inactive = sorted(machine._GROUPS[0].caches)
    assert (active[-11:], inactive[-13:]) == ("active_file", "inactive_file")
    kinds = f"anon {2**30}\n{active} {2**29}\n{inactive} {5 * 2**29}\nslab 4096\n"
    assert contained(groups, 4 * 2**30, kinds) == 3 * 2**30
    assert contained(groups, 2**30, kinds) == 4 * 2**30  # the two were read at different times


def test_without_a_list_of_kinds_all_that_a_container_has_is_used(groups: Path) -> None:
    contained(groups, 2**30, "")
    (groups / "memory.stat").unlink()
    assert machine.memory() == (4 * 2**30, 3 * 2**30)


def test_this_machine_is_told_in_plain_numbers(tmp_path: Path) -> None:
    found = machine.this_machine(tmp_path / "not" / "there", features=("AVX2",))
    assert found.memory >= found.free > 0
    assert found.cores == machine.threads()
    assert found.disk > 0
    assert found.features == ("AVX2",)
    assert found.gpu is None
    assert not found.is_unified


def test_room_is_told_of_the_nearest_folder_that_can_be_reached(tmp_path: Path) -> None:
    (tmp_path / "shut" / "models").mkdir(parents=True)
    with closed(tmp_path / "shut"):
        assert machine.this_machine(tmp_path / "shut" / "models").disk > 0


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
