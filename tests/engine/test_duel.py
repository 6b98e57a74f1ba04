"""Ours against a peer: the same work in turns, one ratio a reply, and what a person is shown."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine.bench import Plan, Results, Run, Task
from engine.cli import main
from engine.duel import Duel
from engine.peer import Peer, PeerOptions, PeerReply
from engine.prompts import BenchPrompt
from engine.protocol import Count, Counted, Event, Message, Request
from engine.stats import End, Figures
from tests.engine.conftest import TinyPath
from tests.support.fake_server import write_server

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake server is a script with #!")

PROMPT = BenchPrompt("a", "code", (Message("user", "Say something."),))


@pytest.fixture
def server(tmp_path: Path) -> Path:
    return write_server(tmp_path / "llama-server")


@pytest.fixture
def peer(server: Path) -> Peer:
    return Peer(server, PeerOptions(Path("t"), Path("d"), n_ctx=512, threads=1))


def run(repeat: int = 0, seconds: float = 1.0, tokens: int = 40) -> Run:
    figures = Figures(gamma=3, tokens=tokens, seconds=seconds)
    return Run(Task(PROMPT, 3, 0.0, repeat), 1, "greedy", End.LENGTH, figures)


def theirs(rate: float, tokens: int = 41) -> PeerReply:
    return PeerReply(tokens, (tokens - 1) / rate, 30, 20)


def test_a_summary_row_gives_the_median_ratio_and_its_range(peer: Peer) -> None:
    duel = Duel(peer, [3])
    for repeat, rate in enumerate((20.0, 40.0, 32.0)):
        duel.keep(run(repeat), theirs(rate))
    (row,) = duel.summary()
    assert (row["gamma"], row["temperature"], row["kind"], row["matches"]) == (3, 0.0, "code", 3)
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == pytest.approx((1.25, 1, 2))
    assert (row["tokens_per_second"], row["peer_tokens_per_second"]) == pytest.approx((40, 32))


def test_a_reply_too_short_to_have_a_speed_does_not_count(peer: Peer) -> None:
    duel = Duel(peer, [3])
    duel.keep(run(), PeerReply(1, 0.0, 0, 0))
    duel.keep(run(tokens=1), theirs(20))
    assert duel.matches == []
    assert duel.summary() == []


def test_drafted_replies_are_matched_and_plain_ones_where_nothing_is_drafted(peer: Peer) -> None:
    plain, drafting = Task(PROMPT, 0, 0.0, 0), Task(PROMPT, 3, 0.0, 0)
    assert [Duel(peer, [3]).includes(task) for task in (plain, drafting)] == [False, True]
    assert [Duel(peer, []).includes(task) for task in (plain, drafting)] == [True, False]


def test_the_peer_reads_the_very_tokens_that_ours_reads(peer: Peer, monkeypatch) -> None:
    given: list[object] = []

    def ask(request: Request) -> Event:
        assert isinstance(request, Count)
        assert request.listed
        return Counted(2, 512, (8, 9))

    def write(_self: Peer, prompt: tuple[int, ...], **how: object) -> PeerReply:
        given.append((prompt, how["gamma"], how["seed"], how["max_tokens"]))
        return theirs(20)

    monkeypatch.setattr(Peer, "write", write)
    Duel(peer, [3]).write(Task(PROMPT, 3, 0.0, 0), 5, 64, ask)
    assert given == [((8, 9), 3, 5, 64)]


def test_a_slow_machine_gets_more_patience(peer: Peer, monkeypatch) -> None:
    patience: list[float] = []
    monkeypatch.setattr(
        Peer, "write", lambda *_a, **how: patience.append(how["patience"]) or theirs(20)
    )
    duel = Duel(peer, [3])
    for seconds in (0.0, 100.0):
        duel.ran(run(seconds=seconds))
        duel.write(Task(PROMPT, 3, 0.0, 0), 1, 8, lambda _request: Counted(1, 512, (8,)))
    assert patience[0] >= 60
    assert patience[1] >= 1000


def test_each_repeat_has_its_seed_and_both_get_it() -> None:
    plan = Plan((PROMPT,), seed=5, repeats=2)
    results = Results(plan)
    assert [plan.seed_of(task) for task in plan.tasks()] == [5, 5, 6, 6]
    assert results.runs == []


# At the terminal ---------------------------------------------------------------------------------


@pytest.mark.small
def test_bench_with_a_peer_prints_and_writes_the_ratio(
    server: Path, tiny_path: TinyPath, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": "a", "kind": "code", "messages": [{"role": "user", "content": "hello"}]}]
    (tmp_path / "prompts.json").write_text(json.dumps(rows))
    target, draft = tiny_path(always=20), tiny_path(noise=0.04, always=20)
    argv = ["--target", target, "--draft", draft, "--n-ctx", 512, "--max-tokens", 8]
    argv += ["--prompts", tmp_path / "prompts.json", "--json", tmp_path / "out.json"]
    assert main(["bench", *map(str, argv), "--peer", str(server)]) == 0
    told = json.loads((tmp_path / "out.json").read_text())["peer"]
    assert told["program"] == str(server)
    (match,) = told["matches"]
    assert match["peer_tokens"] == 8
    assert match["ratio"] == pytest.approx(match["tokens_per_second"] / 70)
    assert told["summary"][0]["matches"] == 1
    assert "ours ÷ peer" in capsys.readouterr().out


@pytest.mark.small
def test_a_peer_that_fails_ends_the_benchmark_with_one_sentence(
    tiny_path: TinyPath, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["--target", tiny_path(), "--draft", tiny_path(noise=0.04), "--n-ctx", 512]
    server = write_server(tmp_path / "llama-server", "ends at once")
    argv += ["--max-tokens", 8, "--json", tmp_path / "out.json", "--peer", server]
    assert main(["bench", *map(str, argv)]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "ended by itself with code 3" in said
    # What was measured before is not lost.
    assert json.loads((tmp_path / "out.json").read_text())["partial"] is True


@pytest.mark.small
def test_ctrl_c_while_the_peer_writes_leaves_what_was_measured_and_no_server(
    tiny_path: TinyPath, tmp_path: Path
) -> None:
    server = write_server(tmp_path / "llama-server", "hangs while writing")
    argv = ["--target", tiny_path(), "--draft", tiny_path(noise=0.04), "--n-ctx", 512]
    argv += ["--max-tokens", 8, "--json", tmp_path / "out.json", "--peer", server]
    command = [sys.executable, "-m", "engine", "bench", *map(str, argv)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        try:
            for line in program.stderr:  # the plain run is over, the peer's turn comes
                if line.startswith("1 of "):
                    break
            child = _server(program.pid)
            program.send_signal(signal.SIGINT)
            assert program.wait(20) == 130
        finally:
            program.kill()
    assert not psutil.pid_exists(child)
    assert json.loads((tmp_path / "out.json").read_text())["partial"] is True


def _server(parent: int) -> int:
    """The peer's process, once it runs."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for child in psutil.Process(parent).children():
            if any("llama-server" in word for word in child.cmdline()):
                return child.pid
        time.sleep(0.02)
    raise TimeoutError


def test_a_peer_that_is_not_there_is_told_before_anything_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--peer", str(tmp_path / "none")]) == 2
    assert "there is no such file" in capsys.readouterr().err
