"""How this installation starts the processes that llama.cpp runs in.

Their modules are run by Python where there is one; a frozen build is its own Python, told by a
switch which module to be.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

WORKER = "engine.worker"
REQUANTISE = "engine.llama.requantise"

TUNABLES = "GLIBC_TUNABLES"
_MALLOC = {
    "glibc.malloc.hugetlb": 1,
    "glibc.malloc.arena_max": 1,
    "glibc.malloc.mmap_threshold": 4 * 2**20,
}

SPINS = "GOMP_SPINCOUNT"
_SPINS = 2000
"""Turns of a thread's waiting loop at a barrier until it sleeps: some 50 µs, and not for long."""

VARIABLES = (TUNABLES, SPINS)
"""What the environment of a child has besides its parent's, for the C libraries in it."""

_SWITCHES = {WORKER: "--engine-worker", REQUANTISE: "--engine-requantise"}


def child_command(module: str) -> list[str]:
    """The command that runs one of the modules above as a process."""
    if getattr(sys, "frozen", False):
        return [sys.executable, _SWITCHES[module]]
    # -P: the folder one happens to be in must not stand in for modules of ours or of Python's.
    return [sys.executable, "-P", "-m", module]


def module_of(arguments: Sequence[str]) -> str | None:
    """The module that a frozen build's command line asks it to be, if it does."""
    switches = {switch: module for module, switch in _SWITCHES.items()}
    return switches.get(arguments[0]) if arguments else None


def child_environment() -> dict[str, str]:
    """This process's, and where the engine lies if Python would not look there by itself.

    On Linux the C library is asked for memory in large pages: each token is computed from end to
    end of the weights, and a pass takes less time where they need not be looked up 4 kB by 4 kB
    (glibc 2.35 and newer). Only one thread there asks for much: one arena holds less that is
    unused than one for each of them, and blocks of 4 MiB stay out of it, so that they can be given
    back.

    llama.cpp's threads meet at a barrier after each step of a pass. As GCC's OpenMP comes, one
    that is early spins for milliseconds, on the very processor that the late one may need where
    other programs compute too: here it sleeps soon. `make performance ARGS=crowded` measures what
    that is worth beside a busy program; on a quiet machine it costs a little.

    What the user has set stands.
    """
    root = Path(__file__).resolve().parent.parent
    found = {**os.environ}
    if getattr(sys, "frozen", False):
        # Else the child takes itself for a part of this process, which found the libraries already.
        found["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    elif root.name not in ("site-packages", "dist-packages"):
        found["PYTHONPATH"] = os.pathsep.join(filter(None, (str(root), found.get("PYTHONPATH"))))
    if sys.platform.startswith("linux"):
        given = found.get(TUNABLES, "")
        ours = [f"{name}={value}" for name, value in _MALLOC.items() if name not in given]
        found[TUNABLES] = ":".join(filter(None, (given, *ours)))
        if "OMP_WAIT_POLICY" not in found:
            found.setdefault(SPINS, str(_SPINS))
    return found
