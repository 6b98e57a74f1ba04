"""How fast something grows: over the last few seconds, so that it follows and does not flicker."""

from __future__ import annotations

import time
from collections import deque

_WINDOW = 5.0  # seconds
_SHORTEST = 0.5  # seconds: what a shorter look shows is chance


class Meter:
    """Is told an amount now and then, and knows its speed."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def tell(self, amount: int) -> None:
        """It is so much now."""
        now = time.monotonic()
        self._seen.append((now, amount))
        while len(self._seen) > 2 and self._seen[1][0] < now - _WINDOW:
            self._seen.popleft()

    @property
    def speed(self) -> float:
        """Per second; falls towards 0 while nothing is told."""
        if not self._seen:
            return 0.0
        (then, before), (_, after) = self._seen[0], self._seen[-1]
        passed = time.monotonic() - then
        return max(0.0, (after - before) / passed) if passed >= _SHORTEST else 0.0
