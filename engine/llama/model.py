"""A model's weights in memory, its vocabulary and its chat template."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import llama_cpp

from engine.errors import LoadCancelled, LoadFailed
from engine.llama.library import library
from engine.llama.vocabulary import Vocabulary

ALL_LAYERS = -1


class Model:
    """``llama_model``: weights shared by every context made from it.

    Free it (or leave its ``with`` block) after its contexts, never before.
    """

    def __init__(self, handle: int, path: Path, *, gpu_layers: int, repack: bool) -> None:
        self.handle: int | None = handle
        self.path = path
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
        progress: Callable[[float], bool] | None = None,
    ) -> Model:
        """Load a GGUF (``llama_model_load_from_file``).

        ``repack`` lets the CPU keep weights in a faster layout, at the price of a copy.
        ``progress`` is told the fraction done and returns False to cancel.

        Raises LoadFailed with llama.cpp's own words, or LoadCancelled.
        """
        params = llama_cpp.llama_model_default_params()
        params.n_gpu_layers = gpu_layers if library().can_offload else 0
        params.use_extra_bufts = repack
        watcher = _Progress(progress or (lambda _fraction: True))
        params.progress_callback = watcher.callback
        with library().overheard() as heard:
            handle = llama_cpp.llama_model_load_from_file(bytes(str(path), "utf-8"), params)
        if watcher.cancelled:
            raise LoadCancelled
        if not handle:
            reason = heard.errors[0].split(": ", 1)[-1] if heard.errors else "no reason was given"
            raise LoadFailed(path=path, reason=reason, detail="\n".join(heard.errors))
        return cls(handle, path, gpu_layers=params.n_gpu_layers, repack=repack)

    @property
    def description(self) -> str:
        """llama.cpp's short name of the model, such as "qwen2 1.5B Q4_K - Medium"."""
        assert self.handle is not None
        buffer = ctypes.create_string_buffer(128)
        llama_cpp.llama_model_desc(self.handle, buffer, len(buffer))
        return buffer.value.decode("utf-8", errors="replace")

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


class _Progress:
    """llama.cpp's load callback around ours, which may say stop."""

    def __init__(self, report: Callable[[float], bool]) -> None:
        self._report = report
        self.cancelled = False
        self.callback = llama_cpp.llama_progress_callback(self._call)

    def _call(self, fraction: float, _user_data: ctypes.c_void_p) -> bool:
        go_on = self._report(fraction)
        self.cancelled = self.cancelled or not go_on
        return go_on
