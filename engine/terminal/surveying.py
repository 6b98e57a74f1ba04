"""What this computer has for models: a worker is asked, for only it may look at a GPU's memory."""

from __future__ import annotations

from pathlib import Path

from engine.client import Client
from engine.errors import ForewordError
from engine.machine import Machine, this_machine
from engine.protocol import Survey, Surveyed
from engine.terminal.screen import Screen

_PATIENCE = 20.0  # seconds


def surveyed(screen: Screen, folder: Path) -> Machine:
    """This computer with its graphics processors; ``folder``: where models are kept.

    Where the engine does not answer that is said, and only the computer's own memory counts.
    """
    try:
        with Client() as client:
            event = client.request(Survey()).next(_PATIENCE)
    except ForewordError:
        event = None
    if isinstance(event, Surveyed):
        return this_machine(folder, event.devices, event.features)
    screen.note(
        "The engine does not say what it can compute with: what fits is said of the computer's "
        "own memory alone."
    )
    return this_machine(folder)
