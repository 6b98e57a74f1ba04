"""What the package takes from the system it is installed on, and Debian's names for it."""

from __future__ import annotations

from collections.abc import Iterable

GLIBC, GLIBCXX = (2, 35), (3, 4, 30)
"""The newest symbols that may be needed: Ubuntu 22.04 and Debian 12 have both."""

PACKAGES = {
    "ld-linux-x86-64.so.2": "libc6",
    "libc.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libm.so.6": "libc6",
    "libpthread.so.0": "libc6",
    "libresolv.so.2": "libc6",
    "librt.so.1": "libc6",
    "libutil.so.1": "libc6",
    "libcrypt.so.1": "libcrypt1",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb.so.1": "libxcb1",
}
DRIVERS = {"libcuda.so.1": "", "libvulkan.so.1": "libvulkan1"}
"""What comes with a graphics driver, whose compute module is passed over where it is missing: never
required. CUDA's has no package that serves every card."""

_VERSIONS = {"libc6": "2.35", "libstdc++6": "12"}
# Ubuntu 24.04 and Debian 13 gave libraries with 64-bit times another name.
_ALSO = {"libglib2.0-0": "libglib2.0-0t64"}


def depends(libraries: Iterable[str]) -> str:
    """The Depends field for these libraries, those of drivers left out.

    Raises SystemExit for a library that nobody has thought about: it is either bundled, or listed
    here.
    """
    libraries = set(libraries) - DRIVERS.keys()
    if unknown := libraries - PACKAGES.keys():
        raise SystemExit(f"Neither bundled nor in needs.py: {', '.join(sorted(unknown))}")
    return ", ".join(sorted({_relation(PACKAGES[name]) for name in libraries}))


def recommends(libraries: Iterable[str]) -> str:
    """The Recommends field: what opens links, and the drivers' libraries that have a package."""
    drivers = {DRIVERS.get(name, "") for name in libraries} - {""}
    return ", ".join(sorted({"xdg-utils", *drivers}))


def shell_cases() -> str:
    """The same table as the branches of a shell's ``case``."""
    lines = [f"{library}) echo {package} ;;" for library, package in sorted(PACKAGES.items())]
    lines.append("GLIBCXX_*) echo libstdc++6 ;;")
    return "\n".join(f"        {line}" for line in lines)


def _relation(package: str) -> str:
    relation = f"{package} (>= {_VERSIONS[package]})" if package in _VERSIONS else package
    return f"{relation} | {_ALSO[package]}" if package in _ALSO else relation
