"""A transcript and a composer on an invisible screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.chat.composer import Composer
from app.chat.model import EntryView
from app.chat.transcript import Transcript
from app.theme import Theme
from engine.protocol import Piece, Source, Token

Shown = Callable[..., Transcript]
"""A transcript with these messages, on the screen: ("user", "text") or an `EntryView` each."""

Say = Callable[..., None]
"""Writes texts into a reply, a token each, and shows them."""


@pytest.fixture(autouse=True)
def _in_english(english: None) -> None:
    """Numbers as the tests expect them."""


@pytest.fixture
def shown(qtbot: QtBot, installed: Theme) -> Iterator[Shown]:
    made: list[Transcript] = []

    def show(*entries: EntryView | tuple[str, str]) -> Transcript:
        transcript = Transcript(installed)
        qtbot.addWidget(transcript)
        made.append(transcript)
        transcript.resize(700, 500)
        transcript.show()
        transcript.show_entries([entry_of(n, entry) for n, entry in enumerate(entries, 1)])
        return transcript

    yield show
    for transcript in made:
        transcript.hide()


def entry_of(number: int, entry: EntryView | tuple[str, str]) -> EntryView:
    return entry if isinstance(entry, EntryView) else EntryView(number, *entry)


@pytest.fixture
def say() -> Say:
    counts: dict[int, int] = {}

    def write(transcript: Transcript, entry: int, *texts: str, source: str = "accepted") -> None:
        for text in texts:
            number = counts.get(entry, 0)
            counts[entry] = number + 1
            token = Token(number, Source(source), 0.62, None if source == "bonus" else 0.91)
            transcript.write(entry, [Piece(text, number)], [token])
        transcript.flush()

    return write


@pytest.fixture
def composer(qtbot: QtBot, installed: Theme) -> Iterator[Composer]:
    composer = Composer(installed)
    qtbot.addWidget(composer)
    composer.resize(700, 200)
    composer.show()
    composer.focus()
    yield composer
    composer.hide()
