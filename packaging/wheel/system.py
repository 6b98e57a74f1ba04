"""What the operating system must offer, and how to get what is missing.

As root on a Debian-like system the missing packages are installed. Everyone else is told, in one
sentence, what to install.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import steps


@dataclass(frozen=True)
class Need:
    """One thing the system must have: how to see that it is there, and Debian's package for it."""

    what: str
    package: str
    present: Callable[[], bool]


def _command(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def _libraries(packages: dict[str, str]) -> tuple[Need, ...]:
    """Needs for shared libraries by their Linux names; none on other systems."""
    if not sys.platform.startswith("linux"):
        return ()
    return tuple(Need(name, package, _loads(name)) for name, package in packages.items())


def _loads(soname: str) -> Callable[[], bool]:
    def loads() -> bool:
        try:
            ctypes.CDLL(soname)
        except OSError:
            return False
        return True

    return loads


def _can_make_environments() -> bool:
    # Debian splits ensurepip off into python3-venv; without it `python3 -m venv` fails half-way.
    return importlib.util.find_spec("ensurepip") is not None


RUNNING = (
    Need("Python's venv module", "python3-venv", _can_make_environments),
    # llama.cpp's threads. A compiler brings it along, a wheel from the cache does not.
    *_libraries({"libgomp.so.1": "libgomp1"}),
)
# pip brings its own cmake when the system has none.
COMPILER = (
    Need("a C++ compiler", "g++", _command("c++", "g++", "clang++", os.environ.get("CXX", "c++"))),
    Need("make or ninja", "make", _command("make", "ninja")),
)
CMAKE = (Need("cmake", "cmake", _command("cmake")),)
# What Qt's offscreen platform links and a bare Debian lacks.
QT = _libraries(
    {
        "libEGL.so.1": "libegl1",
        "libGL.so.1": "libgl1",
        "libX11.so.6": "libx11-6",
        "libxkbcommon.so.0": "libxkbcommon0",
        "libdbus-1.so.3": "libdbus-1-3",
        "libfontconfig.so.1": "libfontconfig1",
        "libglib-2.0.so.0": "libglib2.0-0",
    }
)


def python_library(base: str = sys.base_prefix) -> tuple[Need, ...]:
    """Python's shared library, which a frozen program starts with.

    Debian's Python is linked without it and has it in a package of its own; others bring it along.
    """
    name = str(sysconfig.get_config_var("INSTSONAME"))
    return _libraries({name: name.partition(".so")[0]}) if base == "/usr" else ()


# `make package` on Linux.
PACKAGING = (
    *python_library(),
    Need("objdump and strip", "binutils", _command("objdump")),
    Need("dpkg-deb", "dpkg", _command("dpkg-deb")),
    Need("zstd", "zstd", _command("zstd")),
)
# `make package-test`: another Debian in a folder, a screen, and a hand that types.
TRYING = (
    Need("debootstrap", "debootstrap", _command("debootstrap")),
    Need("qemu-x86_64", "qemu-user", _command("qemu-x86_64")),
    Need("Xvfb", "xvfb", _command("Xvfb")),
    Need("xdotool", "xdotool", _command("xdotool")),
)
# What its windows link besides, on X (under Wayland too, where they may fall back on it).
X11 = _libraries(
    {
        "libX11-xcb.so.1": "libx11-xcb1",
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-image.so.0": "libxcb-image0",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-randr.so.0": "libxcb-randr0",
        "libxcb-render.so.0": "libxcb-render0",
        "libxcb-render-util.so.0": "libxcb-render-util0",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxcb-shm.so.0": "libxcb-shm0",
        "libxcb-sync.so.1": "libxcb-sync1",
        "libxcb-util.so.1": "libxcb-util1",
        "libxcb-xfixes.so.0": "libxcb-xfixes0",
        "libxcb-xkb.so.1": "libxcb-xkb1",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    }
)

# What some tests check with, and do without where it cannot be installed.
CHECKING = (
    Need("Xvfb", "xvfb", _command("Xvfb")),
    Need("dbus-daemon", "dbus", _command("dbus-daemon")),
    Need("makensis", "nsis", _command("makensis")),
    Need("mksquashfs", "squashfs-tools", _command("mksquashfs")),
    Need("desktop-file-validate", "desktop-file-utils", _command("desktop-file-validate")),
    Need("appstreamcli", "appstream", _command("appstreamcli")),
    Need("update-mime-database", "shared-mime-info", _command("update-mime-database")),
    Need("gtk-update-icon-cache", "gtk-update-icon-cache", _command("gtk-update-icon-cache")),
    Need("gio", "libglib2.0-bin", _command("gio")),
    Need("shellcheck", "shellcheck", _command("shellcheck")),
    Need("objdump", "binutils", _command("objdump")),
    Need("qemu-x86_64", "qemu-user", _command("qemu-x86_64")),
    *X11,
)


def window(environment: Mapping[str, str]) -> tuple[Need, ...]:
    """What the window needs where there is a display for it, as far as Linux tells."""
    has_display = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    return QT + X11 if has_display else ()


def ensure(needs: Iterable[Need]) -> None:
    """Return when every need is met, installing Debian packages if that is possible here.

    Raises:
        SystemExit: something is missing and cannot be installed from here; the message names it.
    """
    missing = [need for need in dict.fromkeys(needs) if not need.present()]
    if not missing:
        return
    packages = [need.package for need in missing]
    if _may_install():
        _apt(packages)
        missing = [need for need in missing if not need.present()]
    if missing:
        raise SystemExit(_request(missing))


def offer(needs: Iterable[Need]) -> None:
    """Install what is missing where that is possible here; say nothing where it is not."""
    missing = [need.package for need in dict.fromkeys(needs) if not need.present()]
    if missing and sys.platform.startswith("linux") and _may_install():
        try:
            _apt(missing)
        except SystemExit as error:
            steps.say(f"{error}\nThe tests that need them are skipped.")


def _may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _apt(packages: list[str]) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    names = " ".join(packages)
    steps.run("Reading the list of system packages ...", ["apt-get", "update"], "apt", quiet)
    steps.run(
        f"Installing system packages: {names} ...",
        ["apt-get", "install", "--yes", "--no-install-recommends", *packages],
        "apt",
        quiet,
    )
    importlib.invalidate_caches()


def _request(missing: list[Need]) -> str:
    what = ", ".join(need.what for need in missing)
    if sys.platform == "darwin":
        return f"Foreword needs {what}. Run: xcode-select --install"
    packages = " ".join(need.package for need in missing)
    return f"Foreword needs {what}. On Debian or Ubuntu run: sudo apt-get install {packages}"
