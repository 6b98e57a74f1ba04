"""What models need of memory, from their headers alone, before anything is loaded.

Bytes throughout. What llama.cpp will take is followed rule by rule: its tensors, its key-value
caches (``llama_kv_cache``), its graph's buffers (``llama_context::sched_reserve``) and the copies
of weights that the CPU keeps in a faster layout (``ggml_repack_get_optimal_repack_type``,
ggml/src/ggml-cpu/repack.cpp). docs/memory.md says how near it comes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.models.shape import Layer, Shape

ALL_LAYERS = -1

SHORTEST_CONTEXT = 1024
"""Tokens below which a chat is no use."""

ROWS = 17
"""Rows of logits that a target's pass returns at the most: γ = 16 and one more."""

TARGET_CHUNK, DRAFT_CHUNK, GPU_CHUNK = 64, 32, 256
"""Tokens of the widest pass, which the buffers are made for."""

_F32, _F16 = 4, 2
_Q8_SHARE = 34 / 64  # of the same numbers at f16
_PADDING = 256  # llama.cpp makes a context's cells a multiple of it
_SPARE = 10
"""Rows of the model's width that a layer's graph holds at once, beside the feed-forward's two."""

WORDS = 270
"""Bytes that one token's text takes in a loaded vocabulary, its merges and maps included."""

PROCESS = 65 * 2**20
"""What the worker takes before it loads anything."""

PROGRAMS = 27 * 2**20
"""Of that, what lies in the files of Python, its libraries and llama.cpp."""


@dataclass(frozen=True)
class Plan:
    """How a pair is to be loaded.

    Attributes:
        n_ctx: Tokens of context.
        gpu_layers: How many of the target's layers, and of the draft's, the GPU gets, the output
            counted as one more; ALL_LAYERS; 0 where there is no GPU.
        copied: The ggml types that this CPU copies (`copied_types`).
        small_cache: Whether the key-value caches are kept in q8_0 instead of f16.
    """

    n_ctx: int = 4096
    gpu_layers: int = 0
    copied: frozenset[int] = frozenset()
    small_cache: bool = False


@dataclass(frozen=True)
class Share:
    """What one side, the computer's own memory or the GPU's, has to hold."""

    weights: int = 0
    caches: int = 0
    buffers: int = 0

    @property
    def total(self) -> int:
        return self.weights + self.caches + self.buffers

    def __add__(self, other: Share) -> Share:
        return Share(
            self.weights + other.weights,
            self.caches + other.caches,
            self.buffers + other.buffers,
        )


@dataclass(frozen=True)
class Needs:
    """What loading takes.

    Attributes:
        host: In the computer's own memory; ``gpu``: in the GPU's.
        copied: Of the host's weights, those that are copied out of the file.
        overhead: The vocabulary's texts and the process itself; ``programs``: what of it the system
            can read from its files again.
        lane: What a comparison takes on top, in both memories together.
    """

    host: Share = field(default_factory=Share)
    gpu: Share = field(default_factory=Share)
    copied: int = 0
    overhead: int = 0
    programs: int = 0
    lane: int = 0

    @property
    def memory(self) -> int:
        """Of the computer's own memory, for the replies to come quickly."""
        return self.host.total + self.overhead

    @property
    def held(self) -> int:
        """Of that, what the system cannot drop and read from the file again."""
        own = self.overhead - self.programs
        return self.copied + self.host.caches + self.host.buffers + own

    @property
    def resident(self) -> int:
        """What the system shows for the process: copied weights count twice while it lets the
        file's own pages lie, which it takes back when it needs them."""
        return self.memory + self.copied

    @property
    def total(self) -> int:
        """In both memories, where they are one."""
        return self.memory + self.gpu.total

    def __add__(self, other: Needs) -> Needs:
        """Both in one process."""
        return Needs(
            self.host + other.host,
            self.gpu + other.gpu,
            self.copied + other.copied,
            self.overhead + other.overhead,
            self.programs + other.programs,
            self.lane + other.lane,
        )


def needs(target: Shape, draft: Shape | None, plan: Plan) -> Needs:
    """What a chat with this pair takes, its buffers at their final size; one lane more beside."""
    on_gpu = plan.gpu_layers != 0
    chunk = GPU_CHUNK if on_gpu else TARGET_CHUNK
    plain = _context(target, plan, chunk, rows=1)
    lane = plain.host.total + plain.gpu.total
    further = Needs(overhead=PROCESS, programs=PROGRAMS, lane=lane)
    alone = _weights(target, plan, words=True) + further
    if draft is None:
        return alone + plain
    drafting = _context(draft, plan, GPU_CHUNK if on_gpu else DRAFT_CHUNK, rows=1)
    verifying = _context(target, plan, chunk, rows=ROWS)
    return alone + verifying + _weights(draft, plan, words=False) + drafting


def _weights(shape: Shape, plan: Plan, *, words: bool) -> Needs:
    near, far = _divided(shape, plan)
    host = shape.embedding.weights + sum(part.weights for part in near)
    gpu = sum(part.weights for part in far)
    copied = sum(_copied(part, plan.copied) for part in near)
    if not _has_output(shape):  # the embedding serves, in a second copy where it is made faster
        if far:
            gpu += shape.embedding.weights
        else:
            extra = _copied(shape.embedding, plan.copied)
            host, copied = host + extra, copied + extra
    texts = shape.vocabulary * WORDS if words else 0
    return Needs(Share(weights=host), Share(weights=gpu), copied=copied, overhead=texts)


def _has_output(shape: Shape) -> bool:
    """Whether it has an output table of its own, beside the norm before it."""
    return shape.output.weights * 4 > shape.embedding.weights


def _divided(shape: Shape, plan: Plan) -> tuple[list[Layer], list[Layer]]:
    """The parts on the CPU's side and those on the GPU's: the last layers go first."""
    parts = [*shape.layers, shape.output]
    count = len(parts) if plan.gpu_layers == ALL_LAYERS else min(plan.gpu_layers, len(parts))
    return parts[: len(parts) - count], parts[len(parts) - count :]


def _copied(part: Layer, types: frozenset[int]) -> int:
    return sum(nbytes for kind, nbytes in part.matrices.items() if kind in types)


def _context(shape: Shape, plan: Plan, chunk: int, *, rows: int) -> Needs:
    near, far = _divided(shape, plan)
    cells = math.ceil(plan.n_ctx / _PADDING) * _PADDING
    buffers = _buffers(shape, cells, chunk, rows)
    held = rows * shape.vocabulary * _F32  # the rows, where the program reads them
    share = _Q8_SHARE if plan.small_cache else 1.0
    caches = [
        sum(int(part.cache * share) * cells + part.state for part in side) for side in (near, far)
    ]
    here, there = buffers, buffers
    if not near:  # only the tokens go in here
        here = 2 * chunk * shape.width * _F32 + _masks(shape, cells, chunk)
    if len(far) < 2:  # only the rows come out there, if that
        there = len(far) * rows * (shape.vocabulary + shape.width) * _F32
    own = Share(caches=caches[0], buffers=here + held)
    return Needs(own, Share(caches=caches[1], buffers=there))


def _buffers(shape: Shape, cells: int, chunk: int, rows: int) -> int:
    """Bytes that a graph's results need at once: within a layer, or at the output."""
    layer = chunk * (2 * shape.feed_forward + _SPARE * shape.width)
    output = rows * shape.vocabulary + chunk * shape.width
    return max(layer, output) * _F32 + _masks(shape, cells, chunk)


def _masks(shape: Shape, cells: int, chunk: int) -> int:
    """Bytes of what says which tokens see which; layers with a window have one of their own."""
    return cells * chunk * _F16 * (2 if shape.windowed else 1)


def copied_types(features: Iterable[str]) -> frozenset[int]:
    """The ggml types whose matrices this CPU keeps in a faster layout.

    ``features``: as llama.cpp names them (``llama_print_system_info``): "AVX2", "NEON", "REPACK".
    """
    has = frozenset(features)
    if "REPACK" not in has:
        return frozenset()
    types = set[int]()
    if "AVX2" in has:
        types |= {_Q4_0, _Q4_K, _IQ4_NL, _MXFP4}
    if "AVX512" in has:
        types |= {_Q2_K}
    if has >= {"NEON", "DOTPROD"} or has >= {"NEON", "MATMUL_INT8"}:
        types |= {_Q4_0, _Q4_K, _Q5_K, _Q6_K, _Q8_0, _Q1_0}
    if has >= {"NEON", "DOTPROD"}:
        types |= {_IQ4_NL, _MXFP4}
    return frozenset(types)


_Q4_0, _Q8_0, _Q2_K, _Q4_K, _Q5_K, _Q6_K = 2, 8, 10, 12, 13, 14
_IQ4_NL, _MXFP4, _Q1_0 = 20, 39, 41
