"""The archive for every other Linux: the program, and scripts that install it for one user."""

from __future__ import annotations

import shutil
from pathlib import Path

import steps
import tree


def build(program: Path, version: str, folder: Path, epoch: int) -> Path:
    """Build ``foreword-<version>-linux-x86_64.tar.zst`` into ``folder``."""
    root = lay_out(program, version)
    archive = folder / f"{root.name}.tar.zst"
    # The same files give the same archive, whoever packs them and when.
    same = ["--sort=name", f"--mtime=@{epoch}", "--owner=0", "--group=0", "--numeric-owner"]
    compress = ["--use-compress-program", "zstd -q -12 -T0"]
    steps.run(
        f"Building {archive.name} ...",
        ["tar", *same, *compress, "-C", str(root.parent), "-cf", str(archive), root.name],
        "tar",
    )
    return archive


def lay_out(program: Path, version: str) -> Path:
    """What the archive holds, in a folder beside the program's; returns it."""
    root = program.parent / "archive" / f"foreword-{version}-linux-x86_64"
    root.mkdir(parents=True)
    shutil.copytree(program, root / "foreword", symlinks=True)
    tree.share(root / "share")
    for script in ("install.sh", "uninstall.sh"):
        words = script_words(version)
        tree.put(tree.HERE / script, root / script, executable=True, **words)
    shared = sorted(path for path in (root / "share").rglob("*") if path.is_file())
    listed = "".join(f"{path.relative_to(root / 'share')}\n" for path in shared)
    (root / "foreword" / "share.list").write_text(listed, encoding="utf-8")
    tree.normalise(root)
    return root


def script_words(version: str) -> dict[str, str]:
    """What stands in the scripts' places."""
    common = (tree.HERE / "common.sh").read_text(encoding="utf-8")
    return {"ID": tree.ID, "VERSION": version, "COMMON": common}
