"""The llama-cpp-python wheel: compiled once for a machine, then kept in the user's cache folder.

On Linux for x86-64 the default build is portable: a compute module for each kind of processor since
2004, of which the best is loaded. It is the one that the packages hold. With CMAKE_ARGS of the
user's, and elsewhere, it is native: it may use every instruction of this processor and crash on
another. So the folder's key says not only *what* was built but also, where it matters, *for what*.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import places
import repack
import steps
import system

# The multimodal library is not used; leaving it out saves a third of the compile time.
WITHOUT_IMAGES = "-DLLAVA_BUILD=OFF"
# One file a library, and the modules beside them: a wheel holds no links, and each of llama.cpp's
# three names would be a copy of its own.
TIDY = "-DCMAKE_PLATFORM_NO_VERSIONED_SONAME=ON -DCMAKE_INSTALL_BINDIR=llama_cpp/lib"
# What CMake is told of the kernels, and the ones of our own that it adds (beside it). The user may
# take both away again: -DCMAKE_PROJECT_INCLUDE=/dev/null in CMAKE_ARGS.
PROJECT_INCLUDE = "-DCMAKE_PROJECT_INCLUDE="
KERNELS = Path(__file__).resolve().with_name("kernels.cmake")
OWN_KERNELS = "narrow.cpp"
PORTABLE = "-DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON"
COMPILER_VARIABLES = ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS")
# The /proc/cpuinfo flags a compiler acts on by itself. The others (kernel features, microcode
# fixes) change with an update of the system and would cause needless rebuilds.
CODE_FLAG = re.compile(
    r"(sse|ssse|pni|avx|fma|f16c|bmi|abm|lzcnt|popcnt|movbe|xop|tbm|amx|gfni|adx|vaes|vpclmul)"
)

Build = Callable[[str, str, Path], None]


def cmake_args(environment: Mapping[str, str]) -> str:
    """The CMAKE_ARGS to build the wheel with: ours, then the user's, which win."""
    given = environment.get("CMAKE_ARGS", "").strip() or (PORTABLE if can_be_portable() else "")
    return f"{WITHOUT_IMAGES} {TIDY} {given}".strip()


def native_args(environment: Mapping[str, str]) -> str:
    """The same for llama.cpp's own programs, which always run where they are built."""
    return f"{WITHOUT_IMAGES} {environment.get('CMAKE_ARGS', '')}".strip()


def kernel_args() -> str:
    """The argument for CMake that has `kernels.cmake` read; before all others."""
    return f"{PROJECT_INCLUDE}{KERNELS}"


def can_be_portable() -> bool:
    """Whether llama.cpp can be built here for all processors of this kind (it can on x86-64)."""
    return sys.platform.startswith("linux") and platform.machine() == "x86_64"


def key(version: str, arguments: str, environment: Mapping[str, str]) -> str:
    """Twelve hexadecimal digits that change when an existing wheel would no longer do."""
    parts = [version, *shlex.split(arguments)]
    if not any(part.startswith(PROJECT_INCLUDE) for part in parts):
        # What they say, not where they are: where the checkout lies makes no other wheel.
        kernels = (KERNELS, KERNELS.with_name(OWN_KERNELS))
        parts += [path.read_text(encoding="utf-8") for path in kernels]
    parts += [sysconfig.get_platform(), *platform.libc_ver()]
    parts += [f"{name}={environment[name]}" for name in COMPILER_VARIABLES if environment.get(name)]
    if not re.search(r"-DGGML_NATIVE(:\w+)?=(OFF|0|NO|FALSE)\b", arguments, re.IGNORECASE):
        parts.append(processor())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def processor() -> str:
    """This processor's model and the instruction sets that a native build may use."""
    with contextlib.suppress(OSError):
        return _describe(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return platform.processor() or platform.machine()


def _describe(cpuinfo: str) -> str:
    first = cpuinfo.split("\n\n", 1)[0]
    fields = {name.strip(): value.strip() for name, _, value in _pairs(first)}
    names = ("vendor_id", "cpu family", "model", "model name", "CPU implementer", "CPU part")
    words = [fields[name] for name in names if name in fields]
    words += sorted(filter(CODE_FLAG.match, fields.get("flags", "").split()))
    words += sorted(fields.get("Features", "").split())
    return " ".join(words)


def _pairs(text: str) -> Iterator[tuple[str, str, str]]:
    return (line.partition(":") for line in text.splitlines())


def obtain(version: str, environment: Mapping[str, str], build: Build | None = None) -> Path:
    """The wheel for this machine and these CMAKE_ARGS, from the cache or compiled now."""
    arguments = cmake_args(environment)
    wheels = places.cache() / "wheels"
    folder = wheels / f"{version}-{key(version, arguments, environment)}"
    if wheel := find(folder):
        return wheel
    wheels.mkdir(parents=True, exist_ok=True)
    with _lock(wheels / ".lock"):
        # Another set-up may have made it while this one waited.
        return find(folder) or _make(version, arguments, folder, build or compile_wheel)


def find(folder: Path) -> Path | None:
    """The whole wheel in a cache folder; None if there is none, or only a piece of one."""
    return next((path for path in sorted(folder.glob("*.whl")) if zipfile.is_zipfile(path)), None)


def _make(version: str, arguments: str, folder: Path, build: Build) -> Path:
    # Built beside its final place and renamed, so that a folder is whole or absent.
    for left_over in folder.parent.glob(".building-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as temporary:
        staged = Path(temporary) / folder.name
        staged.mkdir()
        build(version, arguments, staged)
        if (built := find(staged)) is None:
            raise SystemExit("Compiling llama-cpp-python left no wheel behind.")
        repack.repack(built)
        shutil.rmtree(folder, ignore_errors=True)
        staged.rename(folder)
    wheel = find(folder)
    assert wheel is not None
    return wheel


def compile_wheel(version: str, arguments: str, folder: Path) -> None:
    """Let pip fetch the source distribution and compile it into ``folder``."""
    system.ensure(system.COMPILER)
    environment = {
        "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1),
        **os.environ,
        "CMAKE_ARGS": f"{shlex.quote(kernel_args())} {arguments}",
        # pip unpacks and compiles here; /tmp can be small or mounted noexec.
        "TMPDIR": str(folder.parent),
    }
    # pip's own wheel cache knows neither CMAKE_ARGS nor the processor: never take one from it.
    options = ["--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python"]
    options += ["--wheel-dir", str(folder)]
    steps.run(
        f"Compiling llama.cpp ({arguments}), once: 8 to 12 minutes on two cores ...",
        [*places.pip(), "wheel", *options, f"llama-cpp-python=={version}"],
        "llama-cpp-python",
        environment,
    )


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            steps.say("Another set-up is compiling llama.cpp; waiting for it ...")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
