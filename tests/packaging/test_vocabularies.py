"""Vocabularies out of llama.cpp's sources: those files, and none beside their folder."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def test_vocabularies_and_architectures_are_taken_and_nothing_else(script, tmp_path: Path) -> None:
    content = b"words"
    archive = tmp_path / "sources.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in (
            "x-1/vendor/llama.cpp/models/ggml-vocab-qwen2.gguf",
            "x-1/vendor/llama.cpp/models/ggml-vocab-qwen2.gguf.inp",
            "x-1/vendor/llama.cpp/src/llama-arch.cpp",
            "x-1/vendor/llama.cpp/src/llama-model.cpp",
            "x-1/vendor/llama.cpp/models/../../../../ggml-vocab-evil.gguf",
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    folder = script("vocabularies").unpack(archive, tmp_path / "1.2.3")
    taken = {path.name for path in folder.iterdir()}
    assert taken == {"ggml-vocab-qwen2.gguf", "llama-arch.cpp"}
    assert (folder / "llama-arch.cpp").read_bytes() == content
    assert {path.name for path in tmp_path.iterdir()} == {"sources.tar.gz", "1.2.3"}
