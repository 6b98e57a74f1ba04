"""What of all that PyInstaller gathers goes into the package, by its name in it.

A name is a path below ``_internal`` with "/" between its parts, on every system.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import PurePosixPath

from packaging.utils import canonicalize_name

# Qt is one package on the index; the window draws with its widgets and shows SVG icons.
_QT_MODULES = ("Core", "DBus", "Gui", "Network", "Svg", "Widgets")
_QT_PLUGINS = (
    "iconengines/",
    "imageformats/",
    "platforminputcontexts/",
    "platforms/",
    "platformthemes/",
    "styles/",
    "wayland-decoration-client/",
    "wayland-graphics-integration-client/",
    "wayland-shell-integration/",
    "xcbglintegrations/",
)
# Screens without a desktop, remote ones, and a theme that needs all of GTK.
_NO_PLUGIN = re.compile(
    r"platforms/\w*(eglfs|linuxfb|minimal|vnc|vkkhrdisplay|webgl)|platformthemes/\w*gtk3"
    r"|platforminputcontexts/\w*virtualkeyboard|imageformats/\w*(pdf|tga|wbmp|tiff|icns)"
)
_LANGUAGES = ("de",)
# Desktops have these, in versions that fit their drivers; ours beside them would clash.
_SYSTEMS_OWN = re.compile(
    r"(lib(stdc\+\+|gcc_s|X11|X11-xcb|Xau|Xdmcp|Xext|fontconfig|freetype|expat|png16|dbus-1"
    r"|systemd|cap|gcrypt|gpg-error|lz4|glib-2\.0|gobject-2\.0|gio-2\.0|gmodule-2\.0|gthread-2\.0"
    r"|pcre2-8|mount|blkid|selinux|bsd|md|vulkan|cuda))\.so"
)
_PYTHON_UNUSED = re.compile(
    r"(^|/)(_test\w*|_ctypes_test|_xxtestfuzz|xxlimited\w*|_tkinter|_curses\w*|readline)\.c?py?"
)

Entry = tuple[str, str, str]
"""PyInstaller's: name in the package, source, kind."""


def is_wanted(name: str) -> bool:
    """Whether the file of this name is of use; libraries are asked for in `linked` besides."""
    name = name.replace("\\", "/")
    if "/plugins/" in name and name.startswith("PySide6/"):
        plugin = name.partition("/plugins/")[2]
        return plugin.startswith(_QT_PLUGINS) and not _NO_PLUGIN.search(plugin)
    if "/translations/" in name and name.startswith("PySide6/"):
        return name.endswith(tuple(f"/qtbase_{code}.qm" for code in _LANGUAGES))
    if found := re.match(r"PySide6/Qt(\w+)\.(abi3|pyd|so)", name):
        return found[1] in _QT_MODULES
    return not _PYTHON_UNUSED.search(name)


def foreign(owners: Mapping[str, Iterable[str]], ours: Collection[str]) -> list[str]:
    """The top-level modules of distributions that Foreword does not require.

    ``owners``: by module, the distributions that have it, as `importlib.metadata` tells;
    ``ours``: what is required, by canonical names. Without them what is frozen would depend on what
    else happens to be installed: many a library uses another where it is there.
    """
    own = {canonicalize_name("foreword"), *ours}
    return sorted(
        module
        for module, names in owners.items()
        if own.isdisjoint(canonicalize_name(name) for name in names)
    )


def linked(names: Iterable[str], needs: Callable[[str], Iterable[str]]) -> set[str]:
    """Of ``names``, what is loaded by somebody.

    ``needs``: the file names of the libraries that a file of this name links. Python itself,
    extension modules, plugins and the compute modules are loaded by name; a plain library only
    where one of them, or what they link, links it.
    """
    by_file: dict[str, str] = {}
    for name in names:
        by_file.setdefault(name.rpartition("/")[2], name)
    seen: set[str] = set()
    to_see = [name for name in names if not _is_plain_library(name)]
    while to_see:
        name = to_see.pop()
        if name not in seen:
            seen.add(name)
            to_see += [by_file[file] for file in needs(name) if file in by_file]
    return seen


def leading_somewhere(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without the links whose targets are not among them.

    A target may be a folder of theirs and lie behind other links: a framework of macOS's is files
    in ``Versions/A``, with links beside and above it that it cannot be signed without.
    """
    entries = list(entries)
    links = {name: target for name, target, kind in entries if kind == "SYMLINK"}
    files = [PurePosixPath(name) for name, _source, kind in entries if kind != "SYMLINK"]
    places = {str(place) for file in files for place in (file, *file.parents)}
    return [
        entry for entry in entries if entry[2] != "SYMLINK" or _resolved(entry[0], links) in places
    ]


def _resolved(name: str, links: Mapping[str, str]) -> str:
    """The place that a name leads to; a name that leads round in a circle stays one of a link."""
    for _step in range(len(links) + 1):
        path = PurePosixPath(name)
        link = next((str(each) for each in (*path.parents, path) if str(each) in links), None)
        if link is None:
            return name
        behind = name[len(link) :].lstrip("/")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(link), links[link], behind))
    return name


def is_systems_own(name: str) -> bool:
    """Whether a Linux library is left to the system that the package is installed on."""
    return bool(_SYSTEMS_OWN.match(name.rpartition("/")[2]))


def _is_plain_library(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    return folder in ("", "PySide6/Qt/lib") and bool(re.match(r"lib(?!python).+\.so(\.|$)", file))


def only(entries: Iterable[Entry], names: Mapping[str, object] | set[str]) -> list[Entry]:
    """The entries whose names are among ``names``."""
    return [entry for entry in entries if entry[0] in names]
