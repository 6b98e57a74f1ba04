"""Prompts files: what is read, and which row is wrong."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from engine import paths
from engine.errors import BadPrompts, FileMissing, FileUnreadable
from engine.prompts import read_prompts
from engine.protocol import Message

USER = {"role": "user", "content": "Hello"}
GOOD = {"id": "a", "kind": "code", "messages": [USER]}


def test_our_own_prompts_are_twelve_or_more_in_six_kinds():
    kinds = Counter(prompt.kind for prompt in read_prompts(paths.asset("prompts.toml")))
    assert set(kinds) == {
        "code", "rewriting", "structured output", "explanation", "story", "everyday"
    }  # fmt: skip
    assert sum(kinds.values()) >= 12
    assert min(kinds.values()) >= 2


@pytest.mark.parametrize("whole", [[GOOD], {"prompts": [GOOD]}])
def test_json_may_hold_the_list_or_an_object_with_it(tmp_path, whole):
    path = tmp_path / "prompts.json"
    path.write_text(json.dumps(whole))
    (prompt,) = read_prompts(path)
    assert (prompt.id, prompt.kind) == ("a", "code")
    assert prompt.messages == (Message("user", "Hello"),)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": None}, "id is not a text"),
        ({"id": "  "}, "id is not a text"),
        ({"id": "first"}, "the id 'first' is given twice"),
        ({"kind": ...}, "kind is missing"),
        ({"messages": ...}, "messages is missing"),
        ({"messages": []}, "messages is not a list"),
        ({"messages": "Hello"}, "messages is not a list"),
        ({"messages": ["Hello"]}, "message 1 is not a table"),
        ({"messages": [{"role": "bot", "content": "x"}]}, "message 1 has the role 'bot'"),
        ({"messages": [{"role": "user"}]}, "message 1 has no content"),
        ({"messages": [USER, {"role": "system", "content": "x"}]}, "message 2 is a system"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "the last message is the"),
    ],
)
def test_a_wrong_row_is_named_with_its_fault(tmp_path, change, reason):
    row = {key: value for key, value in (GOOD | change).items() if value is not ...}
    path = tmp_path / "prompts.json"
    path.write_text(json.dumps([GOOD | {"id": "first"}, row]))
    with pytest.raises(BadPrompts) as caught:
        read_prompts(path)
    assert str(caught.value).startswith(f"{path}, row 2: {reason}")


@pytest.mark.parametrize(
    ("name", "content", "place", "reason"),
    [
        ("p.json", '[{"id": "a"},\n{"id": oops}]', "line 2", "no JSON: Expecting value"),
        ("p.json", "", "line 1", "no JSON"),
        ("p.json", '{"prompts": 3}', "the whole file", 'no list named "prompts"'),
        ("p.json", "[]", "the whole file", "there is no row"),
        ("p.json", "[" * 100_000, "the whole file", "nested too deeply"),
        ("p.json", "[7]", "row 1", "it is not a table"),
        (
            "p.toml",
            '[[prompts]]\nid = "a"\n[[prompts]]\nid = \n',
            "line 4",
            "no TOML: Invalid value",
        ),
        ("p.toml", '# rows\nprompts = [\n  {id = "a"},\n  {id: "b"},\n]', "line 4", "no TOML: "),
        ("p.toml", '[[prompts]]\nid = """', "line 2", "no TOML: "),
        ("p.toml", "", "the whole file", 'no list named "prompts"'),
        ("p.toml", "id = 'a'", "the whole file", 'no list named "prompts"'),
        ("p.toml", "# one\n\n[[prompts]]\nid = 7\n", "row 1 (line 3)", "id is not a text"),
        ("p.toml", "prompts = [\n{id = 7}\n]", "row 1", "id is not a text"),
    ],
)
def test_a_fault_is_reported_at_its_line_or_its_row(tmp_path, name, content, place, reason):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(BadPrompts) as caught:
        read_prompts(path)
    assert str(caught.value).startswith(f"{path}, {place}: ")
    assert reason in str(caught.value)
    assert "(at " not in str(caught.value)


def test_a_file_that_cannot_be_read_is_no_bad_row(tmp_path):
    with pytest.raises(FileMissing):
        read_prompts(tmp_path / "none.toml")
    with pytest.raises(FileUnreadable):
        read_prompts(tmp_path)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(FileUnreadable, match="not a text file"):
        read_prompts(tmp_path / "binary.json")


def test_a_number_of_thousands_of_digits_is_a_wrong_row(tmp_path):
    path = tmp_path / "prompts.json"
    path.write_text("[1" + "0" * 5000 + "]")
    with pytest.raises(BadPrompts, match="too long"):
        read_prompts(path)


def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path):
    with pytest.raises(FileUnreadable, match="no ordinary file"):
        read_prompts(tmp_path)
