"""The Debian package: everything in /opt/foreword, and what desktops read in /usr/share."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import needs
import steps
import tree

MAINTAINER = "The Foreword authors <foreword@users.noreply.github.com>"
_CONTROL = """\
Package: foreword
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: {recommends}
Section: utils
Priority: optional
Description: private desktop chat that drafts ahead
 A small draft model proposes the next few tokens and the large target model
 checks all of them in one pass: the reply is the target's own, only sooner.
 Everything runs on this computer, over llama.cpp. Models are downloaded when
 you ask for them.
"""


def build(program: Path, libraries: set[str], version: str, folder: Path, epoch: int) -> Path:
    """Build the package into ``folder`` from the program's laid-out folder.

    ``libraries``: what it needs of the system.
    """
    root = program.parent / "deb"
    (root / "opt").mkdir(parents=True)
    shutil.copytree(program, root / "opt" / "foreword", symlinks=True)
    tree.share(root / "usr" / "share")
    document = root / "usr" / "share" / "doc" / "foreword"
    document.mkdir(parents=True)
    os.symlink("/opt/foreword/LICENSE", document / "copyright")
    (root / "usr" / "bin").mkdir()
    os.symlink("/opt/foreword/foreword", root / "usr" / "bin" / "foreword")
    tree.normalise(root)
    _write_control(root, version, libraries)
    # dpkg-deb only caps times, and what was installed before the last commit has a machine's own.
    tree.date(root, epoch)
    package = folder / f"foreword_{version}_amd64.deb"
    steps.run(
        f"Building {package.name} ...",
        ["dpkg-deb", "--root-owner-group", "-Zxz", "-z4", "--build", str(root), str(package)],
        "dpkg-deb",
        {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)},
    )
    return package


def _write_control(root: Path, version: str, libraries: set[str]) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{_md5(path)}  {path.relative_to(root)}\n" for path in files]
    size = sum(map(_kibibytes, root.rglob("*")))
    control = root / "DEBIAN"
    control.mkdir(mode=0o755)
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    text = _CONTROL.format(
        version=version,
        maintainer=MAINTAINER,
        size=size,
        depends=needs.depends(libraries),
        recommends=needs.recommends(libraries),
    )
    (control / "control").write_text(text, encoding="utf-8")


def _kibibytes(path: Path) -> int:
    """As dpkg-gencontrol counts: folders are as large as their file system makes them."""
    is_folder = path.is_dir() and not path.is_symlink()
    return 1 if is_folder else -(-path.lstat().st_size // 1024)


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
