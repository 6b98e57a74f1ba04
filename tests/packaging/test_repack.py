"""Repacking a wheel: one copy of each library, where the binding looks for it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
from pathlib import Path

import pytest

RECORD = "x-1.dist-info/RECORD"
MEMBERS = {
    "llama_cpp/__init__.py": b"code",
    "llama_cpp/lib/libllama.so": b"library",
    "lib/libllama.so": b"library",
    "lib/cmake/llama/llama-config.cmake": b"",
    "include/llama.h": b"",
    "bin/libggml-cpu-haswell.so": b"module",
    "bin/a-program": b"",
    "x-1.dist-info/METADATA": b"Name: x",
    RECORD: b"",
}


@pytest.fixture
def wheel(script, tmp_path) -> Path:
    path = tmp_path / "x-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in MEMBERS.items():
            archive.writestr(name, content)
    script("repack").repack(path)
    return path


def test_one_copy_of_each_library_stays_and_modules_join_them(wheel) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert sorted(archive.namelist()) == [
            "llama_cpp/__init__.py",
            "llama_cpp/lib/libggml-cpu-haswell.so",
            "llama_cpp/lib/libllama.so",
            "x-1.dist-info/METADATA",
            RECORD,
        ]
        assert archive.read("llama_cpp/lib/libggml-cpu-haswell.so") == b"module"


def test_its_record_names_every_file_and_its_digest(wheel) -> None:
    with zipfile.ZipFile(wheel) as archive:
        lines = list(csv.reader(io.StringIO(archive.read(RECORD).decode())))
        assert [RECORD, "", ""] in lines
        assert {name for name, _digest, _size in lines} == set(archive.namelist())
        for name, digest, size in lines:
            if name != RECORD:
                content = archive.read(name)
                found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
                assert (digest, int(size)) == ("sha256=" + found.rstrip("="), len(content))


def test_a_second_time_changes_nothing(script, wheel) -> None:
    before = wheel.read_bytes()
    script("repack").repack(wheel)
    assert wheel.read_bytes() == before
