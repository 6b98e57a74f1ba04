"""Two windows over one history: what one does to a chat or a message, the other takes well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.drafts import Drafts
from app.history import Store
from app.phases import Mode
from engine.errors import PromptTooLong
from engine.protocol import PLAIN, SPECULATIVE, Chat
from tests.app.windows import Desk

NOTES = [{"name": "notes.txt", "text": "milk"}]


@pytest.fixture(name="other")
def second_window(desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    """Has the chat open that ``desk`` has."""
    desk.say("One", "First.")
    desk.say("Two", "Second.")
    other = Desk.make(tmp_path)
    other.load()
    other.conversations.open(number(desk))
    yield other
    other.conversations.close()


def number(desk: Desk) -> int:
    assert desk.conversations.current is not None
    return desk.conversations.current.id


def ids(desk: Desk) -> list[int]:
    return [view.id for view in desk.session.views()]


def texts(desk: Desk) -> list[str]:
    return [text for _role, text, _state in desk.said]


def listed(desk: Desk) -> list[int]:
    return [each.id for each in desk.conversations.store.conversations()]


def code(desk: Desk) -> str:
    assert desk.card is not None
    return desk.card.code


def test_a_message_sent_in_a_chat_that_the_other_deleted_brings_it_back(
    desk: Desk, other: Desk
) -> None:
    chat = number(desk)
    desk.edits.delete_conversation(chat)
    assert listed(desk) == []
    other.say("Three", "Third.")
    assert listed(desk) == [chat]
    desk.conversations.open(chat)
    assert texts(desk) == ["One", "First.", "Two", "Second.", "Three", "Third."]


def test_what_is_typed_in_a_chat_that_the_other_deleted_is_kept_with_it(
    desk: Desk, other: Desk
) -> None:
    chat = number(desk)
    desk.edits.delete_conversation(chat)
    other.conversations.typed("half a thou")
    other.conversations.begin()
    desk.conversations.open(chat)
    assert desk.conversations.draft == "half a thou"


def test_a_chat_that_the_other_deleted_is_not_opened_and_the_list_says_so(
    desk: Desk, other: Desk, qtbot
) -> None:
    chat = number(desk)
    other.conversations.begin()
    desk.edits.delete_conversation(chat)
    with qtbot.waitSignal(other.conversations.listed):
        other.conversations.open(chat)
    assert code(other) == "history-gone"
    assert other.conversations.current is None
    desk.undo()
    other.conversations.open(chat)
    assert texts(other) == ["One", "First.", "Two", "Second."]


def test_a_chat_that_the_other_deleted_is_not_renamed(desk: Desk, other: Desk) -> None:
    chat = number(desk)
    desk.edits.delete_conversation(chat)
    other.conversations.rename(chat, "Another")
    assert code(other) == "history-gone"
    desk.undo()
    assert desk.conversations.store.conversation(chat).title == "One"


def test_deleting_what_the_other_deleted_can_be_undone_in_either(desk: Desk, other: Desk) -> None:
    chat = number(desk)
    desk.edits.delete_conversation(chat)
    other.edits.delete_conversation(chat)
    other.undo()
    assert listed(desk) == [chat]
    desk.undo()
    assert listed(desk) == [chat]


def test_an_undo_of_what_is_gone_for_good_is_a_sentence(desk: Desk) -> None:
    desk.say("One")
    chat, entry = number(desk), ids(desk)[-1]
    desk.edits.delete(entry)
    with desk.conversations.store._database.writing() as connection:
        connection.execute("DELETE FROM entries WHERE id = ?", (entry,))
    desk.undo()
    assert code(desk) == "history-gone"
    desk.edits.delete_conversation(chat)
    with desk.conversations.store._database.writing() as connection:
        connection.execute("DELETE FROM conversations")
    desk.session.show(None)
    desk.undo()
    assert code(desk) == "history-gone"


def test_what_the_other_removed_is_not_answered_anew(desk: Desk, other: Desk) -> None:
    prompt, reply = ids(desk)[2:]
    for entry in (reply, prompt):
        desk.edits.delete(entry)
    asked = len(other.bridge.of(Chat))
    other.edits.regenerate(reply)
    assert code(other) == "history-gone"
    other.session.show(None)
    assert not other.edits.edit(prompt, "Two and a half")
    assert code(other) == "history-gone"
    other.session.show(None)
    other.edits.go_on(reply)
    assert code(other) == "history-gone"
    assert len(other.bridge.of(Chat)) == asked
    assert texts(desk) == ["One", "First."]


def test_what_the_other_is_writing_is_left_to_it(desk: Desk, other: Desk) -> None:
    desk.session.send("Three")
    desk.bridge.write("Thi")
    desk.session.keep_all()
    other.conversations.open(number(desk))
    reply = ids(desk)[-1]
    asked = len(other.bridge.of(Chat))
    other.edits.go_on(reply)
    assert code(other) == "history-gone"
    assert not other.edits.edit(reply, "Another")
    assert len(other.bridge.of(Chat)) == asked
    desk.bridge.write("rd.")
    desk.bridge.finish("Third.")
    other.conversations.open(number(desk))
    assert texts(other)[-1] == "Third."


def test_a_version_that_the_other_set_aside_is_not_answered_anew_or_deleted(
    desk: Desk, other: Desk
) -> None:
    reply = ids(desk)[-1]
    desk.edits.regenerate(reply)
    desk.bridge.finish("Another.")
    for act in (other.edits.regenerate, other.edits.delete):
        other.session.show(None)
        act(reply)
        assert code(other) == "history-gone"
    assert texts(desk)[-1] == "Another."
    assert len(desk.conversations.store.versions(reply)) == 2


def test_either_reply_of_a_comparison_is_there_though_another_window_came_and_went(
    desk: Desk, tmp_path: Path
) -> None:
    desk.session.choose_mode(Mode.COMPARE)
    desk.session.send("Hello")
    desk.bridge.write("Fa", SPECULATIVE)
    Store(tmp_path / "conversations.db").close()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.keep(PLAIN)
    assert desk.said == [("user", "Hello", "complete"), ("assistant", "Slow.", "complete")]
    assert desk.card is None


def test_a_message_that_is_given_back_takes_nothing_of_the_other_along(
    desk: Desk, other: Desk
) -> None:
    desk.session.send("A novel")
    other.say("Three", "Third.")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert texts(desk) == ["One", "First.", "Two", "Second.", "Three", "Third."]
    assert desk.conversations.draft == "A novel"


def test_each_has_a_new_chat_of_its_own_and_the_next_start_has_both(
    qapp: QApplication, tmp_path: Path
) -> None:
    desk = Desk.make(tmp_path)
    desk.conversations.typed("an idea")
    desk.conversations.drafts.keep(None, NOTES)
    desk.conversations.keep_draft()
    other = Desk.make(tmp_path)
    assert other.conversations.draft == ""
    assert other.conversations.drafts.attachments(None) == []
    other.conversations.typed("another")
    other.conversations.close()
    desk.conversations.close()
    again = Desk.make(tmp_path)
    assert again.conversations.draft == "an idea\n\nanother"
    assert again.conversations.drafts.attachments(None) == NOTES
    again.conversations.close()
    assert Drafts(tmp_path / "drafts.json").attachments(None) == NOTES


def test_what_waits_with_a_deleted_chat_stays_while_the_other_may_bring_it_back(
    desk: Desk, other: Desk, tmp_path: Path
) -> None:
    chat = number(desk)
    desk.conversations.drafts.keep(chat, NOTES)
    third = Desk.make(tmp_path)
    desk.edits.delete_conversation(chat)
    third.conversations.close()
    desk.undo()
    assert Drafts(tmp_path / "drafts.json").attachments(chat) == NOTES
