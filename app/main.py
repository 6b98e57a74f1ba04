"""Where Foreword starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app import display
from engine.children import module_of

_ALONE = "--new-instance"
_SELFTEST = "--selftest"
_STOP_ICON = 0x10  # MB_ICONERROR of winuser.h


def main() -> int:
    """Run what the command line asks for and return the exit code.

    Nothing at all, or files, open the window where there is a display. All else are commands: they
    go to the terminal before anything of Qt is imported, so that they need no display. A bare start
    without a display goes there too: it converses, or compares once where nobody could answer. What
    cannot be started at all is told in a sentence.
    """
    _give_back_library_path()
    arguments = sys.argv[1:]
    if module := module_of(arguments):  # how a frozen build starts its engine
        return _be(module, arguments[1:])
    if os.path.expanduser("~") == "~":  # a user without an account, such as a container's
        return _stop("This user has no home folder. Set HOME to a folder that can be written to.")
    if arguments == [_SELFTEST]:
        from app.selftest import selftest

        return selftest()
    if _wants_window(arguments):
        files = [Path(each) for each in arguments if each != _ALONE]
        if not display.is_named():
            if arguments:
                return _stop(f"A window needs a display, and there is none. {_terminal(files)}")
        elif names := display.unreachable():
            displays = "display" if len(names) == 1 else "displays"
            named = f"{displays} {' and '.join(names)}"
            return _stop(f"The {named} cannot be reached. {_terminal(files)}")
        else:
            return _open_window(files, alone=_ALONE in arguments)
    from engine.cli import main as terminal

    return terminal(arguments)


def _open_window(files: Sequence[Path], *, alone: bool) -> int:
    try:
        from app.desktop import open_window
    except ImportError as error:  # Qt links libraries that not every system has
        return _stop(
            f"The window cannot be opened: {error}. Install what is missing, or Foreword again. "
            f"{_terminal(files)}"
        )
    return open_window(files, alone=alone)


def _stop(sentence: str) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"{sentence}\n")
    elif sys.platform == "win32":  # a program without a console there has none
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, sentence, "Foreword", _STOP_ICON)
    return 1


def _terminal(files: Sequence[Path]) -> str:
    """How to do without a window what was asked of one."""
    from shlex import quote

    models = [path for path in files if path.suffix.lower() == ".gguf"]
    named = f" --target {quote(str(models[0]))}" if models else ""
    return f"To chat in the terminal, run: foreword chat{named}"


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


def _be(module: str, arguments: Sequence[str]) -> int:
    from importlib import import_module

    # By its name: nothing of the window may reach into the engine's own processes.
    return int(import_module(module).main(arguments) or 0)


if __name__ == "__main__":
    sys.exit(main())
