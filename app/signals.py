"""Ctrl-C and the system's wish that we end: the window closes as if a person had closed it."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_ENDING = (signal.SIGINT, signal.SIGTERM)


class EndingSignals(QObject):
    """Qt's loop runs no Python while nothing happens, so a signal must wake it by a socket.

    Signals:
        told: The process is to end.
    """

    told = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, self._theirs = socket.socketpair()
        self._theirs.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def install(self) -> None:
        """Hear signals from now on."""
        signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        for number in _ENDING:
            signal.signal(number, lambda _number, _frame: None)

    def close(self) -> None:
        """Hear no more."""
        signal.set_wakeup_fd(-1)
        self._notifier.setEnabled(False)
        self._ours.close()
        self._theirs.close()

    def _read(self) -> None:
        if set(self._ours.recv(64)) & set(_ENDING):
            self.told.emit()
