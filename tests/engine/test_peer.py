"""A llama-server to measure against: told the same, and never left behind however it fails."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine import peer as room
from engine.errors import PeerFailed
from engine.paths import cache_folder
from engine.peer import Peer, PeerOptions, PeerReply, find_server
from engine.sampling import Sampling
from tests.engine.conftest import TinyPath
from tests.support.disks import closed
from tests.support.fake_server import write_server

OPTIONS = PeerOptions(Path("t.gguf"), Path("d.gguf"), n_ctx=512, threads=2)
GREEDY = Sampling(temperature=0)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the fake server is a script with #!")


@pytest.fixture(scope="session")
def built() -> Path:
    """The real llama-server. Looked for before a test has a cache folder of its own."""
    program = cache_folder() / "peer" / version("llama-cpp-python") / room.PROGRAM
    if not program.exists():
        pytest.skip("llama-server is not built here: make peer")
    return program


def write(peer: Peer, **changes: Any) -> PeerReply:
    how = {"gamma": 3, "sampling": GREEDY, "seed": 1, "max_tokens": 9, "patience": 20.0}
    return peer.write([5, 6, 7], **(how | changes))


def failure(path: Path, **changes: Any) -> str:
    """The sentence about a peer that fails; its process must be gone."""
    with Peer(path, OPTIONS) as peer:
        with pytest.raises(PeerFailed) as caught:
            write(peer, **changes)
        assert peer.pid is None
    assert str(path) in caught.value.sentence
    assert "make peer" in caught.value.sentence
    return caught.value.sentence


# What it is asked --------------------------------------------------------------------------------


def test_a_reply_is_measured_by_the_servers_own_clock(tmp_path: Path) -> None:
    with Peer(write_server(tmp_path / "llama-server"), OPTIONS) as peer:
        reply = write(peer)
    assert (reply.tokens, reply.drafted, reply.accepted) == (9, 8, 4)
    # The first token came with the prompt: 8 of them took the 100 ms.
    assert reply.tokens_per_second == pytest.approx(80)


def test_it_is_told_everything_that_the_work_depends_on(tmp_path: Path, monkeypatch) -> None:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(Peer, "_read", lambda _self, answer, _n: asked.append(answer["asked"]))
    started: list[list[str]] = []
    real = Peer._arguments
    monkeypatch.setattr(
        Peer, "_arguments", lambda self, gamma: started.append(real(self, gamma)) or started[-1]
    )
    with Peer(write_server(tmp_path / "llama-server"), OPTIONS) as peer:
        sampling = Sampling(temperature=0.8, top_k=30, top_p=0.9, min_p=0.1)
        write(peer, sampling=sampling, seed=7, max_tokens=5)
    told = asked[0]
    assert told["prompt"] == [5, 6, 7]
    assert (told["n_predict"], told["seed"], told["cache_prompt"]) == (5, 7, False)
    assert (told["temperature"], told["top_k"], told["top_p"], told["min_p"]) == (0.8, 30, 0.9, 0.1)
    line = " ".join(started[0])
    for words in (
        "--model t.gguf", "--model-draft d.gguf", "--threads 2", "--threads-batch 2",
        "--ctx-size 512", "--spec-draft-n-max 3", "--spec-draft-p-min 0", "--host 127.0.0.1",
        "--no-webui", "--offline",
    ):  # fmt: skip
        assert words in line


def test_one_process_serves_until_gamma_changes_and_none_stays(tmp_path: Path) -> None:
    with Peer(write_server(tmp_path / "llama-server"), OPTIONS) as peer:
        write(peer)
        first = peer.pid
        write(peer)
        assert peer.pid == first
        write(peer, gamma=0)
        assert peer.pid != first
        assert not psutil.pid_exists(first)
        last = peer.pid
    assert not psutil.pid_exists(last)


def test_options_in_the_environment_do_not_reach_it(monkeypatch) -> None:
    monkeypatch.setenv("LLAMA_ARG_HOST", "0.0.0.0")
    passed = room._environment(os.environ, "key")
    assert "LLAMA_ARG_HOST" not in passed
    assert passed["LLAMA_API_KEY"] == "key"
    assert passed["PATH"] == os.environ["PATH"]


def test_a_folder_stands_for_the_server_in_it(tmp_path: Path) -> None:
    program = write_server(tmp_path / room.PROGRAM)
    assert find_server(tmp_path) == program


# What goes wrong ---------------------------------------------------------------------------------


def test_a_program_that_may_not_be_reached_is_refused_too(tmp_path: Path) -> None:
    program = write_server(tmp_path / room.PROGRAM)
    with closed(tmp_path, listed=False):
        for path in (program, tmp_path):
            with pytest.raises(PeerFailed, match="no such file"):
                find_server(path)


def test_a_path_that_is_no_program_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    for path, said in (
        (tmp_path / "none", "no such file"),
        (tmp_path, "no such file"),
        (text, "no program that you may run"),
    ):
        with pytest.raises(PeerFailed, match=said):
            Peer(path, OPTIONS)


def test_a_file_that_the_system_cannot_run_is_said_to_be_so(tmp_path: Path) -> None:
    odd = tmp_path / "llama-server"
    odd.write_bytes(b"\0\1\2\3")
    odd.chmod(0o755)
    assert "does not start" in failure(odd)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("ends at once", "code 3: error: unknown argument: --spec-type. Name"),
        ("a web site", "what answers is not llama-server"),
        ("another JSON service", "what answers is not llama-server"),
        ("not found", "what answers is not llama-server"),
        ("dies while writing", "ended by itself by signal 9: an assertion failed"),
        ("refuses", "refused a request (HTTP 400)"),
        ("speaks otherwise", "does not tell its times"),
        ("counts otherwise", "read 4 tokens of prompt where Foreword reads 3"),
    ],
)
def test_a_peer_that_fails_is_ended_and_said_to_have_failed(
    tmp_path: Path, way: str, said: str
) -> None:
    assert said in failure(write_server(tmp_path / "llama-server", way))


def test_another_program_that_merely_runs_is_given_up(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(room, "ANSWER_SECONDS", 0.3)
    sentence = failure(write_server(tmp_path / "llama-server", "never answers"))
    assert "did not answer within" in sentence


def test_a_load_without_end_is_given_up(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(room, "LOAD_SECONDS", 0.3)
    sentence = failure(write_server(tmp_path / "llama-server", "loads for ever"))
    assert "did not load the models within" in sentence


def test_a_reply_without_end_is_given_up(tmp_path: Path) -> None:
    server = write_server(tmp_path / "llama-server", "hangs while writing")
    assert "did not finish a reply within" in failure(server, patience=0.3)


def test_one_that_will_not_end_is_killed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(room, "END_SECONDS", 0.2)
    with Peer(write_server(tmp_path / "llama-server", "stays when told to end"), OPTIONS) as peer:
        write(peer)
        pid = peer.pid
    assert not psutil.pid_exists(pid)


def test_it_ends_when_the_program_is_told_to(tmp_path: Path) -> None:
    """SIGTERM ends Python at once, with no chance to clean up: unless one takes care."""
    server = write_server(tmp_path / "llama-server")
    code = (
        "import time\n"
        "from tests.engine.test_peer import OPTIONS, Peer, Path, write\n"
        f"with Peer(Path({str(server)!r}), OPTIONS) as peer:\n"
        "    write(peer)\n"
        "    print(peer.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        server_pid = int(program.stdout.readline())
        program.send_signal(signal.SIGTERM)
        assert program.wait(20) == 128 + signal.SIGTERM
    assert not psutil.pid_exists(server_pid)


# The real one ------------------------------------------------------------------------------------


@pytest.mark.small
def test_the_real_server_writes_the_same_work(built: Path, tiny_path: TinyPath) -> None:
    options = PeerOptions(tiny_path(), tiny_path(noise=0.04), n_ctx=512, threads=1)
    with Peer(built, options) as peer:
        started = time.monotonic()
        replies = [write(peer, gamma=gamma, max_tokens=24) for gamma in (3, 0)]
        assert time.monotonic() - started < room.ANSWER_SECONDS
        port = peer._port
    drafted, plain = replies
    assert drafted.drafted >= drafted.accepted > 0
    assert plain.drafted == 0
    assert 0 < drafted.tokens <= 24
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", port))


@pytest.mark.small
def test_the_real_server_explains_why_it_cannot_load(built: Path, tmp_path: Path) -> None:
    options = PeerOptions(tmp_path / "none.gguf", tmp_path / "none.gguf", n_ctx=512, threads=1)
    with Peer(built, options) as peer, pytest.raises(PeerFailed, match="ended by itself"):
        write(peer)
