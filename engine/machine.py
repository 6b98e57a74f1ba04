"""What this computer offers: cores to compute with, memory, graphics processors, and its name."""

from __future__ import annotations

import math
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine.devices import Device

_PERFORMANCE_CORES = Path("/sys/devices/cpu_core/cpus")  # Linux, on processors with two kinds


@dataclass(frozen=True)
class _Group:
    """Where Linux says how much memory a container may have and has, and what that consists of;
    ``caches``: the names there of files' caches (docs.kernel.org, cgroup-v2, cgroup-v1/memory)."""

    limit: Path
    used: Path
    kinds: Path
    caches: frozenset[str]


_GROUPS = (
    _Group(
        limit=Path("/sys/fs/cgroup/memory.max"),
        used=Path("/sys/fs/cgroup/memory.current"),
        kinds=Path("/sys/fs/cgroup/memory.stat"),
        caches=frozenset({"active_file", "inactive_file"}),
    ),
    _Group(
        limit=Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        used=Path("/sys/fs/cgroup/memory/memory.usage_in_bytes"),
        kinds=Path("/sys/fs/cgroup/memory/memory.stat"),
        caches=frozenset({"total_active_file", "total_inactive_file"}),
    ),
)
"""By version of its groups."""

_QUOTAS = (
    (Path("/sys/fs/cgroup/cpu.max"),),
    (Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")),
)
"""Where Linux says how long a container may compute, and in how long a time, likewise."""


@dataclass(frozen=True)
class Machine:
    """What a pair has to fit, in plain numbers; sizes in bytes.

    Attributes:
        memory: The computer's own; ``free``: of that, what programs may have now.
        cores: To compute with.
        disk: Free where models are kept.
        devices: ggml's, the CPU among them; none where nobody asked the worker.
        features: Of the processor, as llama.cpp names them ("AVX2").
    """

    memory: int
    free: int
    cores: int
    disk: int
    devices: tuple[Device, ...] = ()
    features: tuple[str, ...] = ()

    @property
    def gpu(self) -> Device | None:
        """The graphics processor with the most memory."""
        found = [device for device in self.devices if device.is_gpu]
        return max(found, key=lambda device: device.memory_total, default=None)

    @property
    def is_unified(self) -> bool:
        """Whether the graphics processor computes in the computer's own memory."""
        return self.gpu is not None and self.gpu.shares_memory


def this_machine(
    folder: Path, devices: tuple[Device, ...] = (), features: tuple[str, ...] = ()
) -> Machine:
    """This computer now; ``folder``: where models are kept, or are to be.

    Devices and features are what the worker said when it was asked (protocol.Survey): only it
    may load llama.cpp.
    """
    total, free = memory()
    return Machine(total, free, threads(), _disk_free(folder), devices, features)


def memory() -> tuple[int, int]:
    """(all, free) bytes of the computer's memory, or of what a container leaves of it.

    Free is what programs may have without making others slow: caches of files count as free.
    """
    seen = psutil.virtual_memory()
    total, free = seen.total, seen.available
    for limit, used in _limits():
        if limit < total:
            total, free = limit, min(free, max(limit - used, 0))
    return total, free


def _limits() -> Iterator[tuple[int, int]]:
    """(limit, used) in bytes, wherever one is set; files' caches are given up and do not count."""
    for group in _GROUPS:
        try:
            limit, used = int(group.limit.read_text()), int(group.used.read_text())
        except (OSError, ValueError):  # no such group, or "max"
            continue
        yield limit, max(used - _cached(group), 0)


def _cached(group: _Group) -> int:
    """Bytes of files' caches, 0 where nobody tells."""
    with suppress(OSError, ValueError):
        rows = (line.split() for line in group.kinds.read_text().splitlines())
        return sum(int(size) for kind, size in rows if kind in group.caches)
    return 0


def _disk_free(folder: Path) -> int:
    places = (folder, *folder.parents)
    there = next((place for place in places if os.path.exists(place)), Path.cwd())
    return shutil.disk_usage(there).free


def threads() -> int:
    """Threads to compute with: performance cores, one thread each, as far as we may use them.

    Hyper-threads share the units that matter here and slow each other down.
    """
    physical = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    return max(1, min(physical, _performance_cores() or physical, _allowed()))


def _performance_cores() -> int | None:
    if platform.system() == "Darwin":
        return _sysctl("hw.perflevel0.physicalcpu")
    try:
        spans = _PERFORMANCE_CORES.read_text().split(",")
        logical = sum(_span(span.strip()) for span in spans)
    except (OSError, ValueError):
        return None
    return logical // 2 or None


def _span(span: str) -> int:
    """How many numbers "0-7" or "3" names."""
    first, _, last = span.partition("-")
    return int(last or first) - int(first) + 1


def _sysctl(name: str) -> int | None:
    asked = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, check=False)
    return int(asked.stdout) if asked.stdout.strip().isdigit() else None


def _allowed() -> int:
    """Processors this process may run on: containers and ``taskset`` give fewer."""
    if hasattr(os, "sched_getaffinity"):
        given = len(os.sched_getaffinity(0))
    else:
        given = os.cpu_count() or 1
    return min([given, *_quotas()])


def _quotas() -> Iterator[int]:
    """How many processors at once a container's share of time is, wherever one is set."""
    for files in _QUOTAS:
        try:
            quota, period = (int(word) for file in files for word in file.read_text().split())
        except (OSError, ValueError):  # no such group, or "max"
            continue
        if quota > 0 and period > 0:  # -1: without end
            yield math.ceil(quota / period)


def describe() -> dict[str, str | int]:
    """The machine in a few words and numbers, for reports; memory in bytes."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": psutil.cpu_count(logical=False) or 0,
        "logical_cores": os.cpu_count() or 0,
        "memory": psutil.virtual_memory().total,
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
