"""Conversations in the window: between them, out of it and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.chat.model import Attachment
from app.engine_life import Life
from app.pairs import Pair
from app.phases import Phase
from engine.errors import HistoryUnsaved
from tests.app.windows import (
    CODE_WORDS,
    OpenWindow,
    ask,
    delete_now,
    said,
    trigger,
    until,
    until_phase,
    write,
)
from tests.support.fake_engine import REPLY


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
