"""Where Foreword starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.children import module_of

_ALONE = "--new-instance"
_SELFTEST = "--selftest"


def main() -> int:
    """Run what the command line asks for and return the exit code.

    Nothing at all, or files, open the window where there is a display. All else are commands: they
    go to the terminal before anything of Qt is imported, so that they need no display. A bare start
    without a display goes there too: it converses, or compares once where nobody could answer.
    """
    _give_back_library_path()
    arguments = sys.argv[1:]
    if module := module_of(arguments):  # how a frozen build starts its engine
        return _be(module, arguments[1:])
    if arguments == [_SELFTEST]:
        from app.selftest import selftest

        return selftest()
    if _wants_window(arguments) and _has_display():
        from app.desktop import open_window

        files = [Path(each) for each in arguments if each != _ALONE]
        return open_window(files, alone=_ALONE in arguments)
    from engine.cli import main as terminal

    return terminal(arguments)


def _give_back_library_path() -> None:
    """A frozen build's start points the loader at its own libraries, which are not for others.

    The loader has read it by now; a browser that this process opens must not.
    """
    if getattr(sys, "frozen", False) and sys.platform.startswith("linux"):
        given = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
        os.environ.pop("LD_LIBRARY_PATH", None)
        if given:
            os.environ["LD_LIBRARY_PATH"] = given


def _wants_window(arguments: Sequence[str]) -> bool:
    """Whether no command is named: nothing, our one switch, or files that are there."""
    return all(each == _ALONE or os.path.isfile(each) for each in arguments)


def _has_display() -> bool:
    """Whether a window could be shown, as far as can be told without asking Qt."""
    if sys.platform in ("win32", "darwin"):
        return True
    named = os.environ.get("QT_QPA_PLATFORM", "")
    if named:
        return named.partition(":")[0] not in ("offscreen", "minimal", "minimalegl")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _be(module: str, arguments: Sequence[str]) -> int:
    from importlib import import_module

    # By its name: nothing of the window may reach into the engine's own processes.
    return int(import_module(module).main(arguments) or 0)


if __name__ == "__main__":
    sys.exit(main())
