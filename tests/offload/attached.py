"""The pair that is put on the device, and the device of this process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.loading import LoadOptions
from tests.offload import PORT, rpc
from tests.support.tiny_models import Tiny, write_tiny

DEVICE, LAYERS = "RPC0", 8
OPTIONS = LoadOptions(n_ctx=512, threads=1, exact=True)


@pytest.fixture(scope="session", autouse=True)
def attached() -> None:
    rpc.attach(int(os.environ[PORT]))


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """23 MB of weights, and 8 MB of cache at 512 tokens: enough not to fit."""
    return write_tiny(tmp_path_factory.mktemp("wide") / "wide.gguf", Tiny(layers=LAYERS, width=512))


@pytest.fixture(scope="session")
def draft(target: Path) -> Path:
    tiny = Tiny(layers=LAYERS, width=512, noise=0.02)
    return write_tiny(target.with_name("draft.gguf"), tiny)
