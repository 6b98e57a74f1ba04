"""``foreword --selftest``: the engine's checks, the database's and the window's.

It touches none of the user's folders and needs no display.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from engine import __version__
from engine.selftest.checks import Check, EngineChecks, Fault, run

_QUESTION, _ANSWER = "How is it written?", "Like this:\n\n```python\nprint('hello')\n```\n"
_FEWEST_COLOURS = 40


def selftest(say: Callable[[str], None] | None = None) -> int:
    """Check everything, telling each part's line; 0 where all is well, 1 where something is not."""
    say = say or _print
    say(f"Foreword {__version__} on {sys.platform}, Python {sys.version.split()[0]}")
    try:
        holder = tempfile.TemporaryDirectory(
            prefix="foreword-selftest-", ignore_cleanup_errors=True
        )
    except OSError as error:
        say(f"FAILED  temporary folder: {error.strerror or error}. Make room, or set TMPDIR.")
        return 1
    with holder as folder:
        _stay_inside(Path(folder))
        engine = EngineChecks(Path(folder))
        try:
            passed = run(chain(engine, _checks(Path(folder))), say)
        finally:
            engine.close()
    say("All parts work." if passed else "Something does not work: see the lines that say FAILED.")
    return 0 if passed else 1


def _print(line: str) -> None:
    if sys.stdout is not None:  # a Windows program without a console has none
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _stay_inside(folder: Path) -> None:
    """Nothing of the user's is read or written from here on, and no display is asked for."""
    for name in ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS"):
        os.environ[f"FOREWORD_{name}"] = str(folder / name.lower())
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _checks(folder: Path) -> Iterator[Check]:
    """The window comes last: it shows what the database holds."""
    yield "database", lambda: _keep(folder / "data" / "conversations.db")
    yield "window", _show


def _keep(path: Path) -> str:
    from app.history import Store

    with Store(path) as store:
        conversation = store.create().id
        store.add(conversation, "user", _QUESTION)
        store.add(conversation, "assistant", _ANSWER)
    with Store(path) as store:
        if store.trouble or not store.saved:
            raise Fault(str(store.trouble or "nothing was saved"))
        entries = [entry.content for entry in store.entries(conversation)]
        if entries != [_QUESTION, _ANSWER] or not store.search("written"):
            raise Fault("what was written does not come back")
    return f"{path.stat().st_size / 1000:.0f} kB, opened, written, closed and read back"


def _show() -> str:
    from PySide6.QtCore import QCoreApplication, QEvent, qVersion
    from PySide6.QtWidgets import QApplication

    from app.languages import speak
    from app.parts import Parts
    from app.window import Window

    app = QApplication(sys.argv[:1])
    parts = Parts.assemble()
    speak(app, "de")
    parts.theme.install()
    window = Window(parts)
    try:
        parts.conversations.open(parts.conversations.store.conversations()[0].id)
        window.show()
        QCoreApplication.processEvents()
        image = window.grab().toImage()
    finally:
        window.close()
        window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    spots = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
    colours = len({image.pixel(x, y) for x, y in spots})
    if colours < _FEWEST_COLOURS:
        raise Fault(f"it was painted in {colours} colours, which is as good as blank")
    return f"Qt {qVersion()}, {image.width()} × {image.height()} pixels in {colours} colours"
