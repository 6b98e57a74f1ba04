"""Searching: what is found, what is marked, and that nothing typed is an error."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.history import Hit, Store
from app.history.search import Marker, terms_of
from engine.errors import HistoryUnsaved

TEXTS = (
    "The quick brown fox",
    "A brown, quick dog",
    "Ein Résumé über Größe",
    "C++ and foo.bar() at 100%",
    "東京タワーは高い",
    "snake_case and don't",
)


@pytest.fixture
def texts(store: Store) -> dict[int, str]:
    conversation = store.create("Animals and towers").id
    return {store.add(conversation, "user", text).id: text for text in TEXTS}


def found(store: Store, search: str) -> list[int]:
    """The places in TEXTS that a search finds, titles left out."""
    texts = [entry.content for entry in store.entries(1)]
    return sorted(
        texts.index(store.entry(h.entry).content) for h in store.search(search) if h.entry
    )


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]


@pytest.mark.parametrize(
    ("search", "places"),
    [
        ("quick", [0, 1]),
        ("QUI", [0, 1]),
        ("fox quick", [0]),
        ('"brown fox"', [0]),
        ('"brown quick"', [1]),
        ('"qui"', []),
        ("“brown fox”", [0]),
        ("ick", []),
        ("resume uber", [2]),
        ("RÉSUMÉ", [2]),
        ("quick,", [0, 1]),
        ("c++", [3]),
        ("foo.bar()", [3]),
        ("0%", [3]),
        ("%", [3]),
        ("_", [5]),
        ("snake_", [5]),
        ("don't", [5]),
        ("京タ", [4]),
        ("東京 高い", [4]),
        ("", []),
        ("   ", []),
        ('"', []),
        ("fox AND", []),
        ("fox NOT quick", []),
        ("\\", []),
    ],
)
@pytest.mark.usefixtures("texts")
def test_what_finds_what(store, search, places) -> None:
    assert found(store, search) == places


@pytest.mark.usefixtures("texts")
def test_hits_come_newest_first_with_their_marks(store) -> None:
    dog, fox = store.search("brown qui")
    assert fox.snippet == "The quick brown fox"
    assert fox.marks == ((4, 7), (10, 15))
    assert marked(dog) == ["brown", "qui"]
    assert dog.title == "Animals and towers"


@pytest.mark.usefixtures("texts")
def test_a_title_is_found_before_messages(store) -> None:
    store.add(1, "user", "No animals here")
    title, message = store.search("animal")
    assert (title.entry, title.snippet, title.marks) == (None, "Animals and towers", ((0, 6),))
    assert message.snippet == "No animals here"
    store.rename(1, "Beasts")
    assert [hit.entry is None for hit in store.search("animal")] == [False]


def test_a_word_that_is_everywhere_costs_no_more_than_the_hits_that_are_shown(store) -> None:
    conversation = store.create().id
    with store._database.writing() as connection:
        rows = [(conversation, "user", f"word {number}", "complete", 0.0) for number in range(3000)]
        connection.executemany(
            "INSERT INTO entries (conversation, role, content, state, created) "
            "VALUES (?, ?, ?, ?, ?)",
            rows,
        )
    steps: list[int] = []
    store._database._connection.set_progress_handler(lambda: steps.append(1), 1000)
    hits = store.search("w")
    assert [hit.snippet for hit in hits] == [f"word {2999 - place}" for place in range(100)]
    assert len(steps) < 20


def test_the_snippet_shows_the_place_in_a_long_message(store) -> None:
    conversation = store.create().id
    store.add(conversation, "user", "word\n" * 5000 + "needle in the hay " + "word " * 5000)
    (hit,) = store.search("needle")
    assert marked(hit) == ["needle"]
    assert len(hit.snippet) < 200
    assert hit.snippet.startswith("… word word")
    assert hit.snippet.endswith("word …")


def test_accents_written_apart_are_marked_whole(store) -> None:
    conversation = store.create("Title").id
    store.add(conversation, "user", "un cafe\u0301 noir")
    (hit,) = store.search("café")
    assert marked(hit) == ["cafe\u0301"]


@pytest.mark.parametrize("search", ["needle", "notes.txt", "NEED question", "n.e"])
def test_what_goes_with_a_message_is_found_too(store, search) -> None:
    conversation = store.create("Title").id
    notes = [{"name": "notes.txt", "text": "a needle\n in.east"}, {"name": "b", "text": "hay"}]
    message = store.add(conversation, "user", "My question", attachments=notes).id
    store.add(conversation, "user", "Another")
    (hit,) = store.search(search)
    assert hit.entry == message
    assert marked(hit)
    store.update(message, attachments=[])
    assert store.search(search) == []


def test_a_search_reads_only_so_much_of_what_goes_with_messages(store) -> None:
    """All are found; of those after that, the messages themselves are shown."""
    conversation = store.create("Title").id
    places = (0, 600_000, 300_000)  # of the word; the newest message is looked at first
    for number, place in enumerate(places):
        novel = {"name": "novel.txt", "text": f"{'a ' * (place // 2)}needle {'b ' * 9}"}
        store.add(conversation, "user", f"Message {number}", attachments=[novel])
    hits = store.search("needle")
    assert [hit.entry for hit in hits] == [3, 2, 1]
    assert [bool(marked(hit)) for hit in hits] == [True, True, True]
    monstrous = {"name": "novel.txt", "text": "a " * 400_000 + "needle"}
    newest = store.add(conversation, "user", "Message 3", attachments=[monstrous]).id
    hits = store.search("needle")
    assert [hit.entry for hit in hits] == [newest, 3, 2, 1]
    assert [bool(marked(hit)) for hit in hits] == [True, False, False, False]
    assert [hit.snippet for hit in hits[1:]] == ["Message 2", "Message 1", "Message 0"]


def test_a_changed_entry_is_found_by_its_new_words_only(store) -> None:
    conversation = store.create("Title").id
    entry = store.add(conversation, "user", "old words").id
    store.update(entry, content="new words")
    assert store.search("old") == []
    assert len(store.search("new")) == 1


def test_a_reply_is_found_when_it_is_finished(store) -> None:
    conversation = store.create().id
    reply = store.add(conversation, "assistant", "", state="writing").id
    store.update(reply, content="partial answer")
    assert store.search("answer") == []
    store.update(reply, content="whole answer", state="complete")
    assert len(store.search("answer")) == 1
    store.update(reply, state="writing")
    store.update(reply, content="whole answer continued", state="stopped")
    assert len(store.search("continued")) == 1


def test_a_lost_reply_is_found_after_the_start(store, path) -> None:
    store.add(store.create().id, "assistant", "half an ans", state="writing")
    store.close()
    with Store(path) as again:
        assert len(again.search("half")) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    st.text()
    | st.text(alphabet="\"'*(){}^:-+%_\\ NEAROTD\0\ud800é東", max_size=30)
    | st.sampled_from(["x" * 100_000, '"' * 3000, "a " * 5000, "%" * 60_000, "(" * 900])
)
def test_no_search_is_an_error(store, search) -> None:
    if not store.conversations():
        store.add(store.create().id, "user", "\"'*(){}^:-+%_\\ NEAROTD é東 text")
    for hit in store.search(search):
        assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)


@given(st.text(), st.text(min_size=1))
def test_marks_lie_in_the_text_for_any_text(text, search) -> None:
    if terms := terms_of(search):
        snippet, marks = Marker(terms).snippet(text)
        assert all(0 <= start < end <= len(snippet) for start, end in marks)


def damage_index(store: Store, statement: str) -> int:
    conversation = store.create("Title").id
    store.add(conversation, "user", "a needle")
    with store._database.writing() as connection:
        connection.execute(statement)
    return conversation


def test_a_damaged_index_is_made_anew_by_a_search(store) -> None:
    damage_index(store, "DELETE FROM words_data")
    assert len(store.search("needle")) == 1


def test_a_damaged_index_costs_one_write_at_most(store) -> None:
    conversation = damage_index(store, "UPDATE words_data SET block = zeroblob(20) WHERE id > 1")
    with pytest.raises(HistoryUnsaved):
        store.add(conversation, "user", "another needle")
    store.add(conversation, "user", "another needle")
    assert len(store.search("needle")) == 2
