"""The speed of the chat on the screen, measured without one.

``python -m tests.performance.ui_chat``. A frame is everything from the text's arrival to the last
pixel.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from types import MappingProxyType

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QWidget

from app.chat.composer import Composer
from app.chat.model import EntryView
from app.chat.transcript import Transcript
from app.theme import Theme
from engine.protocol import Piece, Source, Token
from tests.performance.data import Result
from tests.performance.ui import main, timed

SENTENCE = (
    "the draft proposes some tokens and the target checks them all in one pass so that a reply "
    "comes sooner while every word of it is still its own `code` **bold** 42 speculative"
)
WORDS = SENTENCE.split()
SOURCES = (Source.ACCEPTED, Source.ACCEPTED, Source.CORRECTED, Source.BONUS)
TOKENS_PER_SECOND = 200
FRAME_SECONDS = 0.033
_COLUMNS = 6  # of a table


def measure() -> Iterator[Result]:
    """All of them, one after the other. Needs a QApplication."""
    theme = Theme("light")
    theme.install()
    frames = stream(theme, messages=300, tokens=3_000)
    yield _result("a frame, streaming 200 tokens/s into 300 messages, p99", p99(frames), 33)
    line, lines = "x" * 200_000, "\n".join(f"line {n}" for n in range(20_000))
    yield _result("a pasted line of 200,000 characters", paste(theme, line), 200)
    yield _result("a paste of 20,000 lines", paste(theme, lines), 300)
    yield _result("a frame, streaming 400 lines of code, the longest", max(code(theme, 400)), 50)
    tinted = stream(theme, messages=300, tokens=1_500, tint=True)
    yield _result("a frame, streaming with the tint on, p99", p99(tinted), 33)


def _result(measure: str, milliseconds: float, at_most: float) -> Result:
    return Result(measure, [round(milliseconds, 2)], at_most=at_most, unit=" ms")


def stream(theme: Theme, *, messages: int, tokens: int, tint: bool = False) -> list[float]:
    """The frames of a reply of prose, lists, code and tables, in milliseconds."""
    pieces = [f" {word}" for word in _markdown_words(tokens)]
    return _frames(theme, conversation(messages), pieces, tint=tint)


def code(theme: Theme, lines: int) -> list[float]:
    """The frames of a fence that is never closed, in milliseconds."""
    text = "```python\n" + "".join(
        f"    value_{n} = compute({n}, 'text {n}')  # step {n}\n" for n in range(lines)
    )
    pieces = [text[at : at + 4] for at in range(0, len(text), 4)]
    return _frames(theme, conversation(4), pieces)


def paste(theme: Theme, text: str) -> float:
    """Milliseconds until a paste is on the screen."""
    composer = _shown(Composer(theme))
    data = QMimeData()
    data.setText(text)
    try:
        return timed(lambda: composer.box.insertFromMimeData(data))
    finally:
        _gone(composer)


def conversation(messages: int) -> list[EntryView]:
    """A conversation of questions and replies of some 1,500 characters, always the same."""
    chance = random.Random(1)
    entries = []
    for n in range(messages):
        words = chance.choices(WORDS, k=250 if n % 2 else 20)
        text = " ".join(words[:100]) + "\n\n- " + "\n- ".join(" ".join(words[at : at + 10])
            for at in range(100, len(words), 10)) if n % 2 else " ".join(words)  # fmt: skip
        if n % 6 == 1:
            text += "\n\n```python\nfor i in range(10):\n    print(i)  # counted\n```\n"
        entries.append(EntryView(n + 1, "assistant" if n % 2 else "user", text))
    return entries


def p99(samples: list[float]) -> float:
    """The sample that one in a hundred exceeds."""
    return sorted(samples)[max(0, round(0.99 * len(samples)) - 1)]


def _markdown_words(count: int) -> Iterator[str]:
    chance = random.Random(2)
    for n in range(count):
        if n % 400 == 200:
            yield "\n\n```python\nfor i in range(3):\n    print(i)\n```\n\n"
        elif n % 1000 == 700:
            yield from _table(chance, rows=30)
        elif n % 60 == 59:
            yield "\n\n"
        elif n % 60 in (20, 30, 40):
            yield "\n- item"
        else:
            yield chance.choice(WORDS)


def _table(chance: random.Random, rows: int) -> Iterator[str]:
    yield "\n\n" + "| head " * _COLUMNS + "|\n" + "| --- " * _COLUMNS + "|\n"
    for _row in range(rows):
        yield from (f"| {chance.choice(WORDS)}" for _cell in range(_COLUMNS))
        yield "|\n"
    yield "\n"


def _frames(
    theme: Theme, entries: list[EntryView], pieces: list[str], *, tint: bool = False
) -> list[float]:
    transcript = _shown(Transcript(theme))
    reply = len(entries) + 1
    transcript.show_entries([*entries, EntryView(reply, "assistant", "", "writing")])
    transcript.set_tint(tint)
    transcript.begin_reply(reply)
    _settle()
    a_frame = round(TOKENS_PER_SECOND * FRAME_SECONDS)
    samples = []
    for at in range(0, len(pieces), a_frame):
        batch = pieces[at : at + a_frame]
        arrived = [Piece(text, at + n) for n, text in enumerate(batch)]
        tokens = [Token(n, SOURCES[n % 4], 0.6, 0.7) for n in range(len(batch))]
        samples.append(timed(lambda: _write(transcript, reply, arrived, tokens)))  # noqa: B023
        _idle(FRAME_SECONDS / 4, samples)
    _gone(transcript)
    return samples


def _write(transcript: Transcript, reply: int, pieces: list[Piece], tokens: list[Token]) -> None:
    transcript.write(reply, pieces, tokens)
    transcript.flush()


def _idle(seconds: float, samples: list[float]) -> None:
    """Let timers run between two frames; what they take counts as a frame of its own."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        QApplication.processEvents()
        samples.append(1000 * (time.perf_counter() - began))
        time.sleep(0.001)
    # Turns of the loop in which nothing happened are no frames.
    samples[:] = [sample for sample in samples if sample > 0.3]


def _settle(seconds: float = 0.5) -> None:
    _idle(seconds, [])


def _shown(widget: QWidget) -> QWidget:
    widget.resize(820, 860)
    widget.show()
    _settle(0.1)
    return widget


def _gone(widget: QWidget) -> None:
    widget.close()
    widget.deleteLater()
    _settle(0.05)


if __name__ == "__main__":
    sys.exit(main(MappingProxyType({"chat": measure})))
