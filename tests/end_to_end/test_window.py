"""The window with the real pair: start, load, chat, compare, stop, a killed worker, close.

Under a display of its own (Xvfb) where there is one to be had, else on Qt's offscreen platform.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.cards import Offer
from app.pairs import Pair
from app.parts import Parts
from app.phases import Mode, Phase
from app.theme import Theme
from app.window import Window
from engine.models import starter
from tests.app.conftest import installed, theme
from tests.app.windows import delete_now, until
from tests.support.tidy import ExpectLog

__all__ = ["installed", "theme"]  # fixtures, found here by name

pytestmark = pytest.mark.real

LONG = 300.0  # seconds that a busy machine may take for a reply

ROOT = Path(__file__).resolve().parents[2]
ON_A_DISPLAY = os.environ.get("QT_QPA_PLATFORM") == "xcb"
HAS_XVFB = shutil.which("Xvfb") is not None


@pytest.fixture(name="pair")
def starter_pair(starter_folder: Path) -> Pair:
    target, draft = (starter_folder / file.name for file in starter.STARTER_PAIR)
    return Pair(target, draft)


@pytest.fixture(name="window")
def loaded_window(qapp: QApplication, installed: Theme, pair: Pair) -> Iterator[Window]:
    window = Window(Parts.assemble())
    window.show()
    window.start()
    assert window.chat.stack.currentWidget() is window.chat.first
    window.parts.choices.choose("max_tokens", 48)
    window.parts.choices.choose("temperature", 0.0)
    window.opener.load(pair)
    until(lambda: window.topbar.loading.bar.value() > 0, LONG)
    until(lambda: window.parts.session.phase is Phase.READY, LONG)
    yield window
    window.close()
    window.deleteLater()
    delete_now()


def write(window: Window, text: str) -> None:
    box = window.chat.composer.box
    box.setPlainText(text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def ask(window: Window, text: str) -> str:
    """A message and its reply to the end."""
    write(window, text)
    until(lambda: window.parts.session.phase is Phase.READY, LONG)
    return window.parts.session.views()[-1].text


@pytest.mark.skipif(ON_A_DISPLAY or not HAS_XVFB, reason="no display can be made, or there is one")
def test_a_person_can_live_in_it_on_a_display(starter_folder: Path) -> None:
    """The test below, in a process whose windows an X server shows."""
    read, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    try:
        with os.fdopen(read) as told:
            display = f":{told.readline().strip()}"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
            cwd=ROOT,
            env={
                **os.environ,
                "QT_QPA_PLATFORM": "xcb",
                "DISPLAY": display,
                "FOREWORD_MODELS": str(starter_folder),
            },
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        server.terminate()
        server.wait(10)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "1 passed" in done.stdout


@pytest.mark.skipif(HAS_XVFB and not ON_A_DISPLAY, reason="it runs on a display, above")
def test_a_person_can_live_in_it(window: Window, expect_log: ExpectLog, tmp_path: Path) -> None:
    expect_log("The worker died")
    session, panel = window.parts.session, window.panel
    assert window.topbar.pair.target == "Qwen2.5 Coder 1.5B"
    assert session.can_speculate

    # Two turns, the second with the first in mind.
    session.choose_gamma(3)
    assert "def " in ask(window, "Write a Python function that adds two numbers. Code only.")
    assert panel.facts.run.figures.drafted > 0
    reply = session.views()[-1]
    assert reply.figures is not None
    assert reply.figures["acceptance_rate"] > 0
    assert len(reply.sources or ()) > 10
    assert ask(window, "Now one that multiplies them. Code only.")
    assert session.views()[-1].figures["prompt_reused"] > 0
    until(window.chat.composer.meter.isVisible)

    # Both ways, side by side; the plain one is kept.
    session.choose_mode(Mode.COMPARE)
    ask(window, "And one that divides them. Code only.")
    assert window.chat.stack.currentWidget() is window.chat.compare
    assert session.contest is not None
    assert session.contest.replies["plain"].text
    window.grab().save(str(tmp_path / "compare.png"))
    session.keep("plain")
    assert panel.facts.plain_speed is not None
    session.choose_mode(Mode.SPECULATIVE)

    # Stop in the middle of a long prompt.
    write(window, "Summarise this: " + "the quick brown fox jumps over the lazy dog. " * 300)
    until(lambda: session.phase is Phase.REPLYING)
    QTest.qWait(700)
    began = time.monotonic()
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Escape)
    assert session.phase is Phase.STOPPING
    assert time.monotonic() - began < 0.05
    until(lambda: session.phase is Phase.READY)
    assert time.monotonic() - began < 2.0  # 0.5 on a machine of one's own
    assert session.views()[-1].state == "stopped"

    # The worker is killed in mid-reply: what is written stays, and reloading goes on.
    window.parts.conversations.begin()
    window.parts.choices.choose("max_tokens", 400)
    write(window, "Tell a long story about a lighthouse.")
    until(lambda: len(session.views()[-1].text) > 40, LONG)
    psutil.Process(window.parts.bridge.pid).kill()
    until(lambda: session.phase is Phase.LOST)
    kept = session.views()[-1]
    assert kept.state == "lost"
    assert len(kept.text) > 40
    assert window.chat.cards.isVisible()
    window.chat.cards.buttons[Offer.RELOAD].click()
    until(lambda: session.phase is Phase.READY, LONG)
    window.parts.edits.go_on(kept.id)
    until(lambda: len(session.views()[-1].text) > len(kept.text) + 20, LONG)

    # Closed in mid-reply: it is kept, and every process ends.
    pid = window.parts.bridge.pid
    before = session.views()[-1].text
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)
    again = Parts.assemble()
    found = again.conversations.store.entry(kept.id)
    assert found.content.startswith(before)
    assert found.state == "stopped"
    again.close()
