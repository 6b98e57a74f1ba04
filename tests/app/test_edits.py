"""What is done to messages, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.chat.model import Version
from app.phases import Mode, Phase
from engine.errors import HistoryUnsaved, Stopped
from engine.protocol import PLAIN, Compare, End
from tests.app.windows import Desk


@pytest.fixture(name="desk")
def desk_with_two_turns(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    desk.load()
    desk.say("One", "First.")
    desk.say("Two", "Second.")
    yield desk
    desk.conversations.close()


def ids(desk: Desk) -> list[int]:
    return [view.id for view in desk.session.views()]


def texts(desk: Desk) -> list[str]:
    return [text for _role, text, _state in desk.said]


def anew(desk: Desk, *replies: str) -> None:
    """Have the last reply written again."""
    for text in replies:
        desk.edits.regenerate(ids(desk)[-1])
        desk.bridge.write(text)
        desk.bridge.finish(text)


def test_a_reply_is_written_anew_with_another_variant(desk: Desk) -> None:
    desk.edits.regenerate(ids(desk)[-1])
    sent = desk.bridge.last
    assert [m.content for m in sent.messages] == ["One", "First.", "Two"]
    assert sent.options.variant == 1
    desk.bridge.finish("Another.")
    assert texts(desk) == ["One", "First.", "Two", "Another."]
    desk.edits.regenerate(ids(desk)[-1])
    assert desk.bridge.last.options.variant == 2


def test_the_reply_that_was_there_stays_as_another_version(desk: Desk) -> None:
    old = ids(desk)[-1]
    anew(desk, "Another.", "A third.")
    shown = desk.edits.versions.shown
    assert shown == Version(ids(desk)[-1], 3, 3)
    versions = desk.conversations.store.versions(shown.entry)
    assert versions[0] == old
    assert [desk.stored(each)[0] for each in versions] == ["Second.", "Another.", "A third."]


def test_a_variant_that_is_there_is_not_asked_for_again_after_a_restart(desk: Desk) -> None:
    anew(desk, "Another.", "A third.")
    desk.session.variants.clear()
    anew(desk, "A fourth.")
    assert desk.bridge.last.options.variant == 3


def test_undoing_brings_back_the_version_from_which_it_was_asked(desk: Desk) -> None:
    anew(desk, "Another.", "A third.")
    desk.edits.versions.turn(-2)
    anew(desk, "A fourth.")
    desk.edits.versions.turn(-2)
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 1, 3)


def test_versions_of_a_reply_that_others_follow_come_back_with_what_followed(desk: Desk) -> None:
    last = ids(desk)[-1]
    anew(desk, "Another.")
    desk.edits.regenerate(ids(desk)[1])
    desk.bridge.finish("Other.")
    assert texts(desk) == ["One", "Other."]
    assert desk.edits.versions.shown == Version(ids(desk)[1], 2, 2)
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Another."]
    desk.edits.versions.turn(-1)
    assert ids(desk)[-1] == last


def test_the_versions_of_an_earlier_reply_are_there_again_when_it_is_the_last(desk: Desk) -> None:
    anew(desk, "Another.")
    shown = desk.edits.versions.shown
    desk.say("Three", "Third.")
    assert desk.edits.versions.shown is None
    for entry in ids(desk)[-2:]:
        desk.edits.delete(entry)
    assert desk.edits.versions.shown == shown


def test_the_versions_answer_the_message_as_it_was(desk: Desk) -> None:
    anew(desk, "Another.")
    desk.edits.edit(ids(desk)[2], "Zwei")
    desk.bridge.finish("Zweitens.")
    assert texts(desk)[-2:] == ["Zwei", "Zweitens."]
    assert desk.edits.versions.shown is None
    desk.undo()
    assert texts(desk)[-2:] == ["Two", "Another."]
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 2, 2)


def test_only_the_version_that_is_shown_is_changed(desk: Desk) -> None:
    anew(desk, "Another.")
    desk.edits.edit(ids(desk)[-1], "My own.")
    desk.edits.versions.turn(-1)
    assert texts(desk)[-1] == "Second."
    desk.edits.versions.turn(1)
    assert texts(desk)[-1] == "My own."


def test_of_several_versions_one_is_deleted_and_the_newest_stands_in_its_place(desk: Desk) -> None:
    anew(desk, "Another.", "A third.")
    desk.edits.versions.turn(-1)
    deleted = ids(desk)[-1]
    told: list[int] = []
    desk.edits.versions.turned.connect(lambda old, _view: told.append(old))
    desk.edits.delete(deleted)
    assert told == [deleted]
    assert texts(desk)[-1] == "A third."
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 2, 2)
    desk.undo()
    assert texts(desk)[-1] == "Another."
    assert desk.edits.versions.shown == Version(deleted, 2, 3)


def test_when_all_versions_are_deleted_the_message_has_no_reply(desk: Desk) -> None:
    anew(desk, "Another.")
    for _ in range(2):
        desk.edits.delete(ids(desk)[-1])
    assert texts(desk) == ["One", "First.", "Two"]
    desk.undo()
    assert texts(desk)[-1] == "Second."
    assert desk.edits.versions.shown is None


def test_a_reply_without_a_word_is_no_version(desk: Desk) -> None:
    desk.session.send("Three")
    desk.bridge.fail(Stopped())
    anew(desk, "Third.")
    assert texts(desk)[-1] == "Third."
    assert desk.edits.versions.shown is None


def test_the_kept_reply_of_a_comparison_stays_when_it_is_compared_anew(desk: Desk) -> None:
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert desk.edits.versions.shown is None  # the comparison is
    desk.session.keep(PLAIN)
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 2, 2)
    desk.edits.regenerate(ids(desk)[-1])
    desk.bridge.finish_comparison("Faster.", "Slower.")
    desk.session.keep(PLAIN)
    versions = desk.conversations.store.versions(ids(desk)[-1])
    assert [desk.stored(each)[0] for each in versions] == ["Second.", "Slow.", "Slower."]
    desk.undo()
    assert texts(desk)[-1] == "Slow."
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 2, 2)


def test_a_reply_that_follows_a_deleted_message_is_not_taken_for_a_version(desk: Desk) -> None:
    desk.edits.delete(ids(desk)[2])
    assert texts(desk) == ["One", "First.", "Second."]
    anew(desk, "Another.")
    versions = desk.conversations.store.versions(ids(desk)[-1])
    assert [desk.stored(each)[0] for each in versions] == ["First.", "Another."]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Second."]
    assert desk.edits.versions.shown is None


def test_writing_an_earlier_reply_anew_takes_away_what_followed_and_can_be_undone(
    desk: Desk,
) -> None:
    desk.edits.regenerate(ids(desk)[1])
    desk.bridge.finish("Other.")
    assert texts(desk) == ["One", "Other."]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_undoing_in_mid_reply_stops_it(desk: Desk) -> None:
    desk.edits.regenerate(ids(desk)[-1])
    desk.bridge.write("Some")
    desk.undo()
    assert desk.session.phase is Phase.STOPPING
    desk.bridge.finish("Some", why=End.STOPPED)
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_a_changed_message_is_answered_anew(desk: Desk) -> None:
    desk.edits.edit(ids(desk)[0], "Eins")
    assert [m.content for m in desk.bridge.last.messages] == ["Eins"]
    desk.bridge.finish("Erstens.")
    assert texts(desk) == ["Eins", "Erstens."]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_a_message_that_is_not_changed_stays(desk: Desk) -> None:
    sent = len(desk.bridge.sent)
    desk.edits.edit(ids(desk)[0], "One")
    assert len(desk.bridge.sent) == sent


def test_a_message_without_a_reply_is_answered_as_it_is(desk: Desk) -> None:
    desk.edits.delete(ids(desk)[-1])
    desk.edits.edit(ids(desk)[-1], "Two")
    assert [m.content for m in desk.bridge.last.messages] == ["One", "First.", "Two"]
    desk.bridge.finish("Again.")
    assert texts(desk) == ["One", "First.", "Two", "Again."]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two"]


def test_changing_a_message_without_a_reply_can_be_undone(desk: Desk) -> None:
    desk.edits.delete(ids(desk)[-1])
    desk.edits.edit(ids(desk)[-1], "Zwei")
    desk.bridge.finish("Zweitens.")
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two"]


def test_a_changed_reply_is_kept_without_its_tokens(desk: Desk) -> None:
    reply = ids(desk)[1]
    desk.edits.edit(reply, "Primo.")
    assert texts(desk)[1] == "Primo."
    assert desk.conversations.store.entry(reply).tokens == ()
    desk.undo()
    assert texts(desk)[1] == "First."
    assert desk.conversations.store.entry(reply).tokens == (1, 2, 3)


def test_a_stopped_reply_goes_on_where_it_ended(desk: Desk) -> None:
    desk.session.send("Three")
    desk.bridge.write("Half")
    desk.bridge.finish("Half", why=End.STOPPED, tokens=(5, 6))
    reply = ids(desk)[-1]
    desk.edits.go_on(reply)
    last = desk.bridge.last.messages[-1]
    assert (last.role, last.content, last.tokens) == ("assistant", "Half", (5, 6))
    desk.bridge.write(" whole")
    assert texts(desk)[-1] == "Half whole"
    assert desk.session.views()[-1].sources == [
        (0, 4, "accepted", 0.9, 0.8),
        (4, 10, "accepted", 0.9, 0.8),
    ]
    desk.bridge.finish(" whole.", tokens=(5, 6, 7))
    assert desk.said[-1] == ("assistant", "Half whole.", "complete")
    assert ids(desk)[-1] == reply
    assert desk.conversations.store.entry(reply).tokens == (5, 6, 7)


def test_only_the_last_reply_goes_on(desk: Desk) -> None:
    sent = len(desk.bridge.sent)
    desk.edits.go_on(ids(desk)[1])
    assert len(desk.bridge.sent) == sent


def test_a_message_is_deleted_and_had_back(desk: Desk) -> None:
    removed: list[list[int]] = []
    desk.edits.removed.connect(removed.append)
    second = ids(desk)[1]
    desk.edits.delete(second)
    assert removed == [[second]]
    assert texts(desk) == ["One", "Two", "Second."]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_what_is_being_written_is_not_deleted(desk: Desk) -> None:
    desk.session.send("Three")
    desk.edits.delete(ids(desk)[-1])
    assert desk.undos == []


@pytest.mark.parametrize("phase", [Phase.REPLYING, Phase.STOPPING])
def test_nothing_is_asked_for_while_the_engine_is_busy(desk: Desk, phase: Phase) -> None:
    first, reply, *_ = ids(desk)
    desk.session.send("Three")
    if phase is Phase.STOPPING:
        desk.session.stop()
    sent = len(desk.bridge.sent)
    desk.edits.regenerate(reply)
    desk.edits.edit(first, "Eins")
    desk.edits.go_on(reply)
    desk.edits.compare_last()
    assert desk.session.phase is phase
    assert len(desk.bridge.sent) == sent


def test_the_last_message_is_compared_at_once_and_its_reply_can_be_had_back(desk: Desk) -> None:
    desk.edits.compare_last()
    sent = desk.bridge.last
    assert isinstance(sent, Compare)
    assert [m.content for m in sent.messages] == ["One", "First.", "Two"]
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.keep(PLAIN)
    assert texts(desk)[-1] == "Slow."
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_comparing_where_nothing_was_said_only_changes_the_mode(
    qapp: QApplication, tmp_path: Path
) -> None:
    desk = Desk.make(tmp_path / "other")
    desk.load()
    sent = len(desk.bridge.sent)
    desk.edits.compare_last()
    assert desk.session.mode is Mode.COMPARE
    assert len(desk.bridge.sent) == sent
    desk.conversations.close()


def test_an_undo_leaves_what_was_said_later(desk: Desk) -> None:
    desk.edits.regenerate(ids(desk)[-1])
    desk.bridge.finish("Another.")
    undo = desk.undos[-1]
    desk.say("Three", "Third.")
    desk.conversations.undo(undo)
    assert texts(desk) == ["One", "First.", "Two", "Second.", "Three", "Third."]


def test_an_undo_stops_only_what_it_takes_back(desk: Desk) -> None:
    first = desk.conversations.current
    assert first is not None
    desk.edits.regenerate(ids(desk)[-1])
    desk.bridge.finish("Another.")
    desk.conversations.begin()
    desk.session.send("Elsewhere")
    desk.undo()
    assert desk.session.phase is Phase.REPLYING
    desk.bridge.finish("Here.")
    assert texts(desk) == ["Elsewhere", "Here."]
    desk.conversations.open(first.id)
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_an_undo_names_the_conversation_that_it_would_change(desk: Desk) -> None:
    current = desk.conversations.current
    assert current is not None
    desk.edits.regenerate(ids(desk)[-1])
    desk.bridge.finish("Another.")
    desk.edits.edit(ids(desk)[-1], "My own.")
    desk.edits.delete(ids(desk)[-1])
    assert [undo.within for undo in desk.undos] == [current.id] * 3
    desk.conversations.delete(current.id)
    assert desk.undos[-1].within is None


def test_what_was_answered_anew_can_be_had_back_where_the_answer_cannot_begin(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_more: object) -> None:
        raise HistoryUnsaved(path="/full", reason="no space left")

    last = ids(desk)[-1]
    monkeypatch.setattr(desk.conversations.store, "add", refuse)
    desk.edits.regenerate(last)
    assert desk.card is not None
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    desk.edits.edit(ids(desk)[0], "Eins")
    assert texts(desk) == ["Eins"]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_a_comparison_that_is_undone_leaves_neither_reply(desk: Desk) -> None:
    desk.session.choose_mode(Mode.PLAIN)
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert desk.session.contest is None
    assert desk.session.mode is Mode.PLAIN


def test_undoing_a_comparison_that_was_run_again_brings_back_what_the_first_one_left(
    desk: Desk,
) -> None:
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.compare_again(6, exact=False)
    desk.bridge.finish_comparison("Faster.", "Slow.")
    desk.session.keep(PLAIN)
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Fast."]
    assert desk.edits.versions.shown == Version(ids(desk)[-1], 2, 2)


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_comparison_that_is_undone_in_its_midst_does_not_come_back(
    desk: Desk, has_begun: bool
) -> None:
    desk.edits.compare_last()
    if has_begun:
        desk.bridge.write("Slow", PLAIN)
    desk.undo()
    assert desk.session.phase is Phase.STOPPING
    desk.bridge.fail(Stopped())
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert desk.session.contest is None


def test_a_stopped_reply_of_a_comparison_goes_on_in_the_chat(desk: Desk) -> None:
    shown: list[object] = []
    desk.conversations.opened.connect(lambda: shown.append(desk.session.contest))
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Half", "Slow", End.STOPPED)
    shown.clear()
    desk.edits.go_on(ids(desk)[-1])
    assert shown == [None]
    assert desk.session.contest is None
    desk.bridge.write(" whole")
    assert texts(desk)[-1] == "Half whole"


def test_settings_that_make_no_sense_change_nothing(desk: Desk) -> None:
    first, _, second, last = ids(desk)
    desk.conversations.set_settings({"temperature": "hot"})
    sent = len(desk.bridge.sent)
    desk.edits.regenerate(last)
    assert not desk.edits.edit(first, "Eins")
    desk.edits.go_on(last)
    desk.edits.compare_last()
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert (len(desk.bridge.sent), desk.undos) == (sent, [])
    assert desk.session.mode is Mode.SPECULATIVE
    assert desk.session.variants[second] == 0
    assert desk.card is not None
    assert "temperature" in desk.card.sentence


def refuse(*_arguments: object, **_changes: object) -> None:
    """A disk that is full, or a file that another program holds."""
    raise HistoryUnsaved(path="/full", reason="no space left")


def test_an_undo_that_the_disk_refuses_changes_nothing_and_is_offered_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(desk, "Another.")
    with monkeypatch.context() as refusing:
        refusing.setattr(desk.conversations.store, "choose", refuse)
        desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Another."]
    assert desk.undos[-1] is desk.undos[-2]
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


def test_an_undo_of_a_deleted_chat_that_the_disk_refuses_is_offered_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.conversations.current is not None
    chat = desk.conversations.current.id
    desk.edits.delete_conversation(chat)
    with monkeypatch.context() as refusing:
        refusing.setattr(desk.conversations.store, "restore", refuse)
        desk.undo()
    desk.undo()
    assert [each.id for each in desk.conversations.store.conversations()] == [chat]


def test_a_change_that_the_disk_refuses_in_its_midst_is_not_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = len(desk.bridge.sent)
    with monkeypatch.context() as refusing:
        refusing.setattr(desk.conversations.store, "truncate_after", refuse)
        assert not desk.edits.edit(ids(desk)[0], "One and a half")
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert len(desk.bridge.sent) == asked


def test_a_reply_of_a_comparison_that_the_disk_refuses_to_keep_can_be_kept_later(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    with monkeypatch.context() as refusing:
        refusing.setattr(desk.conversations.store, "restore_entries", refuse)
        desk.session.keep(PLAIN)
    assert texts(desk)[-1] == "Fast."
    desk.session.keep(PLAIN)
    assert texts(desk)[-1] == "Slow."
