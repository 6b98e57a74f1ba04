"""Replies on their way to the disk, and a disk that refuses them."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.history.flusher import PAUSE
from app.phases import Mode
from app.saving import SAVE_EVERY
from engine.errors import HistoryUnsaved
from engine.protocol import PLAIN, SPECULATIVE, End
from tests.app.windows import Desk
from tests.support.stub_bridge import emitted


def refuse(*_arguments: object, **_changes: object) -> None:
    """A full disk."""
    raise HistoryUnsaved(path="/full", reason="no space left")


def test_a_reply_is_on_the_disk_soon_though_nothing_more_comes(desk: Desk, qtbot) -> None:
    desk.session._saving._soon.setInterval(20)
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    desk.bridge.write("Good ")
    assert desk.stored(entry) == ("", "writing")
    qtbot.waitUntil(lambda: desk.stored(entry) == ("Good ", "writing"))
    desk.bridge.tell(emitted("day.", place=1))
    qtbot.waitUntil(lambda: desk.stored(entry) == ("Good day.", "writing"))


def test_a_stream_does_not_put_its_saving_off(desk: Desk, qtbot) -> None:
    desk.session._saving._soon.setInterval(60)
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    for place in range(12):
        desk.bridge.tell(emitted("a", place=place))
        qtbot.wait(10)
    assert desk.stored(entry)[0]


def test_a_power_cut_costs_less_than_a_second(desk: Desk) -> None:
    assert desk.session._saving._soon.interval() == 1000 * SAVE_EVERY
    assert SAVE_EVERY + PAUSE < 1


def test_nothing_is_saved_after_the_history_closed(
    qapp: QApplication, tmp_path: Path, qtbot
) -> None:
    desk = Desk.make(tmp_path / "other")
    desk.load()
    desk.session._saving._soon.setInterval(5)
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.conversations.close()
    qtbot.wait(20)  # a save would raise


def test_what_the_disk_refuses_is_kept_in_memory_and_tried_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = desk.conversations.store
    update = store.update
    desk.session.send("Hello")
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.write("Good ")
    desk.bridge.finish("Good day.")
    assert desk.said[-1] == ("assistant", "Good day.", "complete")
    assert desk.card is not None
    assert "no space left" in desk.card.sentence
    first = desk.session.views()[-1].id
    monkeypatch.setattr(store, "update", update)
    desk.say("Again")
    assert desk.stored(first) == ("Good day.", "complete")


def test_what_the_disk_refused_is_tried_again_when_it_has_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, qtbot
) -> None:
    store = desk.conversations.store
    update = store.update
    desk.session._saving._again.setInterval(5)
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.finish("Good day.")
    qtbot.wait(20)
    assert desk.stored(entry) == ("", "writing")
    assert desk.card is not None
    monkeypatch.setattr(store, "update", update)
    qtbot.waitUntil(lambda: desk.stored(entry) == ("Good day.", "complete"))
    assert desk.card is None
    assert not desk.session._saving._again.isActive()


def test_what_the_disk_refused_is_tried_again_at_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = desk.conversations.store
    update = store.update
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.finish("Good day.")
    desk.session.keep_all()
    assert desk.stored(entry) == ("", "writing")
    monkeypatch.setattr(store, "update", update)
    desk.session.keep_all(at_last=True)
    assert desk.stored(entry) == ("Good day.", "complete")


def test_the_last_save_waits_for_another_process(desk: Desk, tmp_path: Path) -> None:
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    desk.bridge.write("Good ")
    path = tmp_path / "conversations.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.3, other.rollback)
    end.start()
    desk.session.keep_all(at_last=True)
    end.join()
    other.close()
    assert desk.stored(entry) == ("Good ", "stopped")


def test_paging_shows_what_the_disk_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.say("Hello", "First.")
    desk.edits.regenerate(desk.session.views()[-1].id)
    monkeypatch.setattr(desk.conversations.store, "update", refuse)
    desk.bridge.write("Second.")
    desk.bridge.finish("Second.")
    told: list[str] = []
    desk.edits.versions.turned.connect(lambda _old, view: told.append(view.text))
    for step in (-1, 1):
        desk.edits.versions.turn(step)
    assert told == ["First.", "Second."]


def test_what_the_disk_refused_for_a_moment_is_read_by_the_next_reply(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = desk.conversations.store
    update = store.update
    desk.session.send("Hello")
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.write("Good day.")
    desk.bridge.finish("Good day.")
    monkeypatch.setattr(store, "update", update)
    desk.session.send("And?")
    assert [m.content for m in desk.bridge.last.messages] == ["Hello", "Good day.", "And?"]


def test_what_the_disk_refused_for_a_moment_is_gone_on_with(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = desk.conversations.store
    update = store.update
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.write("Good ")
    desk.bridge.finish("Good ", why=End.STOPPED)
    monkeypatch.setattr(store, "update", update)
    desk.edits.go_on(entry)
    desk.bridge.write("day.")
    desk.bridge.finish("day.")
    desk.session.keep_all()
    assert desk.stored(entry) == ("Good day.", "complete")


def test_neither_reply_of_a_comparison_goes_on_where_the_disk_refuses_its_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.session.choose_mode(Mode.COMPARE)
    desk.session.send("Hello")
    contest = desk.session.contest
    assert contest is not None
    desk.bridge.write("Fast", SPECULATIVE)
    desk.bridge.write("Slow", PLAIN)
    store = desk.conversations.store
    update = store.update
    monkeypatch.setattr(store, "update", refuse)
    desk.bridge.die()
    monkeypatch.setattr(store, "update", update)
    desk.session.keep_all()
    ids = [contest.replies[lane].entry.id for lane in (SPECULATIVE, PLAIN)]
    assert [desk.stored(each) for each in ids] == [("Fast", "lost"), ("Slow", "lost")]


def test_a_reply_whose_end_the_disk_refused_is_not_another_window_s(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.session.send("Hello")
    entry = desk.session.views()[-1].id
    monkeypatch.setattr(desk.conversations.store, "update", refuse)
    desk.bridge.write("Good ")
    desk.session.stop()
    desk.bridge.finish("Good ", why=End.STOPPED)
    desk.edits.go_on(entry)
    assert desk.card is not None
    assert desk.card.code == "history-unsaved"
