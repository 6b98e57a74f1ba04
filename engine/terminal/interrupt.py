"""Ctrl-C: the first stops what runs, the second ends the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Self


class Interrupt:
    """While it is open, the first Ctrl-C calls ``stop``; the next raises KeyboardInterrupt.

    Outside the main thread, where no signal ever comes, it only counts nothing.

    Attributes:
        count: How many came.
    """

    def __init__(self, stop: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self._stop = stop
        self._able = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        if self._able:
            self._before = signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._able:
            signal.signal(signal.SIGINT, self._before)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt
        # On a thread: this handler may have come in the middle of whatever lock stop() needs.
        threading.Thread(target=self._stop, name="stop", daemon=True).start()
