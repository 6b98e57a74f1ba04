"""One window at a time: a second start raises the first one's and hands its files over."""

from __future__ import annotations

import getpass
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from engine import __version__, paths

_PATIENCE = 1000  # milliseconds for the other one to answer
_LONGEST = 2**16


class Instance(QObject):
    """This start's claim to be the one window of these folders.

    Signals:
        asked: Another start wants the window to the front, with these files (a list of Path).
    """

    asked = Signal(list)

    def __init__(self, name: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name or instance_name()
        self._other = ""
        self._server = QLocalServer(self)
        # Nobody else on this machine may raise windows here or name files to be opened.
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def claim(self, files: Sequence[Path] = ()) -> bool:
        """Whether this is the first window. Where it is not, the first one takes ``files``."""
        if self._handed_over(files):
            return False
        if not self._server.listen(self._name):
            # What a crash left behind: nobody answered on it just now.
            QLocalServer.removeServer(self._name)
            self._server.listen(self._name)
        return True

    @property
    def trouble(self) -> str:
        """Why what came to the front may not be what was started, "" where it is the same."""
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

    def _handed_over(self, files: Sequence[Path]) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_PATIENCE):
            return False
        message = json.dumps({"files": [str(path.absolute()) for path in files]})
        socket.write(message.encode() + b"\n")
        taken = socket.waitForBytesWritten(_PATIENCE) and socket.waitForReadyRead(_PATIENCE)
        self._other = bytes(socket.readLine(64).data()).decode(errors="replace").strip()
        socket.disconnectFromServer()
        return taken

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
    place = f"{getpass.getuser()} {paths.data_folder()}"
    return f"foreword-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def _files(line: bytes) -> list[Path]:
    try:
        message = json.loads(line)
        named = message["files"]
        return [Path(path) for path in named if isinstance(path, str)]
    except (ValueError, TypeError, KeyError):
        return []
