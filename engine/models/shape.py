"""How a model is built, as far as memory goes: from its header, or from the catalogue's facts.

Bytes throughout. Followed rule by rule: llama.cpp's key-value caches (``llama_kv_cache``,
``llama_hparams``) and recurrent memories (``llama_memory_recurrent``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from engine.errors import ShardMissing
from engine.models.header import Header, TensorInfo, read_header
from engine.models.kinds import can_rewind

COPIES = 18
"""Of a recurrent memory's state, where it can be taken back: by γ = 16 and one, and itself."""

_F32, _F16 = 4, 2
_MOST_LAYERS = 512  # LLAMA_MAX_LAYERS


@dataclass(frozen=True)
class Layer:
    """One layer of a model, or what lies outside of them.

    Attributes:
        weights: All of its tensors.
        matrices: Of these, the ones that the CPU may copy, by ggml type.
        cache: Of the key-value cache at f16, for one token.
        state: Of a recurrent memory, with the copies that rewinding takes.
    """

    weights: int
    matrices: Mapping[int, int] = field(default_factory=dict)
    cache: int = 0
    state: int = 0


@dataclass(frozen=True)
class Shape:
    """What the estimate needs to know of a model.

    Attributes:
        layers: In order.
        embedding: The table of tokens, which stays with the CPU.
        output: What follows the layers; its weights are 0 where the embedding serves.
        width: Numbers that a token is between the layers; ``feed_forward``: within them.
        vocabulary: Tokens.
        windowed: Whether some layers see a window only, which takes a second mask.
    """

    layers: tuple[Layer, ...]
    embedding: Layer
    output: Layer
    width: int
    feed_forward: int
    vocabulary: int
    windowed: bool = False

    @property
    def weights(self) -> int:
        """Of the whole file."""
        parts = (*self.layers, self.embedding, self.output)
        return sum(part.weights for part in parts)


def shape_at(path: Path) -> Shape:
    """The shape of the model in a file, or in the shards of which it is the first.

    Raises ShardMissing, and what `read_header` does.
    """
    first = read_header(path)
    count = first.metadata.get("split.count")
    if not isinstance(count, int) or count < 2:
        return shape_of([first])
    return shape_of([first, *(read_header(_shard(path, n, count)) for n in range(2, count + 1))])


def _shard(first: Path, number: int, count: int) -> Path:
    """The neighbour that llama.cpp looks for (``llama_split_path``)."""
    path = first.with_name(
        first.name.replace(f"-00001-of-{count:05}", f"-{number:05}-of-{count:05}")
    )
    if path == first or not os.path.exists(path):
        raise ShardMissing(path=first, number=number, count=count)
    return path


def shape_of(headers: Iterable[Header]) -> Shape:
    """The shape of the model in a file, or in all shards of one, the first of them first."""
    files = list(headers)
    first = files[0]
    tensors = [tensor for header in files for tensor in header.tensors]
    count = min(first.block_count or 0, _MOST_LAYERS)
    return Shape(
        layers=tuple(
            _layer(first, index, group) for index, group in enumerate(_by_layer(tensors, count))
        ),
        embedding=_part(t for t in tensors if t.name == "token_embd.weight"),
        output=_part(t for t in tensors if not t.name.startswith(("blk.", "token_embd.weight"))),
        width=first.count("embedding_length"),
        feed_forward=max(first.counts("feed_forward_length", count), default=0),
        vocabulary=first.vocabulary_size,
        windowed=first.count("attention.sliding_window") > 0,
    )


def _by_layer(tensors: Iterable[TensorInfo], count: int) -> list[list[TensorInfo]]:
    layers: list[list[TensorInfo]] = [[] for _ in range(count)]
    for tensor in tensors:
        if tensor.name.startswith("blk."):
            number = tensor.name.split(".")[1]
            if number.isdecimal() and int(number) < count:
                layers[int(number)].append(tensor)
    return layers


def _layer(header: Header, index: int, tensors: list[TensorInfo]) -> Layer:
    part = _part(tensors)
    names = {tensor.name.split(".", 2)[-1] for tensor in tensors}
    recurrent = any(name.startswith(("ssm_", "shortconv.", "time_mix_")) for name in names)
    attends = "attn_k.weight" in names or "attn_kv_a_mqa.weight" in names
    attends = attends or ("attn_qkv.weight" in names and not recurrent)
    return Layer(
        weights=part.weights,
        matrices=part.matrices,
        cache=_cache(header, index) if attends else 0,
        state=_state(header) if recurrent else 0,
    )


def _part(tensors: Iterable[TensorInfo]) -> Layer:
    weights, matrices = 0, dict[int, int]()
    for tensor in tensors:
        nbytes = tensor.nbytes or 0
        weights += nbytes
        if len(tensor.shape) >= 2 and tensor.shape[1] % 8 == 0:
            matrices[tensor.type] = matrices.get(tensor.type, 0) + nbytes
    return Layer(weights, MappingProxyType(matrices))


def _cache(header: Header, index: int) -> int:
    """Bytes of keys and values that one layer keeps of one token (``n_embd_k_gqa`` and v)."""
    if index >= _caching_layers(header):
        return 0
    if header.count("attention.key_length_mla"):  # the two are compressed into one (MLA)
        return _F16 * header.count("attention.key_length")
    heads = header.counts("attention.head_count", index + 1)[index]
    kv_heads = header.counts("attention.head_count_kv", index + 1, heads)[index]
    even = header.count("embedding_length") // heads if heads else 0
    swa = "_swa" if _is_windowed(header, index) else ""
    key, value = (
        header.count(f"attention.{side}_length{swa}")
        or header.count(f"attention.{side}_length", even)
        for side in ("key", "value")
    )
    return cache_of(kv_heads, key, value)


def cache_of(kv_heads: int, key: int, value: int) -> int:
    """Bytes of one layer's cache for one token, at f16; ``key``, ``value``: numbers of a head."""
    return _F16 * kv_heads * (key + value)


def _caching_layers(header: Header) -> int:
    """How many layers keep keys and values of their own (``n_layer_kv_from_start``)."""
    count = header.block_count or 0
    if header.architecture == "gemma3n":
        return 20
    return count - header.count("attention.shared_kv_layers")


def _is_windowed(header: Header, index: int) -> bool:
    pattern = header.metadata.get(f"{header.architecture}.attention.sliding_window_pattern")
    return isinstance(pattern, tuple) and index < len(pattern) and bool(pattern[index])


def _state(header: Header) -> int:
    """Bytes of one layer's recurrent state, f32 (``n_embd_r`` and ``n_embd_s``), in all copies."""
    copies = COPIES if can_rewind(header.architecture, one_by_one=False) else 1
    return _F32 * copies * (_rolling_state(header) + _lasting_state(header))


def _rolling_state(header: Header) -> int:
    """Numbers that the convolution of a layer keeps of the last tokens."""
    width = header.count("embedding_length")
    if convolution := header.count("shortconv.l_cache"):
        return width * (convolution - 1)
    if header.count("wkv.head_size"):
        return width * header.count("token_shift_count", 2)
    inner, state = header.count("ssm.inner_size"), header.count("ssm.state_size")
    inputs = inner + 2 * header.count("ssm.group_count") * state
    return max(header.count("ssm.conv_kernel") - 1, 0) * inputs


def _lasting_state(header: Header) -> int:
    """Numbers that stand for everything before."""
    if head := header.count("wkv.head_size"):
        return header.count("embedding_length") * head
    return header.count("ssm.state_size") * header.count("ssm.inner_size")
