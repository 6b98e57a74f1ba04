"""Fetch the vocabularies of many model families that llama.cpp's sources carry, for the tests.

They come from the source distribution of the very llama-cpp-python release in ``.venv``, once, and
with them the file that says which architectures there are.
"""

from __future__ import annotations

import shutil
import sys
import tarfile
import tempfile
from fnmatch import fnmatch
from pathlib import Path

import peer
import places
import steps

WANTED = ("*/vendor/llama.cpp/models/ggml-vocab-*.gguf", "*/vendor/llama.cpp/src/llama-arch.cpp")


def main() -> None:
    """Fetch them unless they are there, and print where they are."""
    version = peer.installed_version()
    folder = places.cache() / "vocabularies" / version
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as temporary:
            work = Path(temporary)
            staged = unpack(peer.download(version, work), work / version)
            shutil.rmtree(folder, ignore_errors=True)
            staged.rename(folder)
    steps.say(str(folder))


def unpack(archive: Path, folder: Path) -> Path:
    """Take the wanted files out of the archive into a new ``folder``, none below another."""
    folder.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and any(fnmatch(member.name, pattern) for pattern in WANTED):
                content = tar.extractfile(member)
                assert content is not None
                with content, (folder / Path(member.name).name).open("wb") as file:
                    shutil.copyfileobj(content, file)
    return folder


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Nothing half-made is kept.")
