"""The portable build on processors of other years, emulated: never an illegal instruction."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import llama_cpp
import pytest

from engine.selftest.checks import EngineChecks, run

LIBRARIES = Path(llama_cpp.__file__).parent / "lib"

pytestmark = [
    pytest.mark.small,
    pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="qemu-user is not installed"),
    pytest.mark.skipif(
        not (LIBRARIES / "libggml-cpu-haswell.so").exists(), reason="this llama.cpp is native"
    ),
]


@pytest.mark.parametrize(
    ("processor", "module"), [("Nehalem", "cpu-sse42"), ("Haswell", "cpu-haswell")]
)
def test_a_pair_drafts_and_verifies(own_folders, tmp_path, processor, module) -> None:
    log = tmp_path / "modules"
    worker = (
        "import sys; from engine.llama.library import library; library();"
        f"maps = open('/proc/self/maps').read(); open({str(log)!r}, 'w').write(maps);"
        "from engine.worker import main; main()"
    )
    command = ["qemu-x86_64", "-cpu", processor, sys.executable, "-P", "-c", worker]
    said: list[str] = []
    checks = EngineChecks(tmp_path, command)
    try:
        assert run(checks, said.append), said
    finally:
        checks.close()
    loaded = {Path(line.split()[-1]).name for line in log.read_text().splitlines() if "/" in line}
    assert {name for name in loaded if "ggml-cpu" in name} == {f"libggml-{module}.so"}
