"""Layers on a device that is no GPU but is treated as one: llama.cpp's RPC backend on loopback.

The checks themselves run in a process of their own, with a llama_cpp that has RPC in it, because a
device once added stays.
"""

from __future__ import annotations

import importlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.offload import PORT

ROOT = Path(__file__).parents[2]
START_SECONDS = 20.0

Device = Callable[[int], int]
"""Starts a device of so many megabytes (0: no limit) and returns its port."""

pytestmark = [
    pytest.mark.small,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the device needs Linux"),
]


@pytest.fixture(scope="session")
def with_rpc() -> dict[str, str]:
    """The environment in which llama_cpp is the one with RPC."""
    sys.path.insert(0, str(ROOT / "packaging" / "wheel"))
    try:
        folder = importlib.import_module("offload").find()
    finally:
        sys.path.pop(0)
    if folder is None:
        pytest.skip("llama.cpp is not built with RPC here: make offload")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


@pytest.fixture
def device(with_rpc: dict[str, str]) -> Iterator[Device]:
    started: list[subprocess.Popen[bytes]] = []

    def start(megabytes: int) -> int:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        command = [sys.executable, "-m", "tests.offload.rpc", str(port), str(megabytes)]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=ROOT, env=with_rpc, stdout=quiet, stderr=quiet)
        started.append(process)
        wait_until_listening(port, process)
        return port

    yield start
    for process in started:
        process.kill()
        process.wait()


def wait_until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the device ended by itself"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the device does not listen")


def run(with_rpc: dict[str, str], checks: str, port: int) -> None:
    """Run the checks of a file against the device at ``port``."""
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*pytest_here, f"tests/offload/{checks}"],
        cwd=ROOT,
        env={**with_rpc, PORT: str(port)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_pair_works_on_a_device_as_it_does_on_the_processor(
    with_rpc: dict[str, str], device: Device
) -> None:
    run(with_rpc, "on_a_device.py", device(0))


@pytest.mark.parametrize("megabytes", [25, 12, 1])
def test_what_does_not_fit_stays_on_the_processor(
    with_rpc: dict[str, str], device: Device, megabytes: int
) -> None:
    run(with_rpc, "on_a_small_device.py", device(megabytes))


def test_the_memory_of_both_sides_was_estimated(with_rpc: dict[str, str], device: Device) -> None:
    run(with_rpc, "estimates.py", device(0))
