"""llama.cpp as a library: start it, hear its log, name its devices."""

from __future__ import annotations

import ctypes
import functools
import logging
import os
import re
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import llama_cpp
from llama_cpp import _ggml

from engine.devices import Device
from engine.errors import EngineIncomplete

log = logging.getLogger(__name__)

_ERROR, _CONTINUED = 4, 5  # enum ggml_log_level
_SET_THP_DISABLE = 41  # prctl.h
_BUFFER = re.compile(r"(\w+) buffer size =\s+([\d.]+) MiB")


@dataclass
class Heard:
    """What llama.cpp said while something was made.

    ``errors``: its lines of that level, because a failure explains itself only there; ``buffers``:
    bytes by kind ("model", "KV", "compute", "output"), its own account of what it took.
    """

    errors: deque[str] = field(default_factory=lambda: deque(maxlen=20))
    buffers: Counter[str] = field(default_factory=Counter)


class LogSink:
    """Receives llama.cpp's log and keeps what is worth keeping.

    Everything goes to Python's log at DEBUG: llama.cpp warns about much that is no concern of a
    user."""

    def __init__(self) -> None:
        self.heard = Heard()
        self._level = 0
        # llama.cpp keeps the bare pointer; the attribute keeps the callback alive.
        self.callback = llama_cpp.llama_log_callback(self._receive)

    def _receive(self, level: int, text: bytes, _user_data: ctypes.c_void_p) -> None:
        self._level = self._level if level == _CONTINUED else level
        line = text.decode("utf-8", errors="replace").rstrip()
        if not line:
            return
        if self._level == _ERROR:
            self.heard.errors.append(line)
        if found := _BUFFER.search(line):
            self.heard.buffers[found[1]] += int(float(found[2]) * 2**20)
        log.debug("%s", line)


class Library:
    """llama.cpp, started once in a process. Get it from :func:`library`."""

    def __init__(self) -> None:
        self._sink = LogSink()
        llama_cpp.llama_log_set(self._sink.callback, ctypes.c_void_p(0))
        self._ggml = _declare(_linked_ggml())
        # First: llama_backend_init would look for modules beside the program and where it runs.
        _load_modules(self._ggml)
        llama_cpp.llama_backend_init()
        self._c = ctypes.CDLL("msvcrt" if os.name == "nt" else None)
        self.use_large_pages(False)
        log.info("llama.cpp of llama-cpp-python %s: %s", self.version, self.instructions)

    @property
    def version(self) -> str:
        return str(llama_cpp.__version__)

    @property
    def instructions(self) -> str:
        """What its compute modules were built for, such as "CPU : SSE3 = 1 | AVX2 = 1 | …"."""
        return str(llama_cpp.llama_print_system_info().decode())

    @property
    def features(self) -> tuple[str, ...]:
        """What the processor's module uses of it: "AVX2", "NEON", "REPACK" …"""
        of_cpu = self.instructions.partition("CPU :")[2].partition(" : ")[0]
        parts = (part.partition("=") for part in of_cpu.split("|"))
        return tuple(name.strip() for name, _, value in parts if value.strip() == "1")

    @property
    def can_offload(self) -> bool:
        """Whether a GPU, Metal or remote device is there (``llama_supports_gpu_offload``)."""
        return bool(llama_cpp.llama_supports_gpu_offload())

    @contextmanager
    def overheard(self) -> Iterator[Heard]:
        """Collects what llama.cpp says inside the block."""
        before, self._sink.heard = self._sink.heard, Heard()
        try:
            yield self._sink.heard
        finally:
            self._sink.heard = before

    def use_large_pages(self, use: bool) -> None:
        """Whether memory that is touched for the first time may lie in large pages (Linux).

        They serve what every token reads from end to end, weights and caches, and
        :mod:`engine.children` asks for them. All else is in small pieces, of which a large page
        would hold many that are not in use: 3 MB. So they are off but for a moment.
        """
        if hasattr(self._c, "prctl"):
            self._c.prctl(_SET_THP_DISABLE, *map(ctypes.c_ulong, (not use, 0, 0, 0)))

    def trim(self) -> None:
        """Give memory that loading left unused back to the system, where the C library can."""
        if hasattr(self._c, "malloc_trim"):
            self._c.malloc_trim(0)

    def devices(self) -> list[Device]:
        """All of ggml's devices (``ggml_backend_dev_*``), the CPU among them."""
        return [self._device(i) for i in range(self._ggml.ggml_backend_dev_count())]

    def _device(self, index: int) -> Device:
        handle = self._ggml.ggml_backend_dev_get(index)
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self._ggml.ggml_backend_dev_memory(handle, ctypes.byref(free), ctypes.byref(total))
        kinds = {0: "cpu", 1: "gpu", 2: "igpu", 3: "accelerator", 4: "meta"}
        return Device(
            name=self._ggml.ggml_backend_dev_name(handle).decode(),
            description=self._ggml.ggml_backend_dev_description(handle).decode(),
            kind=kinds.get(self._ggml.ggml_backend_dev_type(handle), "other"),
            memory_free=free.value,
            memory_total=total.value,
        )


def _linked_ggml() -> ctypes.CDLL:
    """The ggml that libllama computes with.

    A wheel for Linux holds it under several names, and llama_cpp opens another file than libllama
    links: a second copy, whose list of devices is its own. A look-up in libllama goes on to what
    it links; on Windows, where it does not, a name is loaded once.
    """
    linked: ctypes.CDLL = _ggml.libggml if os.name == "nt" else llama_cpp.llama_cpp._lib
    return linked


def _load_modules(ggml: ctypes.CDLL) -> None:
    """Load the compute modules of our own folder, where they are files of their own.

    A build for any processor (GGML_BACKEND_DL) has one module for each kind of processor, and takes
    the best that runs here; one for this machine has them built in. Raises EngineIncomplete.
    """
    if ggml.ggml_backend_reg_count():
        return
    os.environ.pop("GGML_BACKEND_PATH", None)  # whatever lies there, nobody gave it to us
    folder = Path(llama_cpp.llama_cpp._base_path)
    ggml.ggml_backend_load_all_from_path(str(folder).encode())
    if not ggml.ggml_backend_reg_count():
        raise EngineIncomplete(folder=folder)


def _declare(ggml: ctypes.CDLL) -> ctypes.CDLL:
    """llama_cpp does not bind ``ggml-backend.h``; these are the few functions we call."""
    handle, size = ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)
    signatures = {
        "ggml_backend_reg_count": (ctypes.c_size_t, []),
        "ggml_backend_load_all_from_path": (None, [ctypes.c_char_p]),
        "ggml_backend_dev_count": (ctypes.c_size_t, []),
        "ggml_backend_dev_get": (handle, [ctypes.c_size_t]),
        "ggml_backend_dev_name": (ctypes.c_char_p, [handle]),
        "ggml_backend_dev_description": (ctypes.c_char_p, [handle]),
        "ggml_backend_dev_type": (ctypes.c_int, [handle]),
        "ggml_backend_dev_memory": (None, [handle, size, size]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(ggml, name)
        function.restype, function.argtypes = result, arguments
    return ggml


@functools.cache
def library() -> Library:
    """The one started library of this process."""
    return Library()
