"""A screen that nobody sees, hands that type, and eyes: Xvfb, xdotool and Qt's own grabbing."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import places

T = TypeVar("T")

_GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication(sys.argv[:1])
image = app.primaryScreen().grabWindow(0).toImage()
image.save(sys.argv[1])
spots = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
print(len({image.pixel(x, y) for x, y in spots}))
"""


class Desk:
    """An X server of 1400 × 900 points, as long as the ``with`` block lasts."""

    def __enter__(self) -> Self:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24"]
        # No access control: whoever can reach the socket of this one may draw. When its last client
        # leaves it would begin anew, deaf for a moment.
        command += ["-ac", "-noreset", "-nolisten", "tcp"]
        self._server = subprocess.Popen(
            command, pass_fds=(writing,), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        os.close(writing)
        with os.fdopen(reading) as told:
            self.display = f":{told.readline().strip()}"
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        self._server.terminate()
        self._server.wait()

    def windows(self) -> list[str]:
        """The windows of Foreword's that are shown."""
        asked = self._hand("search", "--onlyvisible", "--class", "foreword")
        return asked.stdout.split()

    def type(self, window: str, text: str, *keys: str) -> None:
        """Type into a window, then press keys."""
        self._hand("windowfocus", "--sync", window)
        if text:
            self._hand("type", "--delay", "20", text)
        if keys:
            self._hand("key", *keys)

    def grab(self, path: Path) -> int:
        """Save a picture of the screen; returns how many colours there are in it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        command = [places.python(), "-c", _GRAB, str(path)]
        return int(subprocess.check_output(command, env=environment, text=True))

    def _hand(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["xdotool", *arguments],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            check=False,
        )


def wait(what: str, ask: Callable[[], T], seconds: float, every: float = 0.02) -> T:
    """The first answer that is true. Raises SystemExit where none comes in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := ask():
            return answer
        time.sleep(every)
    raise SystemExit(f"FAILED: {what} did not happen within {seconds:.0f} s")
