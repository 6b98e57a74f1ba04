"""The AppImage: what is where in it, and that it is one file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="for Linux")


@pytest.fixture
def appimage(script):
    return script("appimage", "appimage")


@pytest.fixture
def folder(appimage, tmp_path) -> Path:
    program = tmp_path / "program"
    program.mkdir()
    launcher = program / "foreword"
    launcher.write_text('#!/bin/sh\necho "started from $(readlink -f "$0") with $*"\n')
    launcher.chmod(0o755)
    return appimage.lay_out(program, tmp_path / "Foreword.AppDir")


def test_it_has_what_the_specification_looks_for(appimage, folder) -> None:
    identity = appimage.tree.ID
    for name in ("AppRun", f"{identity}.desktop", f"{identity}.png", ".DirIcon"):
        link = folder / name
        assert link.is_file(), name
        assert not os.path.isabs(os.readlink(link)), name
    assert (folder / f"usr/share/metainfo/{identity}.appdata.xml").is_file()


def test_it_holds_the_licences_of_the_program_that_mounts_it(folder) -> None:
    text = (folder / "opt/foreword/licences/AppImage-runtime.txt").read_text(encoding="utf-8")
    for words in ("Simon Peter", "Dave Vasilevsky", "Meta Platforms", "Rich Felker", "Lesser"):
        assert words in text


def test_it_starts_the_launcher_wherever_it_is_mounted(folder, tmp_path) -> None:
    moved = folder.rename(tmp_path / "mounted here")
    said = subprocess.check_output([str(moved / "AppRun"), "chat"], text=True)
    assert said == f"started from {moved}/opt/foreword/foreword with chat\n"


@pytest.mark.skipif(
    not shutil.which("mksquashfs"), reason="mksquashfs is not here (Debian: squashfs-tools)"
)
def test_the_file_system_follows_the_runtime_and_is_the_same_each_time(
    appimage, folder, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    epoch = appimage.package.source_date()
    assert epoch == 1700000000
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"a program")
    images = []
    for name in ("one.AppImage", "two.AppImage"):
        # What was installed before the last commit has a time of each machine's own.
        os.utime(folder / "opt/foreword/foreword", (0, 1500000000 + len(images)))
        appimage.pack(folder, runtime, tmp_path / name, epoch)
        images.append((tmp_path / name).read_bytes())
    assert images[0] == images[1]
    assert images[0].startswith(b"a programhsqs")
    assert os.access(tmp_path / "one.AppImage", os.X_OK)
    unpacked = tmp_path / "unpacked"
    command = ["unsquashfs", "-quiet", "-o", "9", "-d", str(unpacked), str(tmp_path / name)]
    subprocess.run(command, check=True, capture_output=True)
    assert subprocess.check_output([str(unpacked / "AppRun")], text=True).startswith("started")
