"""The Hub, asked from a terminal: Ctrl-C ends the asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.terminal.failures import Interrupted
from engine.terminal.interrupt import Interrupt

if TYPE_CHECKING:
    from engine.models.hub import Hub


@contextmanager
def asking() -> Iterator[tuple[Hub, Callable[[], None]]]:
    """The Hub, and what its verbs are to call while they wait: after Ctrl-C, Interrupted."""
    # Only here: HTTP takes longer to import than all the rest.
    from engine.models.hub import Hub

    with Interrupt() as interrupt:

        def check() -> None:
            if interrupt.count:
                raise Interrupted

        yield Hub(), check
