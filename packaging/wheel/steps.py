"""Run one long command behind one line of text, and show its output only when it fails."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

import places

TAIL_LINES = 40


def say(sentence: str) -> None:
    """Print a line at once, also into a pipe."""
    print(sentence, flush=True)


def run(
    sentence: str,
    command: Sequence[str],
    log_name: str,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Say ``sentence``, run ``command`` in the checkout, keep its output in a log of that name.

    Raises:
        SystemExit: the command failed; the end of its output has been printed.
    """
    say(sentence)
    log = places.cache() / "logs" / f"{log_name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=places.ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        status = _wait(process)
    if status != 0:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        say("\n".join(lines[-TAIL_LINES:]))
        raise SystemExit(f"That failed (exit status {status}). The whole output is in {log}")


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for the end; on a terminal, show that time passes."""
    started = time.monotonic()
    try:
        while True:
            try:
                return process.wait(timeout=1.0)
            except subprocess.TimeoutExpired:
                _show_clock(time.monotonic() - started)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    finally:
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)


def _show_clock(seconds: float) -> None:
    if sys.stdout.isatty():
        print(f"\r  {int(seconds) // 60}:{int(seconds) % 60:02d}", end="", flush=True)
