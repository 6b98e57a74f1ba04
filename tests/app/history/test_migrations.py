"""Files of older versions are brought up to date, each step once."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from app.history import Store
from app.history.migrations import MIGRATIONS, migrate


def colours(database: sqlite3.Connection) -> None:
    database.execute("ALTER TABLE conversations ADD COLUMN colour TEXT")


def broken(database: sqlite3.Connection) -> None:
    database.execute("DROP TABLE words")
    database.execute("nonsense")


@pytest.fixture
def old_file(path):
    with Store(path) as store:
        store.add(store.create().id, "user", "kept words")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def run(connection: sqlite3.Connection, *more) -> None:
    connection.execute("BEGIN")
    with connection:
        migrate(connection, (*MIGRATIONS, *more))


def test_a_new_step_runs_once_and_keeps_what_is_there(old_file) -> None:
    for _ in range(2):
        run(old_file, colours)
    assert old_file.execute("SELECT title, colour FROM conversations").fetchall() == [
        ("kept words", None)
    ]
    names = [name for (name,) in old_file.execute("SELECT name FROM migrations ORDER BY rowid")]
    assert names == [*(step.__name__ for step in MIGRATIONS), "colours"]
    assert old_file.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)


def test_a_step_that_fails_leaves_the_file_as_it_was(old_file, path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        run(old_file, broken)
    old_file.close()
    with Store(path) as store:
        assert store.trouble is None
        assert len(store.search("kept")) == 2  # the title too


def test_a_file_from_before_there_were_versions_gets_them(path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("BEGIN")
        with old:
            migrate(old, MIGRATIONS[:3])
            old.execute("INSERT INTO conversations (title, created, updated) VALUES ('kept', 1, 2)")
            old.executemany(
                "INSERT INTO entries (conversation, role, content, tokens, state, created) "
                "VALUES (1, ?, ?, '[1,2]', 'complete', 1)",
                [("user", "question"), ("assistant", "answer")],
            )
    with Store(path) as store:
        assert store.trouble is None
        assert [entry.content for entry in store.entries(1)] == ["question", "answer"]
        assert [hit.snippet for hit in store.search("answer")] == ["answer"]
        assert store.versions(2) == [2]
        store.set_aside(2, 1)
        new = store.add(1, "assistant", "another", answers=1).id
        assert store.versions(2) == [2, new]
        assert [entry.content for entry in store.entries(1)] == ["question", "another"]


def test_what_went_with_messages_before_it_was_searched_is_found_now(path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("BEGIN")
        with old:
            migrate(old, MIGRATIONS[:4])
            old.execute("INSERT INTO conversations (title, created, updated) VALUES ('kept', 1, 2)")
            cells = [
                '[{"name":"notes.txt","text":"hay\\nneedle"}]',
                "[",
                '{"text":"no list"}',
                "[1]",
            ]
            old.executemany(
                "INSERT INTO entries (conversation, role, content, attachments, state, created) "
                "VALUES (1, 'user', 'question', ?, 'complete', 1)",
                [(cell,) for cell in cells],
            )
    with Store(path) as store:
        assert store.trouble is None
        assert [hit.snippet for hit in store.search("needle")] == ["notes.txt hay needle"]
        assert len(store.search("question")) == len(cells)
        with store._database.writing() as connection:
            connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")


def test_names_of_steps_are_unique() -> None:
    names = [migration.__name__ for migration in MIGRATIONS]
    assert len(set(names)) == len(names)
