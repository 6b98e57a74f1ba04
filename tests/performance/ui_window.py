"""What the whole window costs: its start, long chats, the engine's speed beside it, its memory.

``python -m tests.performance.ui_window [start | long | memory | speed …]``
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

import psutil
from PySide6.QtTest import QTest

from app.history import Store
from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.window import Window
from engine.models import starter
from engine.protocol import Chat, Done, Event, Message, Options, Sampling
from tests.performance.data import Result
from tests.performance.ui import main, timed, until
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny

ROOT = Path(__file__).resolve().parents[2]
STARTS, RUNS = 7, 7
TOKENS = 160
MESSAGES = 2_000
PROMPT = "Write a Python class for a bank account with deposits, withdrawals and a history."

START = """
import sys
from PySide6.QtCore import QTimer
from app import desktop

def usable(window):
    window.grab()  # every widget has been laid out and painted
    sys.stdout.write("usable\\n")
    sys.stdout.flush()
    QTimer.singleShot(0, window.close)

def begin(window, files, begin=desktop.begin):
    begin(window, files)
    QTimer.singleShot(0, lambda: usable(window))

desktop.begin = begin
sys.exit(desktop.open_window(alone=True))
"""


def start() -> Iterator[Result]:
    """Seconds from the process's start to a window that answers, without a model."""
    samples = [_seconds_to_start() for _ in range(STARTS)][1:]  # the first one warms the disk
    yield Result("start to a usable window, no model", samples, at_most=1.0, unit=" s")


def _seconds_to_start() -> float:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", START],
            cwd=ROOT,
            env=_own_folders(folder),
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.readline()
        seconds = time.perf_counter() - began
        process.communicate()
    return round(seconds, 3)


def long() -> Iterator[Result]:
    """A conversation of 2,000 messages: opening it, typing and sending in it."""
    with _window(worker=fake("--pace", "0.05")) as opened:
        window, parts = opened.window, opened.window.parts
        folder = Path(os.environ["FOREWORD_MODELS"])
        folder.mkdir(parents=True)
        window.opener.load(Pair(write_tiny(folder / "tiny.gguf", Tiny())))
        until(lambda: parts.session.phase is Phase.READY, 30)
        number = _write_long_chat(parts.conversations.store)
        opening, sending = [], []
        for _run in range(RUNS):
            parts.conversations.begin()
            QTest.qWait(300)
            opening.append(timed(lambda: parts.conversations.open(number)))
            QTest.qWait(1000)
            sending.append(timed(lambda: _send(window, "And then?")))
            until(lambda: parts.session.phase is Phase.READY, 30)
        name = f"a conversation of {MESSAGES:,} messages"
        yield _milliseconds(f"opening {name}, to the visible part", opening, 300)
        yield _milliseconds(f"the longest block of sending in {name}", sending, 100)


def _send(window: Window, text: str) -> None:
    window.chat.composer.set_draft(text)
    window.chat.composer.submit()


def _milliseconds(measure: str, samples: list[float], at_most: float) -> Result:
    return Result(measure, [round(each, 1) for each in samples], at_most=at_most, unit=" ms")


def speed() -> Iterator[Result]:
    """How much slower the engine writes with the window open and streaming than without it."""
    with _window(_starter_pair()) as opened:
        window = opened.window
        until(lambda: window.parts.session.phase is Phase.READY, 180)
        for name, value in (("temperature", 0.0), ("max_tokens", TOKENS), ("gamma", 3)):
            window.parts.choices.choose(name, value)
        shown, bare = [], []
        for run in range(RUNS + 1):
            pair = _streaming(window), _headless(window)
            if run:  # the first one warms the caches
                shown.append(pair[0])
                bare.append(pair[1])
    losses = [round(100 * (1 - ours / theirs), 2) for ours, theirs in zip(shown, bare, strict=True)]
    said = ", ".join(f"{ours:.2f}/{theirs:.2f}" for ours, theirs in zip(shown, bare, strict=True))
    measure = "loss of tokens/s beside the window"
    yield Result(measure, losses, at_most=4.0, unit=" %", detail=f"tokens/s {said}")


def _streaming(window: Window) -> float:
    """Tokens per second of a reply that is shown as it comes, panel and all."""
    heard: list[Done] = []
    session = window.parts.session
    window.parts.conversations.begin()
    window.show()

    def hear(event: Event) -> None:
        if isinstance(event, Done):
            heard.append(event)

    session.told.connect(hear)
    _send(window, PROMPT)
    until(lambda: session.phase is Phase.READY, 180)
    session.told.disconnect(hear)
    return heard[0].figures.tokens_per_second


def _headless(window: Window) -> float:
    """The same reply with nothing shown of it."""
    window.hide()
    heard: list[Done] = []
    options = Options(gamma=3, sampling=Sampling(temperature=0.0), max_tokens=TOKENS)
    bridge = window.parts.bridge
    number = bridge.send(Chat((Message("user", PROMPT),), options))

    def hear(event: Event) -> None:
        if isinstance(event, Done) and event.id == number:
            heard.append(event)

    bridge.told.connect(hear)
    until(lambda: heard, 180)
    bridge.told.disconnect(hear)
    return heard[0].figures.tokens_per_second


def memory() -> Iterator[Result]:
    """Megabytes of the window's process with a long conversation open and read through."""
    with _window() as opened:
        number = _write_long_chat(opened.window.parts.conversations.store)
        opened.window.parts.conversations.open(number)
        QTest.qWait(500)
        opened.window.chat.transcript.go_to_latest()
        QTest.qWait(2000)
        used = round(psutil.Process().memory_info().rss / 1e6)
    name = f"memory of the window with {MESSAGES:,} messages open"
    yield Result(name, [used], at_most=250, unit=" MB")


def _write_long_chat(store: Store) -> int:
    chance = random.Random(1)
    words = "the draft proposes tokens and the target checks them all in one pass, word by word"
    number = store.create("A long one").id
    for turn in range(MESSAGES // 2):
        store.add(number, "user", " ".join(chance.choices(words.split(), k=20)))
        text = " ".join(chance.choices(words.split(), k=150))
        if turn % 5 == 0:
            text += "\n\n```python\ndef add(a, b):\n    return a + b\n```\n"
        spans = [(at, at + 5, "accepted", 0.91, 0.87) for at in range(0, len(text) - 5, 5)]
        ids = [chance.randrange(150_000) for _ in spans]
        store.add(number, "assistant", text, tokens=ids, sources=spans)
    return number


class _window:  # noqa: N801 (a context manager)
    """A window over folders of its own; with a pair, loading it."""

    def __init__(self, pair: Pair | None = None, worker: list[str] | None = None) -> None:
        self._pair = pair
        self._worker = worker

    def __enter__(self) -> _window:
        self._folder = tempfile.TemporaryDirectory()
        self._environment = patch.dict(os.environ, _own_folders(self._folder.name))
        self._environment.start()
        parts = Parts.assemble(self._worker)
        parts.theme.install()
        self.window = Window(parts)
        self.window.show()
        if self._pair is not None:
            self.window.opener.load(self._pair)
        return self

    def __exit__(self, *_error: object) -> None:
        self.window.close()
        self.window.deleteLater()
        QTest.qWait(50)
        self._environment.stop()
        self._folder.cleanup()


def _own_folders(folder: str) -> dict[str, str]:
    names = ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS")
    own = {f"FOREWORD_{name}": str(Path(folder) / name.lower()) for name in names}
    return {**os.environ, **own}


def _starter_pair() -> Pair:
    target, draft = (starter.installed(file) for file in starter.STARTER_PAIR)
    if target is None or draft is None:
        raise SystemExit("the starter pair is not here yet: foreword models fetch")
    return Pair(target, draft)


if __name__ == "__main__":
    measures = {"start": start, "memory": memory, "long": long, "speed": speed}
    sys.exit(main(MappingProxyType(measures)))
