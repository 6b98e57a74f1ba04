"""What this computer has for models: a worker is asked, for only it may look at a GPU's memory."""

from __future__ import annotations

import time
from pathlib import Path

from engine.client import Client
from engine.errors import ForewordError
from engine.machine import Machine, this_machine
from engine.protocol import Survey, Surveyed
from engine.terminal.screen import Screen

_PATIENCE = 20.0  # seconds
_ASK_SECONDS = 0.2  # on Windows nothing interrupts a longer wait


def surveyed(screen: Screen, folder: Path) -> Machine:
    """This computer with its graphics processors; ``folder``: where models are kept.

    Where the engine does not answer that is said, and only the computer's own memory counts.
    """
    try:
        with Client() as client:
            exchange, event = client.request(Survey()), None
            due = time.monotonic() + _PATIENCE
            while event is None and time.monotonic() < due:
                event = exchange.next(_ASK_SECONDS)
    except ForewordError:
        event = None
    if isinstance(event, Surveyed):
        return this_machine(folder, event.devices, event.features)
    screen.note(
        "The engine does not say what it can compute with: what fits is said of the computer's "
        "own memory alone."
    )
    return this_machine(folder)
