"""Builds the AppImage on Linux, from the folder that ``make package`` left in ``build``.

    .venv/bin/python packaging/appimage/appimage.py

An AppImage is a small program that mounts the file system behind it. FOREWORD_APPIMAGE_RUNTIME
names that program; without it the folder alone is made, and tried.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "linux"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import package
import places
import steps
import sums
import tree

import engine

PROGRAM = places.ROOT / "build" / "package" / "program"
DIST = places.ROOT / "dist"
RUNTIME_TEXT = places.ROOT / "packaging" / "licences" / "texts" / "AppImage-runtime.txt"
RUNTIME = "FOREWORD_APPIMAGE_RUNTIME"


def main() -> None:
    """Lay it out, try it, and pack it where a runtime is named."""
    if not (PROGRAM / "app" / "foreword").is_file():
        sys.exit("There is no frozen Foreword here. Run: make package")
    folder = lay_out(PROGRAM, PROGRAM.parent / "Foreword.AppDir")
    steps.run("Trying it ...", [str(folder / "AppRun"), "--selftest"], "selftest")
    runtime = os.environ.get(RUNTIME, "")
    if not runtime:
        steps.say(f"Not packed: {RUNTIME} does not name AppImage's runtime.")
        steps.say(str(folder.relative_to(places.ROOT)))
        return
    image = DIST / f"foreword-{engine.__version__}-x86_64.AppImage"
    pack(folder, Path(runtime), image, package.source_date())
    sums.write(DIST)
    steps.say(str(image.relative_to(places.ROOT)))


def lay_out(program: Path, folder: Path) -> Path:
    """The folder that an AppImage shows when it is mounted; returns it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(program, folder / "opt" / "foreword", symlinks=True)
    # The program that mounts it is of others, and in this package alone.
    licences = folder / "opt" / "foreword" / "licences"
    licences.mkdir(exist_ok=True)
    shutil.copy(RUNTIME_TEXT, licences / RUNTIME_TEXT.name)
    tree.share(folder / "usr" / "share")
    (folder / "AppRun").symlink_to("opt/foreword/foreword")
    # What the specification looks for at the top, beside AppRun.
    applications = Path("usr/share/applications")
    (folder / f"{tree.ID}.desktop").symlink_to(applications / f"{tree.ID}.desktop")
    icon = Path(f"usr/share/icons/hicolor/256x256/apps/{tree.ID}.png")
    for name in (f"{tree.ID}.png", ".DirIcon"):
        (folder / name).symlink_to(icon)
    # Older tools look for AppStream's file under this name alone.
    metainfo = folder / "usr" / "share" / "metainfo"
    (metainfo / f"{tree.ID}.appdata.xml").symlink_to(f"{tree.ID}.metainfo.xml")
    tree.normalise(folder)
    return folder


def pack(folder: Path, runtime: Path, image: Path, epoch: int) -> None:
    """Write the runtime and, behind it, the folder as a compressed file system.

    ``epoch``: the time that all of it is dated, so that the same folder gives the same image.
    """
    packed = folder.with_suffix(".squashfs")
    packed.unlink(missing_ok=True)
    options = ["-root-owned", "-noappend", "-comp", "zstd", "-quiet", "-no-progress"]
    options += ["-mkfs-time", str(epoch), "-all-time", str(epoch)]
    # The variable would only cap the times of files, and mksquashfs takes one of both.
    environment = {name: word for name, word in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = ["mksquashfs", str(folder), str(packed), *options]
    steps.run(f"Packing {image.name} ...", command, "squashfs", environment)
    image.parent.mkdir(exist_ok=True)
    with image.open("wb") as whole:
        for part in (runtime, packed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, whole)
    image.chmod(0o755)
    packed.unlink()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run it again.")
