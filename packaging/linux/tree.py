"""Lays the package out as it will be installed: the program's folder, and what desktops read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import needs
import places

ID = "io.github.foreword.Foreword"
HERE = Path(__file__).resolve().parent


def program(frozen: Path, folder: Path) -> None:
    """The program's own folder: the launcher, the frozen build, the licences."""
    folder.mkdir(parents=True)
    shutil.copytree(frozen, folder / "app", symlinks=True)
    put(HERE / "launcher.sh", folder / "foreword", executable=True, **launcher_words())
    shutil.copy(places.ROOT / "LICENSE", folder / "LICENSE")
    licences = places.ROOT / "packaging" / "licences" / "collect.py"
    subprocess.run([sys.executable, str(licences), str(folder / "licences")], check=True)


def launcher_words() -> dict[str, str]:
    """What stands in the launcher's places."""
    return {"GLIBC": ".".join(map(str, needs.GLIBC)), "PACKAGES": needs.shell_cases()}


def share(folder: Path) -> None:
    """What goes into a ``share`` folder: desktop entry, icons, AppStream's file, the file type."""
    for source, place in (
        (f"{ID}.desktop", f"applications/{ID}.desktop"),
        (f"{ID}.metainfo.xml", f"metainfo/{ID}.metainfo.xml"),
        (f"{ID}-mime.xml", f"mime/packages/{ID}.xml"),
    ):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / source, folder / place)
    icons = places.ROOT / "packaging" / "icons" / "generate.py"
    subprocess.run([sys.executable, str(icons), "--hicolor", str(folder / "icons")], check=True)


def put(source: Path, target: Path, *, executable: bool = False, **words: str) -> None:
    """Copy a text file with words in place of ``@NAME@``."""
    text = source.read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    target.write_text(text, encoding="utf-8")
    target.chmod(0o755 if executable else 0o644)


def date(folder: Path, epoch: int) -> None:
    """Give every file, folder and link one time, in seconds since 1970."""
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def normalise(folder: Path) -> None:
    """Give every file and folder the mode it has on any machine, whoever builds it."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)
