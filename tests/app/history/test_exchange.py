"""Export and import: everything comes back, and a wrong file is named, never half taken."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.history import Conversation, Entry, State, Store
from app.history.exchange import FORMAT, from_json, to_json
from app.history.model import one_line
from app.history.spans import SOURCES
from engine.errors import BadImport

TIMES = st.floats(0, 4e9)
WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=50)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)
TABLES = st.dictionaries(WORDS, VALUES, max_size=3)
ATTACHMENTS = st.fixed_dictionaries({"name": WORDS, "text": WORDS})
CHANCES = st.none() | st.floats(0, 1)
SPANS = st.builds(
    lambda start, length, source, p, q: (start, start + length, source, p, q),
    st.integers(0, 9999), st.integers(0, 99), st.sampled_from(SOURCES), CHANCES, CHANCES,
)  # fmt: skip
ENTRIES = st.builds(
    Entry,
    id=st.just(0),
    conversation=st.just(0),
    role=st.sampled_from(("user", "assistant", "system")),
    content=WORDS,
    tokens=st.lists(st.integers(0, 2**31 - 1), max_size=4).map(tuple),
    state=st.sampled_from([state for state in State if state is not State.WRITING]),
    figures=st.none() | TABLES,
    sources=st.none() | st.lists(SPANS, max_size=3),
    attachments=st.lists(ATTACHMENTS, max_size=2),
    created=TIMES,
)
CONVERSATIONS = st.builds(
    Conversation,
    id=st.just(0), title=WORDS.map(one_line), created=TIMES, updated=TIMES, system=WORDS,
    settings=TABLES, draft=st.just(""),
)  # fmt: skip


@settings(max_examples=60)
@given(CONVERSATIONS, st.lists(ENTRIES, max_size=3))
def test_what_was_exported_is_imported(conversation, entries) -> None:
    text = to_json(conversation, entries)
    read, read_entries = from_json(text)
    assert replace(read, settings=dict(read.settings)) == conversation
    assert [replace(e, attachments=list(e.attachments)) for e in read_entries] == entries
    assert from_json("\ufeff" + text) == from_json(text.encode()) == (read, read_entries)


def test_a_conversation_goes_through_a_file_into_another_history(store, tmp_path) -> None:
    conversation = store.create("Named").id
    store.set_system(conversation, "Be brief.")
    store.set_settings(conversation, {"temperature": 0})
    store.add(conversation, "user", "Hello", attachments=[{"name": "a.txt", "text": "b"}])
    span = (0, 4, "corrected", 0.25, None)
    store.add(conversation, "assistant", "Häll", tokens=[5], figures={"tokens": 1}, sources=[span])
    store.add(conversation, "assistant", "half", state="writing")
    store.remove([store.add(conversation, "user", "removed").id])
    text = store.export_json(conversation)
    with Store(tmp_path / "other.db") as other:
        taken = other.import_json(text)
        kept = store.conversation(conversation)
        assert replace(kept, id=taken.id) == taken
        entries = zip(store.entries(conversation), other.entries(taken.id), strict=True)
        for ours, theirs in entries:
            state = State.LOST if ours.state is State.WRITING else ours.state
            same = replace(theirs, id=ours.id, conversation=ours.conversation)
            assert same == replace(ours, state=state)
        assert len(other.search("häll")) == 1


NOTE = {"name": "a.txt", "text": "b"}
NO_TEXT = {"name": "a.txt"}


def file(**changes: object) -> str:
    entry = {"role": "user", "content": "Hi", "state": "complete", "created": 1}
    content = {"format": FORMAT, "version": 1, "created": 1, "updated": 1, "entries": [entry]}
    entry.update(changes.pop("entry", {}))
    return json.dumps(content | changes)


def test_only_what_matters_must_be_there(store) -> None:
    taken = store.import_json(file())
    assert [entry.content for entry in store.entries(taken.id)] == ["Hi"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not valid JSON"),
        ("# Notes", "not valid JSON"),
        (b"\xff\xfe\x00", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"format": NaN}', "not valid JSON"),
        ("9" * 10_000, "not valid JSON"),
        ("[]", "its content must be an object"),
        ("{}", "Foreword did not write it"),
        ('{"messages": []}', "Foreword did not write it"),
        ('{"format": 5}', "format must be text"),
        (file(version=2), "a newer version of Foreword wrote it"),
        (file(version="1"), "version must be a whole number"),
        (file(entries={}), "entries must be a list"),
        (file(entries=None), "entries must be a list"),
        (file(entries=[5]), r"entries\[0\] must be an object"),
        (file(title=5), "title must be text"),
        (file(created=10**400), "created must be a time"),
        (file(created=1e12), "created must be a time"),
        (file(created=True), "created must be a time"),
        (file(settings=[]), "settings must be an object"),
        (file(entry={"role": "tool"}), r"entries\[0\]\.role must be one of system, user"),
        (file(entry={"role": ["user"]}), r"entries\[0\]\.role must be one of"),
        (file(entry={"content": None}), r"entries\[0\]\.content must be text"),
        (file(entry={"state": "writing"}), r"entries\[0\]\.state must be one of complete"),
        (file(entry={"tokens": [1, -1]}), r"entries\[0\]\.tokens must be a list of token ids"),
        (file(entry={"tokens": [2**31]}), r"entries\[0\]\.tokens must be"),
        (file(entry={"figures": 7}), r"entries\[0\]\.figures must be an object"),
        (file(entry={"sources": [[2, 1, "bonus", 0, 0]]}), r"entries\[0\]\.sources must be"),
        (file(entry={"sources": [[0, 1, "made up", 0, 0]]}), r"entries\[0\]\.sources must be"),
        (file(entry={"sources": [[0, 1, "bonus", "x", 0]]}), r"entries\[0\]\.sources must be"),
        (file(entry={"attachments": {}}), r"entries\[0\]\.attachments must be a list"),
        (file(entry={"attachments": ["a"]}), r"\[0\]\.attachments\[0\] must be an object"),
        (file(entry={"attachments": [NOTE, NO_TEXT]}), r"attachments\[1\]\.text must be text"),
        (file(entry={"attachments": [NOTE | {"name": 5}]}), r"attachments\[0\]\.name must be text"),
        (file(settings={"temperature": "hot"}), r"settings\.temperature must be a number from 0"),
        (file(settings={"temperature": 10**400}), r"settings\.temperature must be a number"),
        (file(settings={"think": [1]}), r"settings\.think must be auto, yes or no"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_ours_is_named_and_not_taken(store, text, reason) -> None:
    with pytest.raises(BadImport, match=reason) as caught:
        store.import_json(text)
    assert caught.value.sentence.startswith("This file cannot be imported: ")
    assert store.conversations() == []


def test_settings_of_its_own_come_along_and_those_of_another_version_too(store) -> None:
    own = {"temperature": 0, "seed": None, "think": "auto", "of_a_later_version": [1]}
    assert store.import_json(file(settings=own)).settings == own


def test_any_depth_of_nesting_is_an_answer(store) -> None:
    for depth in range(100, 1100, 9):
        nested = "[" * depth + "]" * depth
        text = file(settings="HERE").replace('"HERE"', '{"a": ' + nested + "}")
        try:
            store.export_json(store.import_json(text).id)
        except BadImport:
            continue


@given(st.text() | VALUES.map(json.dumps))
def test_no_file_is_a_crash(text) -> None:
    with pytest.raises(BadImport):
        from_json(text)


def test_half_a_surrogate_pair_in_a_file_does_no_harm(store) -> None:
    half = [NOTE | {"text": "\udc00"}]
    taken = store.import_json(file(title="a \ud83d", entry={"attachments": half}))
    assert taken.title == "a ?"
    assert store.export_json(taken.id).encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (",\n", "\n"),
        (",\n", ",,\n"),
        ("\n]}", ",\n]}"),
        ("[\n", "[\n,"),
    ],
)
def test_commas_between_lines_are_looked_at_as_those_of_any_file(before, after) -> None:
    entries = [Entry(0, 0, "user", text) for text in "ab"]
    text = to_json(Conversation(0, "Title", 1.0, 1.0), entries)
    assert text.count(before) == 1
    assert [entry.content for entry in from_json(text)[1]] == ["a", "b"]
    with pytest.raises(BadImport, match="not valid JSON"):
        from_json(text.replace(before, after))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_that_another_program_laid_out_anew_is_read(encoding, indent) -> None:
    entries = [Entry(0, 0, "user", text) for text in ("a", "b\u2028\n]}")]
    text = to_json(Conversation(0, "Title", 1.0, 1.0), entries)
    again = json.dumps(json.loads(text), indent=indent, ensure_ascii=False).encode(encoding)
    assert from_json(again) == from_json(text)


def test_entries_are_read_one_by_one(monkeypatch) -> None:
    """Or a large file would hold up every other thread for as long as it takes."""
    longest = []
    loads = json.loads
    monkeypatch.setattr(json, "loads", lambda t, **more: longest.append(len(t)) or loads(t, **more))
    entries = [Entry(0, 0, "user", "word " * 100) for _ in range(50)]
    from_json(to_json(Conversation(0, "Title", 1.0, 1.0), entries))
    assert max(longest) < 1000
