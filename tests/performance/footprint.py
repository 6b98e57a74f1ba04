"""Memory of the real worker process, less what its models' caches and weights need (Linux)."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from engine.client import Client
from engine.engine import Engine
from engine.loading import LoadOptions
from engine.protocol import Chat, Compare, Load, Message, Options, Ready

_REPACKED = re.compile(r"CPU_REPACK model buffer size =\s+([\d.]+) MiB")
_MB = 1e6

TALK = (Message("user", "Tell me a story about a lighthouse. " * 20),)


def footprint(target: Path, draft: Path) -> tuple[float, float]:
    """Megabytes of a chat with this pair, and of one further lane, caches and weights left out."""
    repacked = _repacked(target, draft)
    with Client() as client:
        *_, ready = client.request(Load(str(target), str(draft)))
        assert isinstance(ready, Ready)
        assert ready.memory is not None
        for _event in client.request(Chat(TALK, Options(gamma=16, max_tokens=64))):
            pass
        chat = _anonymous(client.pid)
        most = chat
        for event in client.request(Compare(TALK, Options(gamma=3, max_tokens=24))):
            if type(event).__name__ == "Emitted":
                most = max(most, _anonymous(client.pid))
    # The further lane of a comparison is a target's, with a cache as large as the chat's own.
    cache = _target_cache(target)
    known = ready.memory.caches + repacked
    return (chat - known) / _MB, (most - chat - cache) / _MB


def _anonymous(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("this system does not tell a process's anonymous memory")


def _repacked(target: Path, draft: Path) -> int:
    """Bytes of the weights that llama.cpp copies into a faster layout, by its own account."""
    heard = _Listener()
    logger = logging.getLogger("engine.llama.library")
    logger.addHandler(heard)
    logger.setLevel(logging.DEBUG)
    try:
        Engine.load(target, draft, LoadOptions(n_ctx=256)).free()
    finally:
        logger.removeHandler(heard)
        logger.setLevel(logging.NOTSET)
    return sum(int(float(size) * 2**20) for size in _REPACKED.findall("\n".join(heard.lines)))


def _target_cache(target: Path) -> int:
    engine = Engine.load(target, None, LoadOptions())
    try:
        return engine.lane.target.cache_bytes
    finally:
        engine.free()


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
