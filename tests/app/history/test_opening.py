"""Whatever is wrong with the file, the window opens, says so, and nothing is lost."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from app.history import State, Store, opening
from app.history.database import rebuild_words
from app.history.migrations import MIGRATIONS
from engine.errors import HistoryAside, HistoryNewer, HistoryUnread, HistoryUnsaved
from tests.support.rights import without_rights


def fill(path: Path, messages: int = 1) -> bytes:
    """A closed history with one conversation; returns the file."""
    with Store(path) as store:
        conversation = store.create().id
        for number in range(messages):
            store.add(conversation, "user", f"message {number} " + "word " * 100)
    return path.read_bytes()


def titles(store: Store) -> list[str]:
    return [conversation.title[:9] for conversation in store.conversations()]


def aside(path: Path, word: str) -> list[Path]:
    return sorted(path.parent.glob(f"{path.stem} {word} 20*{path.suffix}"))


def overwrite(path: Path, place: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(content)


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def break_a_page(path: Path) -> None:
    overwrite(path, path.stat().st_size - 3 * 4096, b"\xff" * 4096)


def drop_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE entries")


DAMAGES: tuple[Callable[[Path], object], ...] = (
    cut_short,
    break_a_page,
    drop_a_table,
    lambda path: overwrite(path, 0, b"\0" * 100),
    lambda path: path.write_text("Not a database. " * 100),
    lambda path: path.write_bytes(os.urandom(50_000)),
)


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder that anyone may look into and nobody may write to, with a filled history."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder / "conversations.db")
        (folder / "conversations.db").chmod(0o444)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_and_a_fresh_one_begun(path, damage) -> None:
    fill(path, messages=100)
    damage(path)
    content = path.read_bytes()
    store, sentence = Store.open(path)
    with store:
        (kept,) = aside(path, "damaged")
        assert kept.read_bytes() == content
        assert isinstance(store.trouble, HistoryAside)
        assert store.saved
        assert store.conversations() == []
        assert sentence is not None
        assert "damaged" in sentence
        assert str(kept) in sentence
        store.add(store.create().id, "user", "going on")
    with Store(path) as again:
        assert again.trouble is None
        assert titles(again) == ["going on"]


class NewerSqlite(sqlite3.Connection):
    """Says of a damaged search index what SQLite does from 3.44 on."""

    def execute(self, statement: str, *values) -> sqlite3.Cursor:
        if statement.startswith("PRAGMA quick_check"):
            said = 'fts5: corruption found reading blob 10 from table "words"'
            return super().execute("SELECT ?", (said,))
        return super().execute(statement, *values)


def damage_index(path: Path, statement: str) -> None:
    fill(path, messages=50)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


INDEX_DAMAGES = pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM words_data",
        "DELETE FROM words_data WHERE id > 10",
        "UPDATE words_data SET block = x'ff' WHERE id <= 10",
        "UPDATE words_data SET block = zeroblob(20)",
        "UPDATE words_data SET block = zeroblob(20) WHERE id > 1",
    ],
)


@INDEX_DAMAGES
def test_a_damaged_index_alone_costs_no_conversation(path, statement) -> None:
    damage_index(path, statement)
    with Store(path) as store:
        assert store.trouble is None
        with suppress(HistoryUnsaved):  # a damage that is met here is mended with it
            store.add(1, "user", "one more message")
        store.add(1, "user", "another message")
        assert "another message" in [hit.snippet for hit in store.search("message")]
    with Store(path) as store:
        assert store.trouble is None
        assert store.count(1) >= 51


@INDEX_DAMAGES
def test_what_a_newer_sqlite_says_of_the_index_alone_costs_none_either(
    path, monkeypatch, statement
) -> None:
    damage_index(path, statement)
    connect = sqlite3.connect
    newer = lambda *place, **how: connect(*place, factory=NewerSqlite, **how)  # noqa: E731
    monkeypatch.setattr(opening.sqlite3, "connect", newer)
    with Store(path) as store:
        assert store.trouble is None
        assert len(store.search("message")) == 51


def test_a_large_file_that_turned_out_damaged_is_checked_at_the_next_start(
    path, monkeypatch
) -> None:
    monkeypatch.setattr(opening, "_CHECKED_BYTES", 0)
    place = fill(path, messages=400).index(b"message 200 ") // 4096 * 4096
    overwrite(path, place, b"\xff" * 4096)
    with Store(path) as store:
        assert store.trouble is None  # to read all of it would hold up every start
        with pytest.raises(HistoryUnread, match="Start Foreword again"):
            store.entries(1)
    with Store(path) as store:
        assert isinstance(store.trouble, HistoryAside)
    assert len(aside(path, "damaged")) == 1
    with Store(path) as store:
        assert store.trouble is None


def test_two_damaged_files_of_one_second_are_both_kept(path) -> None:
    for number in range(2):
        path.write_text(f"nonsense {number} " * 100)
        with Store(path):
            pass
    assert len(aside(path, "damaged")) == 2


def test_a_file_of_a_newer_version_is_set_aside_unchanged(path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    content = path.read_bytes()
    with Store(path) as store:
        assert isinstance(store.trouble, HistoryNewer)
        assert "newer version" in store.trouble.sentence
        assert store.conversations() == []
    (kept,) = aside(path, "newer")
    assert kept.read_bytes() == content


def test_a_database_of_another_program_is_set_aside(path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photos (name)")
    with Store(path) as store:
        assert store.trouble is not None
        assert "another program" in store.trouble.sentence
    assert len(aside(path, "foreign")) == 1


def test_the_log_goes_with_the_file_that_is_set_aside(path) -> None:
    store = Store(path)
    conversation = store.create("In the log").id
    for suffix in ("", "-wal"):
        copy = path.with_name(f"copy.db{suffix}")
        copy.write_bytes(path.with_name(path.name + suffix).read_bytes())
    store.rename(conversation, "Later")
    store.close()
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA user_version")  # a log that is in use is not brought over
        kept = opening._set_aside(copy, "damaged")
    with closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT title FROM conversations").fetchall() == [("In the log",)]


def test_a_folder_that_refuses_writing_is_read_and_said(closed_folder) -> None:
    with without_rights():
        store, sentence = Store.open(closed_folder / "conversations.db")
        with store:
            assert isinstance(store.trouble, HistoryUnsaved)
            assert sentence is not None
            assert "cannot be saved" in sentence
            assert not store.saved
            assert titles(store) == ["message 0"]
            store.add(store.create().id, "user", "going on")
            assert len(store.search("message")) == 2
            assert titles(store) == ["going on", "message 0"]
    names = sorted(file.name for file in closed_folder.iterdir())
    assert names == ["conversations.db", "conversations.db-open"]


def test_a_damaged_file_in_a_folder_that_refuses_writing_is_left_alone(closed_folder) -> None:
    path = closed_folder / "conversations.db"
    overwrite(path, 0, b"x" * 9000)
    with without_rights(), Store(path) as store:
        assert isinstance(store.trouble, HistoryUnsaved)
        assert store.conversations() == []
        store.add(store.create().id, "user", "going on")
    assert path.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path) -> None:
    (tmp_path / "file").write_text("in the way")
    with Store(tmp_path / "file" / "conversations.db") as store:
        assert isinstance(store.trouble, HistoryUnsaved)
        store.add(store.create().id, "user", "going on")
    with Store(tmp_path) as store:  # a folder where the file should be
        assert isinstance(store.trouble, HistoryUnsaved)


def test_a_file_that_another_process_holds_is_not_set_aside(path, monkeypatch) -> None:
    monkeypatch.setattr(opening, "_WAIT_SECONDS", 0.05)
    fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store(path) as store:
            assert isinstance(store.trouble, HistoryUnsaved)
            assert titles(store) == ["message 0"]
    assert aside(path, "damaged") == []


def test_missing_folders_are_made(tmp_path) -> None:
    with Store(tmp_path / "a" / "b" / "conversations.db") as store:
        assert store.saved


def test_an_empty_file_is_a_fresh_one(path) -> None:
    path.touch()
    with Store(path) as store:
        assert store.trouble is None


def test_a_half_written_reply_is_lost_at_the_next_start_with_its_text(path) -> None:
    with Store(path) as store:
        reply = store.add(store.create().id, "assistant", "half", state="writing").id
    with Store(path) as store:
        assert store.entry(reply).state is State.LOST
        assert store.entry(reply).content == "half"


def test_a_full_disk_is_said_and_costs_nothing_older(store) -> None:
    conversation = store.create("Title").id
    message = store.add(conversation, "user", "kept").id
    store._database._connection.execute("PRAGMA max_page_count = 1")  # SQLite's own full disk
    with pytest.raises(HistoryUnsaved, match="full"):
        store.add(conversation, "user", "word " * 100_000)
    assert [entry.id for entry in store.entries(conversation)] == [message]
    store._database._connection.execute("PRAGMA max_page_count = 100000")
    store.add(conversation, "user", "space again")
    assert store.count(conversation) == 2


def test_a_file_that_breaks_in_use_is_said(store) -> None:
    store._database._connection.execute("DROP TABLE entries")
    with pytest.raises(HistoryUnread, match="Start Foreword again"):
        store.entries(1)


def test_another_process_that_writes_for_a_moment_at_the_start_is_waited_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "conversations.db"
    fill(path)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.3, other.rollback)
    end.start()
    with Store(path) as store:
        assert store.saved
    end.join()
    other.close()


def test_a_locked_file_stops_an_open_window_for_no_more_than_a_frame_or_two(
    tmp_path: Path,
) -> None:
    path = tmp_path / "conversations.db"
    with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with pytest.raises(HistoryUnsaved):
            store.create()
        assert time.monotonic() - began < 0.5
        other.rollback()
        store.create()


def test_the_last_save_waits_for_another_process(tmp_path: Path) -> None:
    path = tmp_path / "conversations.db"
    with Store(path) as store:
        store.close_soon()
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        end = threading.Timer(0.15, other.rollback)
        end.start()
        store.create()
        end.join()
        other.close()


def test_an_index_stays_damaged_where_the_disk_refuses_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "conversations.db"
    with Store(path) as store:
        conversation = store.create().id
        for number in range(400):
            store.add(conversation, "user", f"needle{number} " + f"lorem{number} " * 20)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM words_data WHERE id > 10")
        connection.execute("VACUUM")
        left = connection.execute("SELECT * FROM words_data").fetchall()
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            rebuild_words(connection)
        assert connection.execute("SELECT * FROM words_data").fetchall() == left
        assert not connection.in_transaction
    with Store(path) as store:
        assert store.search("needle")
