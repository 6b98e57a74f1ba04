"""The engine's client in Qt's terms: its events arrive as a signal, on the window's thread.

It also watches whether the worker still answers, and starts a new one when one is needed.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from app.sending import Sending
from engine.errors import WorkerDied
from engine.protocol import Event, Failed, Hello, Ping, Pong, Request, Stop

log = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds after which a worker that does not answer is called silent."""

_LOOK_EVERY = 0.5
_QUIET = 1.0  # seconds without a word before it is asked
_START_PATIENCE = 60.0  # a worker that starts may read llama.cpp from a cold disk


class Bridge(QObject):
    """The worker as the window sees it. It runs from the first request on.

    Signals:
        told: What the worker tells, in order.
        died: It ended by itself, told once a death; the Failed says why. Whatever was under way
            is over. The next request starts another worker.
        silent: True when it has not answered for three seconds, False when it does again.
    """

    told = Signal(object)
    died = Signal(object)
    silent = Signal(bool)
    _arrived = Signal(object)

    def __init__(self, command: Sequence[str] | None = None, parent: QObject | None = None) -> None:
        """``command``: a test's own worker."""
        super().__init__(parent)
        self._sending = Sending(self._arrived.emit, command)
        self._is_running = False
        self._is_closing = False
        self._numbers = itertools.count(1)
        self._open: dict[int, Request] = {}
        self._pulse = _Pulse(self)
        # Events come on threads of the client's and of the one that writes to it.
        self._arrived.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def pid(self) -> int | None:
        """The worker's process, while there is one."""
        return self._sending.pid if self._is_running else None

    def send(self, request: Request) -> int:
        """Send a request; the number its events will carry. What goes wrong comes as an event."""
        request = replace(request, id=next(self._numbers))
        self._open[request.id] = request
        if not self._is_running:
            self._pulse.reset()
        self._sending.send(request, to_another=not self._is_running)
        self._is_running = True
        self._pulse.start()
        return request.id

    def stop(self, number: int) -> None:
        """Ask the worker to end the request of that number early."""
        self._tell(Stop(id=number))

    def ping(self) -> None:
        """Ask whether the worker is there. For the watch over it alone."""
        self._tell(Ping(id=next(self._numbers)))

    def kill(self) -> None:
        """End a worker that does not listen, at once. It then has died."""
        import psutil  # only here: it takes a while to import

        if self.pid is not None:
            with suppress(psutil.Error):
                psutil.Process(self.pid).kill()

    def close(self) -> None:
        """End the worker within three seconds; its last events are heard before this returns."""
        self._pulse.stop()
        self._is_closing = True
        self._sending.close()
        QCoreApplication.sendPostedEvents(self)
        self._is_running = False

    def _tell(self, message: Request) -> None:
        if self._is_running:
            self._sending.send(message)

    @Slot(object)
    def _hear(self, event: Event) -> None:
        if isinstance(event, Failed) and event.code == WorkerDied.code:
            self._bury(event)
            return
        request = self._open.get(event.id)
        if request is not None and (isinstance(event, Failed) or type(event) is request.final):
            del self._open[event.id]
        self._pulse.heard(event, more_to_come=bool(self._open))
        if not isinstance(event, Hello | Pong):
            self.told.emit(event)

    def _bury(self, death: Failed) -> None:
        """Tell a death once, although every request that was under way reports it."""
        is_known = death.id and death.id not in self._open
        if is_known or self._is_closing:
            return
        self._open.clear()
        self._is_running = False
        self._pulse.stop()
        log.warning("The worker died")
        self.died.emit(death)


class _Pulse(QObject):
    """Whether the worker is there: asks when it has been quiet, while something is under way."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._timer = QTimer(self, interval=round(_LOOK_EVERY * 1000))
        self._timer.timeout.connect(self._look)
        self._heard_at = 0.0
        self._asked_at: float | None = None
        self._patience = _START_PATIENCE
        self._is_silent = False

    def reset(self) -> None:
        """Another worker starts."""
        self._patience = _START_PATIENCE

    def start(self) -> None:
        """Something is under way from now on."""
        if not self._timer.isActive():
            self._heard_at, self._asked_at = time.monotonic(), None
            self._timer.start()

    def stop(self) -> None:
        """Nothing is under way any more."""
        self._timer.stop()
        self._say(silent=False)

    def heard(self, event: Event, *, more_to_come: bool) -> None:
        """The worker said something."""
        self._heard_at, self._asked_at = time.monotonic(), None
        if not isinstance(event, Hello):  # which comes before it can listen
            self._patience = PATIENCE
        if not more_to_come:
            self.stop()
        self._say(silent=False)

    def _look(self) -> None:
        now = time.monotonic()
        if self._asked_at is None:
            if now - self._heard_at >= _QUIET:
                self._asked_at = now
                self._bridge.ping()
        elif now - self._asked_at >= self._patience:
            self._say(silent=True)

    def _say(self, *, silent: bool) -> None:
        if silent != self._is_silent:
            self._is_silent = silent
            self._bridge.silent.emit(silent)
