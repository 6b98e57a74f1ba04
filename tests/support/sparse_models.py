"""Large models that take no room: a real header and tensor table, and a hole for the weights.

llama.cpp loads them as it would the real ones, mapping the hole, and says what it takes: enough to
hold an estimate of memory against. They write nothing: all their weights are 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import TokenType


@dataclass(frozen=True)
class Sparse:
    """What a sparse model is like; ``own_output``: with an output table beside its embedding."""

    architecture: str
    layers: int
    width: int
    feed_forward: int
    heads: int
    kv_heads: int
    head: int
    vocabulary: int
    own_output: bool = True
    window: int = 0


def write_sparse(path: Path, sparse: Sparse) -> Path:
    """Write the model to ``path`` and return it."""
    writer = gguf.GGUFWriter(path, sparse.architecture)
    writer.add_name(path.stem)
    _write_hyperparameters(writer, sparse)
    _write_vocabulary(writer, sparse.vocabulary)
    sizes = [_declare(writer, *tensor) for tensor in _tensors(sparse)]
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    assert writer.fout is not None
    begin = writer.fout[0].tell()
    writer.close()
    with path.open("r+b") as file:
        file.truncate(_aligned(begin) + sum(map(_aligned, sizes)))
    return path


def _write_hyperparameters(writer: gguf.GGUFWriter, sparse: Sparse) -> None:
    writer.add_context_length(32768)
    writer.add_embedding_length(sparse.width)
    writer.add_block_count(sparse.layers)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_feed_forward_length(sparse.feed_forward)
    writer.add_head_count(sparse.heads)
    writer.add_head_count_kv(sparse.kv_heads)
    writer.add_key_length(sparse.head)
    writer.add_value_length(sparse.head)
    if sparse.architecture == "llama":
        writer.add_rope_dimension_count(sparse.head)
    if sparse.window:
        writer.add_sliding_window(sparse.window)


def _write_vocabulary(writer: gguf.GGUFWriter, size: int) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([f"t{i}" for i in range(size)])
    writer.add_token_types([TokenType.NORMAL] * size)
    writer.add_token_merges(["t 0"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(1)
    writer.add_add_bos_token(False)


def _tensors(sparse: Sparse) -> list[tuple[str, tuple[int, ...], Type]]:
    """Name, (rows, columns) and type of each tensor, as a Q4_K_M file has them."""
    width, q, kv = sparse.width, sparse.heads * sparse.head, sparse.kv_heads * sparse.head
    found = [
        ("token_embd.weight", (sparse.vocabulary, width), Type.Q6_K),
        ("output_norm.weight", (width,), Type.F32),
    ]
    if sparse.own_output:
        found.append(("output.weight", (sparse.vocabulary, width), Type.Q6_K))
    for layer in range(sparse.layers):
        at = f"blk.{layer}."
        norms = {"attn_norm": width, "ffn_norm": width, **_extra(sparse)}
        found += [(f"{at}{name}.weight", (size,), Type.F32) for name, size in norms.items()]
        if sparse.architecture == "qwen2":
            sizes = {"attn_q": q, "attn_k": kv, "attn_v": kv}
            found += [(f"{at}{name}.bias", (size,), Type.F32) for name, size in sizes.items()]
        found += [
            (at + "attn_q.weight", (q, width), Type.Q4_K),
            (at + "attn_k.weight", (kv, width), Type.Q4_K),
            (at + "attn_v.weight", (kv, width), Type.Q6_K),
            (at + "attn_output.weight", (width, q), Type.Q4_K),
            (at + "ffn_gate.weight", (sparse.feed_forward, width), Type.Q4_K),
            (at + "ffn_up.weight", (sparse.feed_forward, width), Type.Q4_K),
            (at + "ffn_down.weight", (width, sparse.feed_forward), Type.Q6_K),
        ]
    return found


def _extra(sparse: Sparse) -> dict[str, int]:
    if sparse.architecture == "gemma3":
        heads = {"attn_q_norm": sparse.head, "attn_k_norm": sparse.head}
        return {**heads, "post_attention_norm": sparse.width, "post_ffw_norm": sparse.width}
    return {}


def _declare(writer: gguf.GGUFWriter, name: str, shape: tuple[int, ...], kind: Type) -> int:
    """One row of the tensor table; returns the bytes it stands for."""
    if kind is Type.F32:
        size = 4 * math.prod(shape)
        writer.add_tensor_info(name, shape, np.dtype(np.float32), size)
        return size
    block, nbytes = gguf.GGML_QUANT_SIZES[kind]
    size = math.prod(shape) // block * nbytes
    packed = (*shape[:-1], shape[-1] // block * nbytes)
    writer.add_tensor_info(name, packed, np.dtype(np.uint8), size, raw_dtype=kind)
    return size


def _aligned(size: int) -> int:
    return size + -size % 32
