"""Round numbers for an axis. No Qt."""

from __future__ import annotations

from math import ceil, floor, log10

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_CLOSE = 1e-9


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most so many round numbers, three or more, evenly spaced, from ``low`` to ``high``."""
    span = max(high - low, _CLOSE)
    exact = span / max(1, most - 1)
    power = 10.0 ** floor(log10(exact))
    for part in (*_STEPS, 20.0, 25.0, 50.0):
        step = part * power
        first = floor(low / step + _CLOSE)
        last = max(ceil(high / step - _CLOSE), first + 1)
        if last - first < most:
            return [i * step for i in range(first, last + 1)]
    raise AssertionError("a step of fifty spans anything")
