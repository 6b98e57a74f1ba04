"""The build with RPC: another than the one that is run, and unpacked whole or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest


@pytest.fixture
def offload(script, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("FOREWORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    return script("offload")


def wheel(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("llama_cpp/__init__.py", "llama_cpp/lib/libllama.so", "lib/libllama.so"):
            archive.writestr(name, "x")
    return path


def test_rpc_is_added_to_what_the_user_builds_with(offload, monkeypatch) -> None:
    assert offload.environment()["CMAKE_ARGS"] == "-DGGML_RPC=ON"
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_OPENMP=OFF")
    assert offload.environment()["CMAKE_ARGS"] == "-DGGML_OPENMP=OFF -DGGML_RPC=ON"


def test_nothing_is_found_until_it_is_unpacked_for_this_very_build(
    offload, tmp_path, monkeypatch
) -> None:
    assert offload.find() is None
    folder = offload.unpack(wheel(tmp_path / "x.whl"), offload._folder())
    assert offload.find() == folder
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_OPENMP=OFF")
    assert offload.find() is None


def test_only_the_package_is_unpacked(offload, tmp_path) -> None:
    folder = offload.unpack(wheel(tmp_path / "x.whl"), tmp_path / "out")
    assert (folder / "llama_cpp/lib/libllama.so").is_file()
    assert [each.name for each in folder.iterdir()] == ["llama_cpp"]
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []
