"""``QT_SCALE_FACTOR=1.25 python -m tests.support.scaled_window``: what is wrong with the window on
a screen of so many pixels a point, as JSON. Every scene is painted.

A process of its own: Qt takes the factor when it starts.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QToolButton,
    QWidget,
)

from app import icons
from app.controls import Text
from app.history import Store
from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.window import Window
from engine import paths
from tests.app.windows import until, until_phase
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny

SIZE = QSize(1280, 820)
PAGES = ("models", "settings", "chat", "shortcuts", "network", "about")
REPLY = "Yes:\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted"


def main() -> int:
    application = QApplication(sys.argv[:1])
    drawn = _note_scales()
    _write_a_chat()
    parts = Parts.assemble(fake())
    parts.theme.install()
    window = Window(parts)
    window.resize(SIZE)
    window.show()
    found = [fault for scene in _scenes(window) for fault in _faults(window, scene)]
    ratio = window.devicePixelRatioF()
    window.close()
    application.processEvents()
    told = {"ratio": ratio, "faults": found, "icons": sorted(drawn)}
    sys.stdout.write(json.dumps(told))
    return 0


def _note_scales() -> set[float]:
    """Icons drawn from now on, by their pixels a point."""
    drawn: set[float] = set()
    draw = icons._Engine._draw

    def noting(engine: icons._Engine, size: QSize, mode: object, state: object, scale: float):
        drawn.add(scale)
        return draw(engine, size, mode, state, scale)

    icons._Engine._draw = noting
    return drawn


def _write_a_chat() -> None:
    with Store(paths.data_folder() / "conversations.db") as store:
        number = store.create().id
        attached = [{"name": "notes.txt", "text": "a\nb"}]
        store.add(number, "user", "Can you say that in code?", attachments=attached)
        store.add(number, "assistant", REPLY, figures={"tokens": 30, "tokens_per_second": 12.5})


def _scenes(window: Window) -> Iterator[str]:
    """Whenever it yields, the window shows the scene of that name."""
    window.start()
    until(window.chat.first.isVisible)
    yield "first start"
    folder = paths.models_folder()
    folder.mkdir(parents=True, exist_ok=True)
    target = write_tiny(folder / "target.gguf", Tiny())
    window.opener.load(Pair(target, write_tiny(folder / "draft.gguf", Tiny(seed=2))))
    until_phase(window, Phase.READY)
    window.parts.conversations.open(1)
    window.chat.composer.box.setPlainText("And in words?")
    window.chat.composer.submit()
    until_phase(window, Phase.READY)
    yield "chat"
    window.show_models()
    yield "chooser"
    for page in PAGES:
        window.show_page(page)
        yield page


def _faults(window: Window, scene: str) -> Iterator[str]:
    QTest.qWait(50)
    ratio = window.devicePixelRatioF()
    picture = window.grab()
    wanted = SIZE * ratio
    if picture.devicePixelRatio() != ratio or picture.size() != wanted:
        yield f"{scene}: a picture of {picture.size()} at {picture.devicePixelRatio()}"
    for widget in window.findChildren(QWidget):
        if widget.isVisible():
            for fault in _faults_of(widget, ratio):
                yield f"{scene}: {type(widget).__name__} {fault}"


def _faults_of(widget: QWidget, ratio: float) -> Iterator[str]:
    if isinstance(widget, QLabel):
        if not widget.pixmap().isNull() and widget.pixmap().devicePixelRatio() != ratio:
            yield f"with a picture at {widget.pixmap().devicePixelRatio()}"
        if widget.text() and not _holds(widget):
            yield f"cuts {widget.text()!r}"
    words = _words(widget)
    if widget.fontMetrics().horizontalAdvance(words) > widget.width():
        yield f"cuts {words!r}"
    if hidden := _hidden(widget):
        yield f"reaches out of its place by {hidden}"


def _words(widget: QWidget) -> str:
    """What is written on a button."""
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    if isinstance(widget, QToolButton) and widget.toolButtonStyle() is icon_only:
        return widget.text() if widget.icon().isNull() else ""
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def _holds(label: QLabel) -> bool:
    """Whether a label has room for its words."""
    room = label.contentsRect()
    if label.wordWrap():
        return label.heightForWidth(label.width()) <= label.height()
    if isinstance(label, Text) and label.width() < label.sizeHint().width():
        return label.text() == label.whole_text() or label.toolTip() != ""  # cut, and told
    lines = label.text().split("\n")
    wide = max(map(label.fontMetrics().horizontalAdvance, lines))
    return wide <= room.width() and label.fontMetrics().height() <= room.height()


def _hidden(widget: QWidget) -> str:
    """How far a widget is beyond the edge of one around it that does not scroll."""
    rect, around = widget.rect(), widget
    while (parent := around.parentWidget()) is not None and not around.isWindow():
        if isinstance(parent.parentWidget(), QAbstractScrollArea):
            return ""
        rect = QRect(around.mapToParent(rect.topLeft()), rect.size())
        if not parent.rect().contains(rect):
            return f"{rect.getCoords()} in {parent.rect().getCoords()} of {type(parent).__name__}"
        around = parent
    return ""


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
