"""The window as a person uses it, over a fake engine in a process of its own."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QFileDialog,
    QLineEdit,
    QTextEdit,
    QWidget,
)

from app.cards import Offer
from app.chat.model import Attachment
from app.engine_life import Life
from app.pairs import Pair
from app.parts import Parts
from app.phases import Mode, Phase
from app.theme import Theme
from app.window import Window
from engine.errors import HistoryUnsaved
from engine.models import starter
from tests.app.windows import delete_now, until, until_phase
from tests.support.fake_engine import REPLY, fake
from tests.support.tidy import ExpectLog
from tests.support.tiny_models import Tiny, write_tiny

OpenWindow = Callable[..., Window]

SLOW = ("--pace", "0.02", "--repeat", "20")
CODE_WORDS = "def add"


@pytest.fixture(name="pair")
def model_files(own_folders: Path) -> Pair:
    folder = own_folders / "models"
    folder.mkdir(parents=True, exist_ok=True)
    target = write_tiny(folder / "target.gguf", Tiny())
    return Pair(target, write_tiny(folder / "draft.gguf", Tiny(seed=2)))


@pytest.fixture(name="open_window")
def windows(qapp: QApplication, installed: Theme) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def open_window(*options: str, pair: Pair | None = None) -> Window:
        window = Window(Parts.assemble(fake(*options)))
        opened.append(window)
        window.show()
        if pair is not None:
            window.opener.load(pair)
            until_phase(window, Phase.READY)
        return window

    yield open_window
    for window in opened:
        window.close()
        window.deleteLater()
    delete_now()
    left = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    assert left == []


def write(window: Window, text: str) -> None:
    """Type a message and press Enter."""
    box = window.chat.composer.box
    box.setFocus()
    box.setPlainText(text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def ask(window: Window, text: str = "Hello") -> None:
    """A message, and its reply to the end."""
    write(window, text)
    until_phase(window, Phase.READY)


def said(window: Window) -> list[tuple[str, str]]:
    """What the transcript shows."""
    window.chat.transcript.flush()
    return [(row.entry.role, row.text) for row in window.chat.transcript._rows]


def state(window: Window) -> str:
    return str(window.parts.session.views()[-1].state)


def trigger(window: Window, command: str) -> None:
    action = window.actions_[command]
    assert action.isEnabled(), command
    action.trigger()


# Coming up ---------------------------------------------------------------------------------------


def test_without_models_it_offers_some(open_window: OpenWindow) -> None:
    window = open_window()
    window.start()
    assert window.chat.stack.currentWidget() is window.chat.first
    assert not window.chat.composer.isVisible()
    assert window.parts.bridge.pid is None
    window.grab()


def test_a_file_dropped_on_the_first_page_that_is_no_model_is_told_as_one(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window()
    window.start()
    path = tmp_path / "model.safetensors"
    header = b'{"weight":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}'
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    window.open_files([path])
    until(lambda: window.chat.cards.card is not None)
    assert "it is a safetensors file" in window.chat.cards.card.sentence
    assert window.chat.cards.isVisible()


def test_text_dropped_on_the_first_page_waits_for_the_first_message(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window()
    window.start()
    notes = tmp_path / "notes.txt"
    notes.write_text("milk")
    window.open_files([notes])
    assert window.chat.cards.card.sentence.startswith("notes.txt goes with your first message")
    assert [each.name for each in window.chat.composer.attachments] == ["notes.txt"]


def test_the_pair_used_last_is_loaded_by_itself(open_window: OpenWindow, pair: Pair) -> None:
    open_window(pair=pair).close()
    window = open_window()
    window.start()
    assert window.parts.life.life is Life.LOADING
    until_phase(window, Phase.READY)
    assert window.topbar.pair.target == "Target 1.5B"
    assert window.chat.stack.currentWidget() is window.chat.transcript


def test_a_model_that_went_away_is_said_and_the_starter_pair_taken(
    open_window: OpenWindow, own_folders: Path
) -> None:
    folder = own_folders / "models"
    folder.mkdir(parents=True)
    for file in starter.STARTER_PAIR:
        with open(folder / file.name, "wb") as sparse:
            sparse.truncate(file.size)
    window = open_window()
    window.parts.choices.choose("target", folder / "gone.gguf")
    window.start()
    until_phase(window, Phase.READY)
    card = window.chat.cards.card
    assert card is not None
    assert "gone.gguf" in card.sentence


def test_a_damaged_database_is_set_aside_and_said(
    open_window: OpenWindow, own_folders: Path, pair: Pair
) -> None:
    data = own_folders / "data"
    data.mkdir(parents=True)
    (data / "conversations.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    window = open_window()
    window.start()
    card = window.chat.cards.card
    assert card is not None
    assert "set aside" in card.sentence
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    ask(window)
    assert len(said(window)) == 2


def test_settings_with_nonsense_are_said_and_the_rest_holds(
    open_window: OpenWindow, own_folders: Path
) -> None:
    config = own_folders / "config"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text('n_ctx = "many"\nthreads = 3\n')
    window = open_window()
    window.start()
    card = window.chat.cards.card
    assert card is not None
    assert "n_ctx" in card.sentence
    assert window.parts.choices.engine.threads == 3


# Chatting ----------------------------------------------------------------------------------------


def test_settings_that_cannot_be_saved_are_said_whatever_changed_them(
    open_window: OpenWindow, own_folders: Path
) -> None:
    own_folders.mkdir(exist_ok=True)
    (own_folders / "config").write_text("in the way of a folder")
    window = open_window()
    trigger(window, "view.larger")
    card = window.chat.cards.card
    assert card is not None
    assert "cannot be saved" in card.sentence
    assert window.theme.scale > 1


def test_a_message_is_answered_and_its_figures_stand_under_it(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(pair=pair)
    ask(window, "Write a function")
    assert said(window) == [("user", "Write a function"), ("assistant", REPLY)]
    row = window.chat.transcript._rows[-1]
    assert "tokens/s" in row.footer()
    assert "% accepted" in row.footer()
    assert window.windowTitle() == "Write a function – Foreword"
    assert window.panel.facts.run.figures.tokens > 0
    window.grab()


def test_what_is_typed_while_loading_is_kept_and_sent_later(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--load", "0.3")
    window.opener.load(pair)
    write(window, "Too early")
    assert window.chat.composer.text == "Too early"
    until_phase(window, Phase.READY)
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Return)
    assert window.chat.composer.text == ""
    until_phase(window, Phase.READY)
    assert said(window)[0] == ("user", "Too early")


def test_sending_twice_quickly_sends_once_and_loses_nothing(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, pair=pair)
    write(window, "One")
    write(window, "Two")
    assert window.chat.composer.text == "Two"
    trigger(window, "reply.stop")
    until_phase(window, Phase.READY)
    assert [text for role, text in said(window) if role == "user"] == ["One"]


def test_stop_is_seen_at_once_and_the_engine_is_idle_soon(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--prompt", "5", pair=pair)
    write(window, "A long prompt")
    until(lambda: "prompt" in window.chat.transcript._rows[-1].status)
    began = time.monotonic()
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Escape)
    assert window.parts.session.phase is Phase.STOPPING
    assert time.monotonic() - began < 0.05
    assert not window.actions_["reply.regenerate"].isEnabled()
    until_phase(window, Phase.READY)
    assert time.monotonic() - began < 0.5
    assert state(window) == "stopped"


def test_the_window_lives_while_a_prompt_is_read(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--prompt", "0.6", pair=pair)
    ticks: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    timer.start()
    ask(window)
    timer.stop()
    gaps = [later - earlier for earlier, later in pairwise(ticks)]
    assert max(gaps) < 0.3  # 0.1 on a machine of one's own


def test_a_reply_is_written_anew_edited_and_gone_on_with(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "First.", "--reply", "Second.", "--reply", "Third.", pair=pair)
    ask(window, "Hello")
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]
    window.chat.transcript.edit.emit(window.parts.session.views()[0].id, "Good day")
    until_phase(window, Phase.READY)
    assert said(window) == [("user", "Good day"), ("assistant", "Third.")]
    trigger(window, "edit.undo-delete")
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]


def test_versions_are_paged_through_by_keys_from_the_message_box(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "First.", "--reply", "Second.", pair=pair)
    ask(window, "Hello")
    earlier, later = window.actions_["reply.earlier"], window.actions_["reply.later"]
    assert (earlier.isEnabled(), later.isEnabled()) == (False, False)
    trigger(window, "reply.regenerate")
    assert (earlier.isEnabled(), later.isEnabled()) == (False, False)
    until_phase(window, Phase.READY)
    assert (earlier.isEnabled(), later.isEnabled()) == (True, False)
    box = window.chat.composer.box
    box.setPlainText("one two")
    box.setFocus()
    alt = Qt.KeyboardModifier.AltModifier
    QTest.keyClick(box, Qt.Key.Key_Comma, alt)
    assert said(window) == [("user", "Hello"), ("assistant", "First.")]
    assert (earlier.isEnabled(), later.isEnabled()) == (False, True)
    QTest.keyClick(box, Qt.Key.Key_Period, alt)
    assert said(window) == [("user", "Hello"), ("assistant", "Second.")]
    assert (box.toPlainText(), box.hasFocus()) == ("one two", True)


def test_while_a_comparison_is_shown_there_is_nothing_to_page_through(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(pair=pair)
    ask(window, "Hello")
    window.parts.session.choose_mode(Mode.COMPARE)
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert window.chat.stack.currentWidget() is window.chat.compare
    assert not window.actions_["reply.earlier"].isEnabled()
    window.parts.session.keep("plain")
    assert window.actions_["reply.earlier"].isEnabled()
    window.show_page("settings")
    assert not window.actions_["reply.earlier"].isEnabled()


def test_a_stopped_reply_goes_on(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--reply", "word ", "--repeat", "40", "--pace", "0.02", pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    trigger(window, "reply.stop")
    until_phase(window, Phase.READY)
    begun = said(window)[-1][1]
    trigger(window, "reply.continue")
    until(lambda: len(said(window)[-1][1]) > len(begun) + 20)
    until_phase(window, Phase.READY)
    assert said(window)[-1][1].startswith(begun)
    assert len(said(window)) == 2
    assert state(window) == "complete"


def test_a_message_is_deleted_and_had_back(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window)
    window.chat.transcript.delete.emit(window.parts.session.views()[0].id)
    assert [role for role, _text in said(window)] == ["assistant"]
    assert window.chat.undo_bar.isVisible()
    window.chat.undo_bar.button.click()
    assert [role for role, _text in said(window)] == ["user", "assistant"]


def test_markup_is_shown_as_it_was_written(open_window: OpenWindow, pair: Pair) -> None:
    reply = "<script>alert(1)</script> and <style> unclosed"
    window = open_window("--reply", reply, pair=pair)
    ask(window, "<this could be HTML>")
    assert said(window) == [("user", "<this could be HTML>"), ("assistant", reply)]
    window.grab()


def test_a_prompt_that_is_too_long_comes_back_with_both_numbers(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window()
    window.parts.choices.choose("n_ctx", 64)
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    long = "word " * 100
    ask(window, long)
    assert window.chat.composer.text == long.strip()
    assert said(window) == []
    card = window.chat.cards.card
    assert card is not None
    assert "64" in card.sentence
    assert "100" in card.sentence


@pytest.mark.parametrize("error", ["DecodeFailed", "BrokenLogits", "ContextFailed"])
def test_an_error_is_one_card_and_the_chat_goes_on(
    open_window: OpenWindow, pair: Pair, error: str
) -> None:
    window = open_window("--fail", error, pair=pair)
    ask(window)
    card = window.chat.cards.card
    assert card is not None
    assert window.chat.cards.isVisible()
    assert said(window)[0] == ("user", "Hello")
    window.chat.cards.close_button.click()
    assert not window.chat.cards.isVisible()
    window.grab()


# Conversations -----------------------------------------------------------------------------------


def test_switching_in_mid_reply_lets_it_finish_in_its_own(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--pace", "0.02", "--repeat", "3", pair=pair)
    write(window, "First")
    until(lambda: CODE_WORDS in said(window)[-1][1])
    first = window.parts.conversations.current
    trigger(window, "chat.new")
    assert said(window) == []
    until(lambda: window.parts.session.views() == [])
    window.parts.conversations.open(first.id)
    shown = said(window)[-1][1]
    assert CODE_WORDS in shown
    until_phase(window, Phase.READY)
    assert said(window)[-1] == ("assistant", REPLY * 3)
    shown_spans = window.chat.transcript._rows[-1].spans
    assert [tuple(span) for span in shown_spans[-5:]] == window.parts.session.views()[-1].sources[
        -5:
    ]


def test_what_is_typed_waits_with_its_conversation(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    first = window.parts.conversations.current
    window.chat.composer.box.setPlainText("half a thought")
    trigger(window, "chat.new")
    assert window.chat.composer.text == ""
    window.parts.conversations.open(first.id)
    assert window.chat.composer.text == "half a thought"
    window.close()
    assert open_window().parts.conversations.store.conversation(first.id).draft == "half a thought"


def test_a_message_that_was_not_sent_is_there_at_the_next_start(open_window: OpenWindow) -> None:
    window = open_window()
    window.chat.composer.box.setPlainText("half a thought")
    window.chat.composer.attach(Attachment("notes.txt", "milk"))
    window.close()
    again = open_window()
    assert again.chat.composer.text == "half a thought"
    assert again.chat.composer.attachments == [Attachment("notes.txt", "milk")]


def test_what_was_sent_does_not_come_back(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    window.chat.composer.attach(Attachment("notes.txt", "milk"))
    ask(window, "What is this?")
    trigger(window, "chat.new")
    assert (window.chat.composer.text, window.chat.composer.attachments) == ("", [])


def test_a_chat_is_deleted_from_the_list_and_had_back(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    first = window.parts.conversations.current
    window.sidebar.deleted.emit(first.id)
    assert said(window) == []
    assert window.sidebar._stack.currentWidget() is window.sidebar._empty
    trigger(window, "edit.undo-delete")
    assert said(window)[0] == ("user", "First")


def test_f2_changes_the_title_that_the_keyboard_is_on(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    trigger(window, "chat.new")
    ask(window, "Second")
    for title in ("Newest", "Oldest"):
        trigger(window, "chat.rename")
        editor = window.sidebar.list.findChild(QLineEdit)
        QTest.keyClicks(editor, title)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        until(lambda: not window.sidebar.list.is_renaming)
        delete_now()
        QTest.keyClick(window.sidebar.list, Qt.Key.Key_Down)
    listed = window.parts.conversations.store.conversations()
    assert [each.title for each in listed] == ["Newest", "Oldest"]


def test_a_chat_is_deleted_while_a_model_is_loading(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--load", "0.4", pair=pair)
    ask(window, "First")
    window.opener.reload()
    trigger(window, "chat.delete")
    assert window.parts.life.life is Life.LOADING
    until_phase(window, Phase.READY)


def test_a_search_leads_to_the_message(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "Tell me about lighthouses")
    trigger(window, "chat.new")
    trigger(window, "chat.search")
    window.sidebar.search.setText("lighthouses")
    QTest.keyClick(window.sidebar.search, Qt.Key.Key_Return)
    QTest.keyClick(window.sidebar.list, Qt.Key.Key_Down)
    QTest.keyClick(window.sidebar.list, Qt.Key.Key_Return)
    assert said(window)[0] == ("user", "Tell me about lighthouses")


def test_a_chat_goes_out_and_comes_back(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    current = window.parts.conversations.current
    as_json, as_markdown = tmp_path / "a.json", tmp_path / "a.md"
    window.opener.write_chat(current.id, as_json, as_markdown=False)
    window.opener.write_chat(current.id, as_markdown, as_markdown=True)
    assert "First" in as_markdown.read_text()
    window.open_files([as_json])
    assert window.parts.conversations.current.id != current.id
    assert said(window)[0] == ("user", "First")


@pytest.mark.parametrize("as_markdown", [True, False])
def test_an_export_holds_what_the_disk_refused(
    open_window: OpenWindow,
    pair: Pair,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    as_markdown: bool,
) -> None:
    def refuse(*_entry: object, **_changes: object) -> None:
        raise HistoryUnsaved(path="/full", reason="no space left")

    window = open_window(pair=pair)
    monkeypatch.setattr(window.parts.conversations.store, "update", refuse)
    ask(window, "First")
    assert "export what you need" in window.chat.cards.card.sentence
    current = window.parts.conversations.current
    window.opener.write_chat(current.id, tmp_path / "chat", as_markdown=as_markdown)
    monkeypatch.undo()
    assert CODE_WORDS in (tmp_path / "chat").read_text()


def test_a_place_that_cannot_be_written_is_said(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    number = window.parts.conversations.current.id
    window.opener.write_chat(number, tmp_path / "no" / "a.md", as_markdown=True)
    assert "cannot be written" in window.chat.cards.card.sentence


def test_a_file_that_is_no_chat_is_said(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    path = tmp_path / "chat.json"
    path.write_text('{"foreword": "nonsense"}')
    window.opener.open_chat(path)
    assert window.chat.cards.card.code == "bad-import"
    window.opener.open_chat(tmp_path / "gone.json")
    assert window.chat.cards.card.code == "file-unreadable"


# Models ------------------------------------------------------------------------------------------


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


# The engine's death ------------------------------------------------------------------------------


def test_death_in_mid_reply_keeps_it_and_reload_goes_on(
    open_window: OpenWindow, pair: Pair, tmp_path: Path, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    once = ("--die-once", str(tmp_path / "died"))
    words = "terminate called after throwing an instance of 'std::bad_alloc'"
    window = open_window("--die-after", "3", *once, "--last-words", words, pair=pair)
    write(window, "Hello")
    until_phase(window, Phase.LOST)
    assert said(window)[-1][1].startswith("Here is a small")
    assert state(window) == "lost"
    card = window.chat.cards.card
    assert card is not None
    assert "memory" in card.sentence
    assert window.chat.cards.isVisible()
    window.chat.cards.buttons[Offer.DETAILS].click()
    assert "bad_alloc" in QApplication.clipboard().text()
    window.chat.cards.buttons[Offer.RELOAD].click()
    until_phase(window, Phase.READY)
    assert not window.chat.cards.isVisible()
    trigger(window, "reply.regenerate")
    until_phase(window, Phase.READY)
    assert said(window)[-1] == ("assistant", REPLY)


def test_a_worker_that_ends_while_idle_is_started_again_once(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window(pair=pair)
    for _ in range(2):
        window.parts.bridge.kill()
        until(lambda: window.parts.session.phase is not Phase.READY)
        until(lambda: window.parts.session.phase in (Phase.READY, Phase.LOST))
    assert window.parts.session.phase is Phase.LOST
    assert Offer.RELOAD in window.chat.cards.card.offers


def test_a_worker_that_does_not_stop_can_be_forced(
    open_window: OpenWindow, pair: Pair, expect_log: ExpectLog
) -> None:
    expect_log("The worker died")
    window = open_window("--stubborn", "--pace", "0.05", "--repeat", "100", pair=pair)
    window.parts.life._overdue.setInterval(100)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 10)
    trigger(window, "reply.stop")
    until(lambda: window.chat.cards.card is not None)
    window.chat.cards.buttons[Offer.FORCE].click()
    until_phase(window, Phase.LOADING)
    until_phase(window, Phase.READY)
    assert state(window) == "stopped"
    assert not window.chat.cards.isVisible()


# Comparing ---------------------------------------------------------------------------------------


def test_a_comparison_takes_the_place_of_the_chat_until_one_is_kept(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--part-at", "5", "--pace", "0.005", "--plain-pace", "0.005", pair=pair)
    trigger(window, "mode.compare")
    ask(window)
    assert window.chat.stack.currentWidget() is window.chat.compare
    window.grab()
    window.chat.compare.keep.emit("plain")
    assert window.chat.stack.currentWidget() is window.chat.transcript
    assert "otherwise now." in said(window)[-1][1]


def test_writing_on_after_a_comparison_keeps_the_speculative_reply(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--part-at", "5", pair=pair)
    trigger(window, "mode.compare")
    ask(window)
    trigger(window, "mode.plain")
    ask(window, "Next")
    assert [text for _role, text in said(window)] == ["Hello", REPLY, "Next", REPLY]


def test_the_panel_compares_the_last_message(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window)
    window.panel.compare_requested.emit()
    assert window.parts.session.phase is Phase.COMPARING
    until_phase(window, Phase.READY)
    assert window.chat.stack.currentWidget() is window.chat.compare
    assert window.panel.facts.plain_speed is not None


def test_another_chat_can_be_read_while_a_comparison_runs(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--pace", "0.01", "--plain-pace", "0.01", pair=pair)
    trigger(window, "mode.compare")
    write(window, "Hello")
    first = window.parts.conversations.current
    trigger(window, "chat.new")
    assert window.chat.stack.currentWidget() is window.chat.transcript
    until_phase(window, Phase.READY)
    window.parts.conversations.open(first.id)
    assert window.chat.stack.currentWidget() is window.chat.compare


def test_a_comparison_can_be_stopped(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(*SLOW, "--plain-pace", "0.02", pair=pair)
    trigger(window, "mode.compare")
    write(window, "Hello")
    until(lambda: window.parts.session.contest.replies["plain"].text)
    window.chat.compare.stop.emit()
    until_phase(window, Phase.READY)
    assert state(window) == "stopped"


# By keyboard -------------------------------------------------------------------------------------


def test_f6_goes_round_the_areas_that_are_shown(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    window.resize(1280, 800)
    window.activateWindow()
    window.chat.composer.focus()
    visited = []
    for _ in range(3):
        trigger(window, "view.next-pane")
        focus = QApplication.focusWidget()
        areas = (window.sidebar, window.sheet, window.panel)
        visited.append(next(area for area in areas if area.isAncestorOf(focus)))
    assert visited == [window.panel, window.sidebar, window.sheet]
    trigger(window, "view.previous-pane")
    assert window.sidebar.isAncestorOf(QApplication.focusWidget())


def test_panes_are_hidden_and_remembered(open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(1280, 800)
    trigger(window, "view.panel")
    trigger(window, "view.sidebar")
    assert not window.panel.isVisible()
    assert not window.sidebar.isVisible()
    window.close()
    again = open_window()
    assert not again.panel.isVisible()
    trigger(again, "view.panel")
    assert again.panel.isVisible()


def test_panes_give_way_where_there_is_no_room_and_come_back(open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(1280, 700)
    assert window.panel.isVisible()
    window.resize(900, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (False, True)
    window.resize(700, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (False, False)
    trigger(window, "view.sidebar")
    assert window.sidebar.isVisible()
    window.resize(1280, 700)
    assert (window.panel.isVisible(), window.sidebar.isVisible()) == (True, True)


@pytest.mark.parametrize(
    "page", ["app.settings", "chat.settings", "help.shortcuts", "help.network", "help.about"]
)
def test_a_page_lies_over_the_chat_until_escape(open_window: OpenWindow, page: str) -> None:
    window = open_window()
    trigger(window, page)
    assert window.stack.currentWidget() is window.pages
    window.grab()
    assert not window.actions_["reply.stop"].isEnabled()
    trigger(window, "view.back")
    assert window.stack.currentWidget() is window.chat


def test_what_goes_wrong_while_a_page_is_shown_is_said_below_the_page(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--fail-load", "LoadFailed")
    cards = window.chat.cards
    trigger(window, "app.settings")
    window.opener.load(pair)
    until(lambda: cards.card is not None)
    assert cards.isVisible()
    QTest.qWait(20)
    top = cards.mapTo(window.sheet, QPoint(0, 0)).y()
    assert top >= window.pages.mapTo(window.sheet, QPoint(0, window.pages.height())).y()
    trigger(window, "view.back")
    until(lambda: cards.isVisible() and 0 < cards.y() < window.chat.composer.y())
    cards.close_button.click()
    trigger(window, "app.settings")
    assert not cards.isVisible()
    until(lambda: window.pages.geometry().bottom() == window.stack.height() - 1)
    assert window.stack.geometry().bottom() == window.sheet.height() - 2  # its line


def test_what_comes_into_the_chat_is_seen_there(
    open_window: OpenWindow, pair: Pair, tmp_path: Path
) -> None:
    window = open_window(pair=pair)
    ask(window)
    current = window.parts.conversations.current
    exported, notes = tmp_path / "a.json", tmp_path / "notes.txt"
    window.opener.write_chat(current.id, exported, as_markdown=False)
    notes.write_text("milk")
    for come in (
        lambda: window.opener.open_chat(exported),
        lambda: window.open_files([notes]),
        lambda: window.sidebar.deleted.emit(current.id),
        window.panel.compare_requested.emit,
    ):
        trigger(window, "app.settings")
        come()
        assert window.stack.currentWidget() is window.chat
        until_phase(window, Phase.READY)
    trigger(window, "app.settings")
    window.opener.open_chat(notes)
    assert window.chat.cards.card.code == "bad-import"
    assert window.stack.currentWidget() is window.pages


def test_the_settings_of_this_chat_are_kept_with_it(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    ask(window, "First")
    trigger(window, "chat.settings")
    page = window.pages.currentWidget()
    page.system_chosen.emit("Be brief.")
    page.own_chosen.emit({"temperature": 0.0})
    current = window.parts.conversations.current
    assert (current.system, current.settings) == ("Be brief.", {"temperature": 0.0})


def test_the_palette_finds_commands(open_window: OpenWindow) -> None:
    window = open_window()
    trigger(window, "view.palette")
    line = window.palette_.findChild(QLineEdit)
    line.setText("keyboard")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert window.stack.currentWidget() is window.pages


def test_text_size_and_colours_follow_the_menu(open_window: OpenWindow) -> None:
    window = open_window()
    trigger(window, "view.larger")
    assert window.theme.scale == pytest.approx(1.1)
    trigger(window, "view.usual-size")
    trigger(window, "theme.dark")
    assert window.theme.dark
    window.grab()
    trigger(window, "theme.system")
    assert window.parts.choices.window.theme == "system"


def test_gamma_and_the_mode_have_keys(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window(pair=pair)
    trigger(window, "gamma.more")
    assert window.parts.session.gamma == 4
    trigger(window, "gamma.less")
    trigger(window, "gamma.auto")
    assert window.parts.choices.engine.gamma is None
    trigger(window, "mode.plain")
    assert window.parts.session.mode is Mode.PLAIN
    window.close()
    assert open_window().parts.session.mode is Mode.PLAIN


def test_the_last_reply_is_copied_and_the_last_message_edited(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--reply", "<think>Hm.</think>\n\nYes.", pair=pair)
    ask(window, "Really?")
    trigger(window, "reply.copy")
    assert QApplication.clipboard().text() == "Yes."
    trigger(window, "message.edit")
    assert window.chat.transcript._rows[0].draft == "Really?"


@pytest.mark.parametrize("command", ["chat.import", "models.open", "message.attach"])
def test_a_file_dialog_does_not_stop_the_chat(
    open_window: OpenWindow, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    opened: list[str] = []
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: opened.append(dialog.windowTitle()))
    trigger(window, command)
    assert len(opened) == 1
    for dialog in window.findChildren(QFileDialog):
        dialog.deleteLater()


def test_every_command_of_the_table_does_something(open_window: OpenWindow) -> None:
    window = open_window()
    assert {row.id for row, _action in window.actions_} == set(window.commands._does)


# People ------------------------------------------------------------------------------------------


def test_screen_readers_hear_of_finished_replies_and_errors_only(
    open_window: OpenWindow, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: heard.append(event.message())
    )
    window = open_window(pair=pair)
    ask(window)
    assert heard == ["The reply is finished"]
    window.parts.session.show(None)
    window.opener.open_chat(Path("/no/such/file.json"))
    assert len(heard) == 2
    assert "/no/such/file.json" in heard[1]


@pytest.mark.parametrize(
    "page",
    ["", "mode.compare", "chat.settings", "app.settings", "help.shortcuts", "help.network"],
)
def test_every_control_has_a_name(open_window: OpenWindow, pair: Pair, page: str) -> None:
    window = open_window(pair=pair)
    ask(window)
    if page:
        trigger(window, page)
    if page == "mode.compare":
        ask(window)
    kinds = (QAbstractButton, QLineEdit, QAbstractSpinBox, QTextEdit, QAbstractItemView)
    controls = [each for kind in kinds for each in window.findChildren(kind) if each.isVisible()]
    nameless = [
        f"{type(each).__name__} in {type(each.parentWidget()).__name__}"
        for each in controls
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus and not (_is_part(each) or _name(each))
    ]
    assert len(controls) > 10
    assert nameless == []


def _is_part(widget: QWidget) -> bool:
    """Words that are read, and the inside of a number field: their parents have the names."""
    is_words = isinstance(widget, QTextEdit) and widget.isReadOnly()
    return is_words or isinstance(widget.parentWidget(), QAbstractSpinBox)


def _name(widget: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found is not None else ""


@pytest.mark.parametrize("scale", [80, 200])
def test_it_can_be_used_in_small_and_in_large_letters(
    open_window: OpenWindow, pair: Pair, scale: int
) -> None:
    window = open_window(pair=pair)
    window.parts.choices.choose("text_size", scale)
    window.resize(1280, 800)
    ask(window)
    QTest.qWait(20)
    assert window.chat.composer.geometry().bottom() <= window.chat.height()
    assert window.topbar.modes.geometry().right() <= window.topbar.width()
    window.grab()


def test_it_reads_from_right_to_left(open_window: OpenWindow, pair: Pair, qapp) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        window = open_window("--reply", "שלום לך", pair=pair)
        window.resize(1280, 800)
        ask(window, "מה שלומך?")
        window.grab()
        assert window.sidebar.x() > window.sheet.x() > window.panel.x()
        assert window.topbar.pair.x() > window.topbar.modes.x()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


# Closing -----------------------------------------------------------------------------------------


def test_closing_in_mid_reply_keeps_it_and_ends_every_process(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    pid = window.parts.bridge.pid
    entry = window.parts.session.views()[-1].id
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)
    again = open_window()
    kept = again.parts.conversations.store.entry(entry)
    assert kept.content.startswith("Here is a small")
    assert kept.state == "stopped"


def test_closing_while_a_deaf_worker_writes_takes_no_longer(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window(*SLOW, "--deaf", "--stubborn", pair=pair)
    write(window, "Hello")
    until(lambda: len(said(window)[-1][1]) > 20)
    pid = window.parts.bridge.pid
    began = time.monotonic()
    window.close()
    assert time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)


def test_closing_while_loading_ends_it(open_window: OpenWindow, pair: Pair) -> None:
    window = open_window("--load", "20")
    window.opener.load(pair)
    until(lambda: window.parts.bridge.pid is not None)
    pid = window.parts.bridge.pid
    window.close()
    assert not psutil.pid_exists(pid)
