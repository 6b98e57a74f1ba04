"""Whether there is a display for a window, told without Qt, which aborts where there is none."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

_PATIENCE = 0.004  # seconds: whatever takes longer is there, and Qt's to wait for
_X_PORT, _LAST_PORT = 6000, 65535
_X_SOCKETS = "/tmp/.X11-unix/X"
_X_NAME = re.compile(r"(?P<host>[\w.-]*):(?P<number>\d{1,5})(\.\d+)?")
"""The usual names of an X display; the others are left to Qt."""

_Address = tuple[str, int] | str


def is_named() -> bool:
    """Whether a window could be shown, as far as the environment tells."""
    if sys.platform in ("win32", "darwin"):
        return True
    named = os.environ.get("QT_QPA_PLATFORM", "")
    if named:
        return named.partition(":")[0] not in ("offscreen", "minimal", "minimalegl")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def unreachable() -> list[str]:
    """The displays that are named where nobody answers at any of them; else none.

    Only a refusal counts: what asks for a password, answers late or cannot be judged is Qt's. The
    platform of a user's own choice is left alone.
    """
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return []
    names = []
    # Wayland first: where it answers, an X server that is started on demand stays asleep.
    for variable, answers in (("WAYLAND_DISPLAY", _wayland_answers), ("DISPLAY", _x_answers)):
        if name := os.environ.get(variable, ""):
            if answers(name):
                return []
            names.append(name)
    return names


def _wayland_answers(name: str) -> bool:
    if os.environ.get("WAYLAND_SOCKET"):  # an open one, inherited
        return True
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.path.isabs(name) and not folder:
        return False
    return _answers(os.path.join(folder, name))


def _x_answers(name: str) -> bool:
    found = _X_NAME.fullmatch(name)
    return not found or any(map(_answers, _x_addresses(found["host"], int(found["number"]))))


def _x_addresses(host: str, number: int) -> Iterator[_Address]:
    """Where X's own library looks for a display, in its order."""
    if host in ("", "unix"):
        if sys.platform.startswith("linux"):
            yield f"\0{_X_SOCKETS}{number}"
        yield f"{_X_SOCKETS}{number}"
    if host != "unix" and number <= _LAST_PORT - _X_PORT:
        yield host or "localhost", _X_PORT + number


def _answers(address: _Address) -> bool:
    """Whether somebody takes the connection, or it cannot be told within a moment."""
    import socket

    try:
        if isinstance(address, str):
            with socket.socket(socket.AF_UNIX) as each:
                each.settimeout(_PATIENCE)
                each.connect(address)
        else:
            socket.create_connection(address, timeout=_PATIENCE).close()
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError, socket.gaierror):
        return False
    except OSError:
        return True
    return True
