"""The worker process: what it answers, how fast it stops, what it survives, how it ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader

from engine import costs
from engine.client import Client
from engine.engine import EXACT_GAMMA
from engine.errors import Busy
from engine.llama.context import StopFlag
from engine.memory import Judgement
from engine.pairing import Verdict
from engine.protocol import (
    CHAT,
    PLAIN,
    SPECULATIVE,
    VERSION,
    Chat,
    Compare,
    Compared,
    Count,
    Counted,
    Done,
    Emitted,
    End,
    Event,
    Failed,
    Hello,
    Load,
    Loading,
    Measure,
    Measured,
    Message,
    Options,
    Ping,
    Pong,
    Prompt,
    Quit,
    Ready,
    Request,
    Sampling,
    Survey,
    Surveyed,
    Unload,
    Unloaded,
)
from engine.service import Service
from engine.worker import Desk
from tests.engine.conftest import TinyPath
from tests.support.workers import ROOT, BareWorker, final, frail, load, until

pytestmark = pytest.mark.small

LETTER_A = 6 + ord("a")
SLOW = {"layers": 6, "width": 512, "context_length": 8192}
"""A pass over 128 tokens takes this one a tenth of a second."""
AT_ONCE = 1.0
"""Seconds; the aim is 0.3, and a quiet machine takes 0.02."""
IN_A_SECOND = 2.0
"""Seconds; the worker's own limit is 0.9."""
HELLO = (Message("user", "hello"),)
LONG = (Message("user", "hello " * 3000),)
GREEDY = Sampling(temperature=0)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Somewhere to log to for the workers that serve several tests."""
    folder = tmp_path_factory.mktemp("logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOREWORD_LOGS", str(folder))
        yield folder


@pytest.fixture(scope="module")
def worker(logs: Path) -> Iterator[Client]:
    """A worker for the tests that load what they need."""
    with Client() as client:
        yield client


@pytest.fixture(scope="module")
def paired(logs: Path, tiny_path: TinyPath) -> Iterator[Client]:
    """A worker with a tiny pair that mostly agrees; a test leaves it loaded."""
    with Client() as client:
        assert isinstance(final(client.request(load(tiny_path(), tiny_path(noise=0.3)))), Ready)
        yield client


@pytest.fixture(scope="module")
def endless(logs: Path, tiny_path: TinyPath) -> Iterator[Client]:
    """A worker with a slow pair that says "a" until its context is full; it stays loaded."""
    path = tiny_path(always=LETTER_A, **SLOW)
    with Client() as client:
        assert isinstance(final(client.request(load(path, path, 8192))), Ready)
        yield client


# Answers ---------------------------------------------------------------------------------------


def test_the_first_message_tells_version_and_process() -> None:
    with BareWorker() as worker:
        hello = worker.read()
        assert hello == Hello(VERSION, worker.process.pid)


def test_files_whose_names_are_no_text_are_loaded_and_named_as_they_are(
    worker: Client, logs: Path, tiny_path: TinyPath, tmp_path: Path
) -> None:
    target, draft = (tmp_path / os.fsdecode(name) for name in (b"t\xff.gguf", b"d\xfe.gguf"))
    try:
        target.write_bytes(tiny_path().read_bytes())
    except OSError:
        pytest.skip("this file system takes text alone")
    draft.write_bytes(tiny_path(noise=0.3).read_bytes())
    ready = final(worker.request(load(target, draft)))
    assert isinstance(ready, Ready)
    assert ready.draft is not None
    assert (ready.target.path, ready.draft.path) == (str(target), str(draft))
    assert "d\\udcfe.gguf" in (logs / "engine.log").read_text()


@pytest.mark.parametrize("role", ["target", "draft"])
def test_broken_numbers_are_told_with_the_file_they_come_from(
    worker: Client, tiny_path: TinyPath, tmp_path: Path, role: str
) -> None:
    files = {"target": tiny_path(), "draft": tiny_path(noise=0.3)}
    files[role] = broken(files[role], tmp_path / "broken.gguf")
    assert isinstance(final(worker.request(load(files["target"], files["draft"]))), Ready)
    failed = final(worker.request(Chat(HELLO, Options(gamma=2, sampling=GREEDY))))
    assert isinstance(failed, Failed)
    assert failed.code == "broken-logits"
    assert failed.sentence.startswith(f"{files[role]} (the {role}) returned no usable numbers.")


def broken(path: Path, copy: Path) -> Path:
    """A copy of a model whose last norm is not a number, and so is all that it returns."""
    shutil.copyfile(path, copy)
    tensors = GGUFReader(copy, "r+").tensors
    next(each for each in tensors if each.name == "output_norm.weight").data[:] = np.nan
    return copy


def test_a_load_tells_how_far_it_is_and_what_it_found(worker: Client, tiny_path: TinyPath) -> None:
    target, draft = tiny_path(), tiny_path(noise=0.3)
    *loading, ready = worker.request(load(target, draft))
    assert {type(event) for event in loading} == {Loading}
    assert isinstance(ready, Ready)
    assert (ready.target.path, ready.target.layers) == (str(target), 2)
    assert ready.draft is not None
    assert ready.draft.path == str(draft)
    assert ready.verdict.ok
    assert ready.n_ctx == 512
    assert ready.threads >= 1
    assert ready.devices
    assert ready.costs is not None
    assert set(ready.costs.passes) == set(costs.GUESS_WIDTHS)


def test_a_draft_that_cannot_serve_leaves_plain_chat(worker: Client, tiny_path: TinyPath) -> None:
    ready = final(worker.request(load(tiny_path(), tiny_path(tokenizer="llama"))))
    assert isinstance(ready, Ready)
    assert (ready.draft, ready.verdict.code, ready.gamma) == (None, "kind", 0)
    done = final(worker.request(Chat(HELLO)))
    assert isinstance(done, Done)
    assert done.figures.drafted == 0


def test_a_survey_tells_what_there_is_to_compute_with(worker: Client) -> None:
    surveyed = final(worker.request(Survey()))
    assert isinstance(surveyed, Surveyed)
    cpu = next(device for device in surveyed.devices if device.kind == "cpu")
    assert cpu.memory_total >= cpu.memory_free > 0
    assert all(feature == feature.strip() for feature in surveyed.features)


def test_a_chat_before_any_load_is_refused(worker: Client) -> None:
    final(worker.request(Unload()))
    answer = final(worker.request(Chat(HELLO)))
    assert isinstance(answer, Failed)
    assert answer.code == "nothing-loaded"


def test_a_target_that_is_not_there_is_told_and_keeps_what_is_loaded(
    paired: Client, tmp_path: Path
) -> None:
    failed = final(paired.request(load(tmp_path / "none.gguf")))
    assert isinstance(failed, Failed)
    assert failed.code == "file-missing"
    assert "none.gguf" in failed.sentence
    assert not failed.unloaded
    assert isinstance(final(paired.request(Chat(HELLO))), Done)


def test_a_load_that_fails_late_says_that_what_was_loaded_is_not_any_more(
    worker: Client, tiny_path: TinyPath, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(tiny_path().read_bytes().replace(b"output_norm.weight", b"output_nerm.weight"))
    assert isinstance(final(worker.request(load(tiny_path()))), Ready)
    failed = final(worker.request(load(odd)))
    assert isinstance(failed, Failed)
    assert (failed.code, failed.unloaded) == ("load-failed", True)
    answer = final(worker.request(Chat(HELLO)))
    assert isinstance(answer, Failed)
    assert answer.code == "nothing-loaded"


def test_a_prompt_is_counted_before_it_is_sent(paired: Client) -> None:
    counted = final(paired.request(Count(HELLO)))
    done = final(paired.request(Chat(HELLO, Options(max_tokens=1))))
    assert isinstance(counted, Counted)
    assert isinstance(done, Done)
    assert counted.tokens == done.figures.prompt_tokens
    assert counted.limit > counted.tokens


def test_ready_tells_what_both_models_take(worker: Client, tiny_path: TinyPath) -> None:
    ready = final(worker.request(load(tiny_path(), tiny_path())))
    assert isinstance(ready, Ready)
    assert ready.memory is not None
    assert ready.memory.weights == ready.target.bytes * 2
    assert ready.memory.caches > 0
    assert ready.memory.buffers > 0


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_chat_streams_what_its_end_repeats(paired: Client, temperature: float) -> None:
    options = Options(gamma=4, sampling=Sampling(temperature), seed=5, stops=("e",))
    *events, done = paired.request(Chat(HELLO, options))
    emitted = [event for event in events if isinstance(event, Emitted)]
    assert isinstance(done, Done)
    assert {event.id for event in events} == {done.id}
    assert "".join(piece.text for event in emitted for piece in event.pieces) == done.text
    tokens = [token for event in emitted for token in event.tokens]
    assert tuple(token.id for token in tokens) == done.tokens
    assert all(0 <= token.p <= 1 and 0 <= (token.q or 0) <= 1 for token in tokens)
    rounds = [times for event in emitted for times in event.rounds]
    assert sum(times.emitted for times in rounds) == len(tokens) == done.figures.tokens
    assert sum(times.drafted for times in rounds) == done.figures.drafted > 0
    assert (done.lane, done.seed) == (CHAT, 5)


def test_a_fresh_chat_reads_its_prompt_again(paired: Client) -> None:
    def reused(request: Chat) -> int | None:
        done = final(paired.request(request))
        assert isinstance(done, Done)
        return done.figures.prompt_reused

    assert reused(Chat(HELLO, fresh=True)) == 0
    assert reused(Chat(HELLO)) != 0
    assert reused(Chat(HELLO, fresh=True)) == 0


def test_a_comparison_tells_both_lanes_and_what_was_gained(paired: Client) -> None:
    options = Options(gamma=4, max_tokens=20)
    *events, compared = paired.request(Compare(HELLO, options))
    done = {event.lane: event for event in events if isinstance(event, Done)}
    assert set(done) == {SPECULATIVE, PLAIN}
    assert isinstance(compared, Compared)
    assert done[PLAIN].figures.drafted == 0
    plain, drafting = done[PLAIN].figures, done[SPECULATIVE].figures
    assert compared.speed_up == pytest.approx(drafting.tokens_per_second / plain.tokens_per_second)
    assert plain.prompt_reused == drafting.prompt_reused == 0
    if compared.parting is None:
        assert compared.same_tokens == min(plain.tokens, drafting.tokens)
    else:
        assert compared.parting.index == compared.same_tokens


def test_an_exact_comparison_writes_the_same_words_twice(
    worker: Client, tiny_path: TinyPath
) -> None:
    final(worker.request(load(tiny_path(), tiny_path(noise=0.3))))
    options = Options(gamma=16, seed=3, sampling=Sampling(1.0))
    *events, compared = worker.request(Compare(HELLO, options, exact=True))
    texts = [event.text for event in events if isinstance(event, Done)]
    assert texts[0] == texts[1]
    assert isinstance(compared, Compared)
    assert compared.parting is None
    drafted = [t.drafted for e in events if isinstance(e, Emitted) for t in e.rounds]
    assert max(drafted) == EXACT_GAMMA


def test_an_exact_comparison_that_leaves_no_room_for_its_draft_is_refused_with_the_reason(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Event] = []
    service = Service(StopFlag(), told.append)
    ready = service.answer(replace(load(tiny_path(), tiny_path(noise=0.3)), id=1))
    assert isinstance(ready, Ready)
    assert ready.draft is not None
    reason = "both models together need 2 GB of memory and 1 GB are free"
    full = Judgement(Verdict(ok=False, code="no-memory", reason=reason))
    with monkeypatch.context() as patch:
        patch.setattr("engine.loading.judge", lambda *_arguments, **_options: full)
        failed = service.answer(Compare(HELLO, Options(max_tokens=5), exact=True, id=2))
    assert isinstance(failed, Failed)
    assert failed.code == "pair-refused"
    assert reason in failed.sentence
    assert {type(event) for event in told} == {Loading}
    assert isinstance(service.answer(Chat(HELLO, Options(gamma=2, max_tokens=5), id=3)), Done)
    service.answer(Unload(id=4))


def test_passes_are_measured_at_the_widths_asked_for(paired: Client) -> None:
    measured = final(paired.request(Measure((1, 2, 17), depth=100, repeats=1)))
    assert isinstance(measured, Measured)
    assert set(measured.passes) == {1, 2, 17}
    assert measured.draft_step > 0


WRONG: dict[str, Request] = {
    "γ is 17": Chat(HELLO, Options(gamma=17)),
    "temperature is -1": Chat(HELLO, Options(sampling=Sampling(temperature=-1))),
    "top_p is 2": Chat(HELLO, Options(sampling=Sampling(top_p=2))),
    "variant is -1": Chat(HELLO, Options(variant=-1)),
    "n_ctx is 1": Load("x.gguf", n_ctx=1),
    "widths is []": Measure(()),
    "widths is [1, 129]": Measure((1, 129)),
    "depth is 500": Measure((17,), depth=500),
    "repeats is 0": Measure((1,), repeats=0),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_value_that_makes_no_sense_is_named(paired: Client, said: str) -> None:
    failed = final(paired.request(WRONG[said]))
    assert isinstance(failed, Failed)
    assert failed.code == "bad-setting"
    assert said.replace("γ", "gamma") in failed.sentence.replace("γ", "gamma")


def test_tokens_of_another_model_are_survived(paired: Client) -> None:
    told = (*HELLO, Message("assistant", "yes", tokens=(999_999, -5)), Message("user", "and?"))
    assert isinstance(final(paired.request(Chat(told))), Done)


def test_every_answer_carries_its_requests_number(paired: Client) -> None:
    for number in (700, 800):
        events = paired.request(Chat(HELLO, Options(max_tokens=20), id=number))
        assert {event.id for event in events} == {number}


# Bad input on the pipe -------------------------------------------------------------------------


NONSENSE = {
    b"\n": 0,
    b"hello\n": 0,
    b"[" * 1_000_000 + b"\n": 0,
    b'{"type":"dance","id":4}\n': 4,
    b'{"type":"chat","id":5,"messages":3}\n': 5,
    b'{"type":"hello","id":6,"version":1,"pid":1}\n': 6,
}


def test_a_line_nobody_understands_is_answered_and_survived() -> None:
    with BareWorker() as worker:
        worker.read()
        for line, number in NONSENSE.items():
            worker.send(line)
            failed = worker.read()
            assert isinstance(failed, Failed)
            assert (failed.code, failed.id) == ("bad-message", number)
        worker.send(Ping(id=1))
        assert worker.read() == Pong(id=1)


# The desk --------------------------------------------------------------------------------------


@pytest.fixture
def flag() -> StopFlag:
    return StopFlag()


@pytest.fixture
def desk(flag: StopFlag) -> Desk:
    return Desk(flag)


def chat(number: int) -> Chat:
    return Chat(HELLO, id=number)


def test_a_second_request_is_refused_while_one_is_at_work(desk: Desk) -> None:
    desk.put(chat(1))
    with pytest.raises(Busy):
        desk.put(chat(2))
    assert desk.take() == chat(1)
    with pytest.raises(Busy):
        desk.put(chat(2))
    desk.done()
    desk.put(chat(3))
    assert desk.take() == chat(3)


def test_after_a_stop_one_request_may_wait(desk: Desk, flag: StopFlag) -> None:
    desk.put(chat(1))
    desk.take()
    assert not desk.stop(1)
    assert flag
    desk.put(chat(2))
    with pytest.raises(Busy):
        desk.put(chat(3))
    desk.done()
    assert desk.take() == chat(2)
    assert not flag


def test_a_waiting_request_that_is_stopped_never_begins(desk: Desk, flag: StopFlag) -> None:
    desk.put(chat(1))
    assert desk.stop(1)
    assert not flag
    desk.put(chat(2))
    assert desk.take() == chat(2)


def test_a_stop_for_what_is_over_or_unknown_does_nothing(desk: Desk, flag: StopFlag) -> None:
    desk.put(chat(1))
    desk.take()
    desk.stop(7)
    assert not flag
    desk.done()
    desk.stop(1)
    assert not flag


def test_unload_stops_what_is_at_work_and_a_load_may_follow(desk: Desk, flag: StopFlag) -> None:
    desk.put(chat(1))
    desk.take()
    desk.put(Unload(id=2))
    assert flag
    desk.put(Load("x", id=3))
    assert not desk.stop(2)
    assert [desk.take(), desk.take()] == [Unload(id=2), Load("x", id=3)]


def test_a_closed_desk_gives_nothing_more_and_keeps_the_flag_up(desk: Desk, flag: StopFlag) -> None:
    desk.put(chat(1))
    desk.take()
    desk.put(Unload(id=2))
    desk.close()
    assert desk.take() is None
    assert flag


# While one request runs ------------------------------------------------------------------------


def test_others_are_refused_and_pings_answered_while_a_reply_runs(endless: Client) -> None:
    reply = endless.request(Chat(HELLO, Options(gamma=2)))
    until(reply, Emitted)
    for request in (Chat(HELLO), Compare(HELLO), Load("x"), Measure((1,))):
        failed = final(endless.request(request))
        assert isinstance(failed, Failed)
        assert failed.code == "busy"
    assert endless.ping()
    reply.stop()
    done = final(reply)
    assert isinstance(done, Done)
    assert done.why is End.STOPPED


def test_unload_ends_a_reply_and_gives_everything_back(worker: Client, tiny_path: TinyPath) -> None:
    final(worker.request(load(tiny_path(always=LETTER_A, context_length=8192), None, 8192)))
    reply = worker.request(Chat(HELLO))
    until(reply, Emitted)
    unload = worker.request(Unload())
    done = final(reply)
    assert isinstance(done, Done)
    assert done.why is End.STOPPED
    assert isinstance(final(unload), Unloaded)
    failed = final(worker.request(Chat(HELLO)))
    assert isinstance(failed, Failed)
    assert failed.code == "nothing-loaded"


# Stopping --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "gamma", "kind"),
    [(LONG, 0, Prompt), (LONG, 16, Prompt), (HELLO, 0, Emitted), (HELLO, 16, Emitted)],
    ids=["plain prompt", "both models' prompt", "plain reply", "γ = 16"],
)
def test_a_stop_takes_effect_at_once(
    endless: Client, messages: tuple[Message, ...], gamma: int, kind: type[Event]
) -> None:
    reply = endless.request(Chat(messages, Options(gamma=gamma), fresh=True))
    until(reply, kind, times=3)
    started = time.monotonic()
    reply.stop()
    done = final(reply)
    assert time.monotonic() - started < AT_ONCE
    assert isinstance(done, Done)
    assert done.why is End.STOPPED


def test_a_stopped_comparison_tells_what_there_is(endless: Client) -> None:
    comparison = endless.request(Compare(HELLO, Options(gamma=2)))
    until(comparison, Emitted, times=10)
    comparison.stop()
    *events, compared = comparison
    assert {event.why for event in events if isinstance(event, Done)} == {End.STOPPED}
    assert isinstance(compared, Compared)
    assert compared.speed_up > 0


def test_after_a_stop_the_next_reply_is_that_of_a_fresh_engine(paired: Client) -> None:
    options = Options(gamma=4, sampling=GREEDY)
    fresh = final(paired.request(Chat(HELLO, options, fresh=True)))
    stopped = paired.request(Chat((Message("user", "hello " * 200),), options))
    until(stopped, Prompt)
    stopped.stop()
    assert isinstance(final(stopped), Done)
    after = final(paired.request(Chat(HELLO, options)))
    assert isinstance(fresh, Done)
    assert isinstance(after, Done)
    assert after.tokens == fresh.tokens


def test_a_stop_for_another_request_leaves_a_reply_alone(endless: Client) -> None:
    past = final(endless.request(Chat(HELLO, Options(max_tokens=1))))
    reply = endless.request(Chat(HELLO, Options(gamma=2, max_tokens=150)))
    until(reply, Emitted)
    endless.stop(past.id)
    endless.stop(reply.id + 1000)
    done = final(reply)
    assert isinstance(done, Done)
    assert (done.why, done.figures.tokens) == (End.LENGTH, 150)


def test_a_load_can_be_stopped(tiny_path: TinyPath) -> None:
    with Client(command=frail("slow_load")) as client:
        loading = client.request(load(tiny_path(), tiny_path(noise=0.3)))
        until(loading, Loading)
        loading.stop()
        failed = final(loading)
        assert isinstance(failed, Failed)
        assert failed.code == "load-cancelled"
        assert isinstance(final(client.request(load(tiny_path()))), Ready)


def test_the_next_chat_may_be_sent_without_waiting_for_the_stop(endless: Client) -> None:
    first = endless.request(Chat(HELLO, Options(gamma=16)))
    until(first, Emitted)
    first.stop()
    second = endless.request(Chat(HELLO, Options(max_tokens=3)))
    heard, done = list(first), final(second)
    assert {event.id for event in heard} == {first.id}
    assert isinstance(done, Done)
    assert done.figures.tokens == 3


# A reader that does not read -------------------------------------------------------------------


def test_a_slow_reader_gets_every_word_in_fewer_messages(tiny_path: TinyPath) -> None:
    path = tiny_path(always=LETTER_A, context_length=8192)
    with BareWorker() as worker:
        worker.send(load(path, path, 8192))
        assert isinstance([*worker.until(Ready)][-1], Ready)
        # The pipe holds 64 KiB, these 2,000 rounds need far more.
        worker.send(Chat(HELLO, Options(gamma=0, max_tokens=2000), id=2))
        time.sleep(0.7)
        worker.send(Ping(id=3))
        events = [*worker.until(Done)]
    emitted = [event for event in events if isinstance(event, Emitted)]
    pieces = [piece for event in emitted for piece in event.pieces]
    assert len(emitted) < 1500
    assert [piece.token for piece in pieces] == list(range(2000))
    done = events[-1]
    assert isinstance(done, Done)
    assert "".join(piece.text for piece in pieces) == done.text == "a" * 2000


# Faults ----------------------------------------------------------------------------------------


def test_what_libraries_print_does_not_reach_the_pipe(tiny_path: TinyPath) -> None:
    with Client(command=frail("printing")) as client:
        final(client.request(load(tiny_path())))
        *events, done = client.request(Chat(HELLO, id=50))
        assert isinstance(done, Done)
        assert {event.id for event in events} == {50}


def test_a_mistake_of_our_own_is_told_and_survived(tiny_path: TinyPath, own_folders: Path) -> None:
    with Client(command=frail("mistake")) as client:
        final(client.request(load(tiny_path(), tiny_path(noise=0.3))))
        failed = final(client.request(Chat(HELLO)))
        assert isinstance(failed, Failed)
        assert failed.code == "error"
        assert "RuntimeError: the user's own words" in failed.detail
        assert isinstance(final(client.request(Chat(HELLO, Options(max_tokens=2)))), Done)
    log = (own_folders / "logs" / "engine.log").read_text()
    assert "RuntimeError" in log
    assert "own words" not in log


@pytest.mark.parametrize("debug", ["", "1"])
def test_the_log_holds_no_word_of_a_conversation(
    tiny_path: TinyPath, own_folders: Path, monkeypatch: pytest.MonkeyPatch, debug: str
) -> None:
    monkeypatch.setenv("FOREWORD_DEBUG", debug)
    said = "a-secret-that-nobody-may-read"
    with Client() as client:
        final(client.request(load(tiny_path())))
        done = final(client.request(Chat((Message("user", said),))))
        final(client.request(Chat((Message("user", said * 400),))))
    log = (own_folders / "logs" / "engine.log").read_text()
    assert isinstance(done, Done)
    assert "Done" in log
    assert said not in log
    assert done.text not in log
    assert ("llama" in log) >= bool(debug)


def test_a_log_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FOREWORD_LOGS", str(tmp_path / "file" / "logs"))
    with Client() as client:
        assert client.ping(5)


# How it ends -----------------------------------------------------------------------------------


def seconds_to_end(worker: BareWorker) -> float:
    started = time.monotonic()
    worker.process.wait(10)
    return time.monotonic() - started


def busy_worker(path: Path) -> BareWorker:
    """In the middle of a long prompt."""
    worker = BareWorker()
    worker.send(load(path, None, 8192))
    [*worker.until(Ready)]
    worker.send(Chat(LONG, id=2))
    [*worker.until(Prompt)]
    return worker


def test_the_end_of_its_input_ends_it_in_the_middle_of_a_pass(tiny_path: TinyPath) -> None:
    with busy_worker(tiny_path(**SLOW)) as worker:
        worker.end_input()
        assert seconds_to_end(worker) < IN_A_SECOND


def test_it_ends_in_a_second_even_when_the_engine_is_deaf(tiny_path: TinyPath) -> None:
    with BareWorker(frail("stuck")) as worker:
        worker.send(load(tiny_path()))
        [*worker.until(Ready)]
        worker.send(Chat(HELLO, id=2))
        [*worker.until(Emitted)]
        worker.end_input()
        assert seconds_to_end(worker) < IN_A_SECOND


def test_quit_first_ends_the_reply(tiny_path: TinyPath) -> None:
    with busy_worker(tiny_path(**SLOW)) as worker:
        worker.send(Quit())
        *_, done = worker.until(Done)
        assert isinstance(done, Done)
        assert done.why is End.STOPPED
        assert seconds_to_end(worker) < IN_A_SECOND
        assert worker.process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_ctrl_c_is_the_clients_affair_and_terminate_is_obeyed() -> None:
    with BareWorker() as worker:
        worker.read()
        worker.process.send_signal(signal.SIGINT)
        worker.send(Ping(id=1))
        assert worker.read() == Pong(id=1)
        worker.process.terminate()
        assert worker.process.wait(5) == -signal.SIGTERM


def test_it_loads_nothing_that_a_worker_does_not_need() -> None:
    code = "import engine.worker, engine.service, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.decode().split()}
    needless = {"PySide6", "app", "huggingface_hub", "httpx2", "keyring", "rich"}
    assert loaded.isdisjoint(needless)
