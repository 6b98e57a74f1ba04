"""Models that are chosen, dropped, loaded and refused in the window."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from app.cards import Offer
from app.engine_life import Life
from app.pairs import Pair
from app.phases import Phase
from tests.app.windows import OpenWindow, ask, said, trigger, until, until_phase, write
from tests.support.fake_engine import REPLY
from tests.support.tidy import ExpectLog


@pytest.mark.skipif(os.name == "nt", reason="pipes in folders are POSIX's")
def test_pipes_that_are_dropped_hold_nothing_up(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    pipes = [tmp_path / name for name in ("pipe", "pipe.json", "pipe.gguf")]
    for pipe in pipes:
        os.mkfifo(pipe)
    window.open_files(pipes)
    until(lambda: window.chat.cards.card is not None)
    assert "it is not a regular file" in window.chat.cards.card.sentence
    assert window.chat.composer.hint == "pipe.json is not a file."
    window.opener.open_chat(tmp_path / "pipe.json")
    assert "it is not a file" in window.chat.cards.card.sentence


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_a_worker_that_reads_nothing_more_can_be_forced_and_the_window_lives(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window(pair=pair)
    os.kill(window.parts.bridge.pid or 0, signal.SIGSTOP)
    began = time.monotonic()
    write(window, "word " * 40_000)  # more than a pipe holds
    assert time.monotonic() - began < 1
    assert window.parts.session.phase is Phase.REPLYING
    buttons = window.chat.cards.buttons
    until(buttons[Offer.FORCE].isVisible, 8)
    buttons[Offer.FORCE].click()
    until_phase(window, Phase.READY)
    trigger(window, "chat.new")
    ask(window, "Are you there?")
    assert said(window)[-1] == ("assistant", REPLY)


def test_a_dropped_model_is_loaded_and_text_is_attached(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window()
    notes = tmp_path / "notes.txt"
    notes.write_text("milk and eggs")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in (pair.target, notes)])
    enter = QDragEnterEvent(
        QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    drop = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dropEvent(drop)
    until_phase(window, Phase.READY)
    assert window.parts.choices.engine.target == pair.target
    assert [each.name for each in window.chat.composer.attachments] == ["notes.txt"]


@pytest.mark.parametrize(
    ("content", "said_"), [(b"<!DOCTYPE html>", "web page"), (b"GGUF\x03\x00\x00\x00", "damaged")]
)
def test_a_file_that_is_no_model_is_said_and_what_is_loaded_stays(
    open_window: OpenWindow, pair: Pair, tmp_path: Path, content: bytes, said_: str
) -> None:
    window = open_window(pair=pair)
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    window.open_files([path])
    until(lambda: window.chat.cards.card is not None)
    assert said_ in window.chat.cards.card.sentence
    assert Offer.OPEN in window.chat.cards.card.offers
    assert window.parts.session.phase is Phase.READY


def test_a_load_can_be_given_up(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--load", "5")
    window.opener.load(pair)
    until(lambda: window.topbar.loading.bar.value() > 0)
    window.topbar.loading.cancel.click()
    until_phase(window, Phase.EMPTY)
    assert window.chat.cards.card is None
    trigger(window, "models.reload")
    assert window.parts.life.life is Life.LOADING


def test_a_load_that_fails_is_said_with_ways_on(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--fail-load", "LoadFailed")
    window.opener.load(pair)
    until(lambda: window.chat.cards.card is not None)
    assert window.chat.cards.card.offers[:2] == (Offer.OPEN, Offer.RELOAD)
    assert window.parts.session.phase is Phase.EMPTY


def test_a_load_that_fails_is_not_what_the_next_start_loads(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window(pair=pair)
    window.opener.load(Pair(tmp_path / "gone.gguf"))
    until_phase(window, Phase.LOADING)
    until_phase(window, Phase.READY)
    assert "gone.gguf" in window.chat.cards.card.sentence
    assert window.parts.life.pair == pair
    assert window.parts.choices.engine.target == pair.target
    assert window.topbar.pair.target == "Target 1.5B"
    ask(window)
    assert said(window)[-1] == ("assistant", REPLY)


def test_a_refused_draft_is_a_badge_and_plain_chat_works(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--refuse", "the target is SentencePiece, the draft BPE", pair=pair)
    assert window.topbar.badge.isVisible()
    window.topbar.badge.click()
    assert "SentencePiece" in window.chat.cards.card.sentence
    ask(window)
    assert said(window)[-1] == ("assistant", REPLY)
    assert not window.actions_["mode.compare"].isEnabled()


def test_unloading_frees_everything(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    window.parts.life.unload()
    until_phase(window, Phase.EMPTY)
    assert window.topbar.pair.place == "Not loaded"
    trigger(window, "models.reload")
    until_phase(window, Phase.READY)
