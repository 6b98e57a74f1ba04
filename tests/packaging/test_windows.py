"""The installer for Windows: what it is compiled from, and that it compiles."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

needs_nsis = pytest.mark.skipif(
    not shutil.which("makensis"), reason="makensis is not here (Debian: nsis)"
)
SIGNED = {"FOREWORD_SIGN_THUMBPRINT": "AB12"}


@pytest.fixture
def installer(script, tmp_path, monkeypatch):
    script("generate", "icons").write_ico(tmp_path / "foreword.ico")
    module = script("installer", "windows")
    monkeypatch.setattr(module, "ICON", tmp_path / "foreword.ico")
    return module


@pytest.fixture
def payload(tmp_path) -> Path:
    folder = tmp_path / "build" / "foreword"
    for name in ("foreword.exe", "_internal/vcomp140.dll", "_internal/a b/$odd ümlaut.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


def compile_it(installer, payload: Path, environment=None) -> subprocess.CompletedProcess[str]:
    target = payload.parent / "foreword-1.2.3-setup.exe"
    command = installer.compiling(payload, target, "1.2.3", environment or {})
    return subprocess.run(command, capture_output=True, text=True, check=False)


@needs_nsis
def test_it_compiles_without_a_warning(installer, payload) -> None:
    ran = compile_it(installer, payload)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    data = (payload.parent / "foreword-1.2.3-setup.exe").read_bytes()
    assert data[:2] == b"MZ"
    # It asks Windows for no rights but the user's own.
    assert b'requestedExecutionLevel level="asInvoker"' in data


def test_its_paths_are_split_as_windows_splits_them() -> None:
    """makensis finds a file below a folder there only behind a backslash; on Linux behind both."""
    script = Path(__file__).resolve().parents[2] / "packaging" / "windows" / "installer.nsi"
    lines = script.read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if not line.startswith(";")]
    assert [line for line in code if "}/" in line] == []


@needs_nsis
@pytest.mark.parametrize(
    ("lacking", "said"),
    [("_internal/vcomp140.dll", "There is no vcomp140.dll"), ("foreword.exe", "no foreword.exe")],
)
def test_it_does_not_compile_without_what_a_clean_windows_lacks(
    installer, payload, lacking, said
) -> None:
    (payload / lacking).unlink()
    ran = compile_it(installer, payload)
    assert ran.returncode != 0
    assert said in ran.stdout + ran.stderr


@needs_nsis
def test_the_uninstaller_is_signed_while_it_compiles(
    installer, payload, tmp_path, monkeypatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    tool = tools / "signtool"
    tool.write_text(f'#!/bin/sh\necho "$@" >"{tmp_path}/signed"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    ran = compile_it(installer, payload, SIGNED)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "/sha1 AB12" in (tmp_path / "signed").read_text()


def test_what_is_installed_is_removed_file_by_file(script, payload, tmp_path) -> None:
    lists = script("lists", "windows")
    lists.write(payload, tmp_path / "lists")
    removed = (tmp_path / "lists/removal.nsh").read_text(encoding="utf-8-sig").splitlines()
    assert removed == [
        'Delete "$INSTDIR\\_internal\\a b\\$$odd ümlaut.txt"',
        'Delete "$INSTDIR\\_internal\\vcomp140.dll"',
        'Delete "$INSTDIR\\foreword.exe"',
        'RMDir "$INSTDIR\\_internal\\a b"',
        'RMDir "$INSTDIR\\_internal"',
    ]
    installed = (tmp_path / "lists/files.nsh").read_text(encoding="utf-8-sig").splitlines()
    assert sum(line.startswith("File ") for line in installed) == 3
    assert 'SetOutPath "$INSTDIR\\_internal\\a b"' in installed


def test_openmps_library_comes_from_visual_studio_or_from_windows(installer, tmp_path) -> None:
    windows, studio = tmp_path / "Windows", tmp_path / "Redist"
    environment = {"SystemRoot": str(windows), "VCToolsRedistDir": str(studio)}
    with pytest.raises(SystemExit, match=r"vcomp140\.dll is not on this system"):
        installer.openmp(environment)
    (windows / "System32").mkdir(parents=True)
    (windows / "System32" / installer.OPENMP).touch()
    assert installer.openmp(environment) == windows / "System32" / installer.OPENMP
    ours = studio / "x64" / "Microsoft.VC143.OpenMP"
    ours.mkdir(parents=True)
    (ours / installer.OPENMP).touch()
    assert installer.openmp(environment) == ours / installer.OPENMP


def test_what_is_added_has_its_notice(installer, payload, monkeypatch) -> None:
    monkeypatch.setattr(installer.steps, "run", lambda *_given: (payload / "licences").mkdir())
    installer.complete(payload, {})
    text = (payload / "licences" / "Visual-Cpp-runtime.txt").read_text(encoding="utf-8")
    assert installer.OPENMP in text
    assert "Microsoft Corporation" in text
    assert (payload / "LICENSE.txt").is_file()


def test_nothing_is_signed_until_somebody_says_who_signs(installer) -> None:
    assert installer.signing({}) == []
    command = installer.signing(SIGNED | {"FOREWORD_TIMESTAMP_URL": "http://clock.example"})
    assert command[:4] == ["signtool", "sign", "/sha1", "AB12"]
    assert "http://clock.example" in command


def test_a_variant_has_a_name_of_its_own(installer, payload, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(installer, "DIST", tmp_path / "dist")
    monkeypatch.setattr(installer.steps, "run", lambda *_given: None)
    names = [installer.pack(payload, "1.2.3", variant, {}).name for variant in ("", "vulkan")]
    assert names == [
        "foreword-1.2.3-windows-x86_64-setup.exe",
        "foreword-1.2.3-windows-x86_64-vulkan-setup.exe",
    ]
