"""The plain speed of each pair as it was measured on this machine: what speed-ups are against."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from app.panel.worth import ENOUGH_TOKENS
from engine import paths
from engine.protocol import Figures, Ready

_MOST = 2**53
"""Beyond, a number in a file that somebody wrote is no measure."""


class _Measured(NamedTuple):
    """Tokens/s, and when that was: seconds since 1970."""

    speed: float
    at: float


class PlainSpeeds:
    """Tokens per second of plain decoding, by what was loaded and how. It can be measured anew, so
    its file lies in the cache and whatever is wrong with it costs no more than that."""

    def __init__(self, path: Path | None = None, *, now: Callable[[], float] = time.time) -> None:
        """``now``: seconds since 1970."""
        self._path = path or paths.cache_folder() / "plain-speeds.json"
        self._now = now
        self._known = self._read()

    def speed(self, ready: Ready | None) -> float | None:
        """What plain decoding reached with this pair when it was measured last, by a plain reply, a
        comparison or a tuning; None where it never was."""
        if ready is None:
            return None
        found = [each for each in (self._known.get(_key(ready)), _tuned(ready)) if each]
        return max(found, key=lambda each: each.at).speed if found else None

    def speed_up(self, ready: Ready | None, figures: Figures) -> float | None:
        """How much sooner a drafted reply came than a plain one would have; None where that is not
        known, or the reply too short to tell."""
        plain = self.speed(ready)
        is_enough = figures.drafted > 0 and figures.tokens >= ENOUGH_TOKENS
        return figures.tokens_per_second / plain if plain and is_enough else None

    def measured(self, ready: Ready | None, figures: Figures) -> bool:
        """Keep what a plain reply took; False where it was too short, or no plain one."""
        is_plain = not figures.drafted and figures.seconds > 0
        if ready is None or not is_plain or figures.tokens < ENOUGH_TOKENS:
            return False
        speed = round(figures.tokens_per_second, 3)
        self._known[_key(ready)] = _Measured(speed, self._now())
        self._write()
        return True

    def _read(self) -> dict[str, _Measured]:
        try:
            raw = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        rows = raw.items() if isinstance(raw, dict) else ()
        return {key: _Measured(*map(float, row)) for key, row in rows if _is_measured(row)}

    def _write(self) -> None:
        part = self._path.with_suffix(".part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(self._known, indent=1))
            os.replace(part, self._path)
        except OSError:
            return  # it is known for as long as the window is open


def _key(ready: Ready) -> str:
    """What plain speed depends on: the target, where it runs, on how many threads."""
    target = ready.target
    where = ", ".join(ready.devices)
    return f"{Path(target.path).name} ({target.bytes}) on {where}, {ready.threads} threads"


def _tuned(ready: Ready) -> _Measured | None:
    """What the pair's tuning found, where it is one for as many threads."""
    record = ready.tuning
    if record is None or record.threads != ready.threads:
        return None
    return _Measured(1 / record.pace().plain, datetime.fromisoformat(record.at).timestamp())


def _is_measured(row: object) -> bool:
    if not isinstance(row, list) or len(row) != len(_Measured._fields):
        return False
    return all(isinstance(each, int | float) and 0 < each < _MOST for each in row)
