"""A stop with the real pair, wherever it comes: soon, and the reply keeps what there was."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.client import Client, Exchange
from engine.models import starter
from engine.protocol import (
    Chat,
    Done,
    Emitted,
    End,
    Load,
    Message,
    Options,
    Prompt,
    Ready,
    Sampling,
)
from tests.support.workers import final, until

pytestmark = pytest.mark.real

AT_ONCE = 1.0
"""Seconds; the aim is 0.3, and a quiet machine with two cores takes 0.03."""
ESSAY = (Message("user", "Write a long essay about rivers."),)
LONG = (Message("user", "hello " * 3950),)
GREEDY = Sampling(temperature=0)


@pytest.fixture(scope="module")
def worker(starter_folder: Path) -> Iterator[Client]:
    """A worker with the starter pair loaded."""
    target, draft = (starter.installed(file, starter_folder) for file in starter.STARTER_PAIR)
    with Client() as client:
        assert isinstance(final(client.request(Load(str(target), str(draft)))), Ready)
        yield client


def stopped(reply: Exchange) -> Done:
    """The end of a reply that is told to stop now. It comes at once."""
    started = time.monotonic()
    reply.stop()
    done = final(reply)
    assert time.monotonic() - started < AT_ONCE
    assert isinstance(done, Done)
    assert done.why is End.STOPPED
    return done


@pytest.mark.parametrize("gamma", [0, 16])
def test_a_prompt_of_4000_tokens_can_be_stopped_in_the_middle(worker: Client, gamma: int) -> None:
    reply = worker.request(Chat(LONG, Options(gamma=gamma), fresh=True))
    progress = until(reply, Prompt, times=4)
    time.sleep(0.3)  # somewhere in a pass
    assert progress.total >= 3900
    assert progress.done < progress.total
    assert stopped(reply).tokens == ()


@pytest.mark.parametrize("pause", [0.0, 0.15, 0.3])
def test_a_round_of_16_can_be_stopped_in_the_middle(worker: Client, pause: float) -> None:
    reply = worker.request(Chat(ESSAY, Options(gamma=16, sampling=GREEDY)))
    until(reply, Emitted, times=2)
    time.sleep(pause)  # while the draft writes, or while the target checks
    done = stopped(reply)
    assert done.tokens
    assert done.text
    again = final(worker.request(Chat(ESSAY, Options(gamma=16, max_tokens=4))))
    assert isinstance(again, Done)
    assert again.why is not End.STOPPED
