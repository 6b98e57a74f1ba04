"""The archive for every other Linux: the program, and scripts that install it for one user."""

from __future__ import annotations

import shutil
from pathlib import Path

import steps
import tree


def build(program: Path, version: str, folder: Path, epoch: int) -> Path:
    """Build ``foreword-<version>-linux-x86_64.tar.zst`` into ``folder``."""
    name = f"foreword-{version}-linux-x86_64"
    root = program.parent / "archive" / name
    root.mkdir(parents=True)
    shutil.copytree(program, root / "foreword", symlinks=True)
    tree.share(root / "share")
    words = {"ID": tree.ID, "VERSION": version}
    for script in ("install.sh", "uninstall.sh"):
        tree.put(tree.HERE / script, root / script, executable=True, **words)
    shared = sorted(path for path in (root / "share").rglob("*") if path.is_file())
    listed = "".join(f"{path.relative_to(root / 'share')}\n" for path in shared)
    (root / "foreword" / "share.list").write_text(listed, encoding="utf-8")
    tree.normalise(root)
    archive = folder / f"{name}.tar.zst"
    # The same files give the same archive, whoever packs them and when.
    same = ["--sort=name", f"--mtime=@{epoch}", "--owner=0", "--group=0", "--numeric-owner"]
    compress = ["--use-compress-program", "zstd -q -12 -T0"]
    steps.run(
        f"Building {archive.name} ...",
        ["tar", *same, *compress, "-C", str(root.parent), "-cf", str(archive), name],
        "tar",
    )
    return archive
