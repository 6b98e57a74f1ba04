"""What the whole window costs: its start, the engine's speed beside it, its memory.

``python -m tests.performance.ui_window [start | speed | memory …]``
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import MappingProxyType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.history import Store
from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.window import Window
from engine import paths
from engine.models import starter
from engine.protocol import Chat, Done, Event, Message, Options, Sampling

ROOT = Path(__file__).resolve().parents[2]
STARTS, RUNS = 7, 7
TOKENS = 160
MESSAGES = 2_000
PROMPT = "Write a Python class for a bank account with deposits, withdrawals and a history."

START = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
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


@dataclass(frozen=True)
class Measure:
    """A figure of `make bench-ui`, in the unit that its name tells."""

    name: str
    value: float
    at_most: float
    spread: str = ""


def start() -> Iterator[Measure]:
    """Seconds from the process's start to a window that answers, without a model."""
    samples = [_seconds_to_start() for _ in range(STARTS)][1:]  # the first one warms the disk
    yield Measure("start to a usable window, no model (s)", median(samples), 1.0, _span(samples))


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
    return seconds


def speed() -> Iterator[Measure]:
    """How much slower the engine writes with the window open and streaming than without it."""
    with _window(_starter_pair()) as opened:
        window = opened.window
        _until(lambda: window.parts.session.phase is Phase.READY, 180)
        for name, value in (("temperature", 0.0), ("max_tokens", TOKENS), ("gamma", 3)):
            window.parts.choices.choose(name, value)
        shown, bare = [], []
        for run in range(RUNS + 1):
            pair = _streaming(window), _headless(window)
            if run:  # the first one warms the caches
                shown.append(pair[0])
                bare.append(pair[1])
    losses = [100 * (1 - ours / theirs) for ours, theirs in zip(shown, bare, strict=True)]
    said = f"{median(shown):.2f} against {median(bare):.2f} tokens/s; {_span(losses)}"
    yield Measure("loss of tokens/s beside the window (%)", median(losses), 4.0, said)


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
    window.chat.composer.set_draft(PROMPT)
    window.chat.composer.submit()
    _until(lambda: session.phase is Phase.READY, 180)
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
    _until(lambda: heard, 180)
    bridge.told.disconnect(hear)
    return heard[0].figures.tokens_per_second


def memory() -> Iterator[Measure]:
    """Megabytes of the window's process with a long conversation open and read through."""
    with _window() as opened:
        number = _write_long_chat(opened.window.parts.conversations.store)
        opened.window.parts.conversations.open(number)
        QTest.qWait(500)
        opened.window.chat.transcript.go_to_latest()
        QTest.qWait(2000)
        used = psutil.Process().memory_info().rss / 1e6
    yield Measure(f"memory with {MESSAGES:,} messages open (MB)", used, 250)


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

    def __init__(self, pair: Pair | None = None) -> None:
        self._pair = pair

    def __enter__(self) -> _window:
        self._folder = tempfile.TemporaryDirectory()
        os.environ.update(_own_folders(self._folder.name))
        parts = Parts.assemble()
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
        self._folder.cleanup()


def _own_folders(folder: str) -> dict[str, str]:
    names = ("CACHE", "CONFIG", "DATA", "LOGS", "MODELS")
    own = {f"FOREWORD_{name}": str(Path(folder) / name.lower()) for name in names}
    return {**os.environ, **own}


def _starter_pair() -> Pair:
    target, draft = (
        starter.installed(file, paths.models_folder()) for file in starter.STARTER_PAIR
    )
    if target is None or draft is None:
        raise SystemExit("the starter pair is not here yet: foreword models fetch")
    return Pair(target, draft)


def _until(true: Callable[[], object], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        QTest.qWait(10)


def _span(samples: list[float]) -> str:
    return f"{min(samples):.2f} to {max(samples):.2f}, n = {len(samples)}"


SECTIONS: Mapping[str, Callable[[], Iterator[Measure]]] = MappingProxyType(
    {"start": start, "memory": memory, "speed": speed}
)


def main() -> int:
    _application = QApplication.instance() or QApplication([])
    failed = 0
    for name in sys.argv[1:] or SECTIONS:
        for measure in SECTIONS[name]():
            failed += measure.value > measure.at_most
            line = f"{measure.name}: {measure.value:.2f}, at most {measure.at_most:g}"
            sys.stdout.write(f"{line} ({measure.spread})\n" if measure.spread else f"{line}\n")
            sys.stdout.flush()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
