"""The plain speed of each pair as it was measured on this machine: what speed-ups are against."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

from engine import paths
from engine.protocol import Figures, Ready

ENOUGH_TOKENS = 24
"""Fewer plain tokens in a row measure nothing worth keeping."""


class PlainSpeeds:
    """Tokens per second of plain decoding, by what was loaded and how. It can be measured anew, so
    its file lies in the cache and whatever is wrong with it costs no more than that."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or paths.cache_folder() / "plain-speeds.json"
        self._known = self._read()

    def speed(self, ready: Ready | None) -> float | None:
        """What plain decoding reached last with this pair; None where it was never measured."""
        return self._known.get(_key(ready)) if ready else None

    def speed_up(self, ready: Ready | None, figures: Figures) -> float | None:
        """How much sooner a drafted reply came than a plain one would have; None if not known."""
        plain = self.speed(ready)
        return figures.tokens_per_second / plain if plain and figures.drafted else None

    def measured(self, ready: Ready | None, figures: Figures) -> bool:
        """Keep what a plain reply took; False where it was too short, or no plain one."""
        is_plain = not figures.drafted and figures.seconds > 0
        if ready is None or not is_plain or figures.tokens < ENOUGH_TOKENS:
            return False
        self._known[_key(ready)] = round(figures.tokens_per_second, 3)
        self._write()
        return True

    def _read(self) -> dict[str, float]:
        try:
            raw = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        rows = raw.items() if isinstance(raw, dict) else ()
        return {str(key): float(speed) for key, speed in rows if _is_speed(speed)}

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


def _is_speed(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value > 0
