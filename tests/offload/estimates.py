"""What lies on the device and what beside it, against the estimate. Run by test_offload.py."""

from __future__ import annotations

import logging
import re
from collections import Counter
from pathlib import Path

import pytest

from engine.llama.context import GPU_CHUNK, Context, ContextOptions
from engine.llama.library import library
from engine.llama.model import Model
from engine.models.needs import Plan, copied_types, needs
from engine.models.shape import shape_at
from tests.offload.attached import attached
from tests.support.sparse_models import Sparse, write_sparse

__all__ = ["attached"]  # a fixture

LLAMA = Sparse("llama", 4, 2048, 8192, 32, 8, 64, 8000)
TIED = Sparse("qwen2", 4, 1024, 4864, 16, 2, 64, 20_000, own_output=False)
_BUFFER = re.compile(r"(\S+) +(model|KV|compute) buffer size = +([\d.]+) MiB")
HUNDREDTH = 2**20 / 100


@pytest.mark.parametrize("layers", [-1, 3, 1])
@pytest.mark.parametrize("sparse", [LLAMA, TIED], ids=["its own output", "its output its table"])
def test_both_sides_take_what_was_estimated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sparse: Sparse, layers: int
) -> None:
    path = write_sparse(tmp_path / "sparse.gguf", sparse)
    options = ContextOptions(n_ctx=4096, chunk=GPU_CHUNK, outputs=1)
    with (
        caplog.at_level(logging.DEBUG, "engine.llama.library"),
        Model.load(path, gpu_layers=layers) as model,
        Context(model, options),
    ):
        taken = _taken(caplog.text)
    found = needs(shape_at(path), None, Plan(4096, layers, copied_types(library().features)))
    assert found.gpu.weights == pytest.approx(taken["gpu", "model"], abs=HUNDREDTH)
    # What is mapped of a file for the one side spans some of the other's.
    assert found.host.weights == pytest.approx(taken["host", "model"], rel=0.2)
    for side, estimate, row in (("host", found.host, sparse.vocabulary * 4), ("gpu", found.gpu, 0)):
        assert estimate.caches == pytest.approx(taken[side, "KV"], abs=HUNDREDTH)
        assert estimate.buffers - row == pytest.approx(taken[side, "compute"], rel=0.4, abs=2**20)


def _taken(log: str) -> Counter[tuple[str, str]]:
    """Bytes by side and kind. A file's mapped part includes what is copied out of its middle."""
    taken: Counter[tuple[str, str]] = Counter()
    for where, kind, size in _BUFFER.findall(log):
        side = "gpu" if where.startswith("RPC") else "host"
        if where != "CPU_REPACK":
            taken[side, kind] += int(float(size) * 2**20)
    return taken
