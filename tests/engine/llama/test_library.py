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


def said(script: str, folder: Path, **environment: object) -> str:
    """What a process of its own prints that runs ``script`` in ``folder``."""
    variables = {name: str(value) for name, value in environment.items()}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def start(folder: Path, **environment: object) -> tuple[str, str]:
    """Start the library in ``folder``; returns its devices, and the files that are mapped."""
    devices, _, maps = said(START, folder, **environment).partition("\n")
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


LOW_LEVEL = """
import sys
from engine.llama.library import library
library()
print(*sorted(name for name in sys.modules if name.startswith("llama_cpp")))
from llama_cpp.llama import Llama
print(Llama.__name__)
"""


def test_of_the_binding_only_the_low_level_half_is_loaded(tmp_path) -> None:
    loaded, asked_for = said(LOW_LEVEL, tmp_path).splitlines()
    assert set(loaded.split()) == {
        "llama_cpp",
        "llama_cpp._ctypes_extensions",
        "llama_cpp._ggml",
        "llama_cpp.llama_cpp",
    }
    assert asked_for == "Llama"


LARGE_PAGES = """
import ctypes
import sys
from pathlib import Path
from engine.llama.context import Context, ContextOptions
from engine.llama.library import library
from engine.llama.model import Model

PR_GET_THP_DISABLE = 42
disabled = lambda: ctypes.CDLL(None).prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0)
library()
print("started", disabled())
while_read = set()
model = Model.load(Path(sys.argv[1]), progress=lambda _fraction: not while_read.add(disabled()))
print("weights", *while_read)
print("loaded", disabled())
Context(model, ContextOptions(n_ctx=64)).free()
print("context", disabled())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="these pages are Linux's")
def test_only_weights_and_caches_lie_in_large_pages(tmp_path, tiny_path) -> None:
    script = LARGE_PAGES.replace("sys.argv[1]", repr(str(tiny_path())))
    expected = ["started 1", "weights 0", "loaded 1", "context 1"]
    assert said(script, tmp_path).splitlines() == expected
