"""How the processes are started that llama.cpp runs in."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from engine.children import REQUANTISE, WORKER, child_command, child_environment, module_of

MODULES = (WORKER, REQUANTISE)


@pytest.mark.parametrize("module", MODULES)
def test_each_is_a_module_that_can_be_run(module: str) -> None:
    assert callable(import_module(module).main)


@pytest.mark.parametrize("module", MODULES)
def test_a_frozen_build_starts_itself_and_knows_which_one_to_be(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program, *arguments = child_command(module)
    assert program == sys.executable
    assert module_of(arguments) == module


def test_a_child_of_a_frozen_build_looks_for_its_libraries_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "PYINSTALLER_RESET_ENVIRONMENT" not in child_environment()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_environment()["PYINSTALLER_RESET_ENVIRONMENT"] == "1"


@pytest.mark.parametrize("arguments", [[], ["chat"], ["--selftest"], ["engine.worker"]])
def test_all_else_on_a_command_line_is_none_of_them(arguments: list[str]) -> None:
    assert module_of(arguments) is None


def test_modules_of_the_folder_one_is_in_do_not_stand_in_for_ours(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise SystemExit('a stranger')")
    command = [*child_command(REQUANTISE), os.devnull, str(tmp_path / "to.gguf")]
    ran = subprocess.run(
        command, cwd=tmp_path, env=child_environment(), capture_output=True, check=False
    )
    assert ran.returncode == 1
    assert b"a stranger" not in ran.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_children_take_memory_in_large_pages_and_one_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    ours = "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=4194304"
    assert child_environment()["GLIBC_TUNABLES"] == ours
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=0:glibc.malloc.perturb=1")
    first, second, *rest = child_environment()["GLIBC_TUNABLES"].split(":")
    assert [first, second] == ["glibc.malloc.hugetlb=0", "glibc.malloc.perturb=1"]
    assert [each.partition("=")[0] for each in rest] == [
        "glibc.malloc.arena_max",
        "glibc.malloc.mmap_threshold",
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="GCC's OpenMP")
def test_threads_of_children_do_not_spin_for_long_unless_the_user_says_how_they_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    assert child_environment()["GOMP_SPINCOUNT"] == "2000"
    monkeypatch.setenv("GOMP_SPINCOUNT", "7")
    assert child_environment()["GOMP_SPINCOUNT"] == "7"
    monkeypatch.delenv("GOMP_SPINCOUNT")
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    assert "GOMP_SPINCOUNT" not in child_environment()
