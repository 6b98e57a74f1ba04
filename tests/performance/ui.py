"""What the measures of the window share: no screen, no chatter, figures in words or as JSON."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.performance.data import Result

if TYPE_CHECKING:
    from tests.performance.bench import Bench

Measures = Mapping[str, Callable[[], Iterator[Result]]]

MODULES = ("ui_chat", "ui_panel", "ui_window")


def main(measures: Measures) -> int:
    """Run the measures that the command line names, or all. 1 where one is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="MEASURE", help=", ".join(measures))
    parser.add_argument("--json", action="store_true", help="a JSON object a line")
    given = parser.parse_args()
    if unknown := set(given.names) - set(measures):
        parser.error(f"there is no {min(unknown)}; there are {', '.join(measures)}")
    qInstallMessageHandler(_hear)
    _application = QApplication.instance() or QApplication([])
    missed = 0
    for name in given.names or measures:
        for result in measures[name]():
            missed += not result.reached
            line = json.dumps(asdict(result)) if given.json else _told(result)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return int(missed > 0 and not given.json)


def _told(result: Result) -> str:
    detail = f"; {result.detail}" if result.detail else ""
    mark = "" if result.reached else " MISSED"
    return f"{result.measure}: {result.shown}, target {result.bound}{mark}{detail}"


def _hear(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    # Offscreen windows cannot be moved or raised, and say so each time.
    if not message.startswith("This plugin does not support "):
        sys.stderr.write(f"{message}\n")


def window(_bench: Bench) -> Iterator[Result]:
    """All of them, each module in a process of its own: one measures its memory."""
    for module in MODULES:
        command = [sys.executable, "-m", f"tests.performance.{module}", "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        for line in done.stdout.splitlines():
            yield Result(**json.loads(line))


def until(true: Callable[[], object], seconds: float) -> None:
    """Let the window live until something is so; asked seldom, for asking costs time too."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        QTest.qWait(50)


def timed(action: Callable[[], object]) -> float:
    """Milliseconds of ``action`` and of the painting that follows from it."""
    began = time.perf_counter()
    action()
    QApplication.processEvents()
    return 1000 * (time.perf_counter() - began)
