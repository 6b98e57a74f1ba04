"""A llama-cpp-python with llama.cpp's RPC backend, unpacked for the tests of offloading.

RPC makes another process's processor appear as a GPU, so that a machine without one can put layers
on a device for real. It is a build of its own: with RPC in it llama.cpp claims to offload even
where no device is, and Foreword never speaks RPC.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import llama_wheel
import places
import steps

RPC = "-DGGML_RPC=ON"


def main() -> None:
    """Build the wheel unless it is in the cache, unpack it, and print where."""
    if found := find():
        steps.say(str(found))
        return
    wheel = llama_wheel.obtain(places.pinned_version(), environment())
    steps.say(str(unpack(wheel, _folder())))


def environment() -> dict[str, str]:
    """This process's environment with RPC among its CMAKE_ARGS."""
    given = os.environ.get("CMAKE_ARGS", "").strip()
    return {**os.environ, "CMAKE_ARGS": f"{given} {RPC}".strip()}


def find() -> Path | None:
    """The folder to put before all others on PYTHONPATH; None where nothing was built for here."""
    folder = _folder()
    return folder if (folder / "llama_cpp").is_dir() else None


def _folder() -> Path:
    version, built = places.pinned_version(), environment()
    key = llama_wheel.key(version, llama_wheel.cmake_args(built), built)
    return places.cache() / "offload" / f"{version}-{key}"


def unpack(wheel: Path, folder: Path) -> Path:
    """Unpack ``wheel`` as ``folder``, whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=folder.parent) as temporary:
        staged = Path(temporary) / folder.name
        with zipfile.ZipFile(wheel) as archive:
            # Without its metadata: beside the installed one it would only confuse.
            package = [name for name in archive.namelist() if name.startswith("llama_cpp/")]
            archive.extractall(staged, package)
        shutil.rmtree(folder, ignore_errors=True)
        staged.rename(folder)
    return folder


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Nothing half-made is kept; run it again to go on.")
