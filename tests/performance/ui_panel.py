"""What the live panel costs: milliseconds of the window's thread for one repaint.

``python -m tests.performance.ui_panel``
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import MappingProxyType

from PySide6.QtWidgets import QApplication

from app.panel.panel import LivePanel
from app.theme import Theme
from engine.protocol import Emitted
from tests.app.panel.events import ready, reply
from tests.performance.data import Result
from tests.performance.ui import main, timed

GAMMAS = (3, 16)
TOKENS = 1000
MOST_MS = 2.0
WIDTH, HEIGHT = 316, 800


def repaints() -> Iterator[Result]:
    """Of a panel that shows a reply of a thousand tokens."""
    for gamma in GAMMAS:
        samples = sorted(_repaints(gamma))
        detail = f"p99 {samples[int(0.99 * len(samples))]:.2f} ms, n = {len(samples)}"
        median = round(samples[len(samples) // 2], 2)
        measure = f"a repaint of the live panel, γ = {gamma}"
        yield Result(measure, [median], at_most=MOST_MS, unit=" ms", detail=detail)


def _repaints(gamma: int) -> list[float]:
    theme = Theme("light")
    theme.install()
    panel = LivePanel(theme, interval=10**6)
    panel.resize(WIDTH, HEIGHT)
    panel.show()
    panel.ready(ready(gamma))
    panel.set_plain_speed(13.9)
    panel.begin(gamma)
    samples = []
    for event in reply(gamma, TOKENS):
        if isinstance(event, Emitted):
            panel.emitted(event)
            samples.append(timed(lambda: _repaint(panel)))
    panel.close()
    panel.deleteLater()
    QApplication.sendPostedEvents()
    return samples


def _repaint(panel: LivePanel) -> None:
    panel.repaint_now()
    QApplication.sendPostedEvents()


if __name__ == "__main__":
    sys.exit(main(MappingProxyType({"repaints": repaints})))
