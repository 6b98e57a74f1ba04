"""Starts the window: the application, its language and look, the one instance, the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from app.application import Application
from app.cards import Card
from app.faults import Faults, start_log, tell_failed_start
from app.instance import Instance
from app.languages import speak
from app.parts import Parts
from app.signals import EndingSignals
from app.window import Window
from engine import __version__, paths

_AFTER_START = 500  # milliseconds: what can wait until the window stands


def open_window(files: Sequence[Path] = (), *, alone: bool = False) -> int:
    """Show the window until it is closed. ``alone``: whatever other window there may be.

    Where one is open already, that one comes to the front and takes the files.
    """
    app = Application(sys.argv[:1])
    instance = Instance()
    try:
        _name(app)
        if not alone and not instance.claim(files):
            speak(app, "system")
            if instance.trouble:
                QMessageBox.information(None, "Foreword", instance.trouble)
            return 0
        start_log()
        window = _window(app)
    except Exception as error:  # noqa: BLE001 - nobody else could tell: there is no window
        instance.close()
        tell_failed_start(error)
        return 1
    code = _show(app, window, instance, files)
    instance.close()
    return code


def _window(app: QApplication) -> Window:
    parts = _parts(app)
    try:
        return Window(parts)
    except Exception:
        parts.close()  # its threads and processes would keep this one from ending
        raise


def _show(app: Application, window: Window, instance: Instance, files: Sequence[Path]) -> int:
    """Show the window until it is closed, and take it to pieces."""
    parts = window.parts
    window.closed.connect(app.quit)
    instance.asked.connect(window.raise_up)
    instance.asked.connect(window.open_files)
    ending = EndingSignals(app)
    ending.told.connect(window.close)
    ending.install()
    window.show()
    # The window is there before the engine is looked for.
    QTimer.singleShot(0, lambda: begin(window, [*files, *app.hand_over(window.open_files)]))
    QTimer.singleShot(_AFTER_START, parts.theme.motion.ask)
    code = app.exec()
    window.close()
    ending.close()
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return code


def begin(window: Window, files: Sequence[Path] = ()) -> None:
    """Load what is to be loaded, and take in the files that were named."""
    models = [path for path in files if path.suffix.lower() == ".gguf"]
    window.start(models[0] if models else None)
    window.open_files([path for path in files if path not in models])


def _name(app: QApplication) -> None:
    app.setApplicationName("foreword")
    app.setApplicationDisplayName("Foreword")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("io.github.foreword.Foreword")
    app.setWindowIcon(QIcon(str(paths.asset("app-icon.svg"))))


def _parts(app: QApplication) -> Parts:
    faults = Faults(app)
    faults.install()
    parts = Parts.assemble()
    speak(app, parts.choices.window.language)
    parts.theme.install()
    faults.met.connect(lambda sentence: parts.session.show(Card(sentence)))
    return parts
