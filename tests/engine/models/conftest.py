"""No test of downloads sees the developer's proxies, tokens or keyring."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest


@pytest.fixture(autouse=True)
def nobodys_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in list(os.environ):
        if name.upper().endswith("_PROXY") or name.startswith(("HF_", "HUGGING_FACE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hugging face"))
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


@pytest.fixture
def silent_host() -> Iterator[str]:
    """The address of a host to which no connection comes about: whoever calls is not answered."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        waiting = [socket.socket() for _ in range(4)]  # more than its queue holds
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(busy.getsockname())
        yield f"http://127.0.0.1:{busy.getsockname()[1]}"
        for each in waiting:
            each.close()
