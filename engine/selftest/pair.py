"""A tiny pair: a target of two layers and its draft, of random weights, a moment's work to write.

The draft is the target with a little noise on it, so that some of what it drafts is accepted and
some is not. What they write means nothing.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.selftest.gguf import Value, write_gguf

NOISE = 0.03
"""On the draft's weights, in units of the target's: about half of what is drafted is accepted."""

_WIDTH, _LAYERS, _HEAD = 64, 2, 32  # a head of 32 is the least that a q8_0 cache takes
_CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_CONTROL, _NORMAL = 3, 1  # LLAMA_TOKEN_TYPE_*
_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_pair(folder: Path) -> tuple[Path, Path]:
    """Write target and draft, 400 KB together, and return their paths. Raises OSError."""
    return (
        write_gguf(folder / "target.gguf", _metadata("Target"), _tensors(0.0)),
        write_gguf(folder / "draft.gguf", _metadata("Draft"), _tensors(NOISE)),
    )


def _metadata(name: str) -> dict[str, Value]:
    texts = [*_CONTROLS, *_byte_texts()]
    return {
        "general.architecture": "llama",
        "general.name": f"Selftest {name}",
        "general.file_type": 7,  # mostly Q8_0
        "llama.context_length": 1024,
        "llama.embedding_length": _WIDTH,
        "llama.block_count": _LAYERS,
        "llama.feed_forward_length": 2 * _WIDTH,
        "llama.attention.head_count": _WIDTH // _HEAD,
        "llama.attention.head_count_kv": _WIDTH // _HEAD,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.dimension_count": _HEAD,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": [*texts, "th"],
        "tokenizer.ggml.token_type": [
            *[_CONTROL] * len(_CONTROLS),
            *[_NORMAL] * (len(texts) + 1 - len(_CONTROLS)),
        ],
        "tokenizer.ggml.merges": ["t h"],
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": _TEMPLATE,
    }


def _byte_texts() -> list[str]:
    """How byte-level BPE writes each byte as one printable character (GPT-2's table)."""
    shown = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in shown else next(others)) for byte in range(256)]


def _tensors(noise: float) -> dict[str, NDArray[np.float32]]:
    size, wide = len(_CONTROLS) + 257, 2 * _WIDTH
    shapes = {"token_embd": (size, _WIDTH), "output": (size, _WIDTH)}
    for layer in range(_LAYERS):
        square = ("attn_q", "attn_k", "attn_v", "attn_output")
        shapes |= {f"blk.{layer}.{name}": (_WIDTH, _WIDTH) for name in square}
        shapes |= {f"blk.{layer}.{name}": (wide, _WIDTH) for name in ("ffn_gate", "ffn_up")}
        shapes[f"blk.{layer}.ffn_down"] = (_WIDTH, wide)
    norms = [f"blk.{i}.{name}" for i in range(_LAYERS) for name in ("attn_norm", "ffn_norm")]
    matrices = {f"{name}.weight": _matrix(name, shape, noise) for name, shape in shapes.items()}
    # No reply ends by itself: how much was drafted must not hang on chance.
    matrices["output.weight"][: len(_CONTROLS)] = 0
    ones = np.ones(_WIDTH, np.float32)
    return matrices | {f"{name}.weight": ones for name in (*norms, "output_norm")}


def _matrix(name: str, shape: tuple[int, int], noise: float) -> NDArray[np.float32]:
    """Normal numbers that the name decides; twice as loud as usual, so that texts seldom loop."""
    base, moved = (_normal(name, shape, which) for which in (0, 1))
    gain = 1.0 if name == "token_embd" else 2 / np.sqrt(shape[1])
    mixed: NDArray[np.float32] = (base + noise * moved) * np.float32(gain / np.hypot(1, noise))
    return mixed


def _normal(name: str, shape: tuple[int, int], which: int) -> NDArray[np.float32]:
    return np.random.default_rng([which, zlib.crc32(name.encode())]).standard_normal(
        shape, np.float32
    )
