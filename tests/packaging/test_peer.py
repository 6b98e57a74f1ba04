"""llama.cpp's own programs: taken from the right sources, kept whole, built once."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest


@pytest.fixture
def peer(script):
    return script("peer")


def make_tools(peer, folder: Path) -> None:
    folder.mkdir(parents=True)
    for tool in peer.TOOLS:
        (folder / tool).touch(0o755)


def test_only_llama_cpp_is_unpacked(peer, tmp_path) -> None:
    archive = tmp_path / "sources.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in ("x-1/setup.py", "x-1/vendor/llama.cpp/CMakeLists.txt"):
            tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    source = peer.unpack(archive, tmp_path)
    assert source == tmp_path / "x-1/vendor/llama.cpp"
    assert (source / "CMakeLists.txt").is_file()
    assert not (tmp_path / "x-1/setup.py").exists()


def test_tools_and_their_libraries_are_collected(peer, tmp_path) -> None:
    built = tmp_path / "bin"
    make_tools(peer, built)
    (built / "libllama.so.0.1").write_bytes(b"code")
    (built / "libllama.so").symlink_to("libllama.so.0.1")
    (built / "llama-other").touch(0o755)
    folder = peer.collect(built, tmp_path / "out")
    found = {path.name for path in folder.iterdir()}
    assert found == {*peer.TOOLS, "libllama.so", "libllama.so.0.1"}
    assert (folder / "libllama.so").is_symlink()


def test_a_folder_is_complete_with_every_tool_and_this_machines_key(peer, tmp_path) -> None:
    folder = tmp_path / "1.2.3"
    assert not peer.complete(folder, "key")
    make_tools(peer, folder)
    assert not peer.complete(folder, "key")
    (folder / "key").write_text("key\n", encoding="utf-8")
    assert peer.complete(folder, "key")
    assert not peer.complete(folder, "another")
    (folder / peer.TOOLS[-1]).unlink()
    assert not peer.complete(folder, "key")
