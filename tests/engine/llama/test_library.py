"""Starting llama.cpp: which modules compute, and whose."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import llama_cpp
import pytest

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = Path(llama_cpp.__file__).parent / "lib"
MODULES = sorted(LIBRARIES.glob("libggml-cpu-*.so"))

needs_modules = pytest.mark.skipif(not MODULES, reason="this llama.cpp has no separate modules")

START = """
from pathlib import Path
from engine.errors import ForewordError
from engine.llama.library import library
try:
    print([device.kind for device in library().devices()])
except ForewordError as error:
    print(error.code)
print(Path("/proc/self/maps").read_text() if Path("/proc/self/maps").exists() else "")
"""


def start(folder: Path, **environment: object) -> tuple[str, str]:
    """Start the library in ``folder``; returns its devices, and the files that are mapped."""
    variables = {name: str(value) for name, value in environment.items()}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", START],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    devices, _, maps = ran.stdout.partition("\n")
    return devices, maps


def test_a_processor_is_among_the_devices(tmp_path) -> None:
    assert "cpu" in start(tmp_path)[0]


@needs_modules
def test_no_stranger_s_module_is_loaded(tmp_path) -> None:
    stranger = tmp_path / "libggml-cpu-stranger.so"
    shutil.copy(MODULES[0], stranger)
    devices, maps = start(tmp_path, GGML_BACKEND_PATH=stranger)
    assert devices == "['cpu']"
    assert str(tmp_path) not in maps
    assert str(LIBRARIES / "libggml-cpu-") in maps


@needs_modules
def test_an_installation_without_modules_says_so(tmp_path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    for path in LIBRARIES.glob("lib*.so"):
        if path not in MODULES:
            shutil.copy(path, lib)
    # In the folder where it runs there are modules, which are none of ours.
    assert start(LIBRARIES, LLAMA_CPP_LIB_PATH=lib)[0] == "engine-incomplete"
