"""A model's weights in memory, its vocabulary and its chat template."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llama_cpp

from engine.errors import LoadCancelled, LoadFailed
from engine.llama.library import library
from engine.llama.vocabulary import Vocabulary
from engine.models.header import read_header
from engine.pairing import VocabularyFacts

ALL_LAYERS = -1


class Model:
    """``llama_model``: weights shared by every context made from it.

    Free it (or leave its ``with`` block) after its contexts, never before. ``weights`` is the file
    they were read from: another than ``path`` for a draft that was recast.
    """

    def __init__(self, handle: int, path: Path, *, gpu_layers: int, repack: bool) -> None:
        self.handle: int | None = handle
        self.path = self.weights = path
        self.gpu_layers = gpu_layers
        self.repack = repack
        self.vocabulary = Vocabulary(llama_cpp.llama_model_get_vocab(handle))
        self.size: int = llama_cpp.llama_model_size(handle)
        self.parameters: int = llama_cpp.llama_model_n_params(handle)
        self.layers: int = llama_cpp.llama_model_n_layer(handle)
        self.trained_context: int = llama_cpp.llama_model_n_ctx_train(handle)
        self.recurrent: bool = llama_cpp.llama_model_is_recurrent(
            handle
        ) or llama_cpp.llama_model_is_hybrid(handle)

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        gpu_layers: int = ALL_LAYERS,
        repack: bool = True,
        words: bool = True,
        progress: Callable[[float], bool] | None = None,
    ) -> Model:
        """Load a GGUF (``llama_model_load_from_file``).

        ``repack`` lets the CPU keep weights in a faster layout, at the price of a copy. ``words``
        False leaves the vocabulary's texts out: a draft is fed and returns ids, and the texts of
        152,000 tokens take 40 MB. ``progress`` is told the fraction done and returns False to
        cancel.

        Raises LoadFailed with llama.cpp's own words, or LoadCancelled.
        """
        params = llama_cpp.llama_model_default_params()
        if not words:
            params.kv_overrides = _without_words(path)
        params.n_gpu_layers = gpu_layers if library().can_offload else 0
        params.use_extra_bufts = repack
        watcher = _Progress(progress or (lambda _fraction: True))
        params.progress_callback = watcher.callback
        handle = _load(path, params, watcher)
        return cls(handle, path, gpu_layers=params.n_gpu_layers, repack=repack)

    @classmethod
    def facts(cls, path: Path) -> VocabularyFacts:
        """llama.cpp's own reading of a file's vocabulary, no weights loaded. Raises LoadFailed."""
        params = llama_cpp.llama_model_default_params()
        params.vocab_only = True
        with cls(_load(path, params), path, gpu_layers=0, repack=False) as model:
            return model.vocabulary.facts()

    @property
    def description(self) -> str:
        """llama.cpp's short name of the model, such as "qwen2 1.5B Q4_K - Medium"."""
        assert self.handle is not None
        buffer = ctypes.create_string_buffer(128)
        llama_cpp.llama_model_desc(self.handle, buffer, len(buffer))
        said = buffer.value.decode("utf-8", errors="replace")
        return f"{said}, recast" if self.is_recast else said

    @property
    def is_recast(self) -> bool:
        """Whether the weights are a draft's that were rounded anew for this processor."""
        return self.weights != self.path

    @property
    def architecture(self) -> str:
        """The family as llama.cpp calls it, such as "qwen2" or "mamba"."""
        return self.metadata("general.architecture") or "unknown"

    @property
    def name(self) -> str:
        """The name its maker gave it, else the file's."""
        return self.metadata("general.name") or self.path.stem

    @property
    def template(self) -> str | None:
        """The Jinja chat template in the file, if any (``llama_model_chat_template``)."""
        assert self.handle is not None
        source: bytes | None = llama_cpp.llama_model_chat_template(self.handle, None)
        return source.decode("utf-8", errors="replace") if source else None

    def metadata(self, key: str) -> str | None:
        """One value of the file's metadata as text, None where the key is missing."""
        assert self.handle is not None
        raw = key.encode()
        need = llama_cpp.llama_model_meta_val_str(self.handle, raw, None, 0)
        if need < 0:
            return None
        buffer = ctypes.create_string_buffer(need + 1)
        llama_cpp.llama_model_meta_val_str(self.handle, raw, buffer, need + 1)
        return buffer.value.decode("utf-8", errors="replace")

    def free(self) -> None:
        """Give the weights back. Its contexts must be freed first."""
        if self.handle is not None:
            llama_cpp.llama_model_free(self.handle)
            self.handle = None

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.free()


def _load(
    path: Path, params: llama_cpp.llama_model_params, watcher: _Progress | None = None
) -> int:
    with library().overheard() as heard:
        handle = llama_cpp.llama_model_load_from_file(os.fsencode(path), params)
        library().use_large_pages(False)
    if watcher is not None and watcher.cancelled:
        raise LoadCancelled
    if not handle:
        reason = heard.errors[0].split(": ", 1)[-1] if heard.errors else "no reason was given"
        raise LoadFailed(path=path, reason=reason, detail="\n".join(heard.errors))
    return int(handle)


def _without_words(path: Path) -> ctypes.Array[Any]:
    """Overrides by which llama.cpp makes a vocabulary of the right size and no texts."""
    header = read_header(path)
    overrides: ctypes.Array[Any] = (llama_cpp.llama_model_kv_override * 3)()  # the last stays empty
    overrides[0].key = b"tokenizer.ggml.model"
    overrides[0].tag = llama_cpp.LLAMA_KV_OVERRIDE_TYPE_STR
    overrides[0].value.val_str = b"none"
    overrides[1].key = f"{header.architecture}.vocab_size".encode()
    overrides[1].tag = llama_cpp.LLAMA_KV_OVERRIDE_TYPE_INT
    overrides[1].value.val_i64 = header.vocabulary().size
    return overrides


class _Progress:
    """llama.cpp's load callback around ours, which may say stop.

    It is first called when the vocabulary, all in small pieces, is there and the weights follow.
    """

    def __init__(self, report: Callable[[float], bool]) -> None:
        self._report = report
        self.cancelled = False
        self.callback = llama_cpp.llama_progress_callback(self._call)

    def _call(self, fraction: float, _user_data: ctypes.c_void_p) -> bool:
        library().use_large_pages(True)
        go_on = self._report(fraction)
        self.cancelled = self.cancelled or not go_on
        return go_on
