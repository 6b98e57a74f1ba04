"""A model's shape from its header: architectures that keep keys and values in ways of their own."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from engine.errors import ShardMissing
from engine.models.cursor import Value
from engine.models.header import Header, TensorInfo
from engine.models.shape import COPIES, Shape, shape_at, shape_of
from tests.support.disks import closed
from tests.support.ggufs import write_parts

F32 = 0


def shape(architecture: str, layers: dict[int, tuple[str, ...]], **said: Value) -> Shape:
    """Of a header that says so much of itself; ``layers``: the tensors of each."""
    metadata: dict[str, Value] = {"general.architecture": architecture}
    metadata |= {f"{architecture}.{key.replace('__', '.')}": value for key, value in said.items()}
    tensors = tuple(
        TensorInfo(f"blk.{layer}.{name}.weight", (8, 8), F32, 0)
        for layer, names in layers.items()
        for name in names
    )
    return shape_of([Header(Path("x.gguf"), 3, metadata, tensors, 32, 0, 0, 0)])


def caches(found: Shape) -> list[int]:
    return [layer.cache for layer in found.layers]


ATTENTION = ("attn_q", "attn_k", "attn_v")
TWO = {0: ATTENTION, 1: ATTENTION}


def test_heads_may_differ_from_layer_to_layer() -> None:
    found = shape(
        "llama",
        TWO,
        block_count=2,
        embedding_length=64,
        attention__head_count=4,
        attention__head_count_kv=(1, 2),
    )
    assert caches(found) == [2 * 1 * 32, 2 * 2 * 32]


def test_without_heads_of_their_own_keys_have_as_many_as_queries() -> None:
    found = shape("llama", TWO, block_count=2, embedding_length=64, attention__head_count=4)
    assert caches(found) == [2 * 4 * 32] * 2


def test_keys_and_values_may_be_compressed_into_one() -> None:
    layers = {0: ("attn_kv_a_mqa",), 1: ("attn_kv_a_mqa",)}
    lengths = {"attention__key_length": 576, "attention__key_length_mla": 192}
    found = shape("deepseek2", layers, block_count=2, attention__head_count=8, **lengths)
    assert caches(found) == [2 * 576] * 2


def test_the_last_layers_may_share_what_an_earlier_one_keeps() -> None:
    heads = {"attention__head_count": 4, "attention__head_count_kv": 1}
    found = shape(
        "gemma4",
        TWO,
        block_count=2,
        **heads,
        attention__key_length=512,
        attention__value_length=512,
        attention__key_length_swa=256,
        attention__value_length_swa=256,
        attention__sliding_window=512,
        attention__sliding_window_pattern=(True, False),
        attention__shared_kv_layers=1,
    )
    assert caches(found) == [2 * 512, 0]
    assert found.windowed


def test_a_hybrid_keeps_a_state_in_some_layers_and_keys_in_the_others() -> None:
    layers = {0: ("attn_qkv", "ssm_conv1d", "ssm_out"), 1: ATTENTION}
    found = shape(
        "qwen35",
        layers,
        block_count=2,
        embedding_length=64,
        attention__head_count=4,
        ssm__conv_kernel=4,
        ssm__inner_size=32,
        ssm__state_size=16,
        ssm__group_count=2,
    )
    assert caches(found) == [0, 2 * 4 * 32]
    state = 4 * COPIES * (3 * (32 + 2 * 2 * 16) + 16 * 32)
    assert [layer.state for layer in found.layers] == [state, 0]


def test_a_recurrence_that_is_never_taken_back_keeps_one_state() -> None:
    found = shape(
        "rwkv7", {0: ("time_mix_key",)}, block_count=1, embedding_length=64, wkv__head_size=16
    )
    assert found.layers[0].state == 4 * 64 * (2 + 16)


@pytest.mark.parametrize("count", [None, 0, 10**12])
def test_a_header_that_says_little_or_lies_is_survived(count: int | None) -> None:
    said: dict[str, Value] = {} if count is None else {"block_count": count}
    odd = {0: ATTENTION, 7: ATTENTION}
    assert shape("llama", odd, attention__head_count=("many", 2.5), **said).weights >= 0
    named = TensorInfo("blk.0", (8, 8), F32, 0)
    metadata: dict[str, Value] = {"general.architecture": "x", "x.block_count": 1}
    assert shape_of([Header(Path("x"), 3, metadata, (named,), 32, 0, 0, 0)]).weights == 256


def test_a_part_that_the_disk_does_not_give_is_missing(tmp_path: Path) -> None:
    first, second, _third = write_parts(tmp_path)
    assert len(shape_at(first).layers) == 0
    with closed(second, errno.ESTALE, listed=False), pytest.raises(ShardMissing, match="part 2"):
        shape_at(first)
