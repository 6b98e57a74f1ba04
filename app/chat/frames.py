"""Tokens come faster than a screen can show them: they are gathered until the next frame."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject

from app.chat.controls import once
from engine.protocol import Piece, Token

_FRAME_MS = 33
_SHARE = 4  # showing may take so large a part of the time: one in four


@dataclass
class Arrived:
    """What came for one reply since the last frame."""

    pieces: list[Piece] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)


class Frames(QObject):
    """Gathers what arrives, by entry, and has it shown: rarely where showing it takes long."""

    def __init__(
        self, show: Callable[[Mapping[int, Arrived]], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._show = show
        self._waiting: dict[int, Arrived] = {}
        self._timer = once(self, _FRAME_MS, self.flush)

    def take(self, entry_id: int, pieces: Sequence[Piece], tokens: Sequence[Token]) -> None:
        """Keep this for the next frame."""
        arrived = self._waiting.setdefault(entry_id, Arrived())
        arrived.pieces.extend(pieces)
        arrived.tokens.extend(tokens)
        if not self._timer.isActive():
            self._timer.start()

    def forget(self, entry_id: int | None = None) -> None:
        """Drop what waits for one entry, or for all."""
        if entry_id is None:
            self._waiting.clear()
        else:
            self._waiting.pop(entry_id, None)

    def flush(self) -> None:
        """Have shown what waits."""
        self._timer.stop()
        began = time.perf_counter()
        waiting, self._waiting = self._waiting, {}
        if waiting:
            self._show(waiting)
        spent = 1000 * (time.perf_counter() - began)
        self._timer.setInterval(max(_FRAME_MS, round(_SHARE * spent)))
