"""``python -m tests.screenshots [folder]``: pictures of the window for docs/images.

A scripted conversation with the real engine and the starter pair; every scene in light and dark, at
one and at two pixels a point. Each picture is what the window paints, without a frame around it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.history import Store
from app.languages import speak
from app.pairs import Pair
from app.parts import Parts
from app.phases import Mode, Phase
from app.window import Window
from engine import paths
from engine.models import starter

SIZE = QSize(1280, 820)
SCALES = (1, 2)
THEMES = ("light", "dark")

QUESTION = "Write a Python function that parses an ISO 8601 date without libraries."
SECOND = "Now write three tests for it with pytest."
EARLIER = (
    ("Why is the sky blue?", "Because air scatters short waves more than long ones."),
    ("Supper from eggs, rice and spinach", "Fry the rice, fold in spinach, top with the eggs."),
    ("Merge overlapping intervals in Rust", "Sort by start, then fold."),
)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pair = _starter_pair()
    for name in ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS"):
        os.environ[f"FOREWORD_{name}"] = str(Path(tempfile.mkdtemp()) / name.lower())
    application = QApplication(sys.argv[:1])
    speak(application, "en")  # whatever the system speaks
    _write_earlier_chats()
    parts = Parts.assemble()
    parts.theme.install()
    window = Window(parts)
    window.resize(SIZE)
    window.show()
    try:
        for scene in _scenes(window, pair):
            _take(window, folder, scene)
    finally:
        window.close()
        application.processEvents()


def _scenes(window: Window, pair: Pair) -> Iterator[str]:
    """The script: whenever it yields, the window shows the scene of that name."""
    parts, session = window.parts, window.parts.session
    window.start()
    _until(lambda: parts.models.surveyor.is_done, 60)
    yield "first-start"
    window.models.show_page("suiting")
    _until(lambda: _is_said(window, "BEST FOR THIS COMPUTER"), 60)
    yield "models"
    window.show_chat()
    parts.choices.choose("temperature", 0.0)
    parts.choices.choose("gamma", 3)
    parts.choices.choose("max_tokens", 220)
    window.opener.load(pair)
    _until(lambda: session.phase is Phase.READY, 180)
    _ask(window, QUESTION)
    _wait_for_text(window, 420)
    yield "live-panel"
    _until(lambda: session.phase is Phase.READY, 180)
    parts.choices.choose("tint", True)
    yield "words"
    parts.choices.choose("tint", False)
    session.choose_mode(Mode.COMPARE)
    _ask(window, SECOND)
    _until(lambda: session.phase is Phase.READY, 300)
    yield "compare"
    session.keep("speculative")
    session.choose_mode(Mode.SPECULATIVE)
    parts.choices.choose("temperature", 0.8)
    parts.edits.regenerate(session.views()[-1].id)  # a second version, by which to page
    _until(lambda: session.phase is Phase.READY, 180)
    _until(lambda: not window.chat.undo_bar.isVisible(), 60)  # its offer has run out
    yield "chat"
    parts.choices.choose("temperature", 0.0)
    tuner = window.tuning.tuner
    tuner.begin()
    _until(lambda: not tuner.is_measuring, 300)
    window.tuning.show_page()
    yield "curve"
    window.show_chat()
    _ask(window, "And explain the parser in two paragraphs.")
    _wait_for_text(window, 160)
    parts.bridge.kill()
    _until(lambda: session.phase is Phase.LOST, 10)
    yield "error"


def _take(window: Window, folder: Path, scene: str) -> None:
    for theme in THEMES:
        window.parts.choices.choose("theme", theme)
        _settle()
        for scale in SCALES:
            name = f"{scene}-{theme}{'@2x' if scale == 2 else ''}.png"
            if not _picture(window, scale).save(str(folder / name)):
                raise OSError(f"{folder / name} cannot be written")
            sys.stdout.write(f"{name}\n")


def _picture(window: Window, scale: int) -> QPixmap:
    picture = QPixmap(window.size() * scale)
    picture.setDevicePixelRatio(scale)
    window.render(picture, QPoint())
    return picture


def _ask(window: Window, text: str) -> None:
    window.chat.composer.set_draft(text)
    window.chat.composer.submit()


def _wait_for_text(window: Window, length: int) -> None:
    _until(lambda: len(window.parts.session.views()[-1].text) >= length, 180)


def _is_said(window: Window, words: str) -> bool:
    return any(each.isVisible() and each.text() == words for each in window.findChildren(QLabel))


def _until(true: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError("the scene did not come about")
        QTest.qWait(20)


def _settle() -> None:
    """Let everything that was put off be painted."""
    for _ in range(8):
        QTest.qWait(100)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _write_earlier_chats() -> None:
    with Store(paths.data_folder() / "conversations.db") as store:
        for question, answer in EARLIER:
            number = store.create().id
            store.add(number, "user", question)
            store.add(number, "assistant", answer)


def _starter_pair() -> Pair:
    target, draft = (starter.installed(file) for file in starter.STARTER_PAIR)
    if target is None or draft is None:
        raise SystemExit("the starter pair is not here yet: foreword models fetch")
    return Pair(target, draft)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/images"))
