"""One window at a time: a second start raises the first one's and hands its files over."""

from __future__ import annotations

import getpass
import hashlib
import json
import os
from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path

from filelock import FileLock, Timeout
from PySide6.QtCore import QDeadlineTimer, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from engine import __version__, paths

_PATIENCE = 10_000  # milliseconds for the other one to answer: it may be starting, or busy
_CONNECTING = 1000
_PAUSE = 50
_LONGEST = 2**16


class _Answer(Enum):
    """What came of a call to the other window."""

    NOBODY = auto()
    TAKEN = auto()
    SILENCE = auto()


class Instance(QObject):
    """This start's claim to be the one window of these folders.

    A locked file is the claim: the system lets go of it with the process, whatever ends that. The
    server is only how the window is told of other starts, and may be slow to answer.

    Signals:
        asked: Another start wants the window to the front, with these files (a list of Path).
    """

    asked = Signal(list)

    def __init__(self, name: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name or instance_name()
        self._other = ""
        self._is_silent = False
        self._lock = FileLock(paths.data_folder() / "window.lock")
        self._server = QLocalServer(self)
        # Nobody else on this machine may raise windows here or name files to be opened.
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def claim(self, files: Sequence[Path] = ()) -> bool:
        """Whether this is the first window. Where it is not, the first one takes ``files``, or
        `trouble` says why not."""
        deadline = QDeadlineTimer(_PATIENCE)
        while True:
            is_free = self._locked()
            answer = self._hand_over(files, deadline)
            if is_free and answer is _Answer.NOBODY:
                self._listen()
                return True
            if answer is _Answer.TAKEN or deadline.hasExpired():
                self._is_silent = answer is not _Answer.TAKEN
                self._lock.release(force=True)
                return False
            QThread.msleep(_PAUSE)  # it begins to listen, or ends, just now

    @property
    def trouble(self) -> str:
        """Why no window came to the front, or why it may not be what was started; "" where it is
        the same."""
        if self._is_silent:
            return self.tr(
                "Foreword is open already and does not answer. Wait until it does, or end it, and "
                "start again."
            )
        if self._other in ("", __version__):
            return ""
        sentence = self.tr(
            "Foreword {other} is open, and this is Foreword {version}. The open one came to the "
            "front: close it and start again to use this one."
        )
        return sentence.format(other=self._other, version=__version__)

    def close(self) -> None:
        """Give the claim up."""
        self._server.close()
        self._lock.release(force=True)

    def _locked(self) -> bool:
        """Whether the claim is ours now; also where the folder takes no locks."""
        try:
            paths.data_folder().mkdir(parents=True, exist_ok=True)
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            return True
        return True

    def _listen(self) -> None:
        if not self._server.listen(self._name):
            # What a crash left behind: nobody answered on it just now.
            QLocalServer.removeServer(self._name)
            self._server.listen(self._name)

    def _hand_over(self, files: Sequence[Path], deadline: QDeadlineTimer) -> _Answer:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_CONNECTING):
            return _Answer.NOBODY
        message = json.dumps({"files": [str(path.absolute()) for path in files]})
        socket.write(message.encode() + b"\n")
        socket.flush()
        answered = socket.waitForReadyRead(max(1, deadline.remainingTime()))
        self._other = bytes(socket.readLine(64).data()).decode(errors="replace").strip()
        is_gone = socket.state() is not QLocalSocket.LocalSocketState.ConnectedState
        socket.disconnectFromServer()
        if answered:
            return _Answer.TAKEN
        return _Answer.NOBODY if is_gone else _Answer.SILENCE

    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _LONGEST:
                socket.abort()
            return
        line = bytes(socket.readLine(_LONGEST).data())
        socket.write(f"{__version__}\n".encode())
        socket.flush()
        self.asked.emit(_files(line))


def instance_name() -> str:
    """A name that this user's windows over these folders share, and no other's."""
    place = f"{_user()} {paths.data_folder()}"
    return f"foreword-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # one without an account
        return str(os.getuid())


def _files(line: bytes) -> list[Path]:
    try:
        message = json.loads(line)
        named = message["files"]
        return [Path(path) for path in named if isinstance(path, str)]
    except (ValueError, TypeError, KeyError):
        return []
