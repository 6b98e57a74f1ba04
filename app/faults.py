"""Faults of our own: logged by kind and place, and told in a sentence; the window goes on."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QCoreApplication,
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication, QMessageBox

from app.replaced import Program
from engine import paths
from engine.errors import ForewordError

log = logging.getLogger("app")

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}


def log_file() -> Path:
    """Where the window's log lies."""
    return paths.log_folder() / "window.log"


def start_log() -> None:
    """Keep a log, where its folder allows. It never holds what somebody wrote."""
    form = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, handlers=[_handler(log_file())])
    logging.captureWarnings(True)


def _handler(path: Path) -> logging.Handler:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return RotatingFileHandler(path, maxBytes=2**20, backupCount=3, encoding="utf-8")
    except OSError:  # a chat without a log is better than none, or than one in the terminal
        return logging.NullHandler()


def tell_failed_start(error: Exception) -> None:
    """Say in a box that no window came: there is no other place for it. The log gets its kind and
    place, as that of every fault."""
    if not logging.getLogger().handlers:
        start_log()
    trace = "".join(traceback.format_tb(error.__traceback__))
    log.error("Could not start: %s\n%s", type(error).__name__, trace)
    sentence = QCoreApplication.translate(
        "Faults",
        "Foreword could not start ({reason}). Install it again. If that does not help, the details "
        "are in {path}.",
    )
    said = sentence.format(reason=_reason(error), path=log_file())
    QMessageBox.critical(None, "Foreword", said)


def _reason(error: Exception) -> str:
    """Its kind, and the file that it is about: its words may quote a message."""
    path = error.fields.get("path") if isinstance(error, ForewordError) else None
    path = path or getattr(error, "filename", None)
    return f"{type(error).__name__}: {path}" if path else type(error).__name__


class Faults(QObject):
    """Hears of every error that nothing else caught.

    Signals:
        met: A sentence for a person.
        outdated: The first one that the program on the disk explains, being gone or another.
    """

    met = Signal(str)
    outdated = Signal()

    def install(self) -> None:
        """Listen from now on, for the rest of the process."""
        self._program = Program()
        self._is_telling = self._is_outdated = False
        # In a box of Qt's: the window's own ways may need what is gone. Queued, for a fault may be
        # of any thread, and in the middle of painting.
        self.outdated.connect(self._tell_outdated, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._catch
        threading.excepthook = lambda met: self._catch(
            met.exc_type, met.exc_value, met.exc_traceback
        )
        qInstallMessageHandler(_log_qt)

    def _catch(
        self,
        kind: type[BaseException],
        _error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # The error's own words may quote a message, so the log gets its kind and place only.
        log.error("Met %s\n%s", kind.__name__, "".join(traceback.format_tb(trace)))
        if self._program.is_replaced:
            if not self._is_outdated:
                self._is_outdated = True
                self.outdated.emit()
            return
        if self._is_telling:  # of the telling itself: it would never end
            return
        sentence = self.tr(
            "Something went wrong inside Foreword ({kind}). What you see is kept; the details are "
            "in {path}."
        )
        self._is_telling = True
        try:
            self.met.emit(sentence.format(kind=kind.__name__, path=log_file()))
        finally:
            self._is_telling = False

    @Slot()
    def _tell_outdated(self) -> None:
        sentence = self.tr("Foreword was updated or removed. Start it again.")
        icon, button = QMessageBox.Icon.Warning, QMessageBox.StandardButton.Ok
        # Kept: without a window it has no other owner.
        self._box = QMessageBox(icon, "Foreword", sentence, button, QApplication.activeWindow())
        self._box.open()


def _log_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    log.log(_LEVELS.get(kind, logging.ERROR), "Qt: %s", message)
