"""Builds of llama.cpp against each other, in turns.

Each turn is a process of its own with one of two wheels before all others on its path.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from engine.chat import Message
from tests.performance.bench import GREEDY, Bench, NotMeasured
from tests.performance.data import Result
from tests.performance.ours import Ours

ROOT = Path(__file__).resolve().parents[2]
GAMMAS = (0, 3)
AT_LEAST = 0.97

_PORTABLE = {"CMAKE_ARGS": ""}
_NATIVE = {"CMAKE_ARGS": "-DGGML_NATIVE=ON"}
_AS_USUAL = {"CMAKE_ARGS": "-DGGML_NATIVE=ON -DCMAKE_PROJECT_INCLUDE=/dev/null"}
"""Native too, but llama.cpp as it is."""
_PROMPT = "Write a Python function that merges two sorted lists. Code only."


def portable(bench: Bench) -> Iterator[Result]:
    """Tokens/s of the portable wheel ÷ tokens/s of a native one, plain and drafting.

    Compiles whichever is not in the cache, as `compiled` does: minutes, once.
    """
    what = "tokens/s of the portable build ÷ the native one"
    yield from _compared(bench, (_PORTABLE, _NATIVE), what, at_least=AT_LEAST)


def compiled(bench: Bench) -> Iterator[Result]:
    """Tokens/s with our kernels, and our options for llama.cpp's, ÷ with llama.cpp as it is."""
    what = "tokens/s with our kernels ÷ with llama.cpp as it is"
    yield from _compared(bench, (_NATIVE, _AS_USUAL), what)


def _compared(
    bench: Bench, builds: tuple[dict[str, str], ...], what: str, at_least: float | None = None
) -> Iterator[Result]:
    samples: dict[int, list[float]] = {gamma: [] for gamma in GAMMAS}
    details: dict[int, list[str]] = {gamma: [] for gamma in GAMMAS}
    with tempfile.TemporaryDirectory() as folder:
        places = [_unpack(each, Path(folder)) for each in _wheels(builds)]
        for repeat in range(bench.repeats):
            told = {}
            for which in (0, 1) if repeat % 2 == 0 else (1, 0):
                told[which] = _measured(places[which], bench)
            for gamma in GAMMAS:
                one, other = (told[which][gamma] for which in (0, 1))
                samples[gamma].append(one / other)
                details[gamma].append(f"{one:.2f}/{other:.2f}")
    for gamma in GAMMAS:
        yield Result(
            f"{what}, γ = {gamma}",
            samples[gamma],
            at_least=at_least,
            detail=f"tokens/s {', '.join(details[gamma])}",
        )


def _wheels(builds: tuple[dict[str, str], ...]) -> list[Path]:
    """The wheel of each build. Raises NotMeasured where there is no such thing."""
    sys.path.insert(0, str(ROOT / "packaging" / "wheel"))
    llama_wheel = importlib.import_module("llama_wheel")
    if not llama_wheel.can_be_portable():
        raise NotMeasured("these builds are for Linux on x86-64")
    release = version("llama-cpp-python")
    return [llama_wheel.obtain(release, {**os.environ, **build}) for build in builds]


def _unpack(wheel: Path, folder: Path) -> Path:
    place = folder / wheel.parent.name
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    return place


def _measured(place: Path, bench: Bench) -> dict[int, float]:
    """Tokens/s by γ with the wheel that is unpacked in ``place``."""
    command = [sys.executable, "-m", "tests.performance.builds"]
    command += [str(bench.target), str(bench.draft), str(bench.tokens(128))]
    environment = {**os.environ, "PYTHONPATH": f"{place}{os.pathsep}{ROOT}"}
    told = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
    return {int(gamma): speed for gamma, speed in json.loads(told).items()}


def _turn(target: Path, draft: Path, tokens: int) -> None:
    """One turn, in its own process: print tokens/s by γ."""
    with closing(Ours(target, draft)) as ours:
        prompt = ours.tokens([Message("user", _PROMPT)])
        how = {"tokens": tokens, "sampling": GREEDY, "ends": False}
        speeds = {gamma: ours.write(prompt, gamma=gamma, **how) for gamma in GAMMAS}
    told = {gamma: figures.tokens_per_second for gamma, figures in speeds.items()}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    _turn(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
