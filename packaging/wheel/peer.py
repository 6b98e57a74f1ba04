"""Build llama.cpp's own programs, for comparison, from the sources Foreword itself runs on.

They come from the source distribution of the very llama-cpp-python release in ``.venv``, so a
difference in a benchmark is not one of versions, and with the same options for the kernels. They
are built for this very processor, with the user's CMAKE_ARGS.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import llama_wheel
import places
import steps
import system

TOOLS = ("llama-bench", "llama-speculative-simple", "llama-server")
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_CURL=OFF",
    "-DLLAMA_OPENSSL=OFF",
    # The programs find their libraries beside themselves, wherever the folder ends up.
    "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    f"-DCMAKE_INSTALL_RPATH={ORIGIN}",
)


def main() -> None:
    """Build the tools unless they are there, and print where they are."""
    version = installed_version()
    folder = places.cache() / "peer" / version
    key = llama_wheel.key(version, llama_wheel.native_args(os.environ), os.environ)
    if not complete(folder, key):
        _build(version, folder, key)
    for tool in TOOLS:
        steps.say(str(folder / tool))


def installed_version() -> str:
    """The release of llama-cpp-python in ``.venv``."""
    code = "from importlib.metadata import version; print(version('llama-cpp-python'))"
    command = [places.python(), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def complete(folder: Path, key: str) -> bool:
    """Whether the folder holds all the tools, built for this machine."""
    note = folder / "key"
    built_for = note.read_text(encoding="utf-8").strip() if note.is_file() else None
    return built_for == key and all(os.access(folder / tool, os.X_OK) for tool in TOOLS)


def _build(version: str, folder: Path, key: str) -> None:
    system.ensure(system.COMPILER + system.CMAKE)
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left_over in folder.parent.glob(".building-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as temporary:
        work = Path(temporary)
        source = unpack(download(version, work), work)
        _compile(source, work / "build")
        staged = collect(work / "build" / "bin", work / version)
        (staged / "key").write_text(key, encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        staged.rename(folder)


def download(version: str, work: Path) -> Path:
    """Fetch the source distribution of that release into ``work``; returns the archive."""
    # pip asks the archive for its metadata, which takes seconds and compiles nothing.
    options = ["--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python"]
    options += ["--dest", str(work)]
    steps.run(
        f"Downloading the sources of llama-cpp-python {version} ...",
        [*places.pip(), "download", *options, f"llama-cpp-python=={version}"],
        "peer-download",
        {**os.environ, "TMPDIR": str(work)},
    )
    return next(work.glob("*.tar.gz"))


def unpack(archive: Path, work: Path) -> Path:
    """Extract llama.cpp's own sources from the archive; returns their folder."""
    with tarfile.open(archive) as tar:
        members = [item for item in tar if "/vendor/llama.cpp/" in item.name]
        if hasattr(tarfile, "data_filter"):
            tar.extraction_filter = tarfile.data_filter
        tar.extractall(work, members)
    return next(work.glob("*/vendor/llama.cpp"))


def _compile(source: Path, build: Path) -> None:
    extra = shlex.split(os.environ.get("CMAKE_ARGS", ""))
    ours = llama_wheel.kernel_args()
    configure = ["cmake", "-S", str(source), "-B", str(build), ours, *extra, *OPTIONS]
    steps.run("Configuring llama.cpp ...", configure, "peer-configure")
    jobs = str(os.cpu_count() or 1)
    steps.run(
        "Compiling llama-bench, llama-speculative-simple and llama-server: about 5 minutes ...",
        ["cmake", "--build", str(build), "--parallel", jobs, "--target", *TOOLS],
        "peer-compile",
    )


def collect(built: Path, folder: Path) -> Path:
    """Copy the tools and the shared libraries they need into a new folder."""
    folder.mkdir()
    libraries = [path for path in built.iterdir() if ".so" in path.name or ".dylib" in path.name]
    for path in [*libraries, *(built / tool for tool in TOOLS)]:
        shutil.copy2(path, folder / path.name, follow_symlinks=False)
    return folder


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Nothing half-made is kept; run make peer again to go on.")
