"""What this computer offers: how many cores to compute with, its memory and name."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import psutil

_PERFORMANCE_CORES = Path("/sys/devices/cpu_core/cpus")  # Linux, on processors with two kinds


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
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
