"""Several answers to one message: one counts, the others are aside and kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from app.history import Store


def asked(store: Store, message: str = "question") -> tuple[int, int]:
    conversation = store.create().id
    return conversation, store.add(conversation, "user", message).id


def reply(store: Store, conversation: int, text: str, answers: int | None = None) -> int:
    tokens = tuple(map(ord, text))
    return store.add(conversation, "assistant", text, tokens=tokens, answers=answers).id


def versions_of(store: Store, *texts: str) -> tuple[int, int, list[int]]:
    """A message and its replies, of which the last counts."""
    conversation, prompt = asked(store)
    ids = [reply(store, conversation, texts[0])]
    for text in texts[1:]:
        store.set_aside(ids[-1], prompt)
        ids.append(reply(store, conversation, text, prompt))
    return conversation, prompt, ids


def contents(store: Store, conversation: int) -> list[str]:
    return [entry.content for entry in store.entries(conversation)]


def test_what_is_aside_is_in_no_reading_of_the_conversation(store) -> None:
    conversation, prompt, ids = versions_of(store, "first words", "second words")
    assert contents(store, conversation) == ["question", "second words"]
    assert [said.content for said in store.said(conversation, ids[1])] == contents(
        store, conversation
    )
    assert store.count(conversation) == 2
    assert store.characters(conversation) == len("question[]second words[]")
    assert "first" not in store.export_json(conversation)
    assert "first" not in store.export_markdown(conversation)
    assert [hit.snippet for hit in store.search("words")] == ["second words"]
    assert store.search("first") == []
    store.choose(ids[0])
    assert [hit.entry for hit in store.search("first")] == [ids[0]]
    assert prompt in [entry.id for entry in store.entries(conversation)]


def test_a_search_for_signs_does_not_find_what_is_aside(store) -> None:
    versions_of(store, "in C++", "in C")
    assert store.search("C++") == []


def test_versions_are_told_in_the_order_in_which_they_were_written(store) -> None:
    _conversation, prompt, ids = versions_of(store, "a", "b", "c")
    store.choose(ids[1])
    assert [store.versions(each) for each in ids] == [ids] * 3
    assert store.aside(prompt) == [ids[0], ids[2]]
    assert store.versions(prompt) == [prompt]


def test_the_chosen_version_counts_alone_with_its_tokens(store) -> None:
    conversation, _prompt, ids = versions_of(store, "a", "b", "c")
    for each, text in zip(ids, "abc", strict=True):
        store.choose(each)
        assert contents(store, conversation) == ["question", text]
        assert store.said(conversation, each)[-1].tokens == (ord(text),)


def test_setting_aside_removes_what_came_after_and_tells_it(store) -> None:
    conversation, prompt = asked(store)
    first = reply(store, conversation, "a")
    later = [store.add(conversation, "user", "more").id, reply(store, conversation, "x")]
    elsewhere, _ = asked(store)
    assert store.set_aside(first, prompt) == later
    assert contents(store, conversation) == ["question"]
    assert contents(store, elsewhere) == ["question"]
    store.choose(first)
    store.restore_entries(later)
    assert contents(store, conversation) == ["question", "a", "more", "x"]


def test_truncating_leaves_what_is_aside(store) -> None:
    conversation, prompt, ids = versions_of(store, "a", "b")
    more = store.add(conversation, "user", "more").id
    assert store.truncate_after(prompt) == [ids[1], more]
    assert store.aside(prompt) == [ids[0]]


def test_a_version_gives_way_to_another(store) -> None:
    conversation, _prompt, ids = versions_of(store, "a", "b", "c")
    store.give_way(ids[2], ids[0])
    assert contents(store, conversation) == ["question", "a"]
    assert store.versions(ids[0]) == ids[:2]


def test_the_version_before_is_the_one_that_counted_last(store) -> None:
    conversation, prompt, ids = versions_of(store, "a", "b", "c")
    store.choose(ids[0])
    assert store.version_before(ids[0]) == ids[2]
    store.choose(ids[1])
    assert store.version_before(ids[1]) == ids[0]
    store.choose(ids[0])
    store.set_aside(ids[0], prompt)
    new = reply(store, conversation, "d", prompt)
    assert store.version_before(new) == ids[0]
    store.remove([new])
    assert store.version_before(new) is None
    assert store.version_before(prompt) is None


def test_removed_versions_are_none(store) -> None:
    _conversation, prompt, ids = versions_of(store, "a", "b", "c")
    store.remove([ids[0]])
    assert store.versions(ids[2]) == ids[1:]
    assert store.aside(prompt) == [ids[1]]


def test_what_is_aside_outlives_a_restart(store, path) -> None:
    conversation, _prompt, ids = versions_of(store, "a", "b")
    store.close()
    with Store(path) as again:
        assert again.versions(ids[1]) == ids
        again.choose(ids[0])
        assert contents(again, conversation) == ["question", "a"]


def test_what_is_aside_goes_for_good_with_the_message_that_it_answers(store, path) -> None:
    conversation, prompt, ids = versions_of(store, "Xylophone", "kept")
    gone, _prompt, _ids = versions_of(store, "Kazoo", "Balalaika")
    store.remove([prompt])
    assert store.versions(ids[1]) == ids  # it can still be had back
    store.delete(gone)
    store.close()
    content = path.read_bytes().lower()
    for trace in (b"ylophone", b"azoo", b"alalaika"):
        assert trace not in content
    with Store(path) as again:
        assert contents(again, conversation) == ["kept"]
        assert again.versions(ids[1]) == [ids[1]]


def test_where_foreword_ended_before_the_next_version_began_the_last_one_counts(
    store, path
) -> None:
    conversation, prompt, ids = versions_of(store, "a", "b")
    store.choose(ids[0])
    store.set_aside(ids[0], prompt)
    assert contents(store, conversation) == ["question"]
    store.close()
    with Store(path) as again:
        assert contents(again, conversation) == ["question", "a"]
        assert again.versions(ids[0]) == ids


def test_a_conversation_is_exported_with_the_version_that_counts_alone(store) -> None:
    conversation, _prompt, ids = versions_of(store, "a", "b")
    store.choose(ids[0])
    copy = store.import_json(store.export_json(conversation)).id
    assert contents(store, copy) == ["question", "a"]
    assert len(store.versions(store.entries(copy)[-1].id)) == 1


def test_a_version_gives_way_whole_or_not_at_all(store, path) -> None:
    conversation, _prompt, ids = versions_of(store, "a", "b")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(
            "CREATE TRIGGER refuse BEFORE UPDATE OF aside ON entries "
            f"WHEN new.id = {ids[0]} BEGIN SELECT raise(ABORT, 'not now'); END"
        )
    with pytest.raises(sqlite3.IntegrityError, match="not now"):
        store.give_way(ids[1], ids[0])
    assert contents(store, conversation) == ["question", "b"]
