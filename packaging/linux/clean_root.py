"""A Debian in a folder with nothing in it but what the package asks for, kept in the cache."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import places
import steps

SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
USER, HOME = 1000, "/home/somebody"
# To start a desktop entry as a desktop does, and to show letters.
_TOOLS = ("libglib2.0-bin", "fonts-dejavu-core")


def obtain(deb: Path) -> Path:
    """The packed root for a package, from the cache or made now (2 minutes, over the network)."""
    wanted = (*dependencies(deb), *_TOOLS)
    key = hashlib.sha256("\n".join((SUITE, *wanted)).encode()).hexdigest()[:12]
    packed = places.cache() / "clean-root" / f"{SUITE}-{key}.tar.zst"
    if packed.is_file():
        return packed
    packed.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=packed.parent) as temporary:
        root = Path(temporary) / "root"
        _bootstrap(root, wanted)
        part = Path(temporary) / packed.name
        command = ["tar", "--zstd", "--one-file-system", "-C", str(root), "-cf", str(part), "."]
        steps.run("Keeping it for the next time ...", command, "clean-root-pack")
        for old in packed.parent.glob("*.tar.zst"):
            old.unlink()
        part.rename(packed)
    return packed


def dependencies(deb: Path) -> list[str]:
    """The packages that a .deb depends on, the first of each alternative."""
    command = ["dpkg-deb", "--field", str(deb), "Depends"]
    field = subprocess.check_output(command, text=True)
    return sorted({re.split(r"[\s(|]", relation.strip())[0] for relation in field.split(",")})


def unpack(packed: Path, root: Path) -> None:
    """Unpack a root into a new folder."""
    root.mkdir(parents=True)
    command = ["tar", "--zstd", "-C", str(root), "-xf", str(packed)]
    steps.run("Unpacking a clean system ...", command, "clean-root-unpack")


def _bootstrap(root: Path, packages: tuple[str, ...]) -> None:
    command = ["debootstrap", "--variant=minbase", SUITE, str(root), MIRROR]
    steps.run(f"Making a clean {SUITE}, once: about 2 minutes ...", command, "debootstrap")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    inside = ["chroot", str(root)]
    install = [*inside, "apt-get", "install", "--yes", "--no-install-recommends", *packages]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    steps.run("Installing there what the package depends on ...", install, "clean-root", quiet)
    subprocess.run([*inside, "apt-get", "clean"], check=True)
    account = ["useradd", "--uid", str(USER), "--home-dir", HOME, "--create-home", "somebody"]
    subprocess.run([*inside, *account], check=True)
