"""The messages: what is sent arrives, and nothing else gets in."""

from __future__ import annotations

import dataclasses
import io
import json
import typing
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chat, protocol
from engine.engine import ReplyOptions
from engine.errors import BadMessage
from engine.protocol import Chat, Event, Failed, Message, Ping, Pong, Request, decode, encode

WHOLE = st.integers(-(2**63) + 1, 2**63 - 1)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)


def messages_of(family: type) -> st.SearchStrategy[Any]:
    """Any message of the family, its fields filled by their types."""
    return st.one_of([filled(kind) for kind in family.__subclasses__()])


def filled(kind: Any) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind)
    names = [item.name for item in dataclasses.fields(kind)]
    return st.builds(kind, **{name: of_type(hints[name]) for name in names})


def of_type(hint: Any) -> st.SearchStrategy[Any]:
    if dataclasses.is_dataclass(hint):
        return filled(hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return st.lists(of_type(parts[0]), max_size=3)
    if origin is tuple and parts[-1] is ...:
        return st.lists(of_type(parts[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of_type, parts))
    if origin is dict:
        return st.dictionaries(st.integers(0, 200), of_type(parts[1]), max_size=3)
    if type(None) in parts:
        return st.none() | of_type(parts[0])
    return {int: WHOLE, float: NUMBER}[hint] if hint in (int, float) else st.from_type(hint)


@given(messages_of(Request))
def test_every_request_arrives_as_it_was_sent(message: Request) -> None:
    assert decode(encode(message), Request) == message


@given(messages_of(Event))
def test_every_event_arrives_as_it_was_sent(message: Event) -> None:
    assert decode(encode(message), Event) == message


@given(messages_of(Request))
def test_a_message_is_one_line_of_ascii(message: Request) -> None:
    line = encode(message)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1


def test_the_options_are_the_engines_own() -> None:
    """They are told twice, because a front end must not load llama.cpp."""
    ours, theirs = dataclasses.fields(protocol.Options), dataclasses.fields(ReplyOptions)
    assert [(f.name, f.default) for f in ours] == [(f.name, f.default) for f in theirs]
    assert protocol.Options().sampling == ReplyOptions().sampling


def test_a_message_of_the_conversation_is_the_engines_own() -> None:
    assert dataclasses.asdict(Message("user", "hi", (1,))) == dataclasses.asdict(
        chat.Message("user", "hi", (1,))
    )


BAD = {
    b"": "it is not JSON",
    b"\n": "it is not JSON",
    b"hello": "it is not JSON",
    b"\xff\xfe": "it is not JSON",
    b"[" * 100_000: "it is not JSON",
    b'{"type":"ping","id":NaN}': "it is not JSON",
    b'{"type":"ping","id":-Infinity}': "it is not JSON",
    b'{"type":"ping","id":' + b"9" * 5000 + b"}": "it is not JSON",
    b"[]": "it is not an object",
    b"{}": "its type is unknown",
    b'{"type":"pong","id":1}': "its type is unknown",
    b'{"type":["ping"],"id":1}': "its type is unknown",
    b'{"type":"ping"}': "it has no id",
    b'{"type":"ping","id":"1"}': "ping.id must be a whole number",
    b'{"type":"ping","id":true}': "ping.id must be a whole number",
    b'{"type":"ping","id":1,"more":2}': "ping.'more' must be left out",
    b'{"type":"load","id":1}': "load.target must be there",
    b'{"type":"load","id":1,"target":"a","n_ctx":1e999}': "load.n_ctx must be a whole number",
    b'{"type":"chat","id":1,"messages":[{"role":"user"}]}': "chat.messages[].content must be there",
    b'{"type":"chat","id":1,"messages":[],"options":{"sampling":{"top_p":1e999}}}': (
        "chat.options.sampling.top_p must be a finite number"
    ),
    b'{"type":"chat","id":1,"messages":[],"options":{"rule":"luck"}}': (
        "chat.options.rule must be one of ratio, coupled"
    ),
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:60].decode(errors="replace"))
def test_a_malformed_line_is_refused_with_the_reason(line: bytes) -> None:
    with pytest.raises(BadMessage) as caught:
        decode(line, Request)
    assert caught.value.fields["reason"] == BAD[line]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("id"), inner),
    max_leaves=8,
)


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_line_raises_anything_else(line: bytes) -> None:
    with pytest.raises(BadMessage):
        decode(line, Request)


@given(st.sampled_from(["load", "chat", "measure"]), st.dictionaries(st.just("messages"), JSON))
def test_no_field_raises_anything_else(kind: str, fields: dict[str, Any]) -> None:
    line = json.dumps({"type": kind, "id": 1, **fields}).encode()
    with suppress(BadMessage):
        decode(line, Request)


def test_the_error_tells_the_request_it_is_about() -> None:
    with pytest.raises(BadMessage) as caught:
        decode(b'{"type":"load","id":7}', Request)
    assert Failed.of(caught.value, 7).sentence == (
        "The engine was sent a message it does not understand (load.target must be there)."
    )
    assert caught.value.fields["id"] == 7


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_never_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(protocol.Loading(number, "Loading"))


def test_half_a_character_is_replaced() -> None:
    line = encode(Chat((Message("user", "a\ud83d!"),), id=1))
    message = decode(line, Request)
    assert isinstance(message, Chat)
    assert message.messages[0].content == "a?!"


def test_a_message_above_the_limit_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LIMIT", 1000)
    with pytest.raises(BadMessage, match="1,000 is the most") as caught:
        encode(Chat((Message("user", "x" * 1000),), id=3))
    assert caught.value.fields["id"] == 3


def read(stream: bytes) -> list[Request | BadMessage]:
    return list(protocol.messages(io.BytesIO(stream), Request))


def test_a_line_above_the_limit_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LIMIT", 100)
    bad, good = read(b"x" * 70_000 + b"\n" + encode(Ping(id=2)))
    assert isinstance(bad, BadMessage)
    assert bad.fields["reason"] == "it is longer than 100 bytes"
    assert good == Ping(id=2)


def test_reading_goes_on_after_a_bad_line() -> None:
    first, bad, last = read(encode(Ping(id=1)) + b"nonsense\n" + encode(Ping(id=2)))
    assert (first, last) == (Ping(id=1), Ping(id=2))
    assert isinstance(bad, BadMessage)


@pytest.mark.parametrize("limit", [10, 2**20])
def test_a_line_cut_off_by_the_end_is_nothing(monkeypatch: Any, limit: int) -> None:
    line = encode(Ping(id=1))
    monkeypatch.setattr(protocol, "LIMIT", limit)
    assert read(line[:-1]) == []


def test_an_event_is_no_request() -> None:
    with pytest.raises(BadMessage):
        decode(encode(Pong(id=1)), Request)
