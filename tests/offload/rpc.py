"""A device that is a process of its own: it computes on its processor, behind llama.cpp's RPC.

``python -m tests.offload.rpc PORT [MEGABYTES]`` is the device; ``attach`` makes it one of the
engine's. Both need a llama_cpp that was built with RPC (packaging/wheel/offload.py).
"""

from __future__ import annotations

import ctypes
import resource
import sys
from pathlib import Path

import llama_cpp
from llama_cpp import _ggml

HOST = "127.0.0.1"
THREADS = 1


def _libraries() -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """ggml as libllama links it, and its RPC backend."""
    folder = Path(_ggml.libggml_base_path)
    ggml, rpc = llama_cpp.llama_cpp._lib, ctypes.CDLL(str(folder / "libggml-rpc.so"))
    for function in (ggml.ggml_backend_dev_by_type, rpc.ggml_backend_rpc_add_server):
        function.restype = ctypes.c_void_p
    ggml.ggml_backend_register.argtypes = [ctypes.c_void_p]
    rpc.ggml_backend_rpc_start_server.argtypes = [
        *(ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t),
        ctypes.POINTER(ctypes.c_void_p),
    ]
    return ggml, rpc


def serve(port: int, megabytes: int) -> None:
    """Be the device, for ever; ``megabytes`` 0: as much memory as the system gives."""
    ggml, rpc = _libraries()
    llama_cpp.llama_backend_init()
    devices = (ctypes.c_void_p * 1)(ggml.ggml_backend_dev_by_type(0))  # the processor
    if megabytes:
        _put_aside()
        limit = _address_space() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    rpc.ggml_backend_rpc_start_server(f"{HOST}:{port}".encode(), None, THREADS, 1, devices)


def _put_aside() -> None:
    """Room for what the server itself needs, so that only buffers meet the limit."""
    trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of mallopt(3)
    c = ctypes.CDLL(None)
    c.malloc.restype, c.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    c.mallopt(trim_threshold, 2**30)
    c.mallopt(mmap_threshold, 2**30)
    c.free(c.malloc(32 * 2**20))
    c.mallopt(mmap_threshold, 2**17)


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def attach(port: int) -> None:
    """Add the device at ``port`` to those of this process. Before any model is loaded."""
    ggml, rpc = _libraries()
    registered = rpc.ggml_backend_rpc_add_server(f"{HOST}:{port}".encode())
    assert registered, "the device does not answer"
    ggml.ggml_backend_register(registered)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
