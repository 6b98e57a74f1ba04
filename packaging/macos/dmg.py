"""Builds ``Foreword.app`` and its disk image on macOS, from what is installed in ``.venv``.

    .venv/bin/python packaging/macos/dmg.py

Signed and notarised where the environment says who signs: see ``signing.py``.
"""

from __future__ import annotations

import os
import platform
import plistlib
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "wheel"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "linux"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import places
import signing
import steps
import sums

import engine

ROOT = places.ROOT
BUILD, DIST = ROOT / "build" / "package", ROOT / "dist"
APP = BUILD / "Foreword.app"
PARTS = Path(__file__).with_name("Info.plist")
# hdiutil answers "Resource busy" while Spotlight or a virus scanner reads the new volume.
TRIES, PAUSE_SECONDS = 8, 5.0


def main() -> None:
    """Freeze, complete, sign, try, and pack."""
    if platform.system() != "Darwin":
        sys.exit("This builds the package for macOS, on macOS; see packaging/README.md for others.")
    freeze()
    complete(APP)
    steps.run("Signing Foreword.app ...", signing.sign_app(APP, os.environ), "codesign")
    steps.run(
        "Checking its signature ...",
        ["codesign", "--verify", "--deep", "--strict", "--verbose=2", str(APP)],
        "codesign-verify",
    )
    steps.run(
        "Trying it ...", [str(APP / "Contents" / "MacOS" / "Foreword"), "--selftest"], "selftest"
    )
    image = pack(APP, DIST / image_name(engine.__version__, platform.machine()))
    finish(image)


def image_name(version: str, machine: str) -> str:
    """The disk image's name: macOS calls the same processors other names than the rest."""
    return f"foreword-{version}-macos-{machine}.dmg"


def freeze() -> None:
    """PyInstaller's build, whose files are signed as they are gathered."""
    shutil.rmtree(BUILD, ignore_errors=True)
    icons = ROOT / "packaging" / "icons"
    draw = [sys.executable, str(icons / "generate.py"), "--icns", str(icons / "foreword.icns")]
    steps.run("Drawing the icon ...", draw, "icons")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUILD), "--workpath", str(ROOT / "build" / "pyinstaller")]
    environment = {**os.environ, "FOREWORD_ENTITLEMENTS": str(signing.ENTITLEMENTS)}
    steps.run(
        "Freezing Foreword ...",
        [*command, str(ROOT / "packaging" / "foreword.spec")],
        "pyinstaller",
        environment,
    )


def complete(app: Path) -> None:
    """Add to the bundle what PyInstaller does not know: more of Info.plist, and the licences."""
    described = app / "Contents" / "Info.plist"
    merged = {**plistlib.loads(described.read_bytes()), **plistlib.loads(PARTS.read_bytes())}
    described.write_bytes(plistlib.dumps(merged))
    resources = app / "Contents" / "Resources"
    shutil.copy(ROOT / "LICENSE", resources / "LICENSE")
    collector = ROOT / "packaging" / "licences" / "collect.py"
    command = [sys.executable, str(collector), str(resources / "licences"), "--frozen", str(app)]
    steps.run("Collecting licences ...", command, "licences")


def pack(app: Path, image: Path) -> Path:
    """A compressed disk image with the app and the folder to drag it to; returns its path."""
    staged = BUILD / "image"
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    shutil.copytree(app, staged / app.name, symlinks=True)
    (staged / "Applications").symlink_to("/Applications")
    image.parent.mkdir(exist_ok=True)
    steps.say(f"Packing {image.name} ...")
    command = ["hdiutil", "create", "-volname", "Foreword", "-srcfolder", str(staged)]
    persistently([*command, "-ov", "-format", "UDZO", str(image)])
    return image


def persistently(
    command: Sequence[str], tries: int = TRIES, pause_seconds: float = PAUSE_SECONDS
) -> None:
    """Run a command until it succeeds. Raises SystemExit with its last words after ``tries``."""
    for attempt in range(1, tries + 1):
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode == 0:
            return
        if attempt < tries:
            time.sleep(pause_seconds)
    raise SystemExit(f"{command[0]} failed {tries} times: {ran.stderr.strip() or ran.stdout}")


def finish(image: Path) -> None:
    """Sign the image and have it notarised, or say why not."""
    if command := signing.sign_image(image, os.environ):
        steps.run("Signing the disk image ...", command, "codesign-image")
    else:
        steps.say(f"Not signed: {signing.IDENTITY} is not set. On other Macs it is quarantined.")
    commands = signing.notarise(image, os.environ)
    if not commands:
        steps.say(f"Not notarised: neither {signing.PROFILE} nor {signing.KEY[0]} is set.")
    for command in commands:
        steps.run(f"{' '.join(command[:3])} ...", command, "notarise")
    sums.write(image.parent)  # after what is stapled to it
    steps.say(str(image.relative_to(ROOT)))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nStopped. Run it again.")
