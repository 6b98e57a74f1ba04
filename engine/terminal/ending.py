"""SIGTERM and SIGHUP: the program ends by way of its ``finally`` clauses.

They give the terminal back as it was, and write down what was measured until then.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Self

_NAMES = ("SIGTERM", "SIGHUP")  # Windows lacks the second


class Endings:
    """While it is open, the first of these signals raises SystemExit in the main thread.

    Further ones are not heeded: whoever closes a terminal sends several. One that is ignored stays
    ignored (nohup), and what others have made of one stays theirs.

    Attributes:
        code: The exit code once one came: 128 and its number. 0 before.
    """

    def __init__(self) -> None:
        self.code = 0
        self._taken: list[signal.Signals] = []

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            known = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
            self._taken = [each for each in known if signal.getsignal(each) is signal.SIG_DFL]
            for each in self._taken:
                signal.signal(each, self._receive)
        return self

    def __exit__(self, *_exception: object) -> None:
        for each in self._taken:
            signal.signal(each, signal.SIG_DFL)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if not self.code:
            self.code = 128 + number
            raise SystemExit(self.code)
