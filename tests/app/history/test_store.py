"""What the window relies on when it keeps conversations."""

from __future__ import annotations

import time

import pytest

from app.history import State, Store
from engine.errors import HistoryGone

SPANS = [(0, 5, "accepted", 0.5, 0.4), (5, 11, "bonus", 0.9, None)]


def contents(store: Store, conversation: int) -> list[str]:
    return [entry.content for entry in store.entries(conversation)]


def filled(store: Store, *messages: str) -> tuple[int, list[int]]:
    conversation = store.create().id
    return conversation, [store.add(conversation, "user", text).id for text in messages]


def test_everything_of_an_entry_comes_back(store, path) -> None:
    conversation = store.create().id
    entry = store.add(
        conversation,
        "assistant",
        "Hello world",
        tokens=(1, 2, 151_935),
        state="length",
        figures={"tokens": 3, "alpha": 0.75, "tested_by_position": [3, 2]},
        sources=SPANS,
        attachments=[{"name": "notes.txt", "text": "a\nb"}],
    )
    assert entry.sources == SPANS
    assert entry.state is State.LENGTH
    store.close()
    with Store(path) as again:
        assert again.entries(conversation) == [entry]
        assert again.entry(entry.id) == entry


def test_everything_of_a_conversation_comes_back(store) -> None:
    conversation = store.create("A name").id
    store.set_system(conversation, "Be brief.")
    store.set_settings(conversation, {"temperature": 0.2, "seed": None})
    store.set_draft(conversation, "What I was about to")
    kept = store.conversation(conversation)
    assert (kept.title, kept.system, kept.draft) == ("A name", "Be brief.", "What I was about to")
    assert kept.settings == {"temperature": 0.2, "seed": None}
    assert store.conversations() == [kept]


def test_the_first_message_gives_the_title_and_a_chosen_one_stays(store) -> None:
    conversation, _ids = filled(store, "# Why is the *sky* blue?\nTell me.", "And at night?")
    assert store.conversation(conversation).title == "Why is the *sky* blue?"
    store.rename(conversation, "  Sky\nand night ")
    store.add(conversation, "user", "More")
    assert store.conversation(conversation).title == "Sky and night"
    store.rename(conversation, " ")
    assert store.conversation(conversation).title == "Why is the *sky* blue?"


def test_the_conversation_with_the_newest_message_comes_first(store) -> None:
    first, second = store.create("1").id, store.create("2").id
    assert [c.id for c in store.conversations()] == [second, first]
    store.add(first, "user", "hello")
    store.rename(second, "two")
    assert [c.id for c in store.conversations()] == [first, second]


def test_a_deleted_conversation_can_be_restored(store) -> None:
    conversation, _ids = filled(store, "one", "two")
    store.delete(conversation)
    assert store.conversations() == []
    assert store.search("one") == []
    store.restore(conversation)
    assert contents(store, conversation) == ["one", "two"]
    assert len(store.search("two")) == 1


def test_what_was_deleted_leaves_no_trace_in_the_file_once_closed(store, path) -> None:
    conversation, ids = filled(store, "Xylophone " * 900, "Kazoo", "kept")
    store.remove([ids[1]])
    store.delete(filled(store, "Balalaika")[0])
    store.create()
    store.rename(conversation, "Title")
    store.update(ids[0], content="changed")
    store.close()
    content = path.read_bytes().lower()
    assert b"kept" in content
    for trace in (b"ylophone", b"azoo", b"alalaika"):
        assert trace not in content
    with Store(path) as again:
        assert [c.id for c in again.conversations()] == [conversation]
        with pytest.raises(HistoryGone):
            again.restore_entries([ids[1]])
        assert contents(again, conversation) == ["changed", "kept"]


def test_removed_entries_can_be_restored_in_their_places(store) -> None:
    conversation, ids = filled(store, "a", "b", "c", "d")
    store.remove(ids[1:3])
    assert contents(store, conversation) == ["a", "d"]
    assert store.count(conversation) == 2
    store.restore_entries(ids[1:3])
    assert contents(store, conversation) == ["a", "b", "c", "d"]


def test_truncating_returns_what_an_undo_needs(store) -> None:
    conversation, ids = filled(store, "a", "b", "c", "d")
    other, _ids = filled(store, "elsewhere")
    store.remove([ids[3]])
    assert store.truncate_after(ids[0]) == [ids[1], ids[2]]
    assert contents(store, conversation) == ["a"]
    assert contents(store, other) == ["elsewhere"]
    store.restore_entries([ids[1], ids[2]])
    assert contents(store, conversation) == ["a", "b", "c"]


def test_a_reply_goes_on_into_a_conversation_deleted_meanwhile(store) -> None:
    conversation, _ids = filled(store, "question")
    reply = store.add(conversation, "assistant", "", state="writing").id
    store.delete(conversation)
    store.update(reply, content="answer", state="complete")
    store.restore(conversation)
    assert contents(store, conversation) == ["question", "answer"]


def test_a_long_conversation_opens_from_its_end_at_once(store) -> None:
    conversation, ids = filled(store)
    with store._database.writing() as connection:
        rows = [(conversation, "user", "word " * 200, "complete", 0.0)] * 2000
        connection.executemany(
            "INSERT INTO entries (conversation, role, content, state, created) "
            "VALUES (?, ?, ?, ?, ?)",
            rows,
        )
    started = time.perf_counter()
    last = store.entries(conversation, limit=50)
    assert time.perf_counter() - started < 0.05
    ids = [entry.id for entry in store.entries(conversation)]
    assert [entry.id for entry in last] == ids[-50:]
    earlier = store.entries(conversation, limit=50, before=last[0].id)
    assert [entry.id for entry in earlier] == ids[-100:-50]
    assert [entry.id for entry in store.entries(conversation, since=ids[-60])] == ids[-60:]


def test_updating_a_growing_reply_is_cheap_at_any_length(store) -> None:
    conversation, _ids = filled(store, "question")
    reply = store.add(conversation, "assistant", "", state="writing").id
    text = "word " * 20_000
    costs = []
    for length in range(1000, 100_001, 3300):
        started = time.perf_counter()
        store.update(reply, content=text[:length])
        costs.append(time.perf_counter() - started)
    assert sorted(costs)[len(costs) // 2] < 0.005


def test_a_row_of_nonsense_does_not_hide_the_rest(store) -> None:
    conversation, ids = filled(store, "a", "b")
    with store._database.writing() as connection:
        connection.execute(
            "UPDATE entries SET tokens = '[1,', figures = '{', sources = x'00', attachments = '' "
            "WHERE id = ?",
            (ids[0],),
        )
    assert contents(store, conversation) == ["a", "b"]
    assert store.entry(ids[0]).sources is None


def test_half_a_surrogate_pair_does_no_harm(store) -> None:
    conversation, (message,) = filled(store, "a \ud83d b")
    store.update(message, attachments=[{"name": "\udc00", "size": float("nan")}])
    assert contents(store, conversation) == ["a ? b"]
    assert store.entry(message).attachments == [{"name": "?", "size": None}]


def test_mistakes_of_the_caller_are_told(store) -> None:
    conversation, (message,) = filled(store, "a")
    with pytest.raises(HistoryGone):
        store.update(message + 1, content="b")
    with pytest.raises(HistoryGone):
        store.rename(conversation + 1, "b")
    with pytest.raises(HistoryGone):
        store.add(conversation + 1, "user", "b")
    with pytest.raises(HistoryGone):
        store.restore_entries([message, message + 1])
    with pytest.raises(TypeError, match="has no colour"):
        store.update(message, colour="red")
    with pytest.raises(ValueError, match="asleep"):
        store.update(message, state="asleep")
    assert contents(store, conversation) == ["a"]
