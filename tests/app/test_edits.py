"""What is done to messages, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

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


def test_a_reply_is_written_anew_with_another_variant(desk: Desk) -> None:
    desk.edits.regenerate(ids(desk)[-1])
    sent = desk.bridge.last
    assert [m.content for m in sent.messages] == ["One", "First.", "Two"]
    assert sent.options.variant == 1
    desk.bridge.finish("Another.")
    assert texts(desk) == ["One", "First.", "Two", "Another."]
    desk.edits.regenerate(ids(desk)[-1])
    assert desk.bridge.last.options.variant == 2


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


def test_a_comparison_that_was_run_again_is_undone_as_a_whole(desk: Desk) -> None:
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    desk.session.compare_again(6, exact=False)
    desk.bridge.finish_comparison("Faster.", "Slow.")
    desk.session.keep(PLAIN)
    desk.undo()
    assert texts(desk) == ["One", "First.", "Two", "Second."]


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
    desk.edits.edit(first, "Eins")
    desk.edits.go_on(last)
    desk.edits.compare_last()
    assert texts(desk) == ["One", "First.", "Two", "Second."]
    assert (len(desk.bridge.sent), desk.undos) == (sent, [])
    assert desk.session.mode is Mode.SPECULATIVE
    assert desk.session.variants[second] == 0
    assert desk.card is not None
    assert "temperature" in desk.card.sentence
