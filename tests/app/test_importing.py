"""Exported chats come in while the window goes on; what ends early leaves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from app import importing
from app.cards import Card
from app.history import Store, incoming
from app.importing import Importing
from app.jobs import Jobs
from engine.errors import HistoryUnsaved
from tests.app.windows import Desk, until

TEXT = "word " * 400


@pytest.fixture(name="jobs")
def running_jobs(qapp) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is taken for a large one, and a step writes one message."""
    monkeypatch.setattr(importing, "_AT_ONCE", 0)
    monkeypatch.setattr(incoming, "_STEP", 0)


@pytest.fixture(name="coming")
def importing_in_pieces(desk: Desk, jobs: Jobs, pieces: None) -> Importing:
    return Importing(jobs, desk.session, desk.session)


@pytest.fixture(name="file")
def exported(tmp_path: Path) -> Path:
    """A chat of 200 messages."""
    path = tmp_path / "large.json"
    with Store(tmp_path / "elsewhere.db") as store:
        conversation = store.create("Large").id
        for number in range(200):
            store.add(conversation, "user", f"{number} {TEXT}")
        path.write_text(store.export_json(conversation), encoding="utf-8")
    return path


def start(coming: Importing, file: Path) -> None:
    coming.start(file, file.stat().st_size)


def writes(coming: Importing) -> Callable[[], bool]:
    return lambda: any(each.number for each in coming._under_way)


def titles(desk: Desk) -> list[str]:
    return [each.title for each in desk.conversations.store.conversations()]


def test_a_large_chat_is_opened_once_all_of_it_is_there(
    desk: Desk, coming: Importing, file: Path
) -> None:
    frames: list[int] = []
    clock = QTimer(interval=0)
    clock.timeout.connect(lambda: frames.append(len(desk.session.views())))
    start(coming, file)
    assert desk.card is not None
    assert "large.json is being imported" in desk.card.sentence
    clock.start()
    until(lambda: not coming._under_way)
    clock.stop()
    assert len(frames) > 20
    assert {0} == set(frames[:20])
    current = desk.conversations.current
    assert current is not None
    assert desk.conversations.store.export_json(current.id) == file.read_text(encoding="utf-8")
    assert desk.card is None


def test_who_has_gone_on_meanwhile_is_not_taken_away_from_it(
    desk: Desk, coming: Importing, file: Path
) -> None:
    start(coming, file)
    desk.conversations.typed("an idea")
    until(lambda: titles(desk) == ["Large"])
    until(lambda: not coming._under_way)
    assert desk.conversations.current is None
    assert desk.conversations.unsent == "an idea"
    assert isinstance(desk.card, Card)
    assert "large.json is imported" in desk.card.sentence


def test_who_is_changing_a_message_meanwhile_goes_on_with_that(
    desk: Desk, coming: Importing, file: Path
) -> None:
    desk.say("Hello", "Good day.")
    current = desk.conversations.current
    assert current is not None
    start(coming, file)
    desk.conversations.drafts.keep_edits(current.id, {1: "Hello there"})
    until(lambda: not coming._under_way)
    assert desk.conversations.current == current


def test_messages_are_kept_while_a_chat_comes_in(desk: Desk, coming: Importing, file: Path) -> None:
    start(coming, file)
    until(writes(coming))
    desk.say("Hello", "Good day.")
    assert titles(desk) == ["Hello"]
    until(lambda: not coming._under_way)
    assert sorted(titles(desk)) == ["Hello", "Large"]
    assert [text for _role, text, _state in desk.said] == ["Hello", "Good day."]


def test_several_come_in_at_once(desk: Desk, coming: Importing, file: Path) -> None:
    for _ in range(2):
        start(coming, file)
    until(lambda: not coming._under_way)
    assert titles(desk) == ["Large", "Large"]
    store = desk.conversations.store
    assert [store.count(each.id) for each in store.conversations()] == [200, 200]


@pytest.mark.usefixtures("pieces")
def test_of_a_chat_that_was_coming_in_when_the_window_closed_nothing_is_left(
    jobs: Jobs, file: Path, tmp_path: Path
) -> None:
    desk = Desk.make(tmp_path)
    coming = Importing(jobs, desk.session, desk.session)
    start(coming, file)
    until(writes(coming))
    desk.conversations.close()
    assert not coming._next.isActive()
    with Store(tmp_path / "conversations.db") as store:
        assert store.conversations() == []
        assert store._database.rows("SELECT count(*) FROM entries")[0][0] == 0


def test_a_file_that_is_none_of_ours_is_said_and_nothing_else_stays(
    desk: Desk, coming: Importing, tmp_path: Path
) -> None:
    file = tmp_path / "notes.json"
    file.write_text('{"format": "foreword-conversation"}')
    for path, code in ((file, "bad-import"), (tmp_path / "gone.json", "file-unreadable")):
        coming.start(path, 10)
        until(lambda: not coming._under_way)
        assert desk.card is not None
        assert desk.card.code == code
        assert "being imported" not in desk.card.sentence
    assert titles(desk) == []


def test_a_disk_that_fills_up_meanwhile_is_told_and_gets_its_room_back(
    desk: Desk, coming: Importing, file: Path
) -> None:
    store = desk.conversations.store
    connection = store._database._connection
    start(coming, file)
    until(writes(coming))
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 10}")
    until(lambda: not coming._under_way)
    assert desk.card is not None
    assert desk.card.code == "history-unsaved"
    assert titles(desk) == []
    assert store._database.rows("SELECT count(*) FROM entries")[0][0] == 0
    store.add(store.create().id, "user", TEXT)


def test_a_disk_without_room_for_it_is_told_before_anything_is_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setattr(incoming, "_TIMES_ITS_SIZE", 2**40)
    with pytest.raises(HistoryUnsaved, match=r"[Nn]o space"):
        desk.conversations.store.import_json(file.read_bytes())
    assert desk.conversations.store._database.rows("SELECT id FROM conversations") == []


def test_closing_ends_the_reading_of_a_large_file(file: Path) -> None:
    looked: list[int] = []

    def end() -> None:
        looked.append(1)
        if len(looked) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        incoming.Incoming(file.read_bytes(), end)
    assert len(looked) == 5
