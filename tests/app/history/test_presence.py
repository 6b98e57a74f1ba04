"""Several windows over one history: nothing goes for good, or is called lost, under another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.history import State, Store
from app.history.presence import Presence
from engine.errors import HistoryGone

ROOT = Path(__file__).parents[3]

HOLDER = """
import sys
from pathlib import Path
from app.history import Store

store = Store(Path(sys.argv[1]))
print(store.is_first, flush=True)
sys.stdin.readline()
"""


@pytest.fixture(name="other")
def second_window(store: Store, path: Path) -> Iterator[Store]:
    """Opened while ``store`` is."""
    with Store(path) as other:
        yield other


def filled(store: Store, *messages: str) -> tuple[int, list[int]]:
    conversation = store.create().id
    return conversation, [store.add(conversation, "user", text).id for text in messages]


def contents(store: Store, conversation: int) -> list[str]:
    return [entry.content for entry in store.entries(conversation)]


def test_what_one_window_deleted_can_be_had_back_though_another_came_and_went(
    store: Store, path: Path
) -> None:
    conversation, (_first, second) = filled(store, "a", "b")
    store.remove([second])
    store.delete(conversation)
    with Store(path) as other:
        assert not other.is_first
        assert other.conversations() == []
    store.restore(conversation)
    store.restore_entries([second])
    assert contents(store, conversation) == ["a", "b"]


def test_the_last_window_to_close_forgets_what_was_deleted(path: Path) -> None:
    store = Store(path)
    conversation, _entries = filled(store, "a")
    store.delete(conversation)
    other = Store(path)
    assert store.is_first
    store.close()
    assert other.conversation(conversation).title == "a"
    other.close()
    with Store(path) as again, pytest.raises(HistoryGone):
        again.conversation(conversation)


def test_a_reply_that_another_window_writes_is_not_lost(store: Store, path: Path) -> None:
    conversation, _entries = filled(store, "a")
    reply = store.add(conversation, "assistant", "hal", state="writing").id
    with Store(path) as other:
        assert other.entry(reply).state is State.WRITING
    assert store.entry(reply).state is State.WRITING


def test_the_window_of_another_process_counts_until_that_is_killed(path: Path) -> None:
    with Store(path) as store:
        conversation, _entries = filled(store, "a")
        store.delete(conversation)
        command = [sys.executable, "-c", HOLDER, str(path)]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "False\n"
            assert not store.is_alone()
            holder.kill()
            holder.wait()
        assert store.is_alone()


def test_who_finds_that_others_are_there_is_there_still(path: Path) -> None:
    first, second, third = (Presence(path) for _ in range(3))
    first.stay()
    second.stay()
    assert not first.is_alone()
    second.leave()
    assert not third.is_alone()
    first.leave()
    assert third.is_alone()
    third.leave()


def test_where_no_lock_can_be_had_a_window_goes_by_itself(tmp_path: Path) -> None:
    presence = Presence(tmp_path / "missing" / "conversations.db")
    assert presence.is_alone()
    presence.stay()
    presence.leave()


def test_what_is_written_in_a_conversation_that_another_window_deleted_brings_it_back(
    store: Store, other: Store
) -> None:
    for write in (
        lambda number: other.add(number, "user", "b"),
        lambda number: other.set_system(number, "Be brief."),
        lambda number: other.set_settings(number, {"temperature": 0}),
        lambda number: other.set_draft(number, "half a thou", is_typed=True),
    ):
        conversation, _entries = filled(store, "a")
        store.delete(conversation)
        write(conversation)
        assert store.listed(conversation).title == "a"


def test_what_was_typed_before_does_not_bring_it_back(store: Store) -> None:
    conversation, _entries = filled(store, "a")
    store.delete(conversation)
    store.set_draft(conversation, "half a thou")
    store.set_draft(conversation, "", is_typed=True)
    with pytest.raises(HistoryGone):
        store.listed(conversation)


def test_an_entry_that_is_removed_or_aside_is_not_shown(store: Store) -> None:
    conversation, (prompt,) = filled(store, "a")
    reply = store.add(conversation, "assistant", "b").id
    assert store.shown(reply) == store.entry(reply)
    store.set_aside(reply, prompt)
    store.remove([prompt])
    for entry in (reply, prompt, reply + 1):
        with pytest.raises(HistoryGone):
            store.shown(entry)
