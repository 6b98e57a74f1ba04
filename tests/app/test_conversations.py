"""Which conversation is open, what was typed, and what can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.cards import Card, Undo
from app.conversations import Conversations
from app.drafts import Drafts
from app.history import Store
from engine.errors import HistoryUnread, HistoryUnsaved

NOTES = [{"name": "notes.txt", "text": "milk"}]


@pytest.fixture(name="conversations")
def opened(qapp: QApplication, tmp_path: Path) -> Iterator[Conversations]:
    conversations = Conversations(
        Store(tmp_path / "conversations.db"), Drafts(tmp_path / "drafts.json")
    )
    yield conversations
    conversations.close()


def add(conversations: Conversations, text: str) -> int:
    number = conversations.store.create().id
    conversations.store.add(number, "user", text)
    return number


def test_a_new_one_is_made_with_its_first_message_only(conversations: Conversations) -> None:
    conversations.begin()
    assert conversations.store.conversations() == []
    made = conversations.made()
    assert conversations.made() == made
    assert [each.id for each in conversations.store.conversations()] == [made.id]


def test_what_is_typed_stays_with_its_conversation(conversations: Conversations) -> None:
    first, second = add(conversations, "One"), add(conversations, "Two")
    conversations.open(first)
    conversations.typed("half a thou")
    conversations.open(second)
    assert conversations.draft == ""
    conversations.open(first)
    assert conversations.draft == "half a thou"
    assert conversations.store.conversation(first).draft == "half a thou"


def test_what_is_typed_is_kept_when_the_typing_rests(conversations: Conversations, qtbot) -> None:
    number = add(conversations, "One")
    conversations.open(number)
    conversations._rest.setInterval(5)
    conversations.typed("half a thou")
    qtbot.waitUntil(lambda: conversations.store.conversation(number).draft == "half a thou")


def test_what_is_typed_in_a_new_one_waits_for_it(conversations: Conversations) -> None:
    number = add(conversations, "One")
    conversations.begin()
    conversations.typed("an idea")
    conversations.open(number)
    conversations.begin()
    assert conversations.draft == "an idea"


def test_what_is_typed_in_a_new_one_stays_with_it_once_it_exists(
    conversations: Conversations,
) -> None:
    made: list[int] = []
    conversations.made_one.connect(made.append)
    conversations.begin()
    conversations.typed("an idea")
    conversations.keep_draft()
    conversations.drafts.keep(None, NOTES)
    conversations.set_system("Be brief.")
    assert conversations.current is not None
    number = conversations.current.id
    assert made == [number]
    assert conversations.draft == "an idea"
    assert conversations.drafts.attachments(number) == NOTES
    conversations.begin()
    assert (conversations.draft, conversations.drafts.attachments(None)) == ("", [])
    assert conversations.store.conversation(number).draft == "an idea"


def test_what_is_deleted_at_once_is_not_kept_by_an_earlier_word(
    conversations: Conversations,
) -> None:
    number = add(conversations, "One")
    conversations.open(number)
    conversations.typed("half")
    conversations.typed("")
    conversations.keep_draft()
    assert conversations.store.conversation(number).draft == ""


def test_what_is_given_back_goes_before_what_was_typed_since(
    conversations: Conversations, qtbot
) -> None:
    number = add(conversations, "One")
    conversations.open(number)
    conversations.typed("and more")
    conversations.drafts.keep(number, NOTES)
    novel = [{"name": "novel.txt", "text": "Call me …"}]
    with qtbot.waitSignal(conversations.returned):
        conversations.give_back(number, "A novel", novel)
    assert conversations.draft == "A novel\n\nand more"
    assert conversations.store.conversation(number).draft == "A novel\n\nand more"
    assert conversations.drafts.attachments(number) == [*novel, *NOTES]


def test_what_is_given_back_to_another_is_not_shown(conversations: Conversations, qtbot) -> None:
    first, second = add(conversations, "One"), add(conversations, "Two")
    conversations.open(second)
    with qtbot.assertNotEmitted(conversations.returned):
        conversations.give_back(first, "A novel", [])
    assert conversations.draft == ""
    assert conversations.store.conversation(first).draft == "A novel"


def test_a_deleted_one_can_be_had_back(conversations: Conversations) -> None:
    undos: list[Undo] = []
    conversations.undoable.connect(undos.append)
    number = add(conversations, "One")
    conversations.open(number)
    conversations.delete(number)
    assert conversations.current is None
    assert conversations.store.conversations() == []
    assert "One" in undos[0].text
    conversations.undo(undos[0])
    assert conversations.current is not None
    assert conversations.current.id == number


def test_what_was_just_typed_comes_back_with_a_deleted_one(conversations: Conversations) -> None:
    undos: list[Undo] = []
    conversations.undoable.connect(undos.append)
    number = add(conversations, "One")
    conversations.open(number)
    conversations.typed("half a thou")
    conversations.delete(number)
    assert conversations.draft == ""
    conversations.undo(undos[0])
    assert conversations.draft == "half a thou"


def test_what_is_typed_stays_while_the_disk_refuses_it(
    conversations: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_typed: object) -> None:
        raise HistoryUnsaved(path="/full", reason="no space left")

    first, second = add(conversations, "One"), add(conversations, "Two")
    set_draft = conversations.store.set_draft
    monkeypatch.setattr(conversations.store, "set_draft", refuse)
    conversations.open(first)
    conversations.typed("half a thou")
    conversations.open(second)
    assert conversations.draft == ""
    conversations.open(first)
    conversations.refresh()
    assert conversations.draft == "half a thou"
    conversations.begin()
    monkeypatch.setattr(conversations.store, "set_draft", set_draft)
    conversations.keep_draft()
    assert conversations.store.conversation(first).draft == "half a thou"


def test_a_disk_that_refuses_what_was_typed_in_a_new_one_is_told_and_tried_again_at_the_end(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "more" / "drafts.json"
    path.parent.touch()  # in the way of its folder
    conversations = Conversations(Store(tmp_path / "conversations.db"), Drafts(path))
    cards: list[Card] = []
    conversations.trouble.connect(cards.append)
    for text in ("half", "half a thought"):
        conversations.typed(text)
        conversations.keep_draft()
    assert [card.code for card in cards] == ["drafts-unsaved"]
    path.parent.unlink()
    conversations.close()
    assert Drafts(path).text == "half a thought"


def test_what_waits_with_a_deleted_one_is_forgotten_when_the_history_closes(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "drafts.json"
    conversations = Conversations(Store(tmp_path / "kept.db"), Drafts(path))
    first, second = add(conversations, "One"), add(conversations, "Two")
    for number in (first, second):
        conversations.drafts.keep(number, NOTES)
        conversations.drafts.keep_edits(number, {1: "a changed word"})
    conversations.delete(first)
    assert conversations.drafts.attachments(first) == NOTES  # it may come back
    conversations.close()
    drafts = Drafts(path)
    assert (drafts.attachments(first), drafts.edits(first)) == ([], {})
    assert (drafts.attachments(second), drafts.edits(second)) == (NOTES, {1: "a changed word"})


def test_what_waits_with_one_that_is_gone_is_forgotten_at_the_start(
    qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "drafts.json"
    drafts = Drafts(path)
    drafts.keep(7, NOTES)
    drafts.keep(None, NOTES)
    Conversations(Store(tmp_path / "kept.db"), drafts).close()
    again = Drafts(path)
    assert (again.attachments(7), again.attachments(None)) == ([], NOTES)


def test_what_waits_stays_where_the_history_cannot_be_opened(
    qapp: QApplication, tmp_path: Path
) -> None:
    drafts = Drafts(tmp_path / "drafts.json")
    drafts.keep(7, NOTES)
    (tmp_path / "in the way").write_text("no folder")
    Conversations(Store(tmp_path / "in the way" / "kept.db"), drafts).close()
    assert drafts.attachments(7) == NOTES


def test_deleting_another_leaves_the_open_one(conversations: Conversations) -> None:
    first, second = add(conversations, "One"), add(conversations, "Two")
    conversations.open(first)
    conversations.delete(second)
    assert conversations.current is not None
    assert conversations.current.id == first


def test_a_new_title_is_listed(conversations: Conversations, qtbot) -> None:
    number = add(conversations, "One")
    conversations.open(number)
    with qtbot.waitSignal(conversations.listed):
        conversations.rename(number, "First things")
    assert conversations.current is not None
    assert conversations.current.title == "First things"


def test_an_export_comes_back_as_another_conversation(conversations: Conversations) -> None:
    number = add(conversations, "One")
    text = conversations.store.export_json(number)
    conversations.take_in(text.encode())
    assert len(conversations.store.conversations()) == 2
    assert conversations.current is not None
    assert conversations.current.id != number


@pytest.mark.parametrize("text", [b"", b"no JSON", b"[]", b'{"a": 1}', b"\xff\xfe"])
def test_an_import_that_is_not_ours_is_said(conversations: Conversations, text: bytes) -> None:
    cards: list[Card] = []
    conversations.trouble.connect(cards.append)
    conversations.take_in(text)
    assert len(cards) == 1
    assert cards[0].code == "bad-import"
    assert conversations.store.conversations() == []


def test_what_cannot_be_read_is_said(
    conversations: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_text: str) -> None:
        raise HistoryUnread(path="/broken", reason="it is damaged")

    cards: list[Card] = []
    conversations.trouble.connect(cards.append)
    monkeypatch.setattr(conversations.store, "search", refuse)
    assert conversations.search("anything") == []
    assert "it is damaged" in cards[0].sentence
