"""The Linux packages: what they need of a system, and what they must keep to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OBJDUMP = """
/x/libours.so:     file format elf64-x86-64

Dynamic Section:
  NEEDED               libstdc++.so.6
  NEEDED               libc.so.6
  SONAME               libours.so.1

Version definitions:
1 0x01 0x0b29a9a1 libours.so.1
2 0x00 0x0b29a9a2 GLIBC_9.9

Version References:
  required from libc.so.6:
    0x06969194 0x00 03 GLIBC_2.14
    0x069691b9 0x00 02 GLIBC_2.9
  required from libstdc++.so.6:
    0x08922974 0x00 04 GLIBCXX_3.4.30
"""


@pytest.fixture
def needs(script):
    return script("needs", "linux")


@pytest.fixture
def found(script):
    elf = script("elf", "linux")
    found = elf.Needs()
    elf.add(found, "libours.so", OBJDUMP)
    return found


def test_what_objdump_tells_is_read(found) -> None:
    assert found.libraries == {"libstdc++.so.6", "libc.so.6"}
    assert found.sonames == {"libours.so.1"}
    assert found.newest == {
        "GLIBC": ((2, 14), "libours.so"),
        "GLIBCXX": ((3, 4, 30), "libours.so"),
    }


@pytest.mark.skipif(not shutil.which("objdump"), reason="binutils is not installed")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ELF is Linux's")
def test_the_files_of_a_folder_are_read(script, tmp_path) -> None:
    elf = script("elf", "linux")
    shutil.copy("/bin/ls", tmp_path / "program")
    (tmp_path / "link").symlink_to("program")
    (tmp_path / "text").write_text("no ELF")
    assert [path.name for path in elf.files(tmp_path)] == ["program"]
    assert "libc.so.6" in elf.read(elf.files(tmp_path)).libraries


def test_a_symbol_that_older_systems_lack_breaks_the_limit(script, found) -> None:
    check = script("check", "linux")
    assert [finding.kept for finding in check.symbols(found)] == [True, True]
    found.newest["GLIBC"] = ((2, 36), "libnew.so")
    glibc, _glibcxx = check.symbols(found)
    assert not glibc.kept
    assert str(glibc) == "TOO MUCH  newest GLIBC symbol: 2.36, by libnew.so (at most 2.35)"


def test_a_package_that_is_too_large_breaks_the_limit(script, tmp_path) -> None:
    check = script("check", "linux")
    deb, program = tmp_path / "x.deb", tmp_path / "program"
    program.mkdir()
    for path, size in ((deb, check.DEB_LIMIT + 1), (program / "part", check.INSTALLED_LIMIT)):
        with path.open("wb") as file:
            file.truncate(size)
    (program / "link").symlink_to("part")  # a link takes no room
    assert [finding.kept for finding in check.sizes(program, deb)] == [False, True]


def test_a_llama_cpp_for_this_machine_alone_is_not_packed(script, tmp_path) -> None:
    check = script("check", "linux")
    for name in ("libggml-cpu-x64.so", "libggml-cpu-haswell.so"):
        (tmp_path / name).touch()
    check.for_any_processor(tmp_path)
    (tmp_path / "libggml-cpu-x64.so").unlink()
    (tmp_path / "libggml-cpu-haswell.so").rename(tmp_path / "libggml-cpu.so")
    with pytest.raises(SystemExit, match=r"for this machine's processor.* without CMAKE_ARGS"):
        check.for_any_processor(tmp_path)


def test_dependencies_name_debians_packages_once(needs) -> None:
    libraries = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libglib-2.0.so.0"}
    assert needs.depends(libraries) == (
        "libc6 (>= 2.35), libglib2.0-0 | libglib2.0-0t64, libstdc++6 (>= 12)"
    )


def test_what_comes_with_a_driver_is_recommended_where_it_has_a_package(needs) -> None:
    libraries = {"libc.so.6", "libvulkan.so.1", "libcuda.so.1"}
    assert needs.depends(libraries) == "libc6 (>= 2.35)"
    assert needs.recommends(libraries) == "libvulkan1, xdg-utils"
    assert needs.recommends({"libc.so.6", "libcuda.so.1"}) == "xdg-utils"


@pytest.mark.parametrize("name", ["libvulkan.so.1", "libcuda.so.1", "libexpat.so.1", "libX11.so.6"])
def test_what_is_left_to_the_system_has_its_package(needs, script, name) -> None:
    freezing = script("freezing", "")
    assert freezing.is_systems_own(name)
    assert name in needs.PACKAGES or name in needs.DRIVERS


def test_a_library_that_nobody_thought_about_stops_the_build(needs) -> None:
    with pytest.raises(SystemExit, match=r"Neither bundled nor in needs\.py: libnew\.so\.1"):
        needs.depends({"libc.so.6", "libnew.so.1"})


def test_the_trial_installs_the_first_of_each_alternative(script, monkeypatch) -> None:
    clean_root = script("clean_root", "linux")
    told = "libc6 (>= 2.35), libglib2.0-0 | libglib2.0-0t64, libxcb1\n"
    monkeypatch.setattr(clean_root.subprocess, "check_output", lambda *_given, **_more: told)
    assert clean_root.dependencies(Path("x.deb")) == ["libc6", "libglib2.0-0", "libxcb1"]


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="coreutils")
def test_sums_name_every_package_and_are_written_anew(script, tmp_path) -> None:
    sums = script("sums", "linux")
    for name in ("one.deb", "two words.dmg"):
        (tmp_path / name).write_text(name)
        sums.write(tmp_path)
    command = ["sha256sum", "--strict", "--check", "SHA256SUMS"]
    told = subprocess.check_output(command, cwd=tmp_path, text=True)
    assert told == "one.deb: OK\ntwo words.dmg: OK\n"


def test_without_git_the_packages_are_of_the_changelogs_time(script, monkeypatch, tmp_path) -> None:
    package = script("package", "linux")
    monkeypatch.setattr(package.places, "ROOT", tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "CHANGELOG.md").touch()
    os.utime(tmp_path / "CHANGELOG.md", (1_700_000_000, 1_700_000_000))
    assert package.source_date() == 1_700_000_000


def test_words_take_their_places(script, tmp_path) -> None:
    tree = script("tree", "linux")
    (tmp_path / "from").write_text("needs @GLIBC@, @OTHER@", encoding="utf-8")
    tree.put(tmp_path / "from", tmp_path / "to", executable=True, GLIBC="2.35")
    assert (tmp_path / "to").read_text(encoding="utf-8") == "needs 2.35, @OTHER@"
    assert (tmp_path / "to").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("name", ["launcher.sh", "install.sh", "uninstall.sh"])
def test_the_scripts_are_shell(script, tmp_path, name) -> None:
    tree = script("tree", "linux")
    words = {**tree.launcher_words(), **script("archive", "linux").script_words("1")}
    tree.put(tree.HERE / name, tmp_path / name, **words)
    assert "@" not in (tmp_path / name).read_text(encoding="utf-8").replace('"$@"', "")
    subprocess.run(["sh", "-n", str(tmp_path / name)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", str(tmp_path / name)], check=True)


def test_packages_that_passed_need_no_second_trial_until_an_input_changes(
    script, monkeypatch, tmp_path
) -> None:
    inputs = script("inputs", "linux")
    source = tmp_path / "app" / "main.py"
    source.parent.mkdir()
    source.write_text("one", encoding="utf-8")
    digest = inputs.digest
    monkeypatch.setattr(inputs, "digest", lambda: digest(tmp_path))
    assert inputs.changed()
    inputs.passed()
    assert not inputs.changed()
    (tmp_path / "README.md").write_text("new", encoding="utf-8")
    assert not inputs.changed()
    source.write_text("two", encoding="utf-8")
    assert inputs.changed()
    source.rename(source.with_name("other.py"))
    inputs.passed()
    source.with_name("other.py").rename(source)
    assert inputs.changed()
