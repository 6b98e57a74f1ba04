"""A device with room for everything. Run by test_offload.py, in a process of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from engine.chat import Message
from engine.engine import Engine, Reply, ReplyOptions
from engine.llama.library import library
from engine.loading import LoadOptions, load_pair
from engine.sampling import Sampling
from tests.offload.attached import DEVICE, LAYERS, OPTIONS, attached, draft, target

__all__ = ["attached", "draft", "target"]  # fixtures

GREEDY = ReplyOptions(sampling=Sampling(temperature=0), max_tokens=48, seed=1)
HELLO = [Message("user", "hello there")]


def written(engine: Engine, gamma: int) -> Reply:
    *_, reply = engine.reply(HELLO, replace(GREEDY, gamma=gamma))
    assert isinstance(reply, Reply)
    return reply


def test_the_device_is_listed_by_name_and_with_its_memory() -> None:
    assert library().can_offload
    (device,) = [each for each in library().devices() if each.is_gpu]
    assert device.name == DEVICE
    assert device.memory_total >= device.memory_free > 2**20


@pytest.mark.parametrize(("layers", "where"), [(-1, DEVICE), (3, DEVICE), (0, "CPU")])
def test_the_same_reply_comes_from_the_device_and_from_the_processor(
    target: Path, draft: Path, layers: int, where: str
) -> None:
    engine = Engine.load(target, draft, replace(OPTIONS, gpu_layers=layers))
    alone = Engine.load(target, None, replace(OPTIONS, gpu_layers=0))
    try:
        assert [name.split()[0] for name in engine.pair.devices] == [where]
        assert engine.pair.notes == []
        assert engine.pair.draft is not None
        assert engine.pair.draft.gpu_layers == layers
        drafted = written(engine, 3)
        assert drafted.figures.accepted > 0
        assert drafted.tokens == written(engine, 0).tokens == written(alone, 0).tokens
    finally:
        engine.free()
        alone.free()


def test_the_verdict_on_another_vocabulary_is_the_same_there(target: Path, tmp_path: Path) -> None:
    from tests.support.tiny_models import Tiny, write_tiny

    other = write_tiny(tmp_path / "other.gguf", Tiny(tokenizer="llama"))
    pair = load_pair(target, other, OPTIONS)
    assert (pair.verdict.ok, pair.verdict.code) == (False, "kind")
    pair.free()


def test_a_clock_read_after_a_pass_has_waited_for_the_device(target: Path) -> None:
    """llama_decode only hands the work over: unwaited, a pass would seem to cost nothing and the
    wait would fall to whoever reads the first row."""
    pair = load_pair(target, None, OPTIONS)
    lane = pair.lane()
    passes, reads = [], []
    for _ in range(20):
        began = perf_counter()
        lane.target.decode([7] * 8, outputs=1)
        passed = perf_counter()
        lane.target.row(0).copy()
        reads.append(perf_counter() - passed)
        passes.append(passed - began)
    lane.free()
    pair.free()
    assert sorted(reads)[10] < 0.1 * sorted(passes)[10]


def test_a_replys_time_is_all_accounted_for(target: Path, draft: Path) -> None:
    engine = Engine.load(target, draft, OPTIONS)
    began = perf_counter()
    figures = written(engine, 3).figures
    whole = perf_counter() - began
    engine.free()
    assert figures.seconds + figures.prompt_seconds == pytest.approx(whole, rel=0.1)
    assert figures.draft_seconds > 0
    assert figures.verify_seconds > 0
    assert figures.other_share < 0.5


def test_a_lane_of_each_kind_takes_turns_on_the_device(target: Path, draft: Path) -> None:
    engine = Engine.load(target, draft, OPTIONS)
    *_, comparison = engine.compare(HELLO, replace(GREEDY, gamma=3))
    engine.free()
    texts = {reply.text for reply in comparison.replies.values()}
    assert len(texts) == 1
    assert comparison.parting is None


def test_what_the_user_asks_for_is_not_called_too_little(target: Path) -> None:
    pair = load_pair(target, None, LoadOptions(n_ctx=256, threads=1, gpu_layers=2))
    assert (pair.target.gpu_layers, pair.target.layers) == (2, LAYERS)
    assert pair.notes == []
    pair.free()
