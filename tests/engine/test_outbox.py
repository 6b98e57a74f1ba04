"""A slow reader never holds up the engine, and gets every word all the same."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from engine.outbox import Outbox
from engine.protocol import (
    Emitted,
    Event,
    Failed,
    Figures,
    Loading,
    Piece,
    Pong,
    Prompt,
    RoundTimes,
    Source,
    Token,
    decode,
)


class Gate(io.BytesIO):
    """A stream whose writers wait until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open = threading.Event()
        self.reached = threading.Event()

    def write(self, data: object) -> int:
        self.reached.set()
        self.open.wait()
        return super().write(data)  # type: ignore[arg-type]

    def events(self) -> list[Event]:
        return [decode(line, Event) for line in self.getvalue().splitlines()]


@contextmanager
def stuck() -> Iterator[tuple[Outbox, Gate]]:
    """An outbox whose writer is held up at a first message; it is let go after the block."""
    gate = Gate()
    outbox = Outbox(gate, lost=lambda: None)
    outbox.put(Pong(id=99))
    gate.reached.wait()
    yield outbox, gate
    gate.open.set()
    outbox.close(5)


def emitted(number: int, request: int = 1, lane: str = "chat") -> Emitted:
    return Emitted(
        lane,
        [Piece(f"<{number}>", number)],
        [Token(number, Source.PLAIN, 0.5)],
        [RoundTimes(1, 0, 0.1, 0.0, 0.1)],
        Figures(tokens=number),
        id=request,
    )


def test_messages_are_written_in_order() -> None:
    with stuck() as (outbox, gate):
        for number in range(5):
            outbox.put(Pong(id=number))
    assert [event.id for event in gate.events()] == [99, 0, 1, 2, 3, 4]


def test_rounds_that_pile_up_become_one_message_without_a_loss() -> None:
    with stuck() as (outbox, gate):
        for number in range(10_000):
            outbox.put(emitted(number))
        assert len(outbox) == 1
    event = gate.events()[1]
    assert isinstance(event, Emitted)
    assert [piece.text for piece in event.pieces] == [f"<{number}>" for number in range(10_000)]
    assert [token.id for token in event.tokens] == list(range(10_000))
    assert len(event.rounds) == 10_000
    assert event.figures == Figures(tokens=9_999)


def test_lanes_and_requests_are_kept_apart() -> None:
    with stuck() as (outbox, gate):
        for number in range(4):
            outbox.put(emitted(number, lane="plain"))
            outbox.put(emitted(number, lane="speculative"))
            outbox.put(emitted(number, request=2, lane="plain"))
    _, *events = gate.events()
    assert [(event.id, event.lane) for event in events if isinstance(event, Emitted)] == [
        (1, "plain"),
        (1, "speculative"),
        (2, "plain"),
    ]


def test_only_the_newest_progress_is_kept() -> None:
    with stuck() as (outbox, gate):
        for done in range(100):
            outbox.put(Loading(done / 100, "Loading", id=1))
            outbox.put(Prompt("chat", done, 100, id=2))
    assert gate.events()[1:] == [Loading(0.99, "Loading", id=1), Prompt("chat", 99, 100, id=2)]


def test_the_end_comes_after_what_was_merged() -> None:
    with stuck() as (outbox, gate):
        outbox.put(emitted(0))
        outbox.put(Failed("stopped", "Stopped.", id=1))
        outbox.put(Pong(id=3))
    assert [type(event) for event in gate.events()[1:]] == [Emitted, Failed, Pong]


def test_what_cannot_be_written_becomes_a_failure_of_its_request(expect_log) -> None:
    expect_log("Loading could not be written: ValueError")
    with stuck() as (outbox, gate):
        outbox.put(Loading(float("nan"), "Loading", id=5))
        outbox.put(Pong(id=6))
    failed, pong = gate.events()[1:]
    assert isinstance(failed, Failed)
    assert (failed.id, failed.code) == (5, "error")
    assert pong == Pong(id=6)


def test_a_reader_that_is_gone_is_reported() -> None:
    class Broken(io.BytesIO):
        def write(self, _data: object) -> int:
            raise BrokenPipeError

    lost = threading.Event()
    outbox = Outbox(Broken(), lost=lost.set)
    outbox.put(Pong())
    assert lost.wait(5)
    outbox.close(5)
