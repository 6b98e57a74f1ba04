"""Errors of the catalogue that become a card instead of ending what the window is at."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from engine.errors import ForewordError


class Telling:
    """A ``with`` block that ends at such an error and tells it; what follows goes on."""

    def __init__(self, tell: Callable[[ForewordError], None]) -> None:
        self._tell = tell

    def __enter__(self) -> None:
        return

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, ForewordError):
            return False
        self._tell(error)
        return True
