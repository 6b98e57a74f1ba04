"""What models need of memory: the estimate against llama.cpp's own account."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.client import Client
from engine.errors import ShardMissing
from engine.llama import context as passes
from engine.llama.context import Context, ContextOptions
from engine.llama.library import library
from engine.llama.model import Model
from engine.models import needs, shape
from engine.models.header import read_header
from engine.models.needs import ALL_LAYERS, PROGRAMS, Needs, Plan, Share
from engine.models.shape import COPIES, Layer, Shape, shape_at, shape_of
from engine.protocol import Ready
from tests.engine.conftest import TinyModel, TinyPath
from tests.support.sparse_models import Sparse, write_sparse
from tests.support.workers import final, load

SPARSE = {
    "a small qwen, its output its embedding": Sparse(
        "qwen2", 3, 1024, 4864, 16, 2, 64, 20_000, own_output=False
    ),
    "a qwen of 7 billion": Sparse("qwen2", 2, 3584, 18944, 28, 4, 128, 8_000),
    "a llama of 8 billion": Sparse("llama", 2, 4096, 14336, 32, 8, 128, 8_000),
    "every head with its own keys": Sparse("llama", 2, 2048, 8192, 32, 32, 64, 8_000),
    "a gemma with a window": Sparse(
        "gemma3", 6, 1280, 6912, 4, 1, 256, 20_000, own_output=False, window=512
    ),
}
"""Real widths, few layers: those are all alike."""


NOTHING = Shape((), Layer(0), Layer(0), width=0, feed_forward=0, vocabulary=0)
"""As a draft: the target verifies, and nothing is added."""


@pytest.fixture(scope="module", params=SPARSE, ids=str)
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a real one's shape, whose weights are a hole in its file."""
    path = tmp_path_factory.mktemp("sparse") / "large.gguf"
    return write_sparse(path, SPARSE[request.param])


@pytest.fixture
def loaded(large: Path) -> Iterator[Model]:
    with Model.load(large, repack=False, words=False) as model:
        yield model


@pytest.mark.parametrize("n_ctx", [2048, 16384])
def test_large_models_take_what_was_estimated(large: Path, loaded: Model, n_ctx: int) -> None:
    found = needs.needs(shape_at(large), NOTHING, Plan(n_ctx))
    with Context(loaded, ContextOptions(n_ctx=n_ctx)) as context:
        taken = Share(loaded.size, context.cache_bytes, context.buffer_bytes)
    assert found.host.weights == taken.weights
    assert found.host.caches == taken.caches
    assert found.host.buffers == pytest.approx(taken.buffers, rel=0.25)
    assert found.host.total == pytest.approx(taken.total, rel=0.02)


def test_a_draft_takes_what_was_estimated(large: Path, loaded: Model) -> None:
    known = shape_at(large)
    alone = needs.needs(known, NOTHING, Plan(4096))
    both = needs.needs(known, known, Plan(4096))
    options = ContextOptions(n_ctx=4096, chunk=passes.DRAFT_CHUNK, outputs=1)
    with Context(loaded, options) as context:
        assert both.host.caches - alone.host.caches == context.cache_bytes
        assert both.host.buffers - alone.host.buffers == pytest.approx(
            context.buffer_bytes, rel=0.25
        )


def test_a_further_lane_takes_what_was_estimated(large: Path, loaded: Model) -> None:
    found = needs.needs(shape_at(large), None, Plan(4096))
    with Context(loaded, ContextOptions(n_ctx=4096, outputs=1)) as context:
        taken = context.cache_bytes + context.buffer_bytes
    assert found.lane == found.host.caches + found.host.buffers
    assert found.lane == pytest.approx(taken, rel=0.1)


def test_a_small_cache_takes_what_was_estimated(large: Path, loaded: Model) -> None:
    found = needs.needs(shape_at(large), None, Plan(2048, small_cache=True))
    with Context(loaded, ContextOptions(n_ctx=2048).exact()) as context:
        assert found.host.caches == pytest.approx(context.cache_bytes, rel=0.01)


@pytest.mark.parametrize("architecture", ["llama", "gemma3", "lfm2", "mamba"])
@pytest.mark.parametrize("n_ctx", [256, 700])
def test_memories_of_every_kind_take_what_was_estimated(
    tiny_path: TinyPath, tiny_model: TinyModel, architecture: str, n_ctx: int
) -> None:
    path, model = (make(architecture=architecture, layers=7) for make in (tiny_path, tiny_model))
    found = needs.needs(shape_at(path), None, Plan(n_ctx))
    rewindable = needs.ROWS if model.recurrent else 0
    with Context(model, ContextOptions(n_ctx=n_ctx, rewindable=rewindable)) as context:
        # llama.cpp tells hundredths of a mebibyte, of each part of a memory.
        assert found.host.caches == pytest.approx(context.cache_bytes, abs=11_000)
    assert found.host.weights == model.size


@pytest.mark.parametrize("storage", ["Q4_0", "Q8_0", "F32"])
def test_what_this_processor_copies_is_known(
    tiny_path: TinyPath, caplog: pytest.LogCaptureFixture, storage: str
) -> None:
    path = tiny_path(storage=storage, width=128, layers=4)
    with caplog.at_level(logging.DEBUG, "engine.llama.library"):
        Model.load(path, repack=True).free()
    found = re.findall(r"CPU_REPACK model buffer size = +([\d.]+) MiB", caplog.text)
    copied = sum(float(size) * 2**20 for size in found)
    plan = Plan(copied=needs.copied_types(library().features))
    # llama.cpp tells hundredths of a mebibyte.
    assert needs.needs(shape_at(path), None, plan).copied == pytest.approx(copied, abs=6000)


def test_what_ready_tells_of_a_pair_was_estimated(tiny_path: TinyPath) -> None:
    target, draft = tiny_path(layers=8, width=256), tiny_path(layers=2, width=256, noise=0.05)
    with Client() as worker:
        ready = final(worker.request(load(target, draft, n_ctx=2048)))
    assert isinstance(ready, Ready)
    assert ready.verdict.ok
    assert ready.memory is not None
    found = needs.needs(shape_at(target), shape_at(draft), Plan(2048)).host
    assert found.weights == ready.memory.weights
    assert found.caches == ready.memory.caches
    taken = ready.memory.weights + ready.memory.caches + ready.memory.buffers
    assert found.total == pytest.approx(taken, rel=0.1)


def test_the_estimate_knows_how_wide_passes_are() -> None:
    """They are told twice, because the client must not load llama.cpp."""
    assert (needs.TARGET_CHUNK, needs.DRAFT_CHUNK, needs.GPU_CHUNK) == (
        passes.CHUNK,
        passes.DRAFT_CHUNK,
        passes.GPU_CHUNK,
    )
    assert needs.ROWS == passes.MAX_GAMMA + 1 == ContextOptions().outputs
    assert COPIES == needs.ROWS + 1


# Shards ------------------------------------------------------------------------------------------


def test_a_shard_that_is_missing_is_named(
    tmp_path: Path, tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tmp_path / "model-00001-of-00003.gguf"
    first.write_bytes(tiny_path().read_bytes())
    second = tmp_path / "model-00002-of-00003.gguf"
    second.write_bytes(first.read_bytes())
    header = read_header(first)
    whole = replace(header, metadata={**header.metadata, "split.count": 3})
    monkeypatch.setattr(shape, "read_header", lambda _path: whole)
    with pytest.raises(ShardMissing, match="part 3 of 3"):
        shape_at(first)
    (tmp_path / "model-00003-of-00003.gguf").touch()
    assert shape_at(first).weights == 3 * shape_of([header]).weights


# Where what lies ---------------------------------------------------------------------------------


def built(layers: int = 4, *, own_output: bool = True) -> Shape:
    """Layers of 1,000 bytes, 10 bytes of cache for each token."""
    layer = Layer(1000, {12: 800}, cache=10)
    output = Layer(500, {12: 500}) if own_output else Layer(4)
    return Shape((layer,) * layers, Layer(400, {12: 400}), output, 16, 64, 100)


def found(plan: Plan, **changes: bool) -> Needs:
    return needs.needs(built(**changes), None, plan)


def test_the_processor_alone_holds_everything() -> None:
    assert found(Plan(256)).host.weights == 4900
    assert found(Plan(256)).host.caches == 4 * 10 * 256
    assert found(Plan(256)).gpu == Share()


def test_a_graphics_processor_takes_all_but_the_table_of_tokens() -> None:
    both = found(Plan(256, ALL_LAYERS))
    assert (both.host.weights, both.gpu.weights) == (400, 4500)
    assert (both.host.caches, both.gpu.caches) == (0, 4 * 10 * 256)


def test_the_last_layers_leave_first() -> None:
    both = found(Plan(256, 3))
    assert (both.host.weights, both.gpu.weights) == (400 + 2000, 2000 + 500)
    assert both.host.caches == both.gpu.caches == 2 * 10 * 256


def test_an_output_alone_needs_no_buffers_for_layers_there() -> None:
    output, half = found(Plan(256, 1)), found(Plan(256, 3))
    assert output.gpu.caches == 0
    assert output.gpu.buffers == (100 + 16) * 4
    assert output.gpu.buffers < half.gpu.buffers
    assert found(Plan(256, ALL_LAYERS)).host.buffers < half.host.buffers


def test_more_layers_than_there_are_is_all_of_them() -> None:
    assert found(Plan(256, 99)) == found(Plan(256, ALL_LAYERS))


def test_a_table_that_serves_twice_is_there_twice_where_it_is_copied() -> None:
    assert found(Plan(256), own_output=False).host.weights == 4404
    copying = found(Plan(256, copied=frozenset({12})), own_output=False)
    assert copying.host.weights == 4404 + 400
    assert copying.copied == 4 * 800 + 400
    far = found(Plan(256, ALL_LAYERS), own_output=False)
    assert (far.host.weights, far.gpu.weights) == (400, 4000 + 4 + 400)


def test_copied_weights_are_held_and_shown_twice() -> None:
    copying = found(Plan(256, copied=frozenset({12})))
    assert copying.copied == 4 * 800 + 500
    assert copying.resident - copying.memory == copying.copied
    assert copying.memory - copying.held == 4900 - copying.copied + PROGRAMS


def test_a_context_is_made_in_steps_of_256() -> None:
    assert found(Plan(257)).host.caches == found(Plan(512)).host.caches


@pytest.mark.parametrize(
    ("features", "types"),
    [
        ((), set()),
        (("AVX2",), set()),
        (("AVX2", "REPACK"), {2, 12, 20, 39}),
        (("AVX2", "AVX512", "REPACK"), {2, 10, 12, 20, 39}),
        (("NEON", "DOTPROD", "REPACK"), {2, 8, 12, 13, 14, 20, 39, 41}),
        (("NEON", "REPACK"), set()),
    ],
)
def test_processors_copy_what_they_have_kernels_for(
    features: tuple[str, ...], types: set[int]
) -> None:
    assert needs.copied_types(features) == types
