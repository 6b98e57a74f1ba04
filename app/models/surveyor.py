"""What ggml can compute with here: asked once, of a worker that ends again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from engine.client import Client
from engine.devices import Device
from engine.machine import Machine, this_machine
from engine.protocol import Failed, Survey, Surveyed

_LOOK_EVERY = 0.1  # seconds between looks whether the window still wants to know
_PATIENCE = 200  # looks after which it is not waited for any more


class Surveyor(QObject):
    """Knows the devices once somebody asked; until then only the processor is counted on.

    Only a worker may load llama.cpp. It is one of its own, so that whatever the chat's does goes
    on, and a driver that fails takes nothing with it.

    Attributes:
        is_done: Whether the answer is here, or will not come.

    Signals:
        done: It is.
    """

    done = Signal()

    def __init__(
        self, jobs: Jobs, command: Sequence[str] | None = None, parent: QObject | None = None
    ) -> None:
        """``command``: a test's own worker."""
        super().__init__(parent)
        self.is_done = False
        self._jobs = jobs
        self._command = command
        self._job: Job | None = None
        self._devices: tuple[Device, ...] = ()
        self._features: tuple[str, ...] = ()

    def ask(self) -> None:
        """Look, unless that was done or is under way."""
        if self._job is None:
            self._job = self._jobs.start(
                self._look, done=self._learn, failed=lambda _error: self._learn(None)
            )

    def machine(self, folder: Path) -> Machine:
        """This computer now; ``folder``: where models are kept. Any thread may ask."""
        return this_machine(folder, self._devices, self._features)

    def _look(self, job: Job) -> Surveyed | None:
        with Client(command=self._command) as client:
            exchange = client.request(Survey())
            for _ in range(_PATIENCE):
                event = exchange.next(_LOOK_EVERY)
                if isinstance(event, Surveyed):
                    return event
                if isinstance(event, Failed) or job.cancelled():
                    break
        return None

    def _learn(self, surveyed: Surveyed | None) -> None:
        if surveyed is not None:
            self._devices, self._features = surveyed.devices, surveyed.features
        self.is_done = True
        self.done.emit()
