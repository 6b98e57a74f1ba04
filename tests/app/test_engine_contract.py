"""What the window may rely on, asked of the fake engine and of the real worker alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.accept import Source
from engine.client import Client
from engine.protocol import (
    Chat,
    Compare,
    Compared,
    Done,
    Emitted,
    End,
    Event,
    Failed,
    Load,
    Loading,
    Measure,
    Measured,
    Message,
    Options,
    Ping,
    Pong,
    Prompt,
    Ready,
    Sampling,
    Tune,
    Tuning,
    Unload,
    Unloaded,
)
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny
from tests.support.workers import final, until

HELLO = (Message("user", "hello there"),)
SHORT = Options(max_tokens=24, seed=3, gamma=3)
LONG = Options(max_tokens=1500, gamma=3)
GREEDY = Options(max_tokens=8, gamma=3, sampling=Sampling(temperature=0.0))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("pair")
    # One that never ends by itself, and a draft that agrees with it.
    target = write_tiny(folder / "target.gguf", Tiny(always=80))
    return str(target), str(write_tiny(folder / "draft.gguf", Tiny(always=80, noise=0.2)))


@pytest.fixture(
    scope="module", params=["fake", pytest.param("real", marks=pytest.mark.small)], name="client"
)
def started_client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOREWORD_LOGS", str(tmp_path_factory.mktemp("logs")))
        reply = "one two three four five six seven eight nine ten "
        command = fake("--reply", reply, "--repeat", "100", "--pace", "0.002", "--tune", "5")
        with Client(command=command if request.param == "fake" else None) as client:
            yield client


@pytest.fixture(name="loaded")
def client_with_pair(client: Client, pair: tuple[str, str]) -> Client:
    assert isinstance(final(client.request(Load(*pair, n_ctx=1024))), Ready)
    return client


def ask(client: Client, options: Options = SHORT) -> list[Event]:
    return list(client.request(Chat(HELLO, options)))


def test_a_load_tells_how_far_it_is_and_what_is_loaded(
    client: Client, pair: tuple[str, str]
) -> None:
    *loading, ready = client.request(Load(*pair, n_ctx=1024))
    assert all(isinstance(event, Loading) for event in loading)
    assert isinstance(ready, Ready)
    assert ready.verdict.ok
    assert ready.target.path == pair[0]
    assert ready.draft is not None
    assert ready.draft.path == pair[1]
    assert ready.n_ctx == 1024
    assert ready.devices


def test_a_load_without_a_draft_is_ready_for_plain_chat(
    client: Client, pair: tuple[str, str]
) -> None:
    ready = final(client.request(Load(pair[0])))
    assert isinstance(ready, Ready)
    assert (ready.draft, ready.verdict.ok, ready.verdict.code) == (None, False, "no-draft")
    done = final(client.request(Chat(HELLO, SHORT)))
    assert isinstance(done, Done)
    assert done.figures.drafted == 0


def test_a_draft_that_is_missing_leaves_plain_chat_and_says_so(
    client: Client, pair: tuple[str, str], tmp_path: Path
) -> None:
    ready = final(client.request(Load(pair[0], str(tmp_path / "gone.gguf"))))
    assert isinstance(ready, Ready)
    assert not ready.verdict.ok
    assert "gone.gguf" in ready.verdict.reason


def test_a_target_that_is_missing_is_a_failure_with_a_sentence(
    client: Client, tmp_path: Path
) -> None:
    failed = final(client.request(Load(str(tmp_path / "gone.gguf"))))
    assert isinstance(failed, Failed)
    assert failed.code == "file-missing"
    assert "gone.gguf" in failed.sentence


def test_a_load_that_fails_at_once_leaves_what_was_loaded(loaded: Client, tmp_path: Path) -> None:
    failed = final(loaded.request(Load(str(tmp_path / "gone.gguf"))))
    assert isinstance(failed, Failed)
    assert not failed.unloaded
    assert isinstance(ask(loaded)[-1], Done)


def test_a_load_that_fails_where_nothing_was_loaded_leaves_nothing(
    client: Client, tmp_path: Path
) -> None:
    assert isinstance(final(client.request(Unload())), Unloaded)
    failed = final(client.request(Load(str(tmp_path / "gone.gguf"))))
    assert isinstance(failed, Failed)
    assert failed.unloaded


def test_a_reply_is_its_pieces_and_its_tokens(loaded: Client) -> None:
    events = ask(loaded)
    done = events[-1]
    assert isinstance(done, Done)
    assert isinstance(events[0], Prompt)
    emitted = [event for event in events if isinstance(event, Emitted)]
    pieces = [piece for event in emitted for piece in event.pieces]
    tokens = [token for event in emitted for token in event.tokens]
    assert "".join(piece.text for piece in pieces) == done.text
    assert tuple(token.id for token in tokens) == done.tokens
    assert done.figures.tokens == len(tokens) == 24
    assert done.why is End.LENGTH
    assert all(0 <= piece.token < len(tokens) for piece in pieces)
    assert sum(times.emitted for event in emitted for times in event.rounds) == len(tokens)


def test_every_token_says_where_it_came_from(loaded: Client) -> None:
    emitted = [event for event in ask(loaded) if isinstance(event, Emitted)]
    tokens = [token for event in emitted for token in event.tokens]
    assert Source.ACCEPTED in {token.source for token in tokens}
    for token in tokens:
        assert 0 <= token.p <= 1
        assert (token.q is None) == (token.source in (Source.BONUS, Source.PLAIN))


def test_plain_chat_drafts_nothing(loaded: Client) -> None:
    done = ask(loaded, Options(max_tokens=6, gamma=0))[-1]
    assert isinstance(done, Done)
    assert (done.figures.gamma, done.figures.drafted, done.figures.rounds) == (0, 0, 6)


def test_an_unfinished_reply_is_gone_on_with(loaded: Client) -> None:
    first = ask(loaded, GREEDY)[-1]
    assert isinstance(first, Done)
    begun = Message("assistant", first.text, first.tokens)
    more = final(loaded.request(Chat((*HELLO, begun), GREEDY)))
    assert isinstance(more, Done)
    # The text is what is new, the tokens are all of the reply's.
    assert more.tokens[: len(first.tokens)] == first.tokens
    assert len(more.tokens) == len(first.tokens) + more.figures.tokens
    assert more.text


def test_a_stop_ends_a_reply_with_what_there_is(loaded: Client) -> None:
    exchange = loaded.request(Chat(HELLO, LONG))
    until(exchange, Emitted)
    exchange.stop()
    done = final(exchange)
    assert isinstance(done, Done)
    assert done.why is End.STOPPED
    assert 0 < done.figures.tokens < 1000
    assert isinstance(ask(loaded)[-1], Done)


def test_a_second_request_is_refused_while_one_runs(loaded: Client) -> None:
    exchange = loaded.request(Chat(HELLO, LONG))
    until(exchange, Emitted)
    refused = final(loaded.request(Chat(HELLO, SHORT)))
    assert isinstance(refused, Failed)
    assert refused.code == "busy"
    exchange.stop()
    assert isinstance(final(exchange), Done)


def test_a_request_after_a_stop_waits_for_its_turn(loaded: Client) -> None:
    exchange = loaded.request(Chat(HELLO, LONG))
    until(exchange, Emitted)
    exchange.stop()
    assert isinstance(final(loaded.request(Chat(HELLO, SHORT))), Done)


def test_a_comparison_has_two_lanes_and_one_result(loaded: Client) -> None:
    events = list(loaded.request(Compare(HELLO, SHORT)))
    done = {event.lane: event for event in events if isinstance(event, Done)}
    assert set(done) == {"speculative", "plain"}
    assert done["plain"].figures.drafted == 0 < done["speculative"].figures.drafted
    compared = events[-1]
    assert isinstance(compared, Compared)
    assert compared.speed_up > 0
    assert compared.same_tokens <= 24


def test_a_comparison_can_be_stopped(loaded: Client) -> None:
    exchange = loaded.request(Compare(HELLO, LONG))
    until(exchange, Emitted)
    exchange.stop()
    events = list(exchange)
    assert {event.why for event in events if isinstance(event, Done)} == {End.STOPPED}
    assert isinstance(events[-1], Compared)


def test_a_prompt_that_does_not_fit_is_a_failure_with_both_numbers(
    client: Client, pair: tuple[str, str]
) -> None:
    assert isinstance(final(client.request(Load(*pair, n_ctx=64))), Ready)
    failed = final(client.request(Chat((Message("user", "the of and to " * 100),), SHORT)))
    assert isinstance(failed, Failed)
    assert failed.code == "prompt-too-long"
    assert "64" in failed.sentence


def test_a_ping_is_answered_while_a_reply_is_written(loaded: Client) -> None:
    exchange = loaded.request(Chat(HELLO, LONG))
    until(exchange, Emitted)
    assert isinstance(loaded.request(Ping()).next(2.0), Pong)
    exchange.stop()
    assert isinstance(final(exchange), Done)


def test_costs_can_be_measured(loaded: Client) -> None:
    measured = final(loaded.request(Measure((1, 4))))
    assert isinstance(measured, Measured)
    assert set(measured.passes) == {1, 4}


def test_a_tuning_tells_how_far_it_is_and_ends_early_where_it_is_stopped(loaded: Client) -> None:
    tuning = loaded.request(Tune(exhaustive=True))
    progress = until(tuning, Tuning)
    assert 0 <= progress.fraction <= 1
    assert progress.what
    tuning.stop()
    ended = final(tuning)
    assert isinstance(ended, Failed)
    assert ended.code in ("stopped", "machine-busy")  # as other tests compute meanwhile


def test_unloading_leaves_nothing_to_chat_with(loaded: Client) -> None:
    assert isinstance(final(loaded.request(Unload())), Unloaded)
    failed = final(loaded.request(Chat(HELLO, SHORT)))
    assert isinstance(failed, Failed)
    assert failed.code == "nothing-loaded"
