"""The Debian package: what it puts where, and that it is the same whoever builds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux"),
    pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not here (Debian: dpkg)"),
]

EPOCH = 1_700_000_000


@pytest.fixture(name="deb")
def deb_script(script):
    return script("deb", "linux")


def program(folder: Path, installed: int) -> Path:
    """A stand-in for the program's folder, whose files are of that time."""
    made = folder / "package" / "program"
    (made / "app").mkdir(parents=True)
    (made / "LICENSE").write_text("Do as you please.", encoding="utf-8")
    for name in ("foreword", "app/foreword"):
        (made / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (made / name).chmod(0o711)
    (made / "app" / "library.so").symlink_to("foreword")
    for path in made.rglob("*"):
        os.utime(path, (installed, installed), follow_symlinks=False)
    return made


def told(*command: str | Path) -> str:
    return subprocess.check_output([str(word) for word in command], text=True)


@pytest.fixture(name="packages")
def two_packages(deb, tmp_path) -> list[Path]:
    """Built twice, of a program that was installed before the last commit and after it."""
    built = []
    for name, installed in (("before", EPOCH - 5000), ("after", EPOCH + 5000)):
        (tmp_path / name / "dist").mkdir(parents=True)
        made = program(tmp_path / name, installed)
        libraries = {"libc.so.6", "libEGL.so.1", "libvulkan.so.1"}
        built.append(deb.build(made, libraries, "1.2.3", tmp_path / name / "dist", EPOCH))
    return built


def test_it_is_the_same_whenever_what_is_in_it_was_installed(packages) -> None:
    before, after = packages
    assert before.name == "foreword_1.2.3_amd64.deb"
    assert before.read_bytes() == after.read_bytes()


def test_it_puts_all_in_opt_and_what_desktops_read_in_usr(packages, tmp_path, deb) -> None:
    root = tmp_path / "root"
    told("dpkg-deb", "--extract", packages[0], root)
    assert sorted(path.name for path in root.iterdir()) == ["opt", "usr"]
    assert os.readlink(root / "usr/bin/foreword") == "/opt/foreword/foreword"
    identity = deb.tree.ID
    for name in (
        f"applications/{identity}.desktop",
        f"icons/hicolor/256x256/apps/{identity}.png",
        f"metainfo/{identity}.metainfo.xml",
        f"mime/packages/{identity}.xml",
    ):
        assert (root / "usr/share" / name).is_file(), name
    assert os.readlink(root / "usr/share/doc/foreword/copyright") == "/opt/foreword/LICENSE"
    for line in told("dpkg-deb", "--contents", packages[0]).splitlines():
        mode, owner = line.split()[:2]
        assert owner == "root/root"
        assert mode in ("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "lrwxrwxrwx"), line
    assert (root / "opt/foreword/foreword").stat().st_mode & 0o777 == 0o755


def test_it_asks_for_what_the_program_links(packages) -> None:
    fields = {
        name: told("dpkg-deb", "--field", packages[0], name).strip()
        for name in ("Package", "Version", "Architecture", "Depends", "Recommends")
    }
    assert fields == {
        "Package": "foreword",
        "Version": "1.2.3",
        "Architecture": "amd64",
        "Depends": "libc6 (>= 2.35), libegl1",
        "Recommends": "libvulkan1, xdg-utils",
    }


def test_its_sums_are_those_of_its_files(packages, tmp_path) -> None:
    root = tmp_path / "root"
    told("dpkg-deb", "--raw-extract", packages[0], root)
    sums = (root / "DEBIAN" / "md5sums").read_text(encoding="utf-8")
    assert "opt/foreword/app/foreword" in sums
    subprocess.run(
        ["md5sum", "--quiet", "--strict", "--check", "-"],
        cwd=root,
        input=sums,
        text=True,
        check=True,
    )
