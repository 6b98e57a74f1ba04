"""One model's working memory: decode tokens, read rows of logits, rewind."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from engine.errors import ContextFailed, DecodeFailed, RewindFailed, Stopped
from engine.llama.library import library
from engine.llama.model import Model

MAX_GAMMA = 16
CHUNK, DRAFT_CHUNK, GPU_CHUNK = 64, 32, 256
"""Tokens in one pass at the most. An aborted pass is lost whole, and the buffers to compute it grow
with it: a processor reads a prompt 8 % faster 128 at a time, for 12 MB. A graphics processor needs
more at a time, and computes elsewhere."""

Row = NDArray[np.float32]
"""One row of logits, shape (V,): a view that dies with the next pass."""

_ABORTED = 2  # llama_decode: "2 - aborted"
_SEQUENCE = 0
_F16, _Q8_0 = 1, 8  # enum ggml_type


@dataclass(frozen=True)
class ContextOptions:
    """How a context computes.

    ``n_ctx`` in tokens; ``chunk``: the most tokens of one pass, ``outputs``: the most rows that it
    returns; ``flash_attention``: None lets
    llama.cpp choose; ``rewindable``: how many tokens a recurrent memory must be able to take back.
    """

    n_ctx: int = 4096
    threads: int = 1
    chunk: int = CHUNK
    outputs: int = MAX_GAMMA + 1
    flash_attention: bool | None = None
    kv_q8: bool = False
    rewindable: int = 0

    def exact(self) -> ContextOptions:
        """The attention kernels that round alike at widths 1 to 6, for *exact arithmetic*."""
        return replace(self, flash_attention=True, kv_q8=True)


class StopFlag:
    """A flag that any thread may raise and llama.cpp polls after every node of its graph.

    The flag is a C string, "" or "\\x01", and the abort callback is C's own ``strlen``. So polling
    runs no Python and waits for no interpreter lock: a Python callback would run 500 times a pass.
    """

    def __init__(self) -> None:
        self._text = ctypes.create_string_buffer(2)
        self.data = ctypes.cast(self._text, ctypes.c_void_p)
        c_library = ctypes.CDLL("msvcrt" if os.name == "nt" else None)
        self.callback = ctypes.cast(c_library.strlen, llama_cpp.ggml_abort_callback)

    def __bool__(self) -> bool:
        return self._text[0] != b"\x00"

    def set(self) -> None:
        self._text[0] = b"\x01"

    def clear(self) -> None:
        self._text[0] = b"\x00"


class Context:
    """``llama_context`` with one sequence. ``tokens`` mirrors exactly what its memory holds.

    ``cache_bytes``, ``buffer_bytes``: what llama.cpp says it took for the cache, and to compute
    and hold ``outputs`` rows.
    """

    def __init__(self, model: Model, options: ContextOptions, stop: StopFlag | None = None) -> None:
        """Allocate every buffer now; nothing grows later (``llama_init_from_model``).

        Raises ContextFailed, most often for want of memory.
        """
        self.model = model
        self.options = options
        self.stop = StopFlag() if stop is None else stop  # a lowered flag is falsy
        self.tokens: list[int] = []
        with library().overheard() as heard:
            library().use_large_pages(True)
            self._handle: int | None = llama_cpp.llama_init_from_model(
                model.handle, self._parameters(options)
            )
            library().use_large_pages(False)
        if not self._handle:
            raise ContextFailed(n_ctx=options.n_ctx, detail="\n".join(heard.errors))
        self.cache_bytes = heard.buffers["KV"] + heard.buffers["RS"]
        # llama.cpp tells of one row's buffer: it grows at the first pass that returns more.
        rows = options.outputs * model.vocabulary.size * np.dtype(np.float32).itemsize
        self.buffer_bytes = heard.buffers["compute"] + rows
        self._memory = llama_cpp.llama_get_memory(self._handle)
        self._batch = llama_cpp.llama_batch_init(options.chunk, 0, 1)
        self._view_batch()
        self._width = self._returnable = self._outputs = 0

    def _parameters(self, options: ContextOptions) -> llama_cpp.llama_context_params:
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = options.n_ctx
        params.n_batch = params.n_ubatch = options.chunk
        params.n_outputs_max = options.outputs
        params.n_rs_seq = options.rewindable
        # A pass over several tokens runs on n_threads_batch: verification must not change threads.
        params.n_threads = params.n_threads_batch = options.threads
        params.flash_attn_type = {None: -1, False: 0, True: 1}[options.flash_attention]
        params.type_k = params.type_v = _Q8_0 if options.kv_q8 else _F16
        params.abort_callback = self.stop.callback
        params.abort_callback_data = self.stop.data
        return params

    def _view_batch(self) -> None:
        """Numpy views over the batch's C arrays; the fields that never change are filled once."""
        size = (self.options.chunk,)
        self._batch_tokens = np.ctypeslib.as_array(self._batch.token, size)
        self._batch_positions = np.ctypeslib.as_array(self._batch.pos, size)
        self._batch_outputs = np.ctypeslib.as_array(self._batch.logits, size)
        for i in range(*size):
            self._batch.n_seq_id[i] = 1
            self._batch.seq_id[i][0] = _SEQUENCE

    def decode(self, tokens: Sequence[int], *, outputs: int) -> None:
        """One pass over ``tokens`` at the end of the memory; rows for the last ``outputs`` of them.

        On return the device has finished, so a clock may be read (``llama_decode`` and
        ``llama_synchronize``). On an error the memory is as it was before the call.

        Raises Stopped where the flag is up, DecodeFailed for any other code.
        """
        width = len(tokens)
        # llama.cpp aborts the process on these; here they are errors of ours.
        assert self._handle is not None
        assert 0 < width <= self.options.chunk
        assert 0 <= outputs <= min(width, self.options.outputs)
        if self.stop:
            raise Stopped
        start = len(self.tokens)
        self._batch.n_tokens = width
        self._batch_tokens[:width] = tokens
        self._batch_positions[:width] = np.arange(start, start + width)
        self._batch_outputs[:width] = 0
        self._batch_outputs[width - outputs : width] = 1
        status = llama_cpp.llama_decode(self._handle, self._batch)
        llama_cpp.llama_synchronize(self._handle)
        if status != 0:
            self._recover(start)
            raise Stopped if status == _ABORTED else DecodeFailed(status=status)
        self.tokens.extend(tokens)
        self._width = self._returnable = width
        self._outputs = outputs

    def warm_up(self) -> None:
        """One pass that returns all ``outputs`` rows: llama.cpp sizes its row buffer by need."""
        token = max(self.model.vocabulary.bos, 0)
        try:
            self.decode([token] * self.options.outputs, outputs=self.options.outputs)
        finally:
            self.clear()

    def _recover(self, start: int) -> None:
        """After a failed pass: believe llama.cpp's own account of what its memory holds."""
        if self.model.recurrent:  # its one state may be half overwritten
            self.clear()
            return
        held = llama_cpp.llama_memory_seq_pos_max(self._memory, _SEQUENCE) + 1
        if held != start and not llama_cpp.llama_memory_seq_rm(self._memory, _SEQUENCE, start, -1):
            self.clear()

    def row(self, i: int) -> Row:
        """Row ``i`` of the last pass's outputs, not copied (``llama_get_logits_ith``)."""
        assert 0 <= i < self._outputs
        pointer = llama_cpp.llama_get_logits_ith(self._handle, self._width - self._outputs + i)
        return np.ctypeslib.as_array(pointer, (self.model.vocabulary.size,))

    def rewind(self, length: int) -> None:
        """Keep the first ``length`` tokens, forget the rest (``llama_memory_seq_rm``).

        Raises RewindFailed where the memory cannot; then nothing has changed.
        """
        if length >= len(self.tokens):
            return
        if length == 0:
            self.clear()
        elif not self._takes_back(length):
            raise RewindFailed
        else:
            del self.tokens[length:]

    def _takes_back(self, length: int) -> bool:
        """Rewind llama.cpp's memory, where it can be trusted with it.

        A recurrent memory keeps a copy of its state after each token of its last pass alone, good
        for one return. llama.cpp itself refuses a second one, but not one that reaches back past
        that pass: then it says yes and restores a wrong state.
        """
        if self.model.recurrent and len(self.tokens) - length >= self._returnable:
            return False
        self._returnable = 0
        return bool(llama_cpp.llama_memory_seq_rm(self._memory, _SEQUENCE, length, -1))

    def clear(self) -> None:
        """Forget everything (``llama_memory_clear``)."""
        llama_cpp.llama_memory_clear(self._memory, False)
        self.tokens.clear()

    def reuse(self, tokens: Sequence[int]) -> int:
        """Keep the longest prefix shared with ``tokens``; returns its length.

        A memory that cannot rewind starts afresh instead.
        """
        shared = common_prefix(self.tokens, tokens)
        try:
            self.rewind(shared)
        except RewindFailed:
            self.clear()
        return len(self.tokens)

    @property
    def position(self) -> int:
        """How many positions llama.cpp says it holds; equals ``len(tokens)`` at rest."""
        return int(llama_cpp.llama_memory_seq_pos_max(self._memory, _SEQUENCE)) + 1

    def set_threads(self, threads: int) -> None:
        """Threads for passes of any width (``llama_set_n_threads``)."""
        llama_cpp.llama_set_n_threads(self._handle, threads, threads)

    def free(self) -> None:
        """Give the memory back. Before its model's."""
        if self._handle is not None:
            llama_cpp.llama_batch_free(self._batch)
            llama_cpp.llama_free(self._handle)
            self._handle = None

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.free()


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common prefix."""
    shorter = min(len(a), len(b))
    return next((i for i in range(shorter) if a[i] != b[i]), shorter)


def can_rewind(context: Context, depth: int, *, one_by_one: bool = False) -> bool:
    """Whether this memory can take back ``depth`` tokens: tried, not looked up.

    They come in one pass as a target's do, or ``one_by_one`` as a draft's. The memory is left
    empty; what a context could do at load it does later."""
    token = max(context.model.vocabulary.bos, 0)
    width = 1 if one_by_one else depth + 1
    context.clear()
    try:
        context.decode([token] * 2, outputs=0)
        for _step in range(2):  # a recurrent memory's rollback may work only once
            kept = len(context.tokens) + 1  # the pending token stays
            while len(context.tokens) < kept + depth:
                context.decode([token] * width, outputs=1)
            context.rewind(kept)
    except RewindFailed:
        return False
    else:
        return context.position == kept
    finally:
        context.clear()
