"""llama.cpp's own server as a peer: run on loopback, given our very work, measured by its clock.

It gets the files, threads, context, draft length, sampling, length of reply and prompt tokens that
ours gets, and is asked only while ours rests: two that compute at once measure each other. Nobody
else can reach it: it listens on the loopback address, on a free port, and wants a key made for it.
"""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any, NoReturn, Self

from engine.errors import PeerFailed
from engine.sampling import Sampling

PROGRAM = "llama-server.exe" if os.name == "nt" else "llama-server"

ANSWER_SECONDS = 30.0
"""How long it may take to answer at all. It does so before it loads anything."""
LOAD_SECONDS = 900.0
"""How long it may take to load both models."""
END_SECONDS = 5.0
"""How long it may take to end by itself once told to."""

_HOST = "127.0.0.1"
_POLL_SECONDS = 0.05
_LONGEST_ANSWER = 16 * 2**20
_ENDING = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # what ends a program politely


@dataclass(frozen=True)
class PeerOptions:
    """What the peer has in common with ours; as in engine.loading.LoadOptions."""

    target: Path
    draft: Path
    n_ctx: int
    threads: int
    gpu_layers: int = -1


@dataclass(frozen=True)
class PeerReply:
    """A reply by its own account. ``seconds``: from its first token, which came with the prompt,
    to its last; ``drafted``, ``accepted``: tokens."""

    tokens: int
    seconds: float
    drafted: int
    accepted: int

    @property
    def tokens_per_second(self) -> float:
        """Tokens that took time to generate ÷ that time; 0 where there are none."""
        return (self.tokens - 1) / self.seconds if self.tokens > 1 and self.seconds else 0.0


def find_server(path: Path) -> Path:
    """The program that ``path`` names: a file, or the folder that holds it. Raises PeerFailed."""
    program = path / PROGRAM if os.path.isdir(path) else path
    if not os.path.isfile(program):
        raise PeerFailed(path=program, reason="there is no such file")
    if not os.access(program, os.X_OK):
        raise PeerFailed(path=program, reason="it is no program that you may run")
    return program


class Peer:
    """A llama-server. Use it in a ``with`` block: however that is left, the process is ended.

    The length of its drafts is fixed at its start, so it is started anew for each γ.
    """

    def __init__(self, program: Path, options: PeerOptions) -> None:
        """Raises PeerFailed where ``program`` cannot be one."""
        self.program = find_server(program)
        self._options = options
        self._gamma: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._port = 0
        self._key = secrets.token_hex(16)
        self._handlers: dict[int, Any] = {}

    @property
    def pid(self) -> int | None:
        """Its process, where one runs."""
        return self._process.pid if self._process else None

    def write(
        self,
        prompt: Sequence[int],
        *,
        gamma: int,
        sampling: Sampling,
        seed: int,
        max_tokens: int,
        patience: float,
    ) -> PeerReply:
        """One reply to these tokens, from an empty memory; γ = 0: plain decoding.

        ``patience``: seconds until a reply that does not come is given up. Raises PeerFailed.
        """
        if gamma != self._gamma or self._process is None:
            self.stop()
            self._start(gamma)
        question = {
            "prompt": list(prompt),
            "n_predict": max_tokens,
            "cache_prompt": False,
            "stream": False,
            "seed": seed % 2**32,
            "samplers": ["top_k", "top_p", "min_p", "temperature"],
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "min_p": sampling.min_p,
        }
        try:
            status, answer = self._ask("POST", "/completion", patience, question)
        except TimeoutError:
            self._fail(f"it did not finish a reply within {patience:.0f} seconds")
        except OSError as error:
            self._fail_of(error)
        if status != http.HTTPStatus.OK:
            self._fail(f"it refused a request (HTTP {status})", str(answer)[:1000])
        return self._read(answer, len(prompt))

    def _read(self, answer: Any, prompt_tokens: int) -> PeerReply:
        """What it says of its reply; a llama-server of another age may say it otherwise."""
        try:
            timings, evaluated = answer["timings"], int(answer["tokens_evaluated"])
            reply = PeerReply(
                tokens=int(timings["predicted_n"]),
                seconds=float(timings["predicted_ms"]) / 1000,
                drafted=int(timings.get("draft_n", 0)),
                accepted=int(timings.get("draft_n_accepted", 0)),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            self._fail("it does not tell its times as llama-server does")
        if evaluated != prompt_tokens:
            self._fail(
                f"it read {evaluated:,} tokens of prompt where Foreword reads {prompt_tokens:,}, "
                "so the two would not do the same work"
            )
        return reply

    # Its process -------------------------------------------------------------------------------

    def _start(self, gamma: int) -> None:
        """Start it with drafts of ``gamma`` tokens, and wait until both models are loaded."""
        name = secrets.token_hex(8)
        self._port = _free_port()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        try:
            self._process = subprocess.Popen(
                [str(self.program), *self._arguments(gamma), "--alias", name],
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=subprocess.STDOUT,
                env=_environment(os.environ, self._key),
            )
        except OSError as error:
            self._fail(f"it does not start ({error.strerror or error})")
        self._wait(name)
        self._gamma = gamma

    def _arguments(self, gamma: int) -> list[str]:
        """Its command line. What it can do and Foreword cannot is off."""
        options = self._options
        arguments: list[object] = [
            *("--model", options.target, "--ctx-size", options.n_ctx),
            *("--threads", options.threads, "--threads-batch", options.threads),
            *("--host", _HOST, "--port", self._port, "--parallel", 1),
            *("--no-webui", "--offline", "--cache-ram", 0),
        ]
        if options.gpu_layers >= 0:
            arguments += ["--n-gpu-layers", options.gpu_layers]
        if gamma:
            arguments += [
                *("--model-draft", options.draft, "--spec-type", "draft-simple"),
                *("--spec-draft-n-max", gamma, "--spec-draft-n-min", 0, "--spec-draft-p-min", 0),
            ]
            if options.gpu_layers >= 0:
                arguments += ["--n-gpu-layers-draft", options.gpu_layers]
        return [str(argument) for argument in arguments]

    def _wait(self, name: str) -> None:
        """Until it answers as the very server that was started, all loaded."""
        started = time.monotonic()
        answers = False
        while True:
            self._check_alive()
            try:
                status, _answer = self._ask("GET", "/health", ANSWER_SECONDS)
            except ConnectionError:
                status = None
            except OSError as error:
                self._fail_of(error)
            if status == http.HTTPStatus.OK:
                break
            if status not in (None, http.HTTPStatus.SERVICE_UNAVAILABLE):
                self._fail("what answers is not llama-server")
            answers = answers or status is not None
            waited = time.monotonic() - started
            if not answers and waited > ANSWER_SECONDS:
                self._fail(f"it did not answer within {ANSWER_SECONDS:.0f} seconds")
            if waited > LOAD_SECONDS:
                self._fail(f"it did not load the models within {LOAD_SECONDS:.0f} seconds")
            time.sleep(_POLL_SECONDS)
        try:
            _status, told = self._ask("GET", "/props", ANSWER_SECONDS)
        except OSError as error:
            self._fail_of(error)
        if not isinstance(told, dict) or told.get("model_alias") != name:
            self._fail("what answers is not llama-server")

    def _ask(
        self, method: str, path: str, patience: float, body: object = None
    ) -> tuple[int, object]:
        """Status and JSON of one request. Raises OSError, of which TimeoutError is one."""
        connection = http.client.HTTPConnection(_HOST, self._port, timeout=patience)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read(_LONGEST_ANSWER))
        except ConnectionError:
            raise
        except (http.client.HTTPException, ValueError):
            self._fail("what answers is not llama-server")
        finally:
            connection.close()

    def _check_alive(self) -> None:
        assert self._process is not None
        code = self._process.poll()
        if code is None:
            return
        how = f"with code {code}" if code >= 0 else f"by signal {-code}"
        said = self._last_words()
        self._fail(
            f"it ended by itself {how}" + (f": {said[-1][:200].rstrip('.')}" if said else "")
        )

    def _fail_of(self, error: OSError) -> NoReturn:
        """After a broken conversation: most often because the process has just ended."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS / 5)
        self._check_alive()
        self._fail(f"it stopped answering ({error.strerror or type(error).__name__})")

    def _fail(self, reason: str, detail: str = "") -> NoReturn:
        said = "\n".join(self._last_words())
        self.stop()
        raise PeerFailed("\n".join(filter(None, (detail, said))), path=self.program, reason=reason)

    def _last_words(self) -> list[str]:
        """The last lines it printed."""
        if self._said is None or self._said.closed:
            return []
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - 4096))
        lines = self._said.read().decode(errors="replace").splitlines()
        return [line.strip() for line in lines if line.strip()][-20:]

    def stop(self) -> None:
        """End the process, at once where it does not end by itself."""
        process, self._process, self._gamma = self._process, None, None
        if process is not None:
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._said is not None:
            self._said.close()
            self._said = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            # Told to end, Python would just do so and leave the server behind.
            self._handlers = {number: signal.signal(number, _leave) for number in _ENDING}
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _environment(ours: Mapping[str, str], key: str) -> dict[str, str]:
    """The environment without what would set options of the server's behind our back."""
    kept = {name: value for name, value in ours.items() if not name.startswith("LLAMA_")}
    return {**kept, "LLAMA_API_KEY": key}


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind((_HOST, 0))
        port: int = listener.getsockname()[1]
        return port
