"""Tiny models: GGUF files of a few hundred kilobytes that real llama.cpp loads in milliseconds.

Their weights are random but fixed, so they write nonsense, and always the same nonsense. What the
engine must hold to is the same for them as for a real pair: a draft that agrees with its target as
much as a test wants, vocabularies that are padded, renamed or of another kind, several ends of
generation, characters that lie across tokens, and memories that cannot rewind.

Stored as Q8_0 or Q4_0, with flash attention, a q8_0 KV and no repacking, a row of theirs is the
same to the last bit at any batch width; as F32 it is not.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType, TokenType
from numpy.typing import NDArray

Weights = NDArray[np.float32]

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA = (
    "{{ bos_token }}{% for message in messages %}[{{ message.role }}]{{ message.content | trim }}"
    "<|eot_id|>{% endfor %}[assistant]"
)

CONTROLS = ("<|begin|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|tool|>")
"""The control tokens of the byte-level vocabulary, ids 0 to 5: BOS, EOS, …"""
BOS, EOS, IM_START, IM_END, EOT, TOOL = range(len(CONTROLS))
ENDS = frozenset({EOS, IM_END, EOT})
LONG_PIECE = "=" * 100

_TEXT = (
    "the of and to in is that it was for on are with as his they at be this from have or by one "
    "had not but what all were when we there can an your which their said if do will each about "
    "user assistant system hello"
)
_MULTIBYTE = ("é", "\u65e5\u672c")  # one token of two bytes; three-byte characters in two tokens

_STORAGE = {
    "Q8_0": (GGMLQuantizationType.Q8_0, gguf.LlamaFileType.MOSTLY_Q8_0),
    "Q4_0": (GGMLQuantizationType.Q4_0, gguf.LlamaFileType.MOSTLY_Q4_0),
    "F32": (GGMLQuantizationType.F32, gguf.LlamaFileType.ALL_F32),
}


@dataclass(frozen=True)
class Tiny:
    """What a tiny model is like.

    ``noise``: 0 gives the weights of ``seed``, more moves away from them, 100 leaves nothing of
    them; ``padding``: rows after the vocabulary that stand for no text, as one model of a family
    may have; ``renamed``: other texts for some ids; ``suppressed``: ids its maker bans;
    ``always``: a token that wins every row of logits; ``sharpness``: the spread of the logits.
    """

    architecture: str = "llama"
    tokenizer: str = "gpt2"
    storage: str = "Q8_0"
    seed: int = 1
    noise: float = 0.0
    layers: int = 2
    width: int = 64
    padding: int = 0
    renamed: tuple[tuple[int, str], ...] = ()
    suppressed: tuple[int, ...] = ()
    always: int | None = None
    sharpness: float = 3.0
    template: str | None = CHATML
    add_bos: bool = False
    context_length: int = 2048
    window: int = 64


@dataclass(frozen=True)
class _Words:
    """A vocabulary as a GGUF holds it."""

    texts: list[str]
    kinds: list[TokenType]
    merges: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)


def write_tiny(path: Path, tiny: Tiny) -> Path:
    """Write the model to ``path`` and return it."""
    writer = gguf.GGUFWriter(path, tiny.architecture)
    writer.add_name(f"Tiny {tiny.architecture}")
    writer.add_file_type(_STORAGE[tiny.storage][1])
    size = _write_vocabulary(writer, tiny)
    _BODIES[tiny.architecture](writer, tiny, size)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


# Vocabularies ------------------------------------------------------------------------------------


@cache
def _byte_texts() -> dict[int, str]:
    """How byte-level BPE writes each byte as one printable character (GPT-2's table)."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in shown]
    return {b: chr(b) for b in shown} | {b: chr(256 + i) for i, b in enumerate(others)}


def _spelled(text: str) -> str:
    return "".join(_byte_texts()[byte] for byte in text.encode())


def _byte_level() -> _Words:
    texts, kinds = list(CONTROLS), [TokenType.CONTROL] * len(CONTROLS)
    texts += [_byte_texts()[byte] for byte in range(256)]
    merges = []
    words = _TEXT.split()
    for word in [*(" " + word for word in words), *words, *_MULTIBYTE]:
        spelled = _spelled(word)
        # the second three-byte character stays in two tokens, and so does what follows it
        for end in range(2, min(len(spelled), 5) + 1):
            if spelled[:end] not in texts:
                texts.append(spelled[:end])
                merges.append(f"{spelled[: end - 1]} {spelled[end - 1]}")
    texts.append(LONG_PIECE)
    return _Words(texts, kinds + [TokenType.NORMAL] * (len(texts) - len(kinds)), merges)


def _sentence_piece() -> _Words:
    texts = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
    kinds = [TokenType.UNKNOWN] + [TokenType.CONTROL] * 4
    texts += [f"<0x{byte:02X}>" for byte in range(256)]
    kinds += [TokenType.BYTE] * 256
    letters = ["▁", *map(chr, range(33, 127)), "\n"]
    parts = (("▁" + word)[:end] for word in _TEXT.split() for end in range(2, len(word) + 2))
    pieces = [*letters, *dict.fromkeys(part for part in parts if part not in letters)]
    scores = [0.0] * len(texts) + [float(len(piece)) for piece in pieces]
    return _Words(texts + pieces, kinds + [TokenType.NORMAL] * len(pieces), scores=scores)


def _write_vocabulary(writer: gguf.GGUFWriter, tiny: Tiny) -> int:
    words = _byte_level() if tiny.tokenizer == "gpt2" else _sentence_piece()
    texts = words.texts + [f"[PAD{i}]" for i in range(tiny.padding)]
    for token, text in tiny.renamed:
        texts[token] = text
    writer.add_tokenizer_model(tiny.tokenizer)
    writer.add_token_list(texts)
    writer.add_token_types([*words.kinds, *[TokenType.UNUSED] * tiny.padding])
    if tiny.tokenizer == "gpt2":
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_merges(words.merges)
        writer.add_bos_token_id(BOS)
        writer.add_eos_token_id(EOS)
    else:
        writer.add_token_scores(words.scores + [0.0] * tiny.padding)
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)
    writer.add_add_bos_token(tiny.add_bos)
    writer.add_add_eos_token(False)
    if tiny.suppressed:
        writer.add_array("tokenizer.ggml.suppress_tokens", list(tiny.suppressed))
    if tiny.template is not None:
        writer.add_chat_template(tiny.template)
    return len(texts)


# Bodies ------------------------------------------------------------------------------------------


_TO_RESIDUAL = ("attn_output.weight", "ffn_down.weight")
"""Of what these give a layer's parts are added to what is passed on."""


class _Tensors:
    """Random weights by name: the same name and seed give the same numbers in every model."""

    def __init__(self, writer: gguf.GGUFWriter, tiny: Tiny) -> None:
        self._writer = writer
        self._tiny = tiny

    def random(self, name: str, shape: tuple[int, ...], scale: float) -> Weights:
        """Normal numbers of deviation ``scale``, moved by the model's noise, no larger for it."""
        tiny = self._tiny
        base = self._normal(name, shape, 0)
        if not tiny.noise:
            return base * np.float32(scale)
        moved = base + tiny.noise * self._normal(name, shape, 1)
        return (moved * (scale / np.hypot(1, tiny.noise))).astype(np.float32)

    def _normal(self, name: str, shape: tuple[int, ...], which: int) -> Weights:
        key = (self._tiny.seed, which, zlib.crc32(name.encode()))
        return np.random.default_rng(key).standard_normal(shape, np.float32)

    def matrix(self, name: str, shape: tuple[int, ...], gain: float = 1.0) -> None:
        """A matrix (rows, columns) that gives outputs ``gain`` times as large as its inputs."""
        values = self.random(name, shape, gain / np.sqrt(shape[-1]))
        if self._tiny.always is not None and name.endswith(_TO_RESIDUAL):
            values[0] = 0  # nothing moves the number by which that token wins
        self.store(name, values)

    def store(self, name: str, values: Weights) -> None:
        kind = _STORAGE[self._tiny.storage][0]
        packed = gguf.quants.quantize(np.ascontiguousarray(values), kind)
        self._writer.add_tensor(name, packed, raw_dtype=kind)

    def plain(self, name: str, values: Weights) -> None:
        """A tensor that llama.cpp wants unquantised: norms, biases, a recurrence's own."""
        self._writer.add_tensor(name, np.ascontiguousarray(values, np.float32))

    def ones(self, name: str, size: int) -> None:
        self.plain(name, np.ones(size, np.float32))


def _write_ends(
    tensors: _Tensors, tiny: Tiny, size: int, *, norm: str = "output_norm.weight"
) -> None:
    """The embedding and the output, of ``size`` rows: the padded ones are as likely as any."""
    real = size - tiny.padding
    embedding = _rows(tensors, "token_embd.weight", real, tiny, 1.0)
    # Few of the ends and all of the padding would be seen at the deviation of the rest.
    output = _rows(tensors, "output.weight", real, tiny, tiny.sharpness / np.sqrt(tiny.width))
    output[real:] *= 2
    output[list(ENDS)] *= 1.3
    if tiny.always is not None:
        embedding[:, 0], output[:, 0], output[tiny.always, 0] = 8, 0, 100
    tensors.store("token_embd.weight", embedding)
    tensors.store("output.weight", output)
    tensors.ones(norm, tiny.width)


def _rows(tensors: _Tensors, name: str, real: int, tiny: Tiny, scale: float) -> Weights:
    """Rows of the vocabulary; the padding's are made apart, so that the others stay the same."""
    parts = [tensors.random(name, (real, tiny.width), scale)]
    if tiny.padding:
        parts.append(tensors.random(name + ".padding", (tiny.padding, tiny.width), scale))
    return np.concatenate(parts)


def _write_common(writer: gguf.GGUFWriter, tiny: Tiny) -> None:
    writer.add_context_length(tiny.context_length)
    writer.add_embedding_length(tiny.width)
    writer.add_block_count(tiny.layers)
    writer.add_layer_norm_rms_eps(1e-5)


def _write_attention(writer: gguf.GGUFWriter, tiny: Tiny) -> None:
    heads = tiny.width // 32  # a head of 32 is the least that a q8_0 KV takes
    writer.add_feed_forward_length(2 * tiny.width)
    writer.add_head_count(heads)
    if tiny.architecture != "lfm2":
        writer.add_head_count_kv(heads)
    writer.add_key_length(32)
    writer.add_value_length(32)


def _llama(writer: gguf.GGUFWriter, tiny: Tiny, size: int) -> None:
    _write_common(writer, tiny)
    _write_attention(writer, tiny)
    writer.add_rope_dimension_count(32)
    tensors = _Tensors(writer, tiny)
    _write_ends(tensors, tiny, size)
    for layer in range(tiny.layers):
        _write_layer(tensors, tiny, f"blk.{layer}.")


def _write_layer(tensors: _Tensors, tiny: Tiny, at: str, *, attention: bool = True) -> None:
    width = tiny.width
    tensors.ones(at + "attn_norm.weight", width)
    if attention:
        # Sharp attention and loud layers: the text depends on all that was said, and seldom loops.
        tensors.matrix(at + "attn_q.weight", (width, width), 2.0)
        tensors.matrix(at + "attn_k.weight", (width, width), 2.0)
        tensors.matrix(at + "attn_v.weight", (width, width))
        tensors.matrix(at + "attn_output.weight", (width, width), 2.0)
    tensors.ones(at + "ffn_norm.weight", width)
    tensors.matrix(at + "ffn_gate.weight", (2 * width, width))
    tensors.matrix(at + "ffn_up.weight", (2 * width, width))
    tensors.matrix(at + "ffn_down.weight", (width, 2 * width), 2.0)


def _gemma3(writer: gguf.GGUFWriter, tiny: Tiny, size: int) -> None:
    """Sliding-window attention: five of six layers see ``window`` tokens back."""
    _write_common(writer, tiny)
    _write_attention(writer, tiny)
    writer.add_sliding_window(tiny.window)
    tensors = _Tensors(writer, tiny)
    _write_ends(tensors, tiny, size)
    for layer in range(tiny.layers):
        at = f"blk.{layer}."
        _write_layer(tensors, tiny, at)
        tensors.ones(at + "attn_q_norm.weight", 32)
        tensors.ones(at + "attn_k_norm.weight", 32)
        tensors.ones(at + "post_attention_norm.weight", tiny.width)
        tensors.ones(at + "post_ffw_norm.weight", tiny.width)


def _lfm2(writer: gguf.GGUFWriter, tiny: Tiny, size: int) -> None:
    """A hybrid: every other layer is a short convolution, taken back by a few tokens at most."""
    width, kernel = tiny.width, 3
    _write_common(writer, tiny)
    _write_attention(writer, tiny)
    recurrent = [layer % 2 == 0 for layer in range(tiny.layers)]
    writer.add_head_count_kv([0 if each else width // 32 for each in recurrent])
    writer.add_rope_dimension_count(32)
    writer.add_shortconv_l_cache(kernel)
    tensors = _Tensors(writer, tiny)
    _write_ends(tensors, tiny, size, norm="token_embd_norm.weight")
    for layer, each in enumerate(recurrent):
        at = f"blk.{layer}."
        _write_layer(tensors, tiny, at, attention=not each)
        if each:
            conv = tensors.random(at + "conv", (width, kernel), 1.0)
            tensors.plain(at + "shortconv.conv.weight", conv)
            tensors.matrix(at + "shortconv.in_proj.weight", (3 * width, width))
            tensors.matrix(at + "shortconv.out_proj.weight", (width, width), 2.0)
        else:
            tensors.ones(at + "attn_q_norm.weight", 32)
            tensors.ones(at + "attn_k_norm.weight", 32)


def _mamba(writer: gguf.GGUFWriter, tiny: Tiny, size: int) -> None:
    """A recurrence: its memory is one state, which cannot be taken back by a few tokens."""
    inner, state, rank, kernel = 2 * tiny.width, 16, 4, 4
    _write_common(writer, tiny)
    writer.add_ssm_conv_kernel(kernel)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    tensors = _Tensors(writer, tiny)
    _write_ends(tensors, tiny, size)
    for layer in range(tiny.layers):
        at = f"blk.{layer}."
        tensors.ones(at + "attn_norm.weight", tiny.width)
        tensors.matrix(at + "ssm_in.weight", (2 * inner, tiny.width))
        tensors.plain(at + "ssm_conv1d.weight", tensors.random(at + "conv", (inner, kernel), 0.5))
        tensors.plain(at + "ssm_conv1d.bias", np.zeros(inner, np.float32))
        tensors.matrix(at + "ssm_x.weight", (rank + 2 * state, inner))
        tensors.plain(at + "ssm_dt.weight", tensors.random(at + "dt", (inner, rank), 0.5))
        tensors.plain(at + "ssm_dt.bias", np.zeros(inner, np.float32))
        decay = np.tile(np.arange(1, state + 1, dtype=np.float32), (inner, 1))
        tensors.plain(at + "ssm_a", -decay)
        tensors.ones(at + "ssm_d", inner)
        tensors.matrix(at + "ssm_out.weight", (tiny.width, inner), 2.0)


_BODIES: Mapping[str, Callable[[gguf.GGUFWriter, Tiny, int], None]] = {
    "llama": _llama,
    "gemma3": _gemma3,
    "lfm2": _lfm2,
    "mamba": _mamba,
}
