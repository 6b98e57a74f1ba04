"""One matrix product by ggml itself, without a model around it.

Bindings are those of ggml.h and ggml-backend.h; llama-cpp-python binds but a few of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import llama_cpp
import numpy as np
from numpy.typing import NDArray

F32, Q4_K, Q5_K, Q6_K = 0, 12, 13, 14  # enum ggml_type
_INT = 0xFFFFFFFF  # what of a result an int is
_FOLDER = Path(llama_cpp.__file__).parent / "lib"


class _Parameters(ctypes.Structure):
    """struct ggml_init_params"""

    _fields_ = (
        ("mem_size", ctypes.c_size_t),
        ("mem_buffer", ctypes.c_void_p),
        ("no_alloc", ctypes.c_bool),
    )


def modules() -> list[Path]:
    """The libraries that compute on a processor like this one: one, or several to choose from."""
    return [path for path in _libraries("ggml-cpu") if _score(path) != 0]


def _libraries(name: str) -> list[Path]:
    endings = (".so", ".dylib", ".dll")
    return sorted(path for path in _FOLDER.glob(f"*{name}*") if path.suffix in endings)


def _score(module: Path) -> int:
    try:
        score = ctypes.CDLL(str(module)).ggml_backend_score
    except AttributeError:  # the only one, for this very processor
        return 1
    return int(score())


class Ggml:
    """The backend in one of the `modules`. It is not among the devices that the engine sees."""

    def __init__(self, module: Path) -> None:
        self._libraries = [_load("ggml-base"), ctypes.CDLL(str(module))]
        registry = self._call("backend_cpu_reg")
        self._device = self._call("backend_reg_dev_get", registry, ctypes.c_size_t(0))
        self._procedure = lambda name: self._call("backend_reg_get_proc_address", registry, name)

    def has(self, instructions: str) -> bool:
        """Whether the module was built for ``instructions``, and this processor has them."""
        return bool(self._call(f"cpu_has_{instructions}") & _INT)

    def repacked(self) -> int | None:
        """The buffer type whose weights are laid out anew, None where there is none."""
        pointer, array = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
        extra = ctypes.CFUNCTYPE(array, pointer)(
            self._procedure(b"ggml_backend_dev_get_extra_bufts")
        )
        for buffers in extra(self._device):
            if buffers is None:
                return None
            if self._text("backend_buft_name", buffers) == "CPU_REPACK":
                return buffers
        return None

    def quantized(self, kind: int, weights: NDArray[np.float32]) -> bytes:
        """Rows of weights (m, k) in ggml's format ``kind``."""
        rows, length = weights.shape
        size = rows * self._call("row_size", kind, ctypes.c_int64(length))
        data = ctypes.create_string_buffer(size)
        numbers = [ctypes.c_int64(each) for each in (0, rows, length)]
        self._call("quantize_chunk", kind, _address(weights), data, *numbers, None)
        return data.raw

    def product(
        self,
        kind: int,
        weights: bytes,
        rows: NDArray[np.float32],
        *,
        buffers: int | None = None,
        threads: int = 1,
        reference: bool = False,
    ) -> NDArray[np.float32]:
        """(n, m): ``rows`` (n, k) times the m quantized rows in ``weights``.

        ``buffers``: the type of memory the weights lie in; ``reference``: by
        the module's dot products, row by row.
        """
        n, k = rows.shape
        m = len(weights) // self._call("row_size", kind, ctypes.c_int64(k))
        usual = self._call("backend_dev_buffer_type", self._device)
        with ExitStack() as stack:
            held, moving = (stack.enter_context(self._context()) for _ in range(2))
            matrix = self._tensor(held, kind, k, m)
            given = self._tensor(moving, F32, k, n)
            result = self._call("mul_mat", moving, matrix, given)
            graph = self._call("new_graph", moving)
            self._call("build_forward_expand", graph, result)
            for context, of in ((held, buffers or usual), (moving, usual)):
                buffer = self._call("backend_alloc_ctx_tensors_from_buft", context, of)
                assert buffer
                stack.callback(self._call, "backend_buffer_free", buffer)
            self._set(matrix, weights)
            self._set(given, rows.tobytes())
            backend = self._call("backend_dev_init", self._device, None)
            stack.callback(self._call, "backend_free", backend)
            pointer, number = ctypes.c_void_p, ctypes.c_int
            for name, value in ((b"set_n_threads", threads), (b"cpu_set_use_ref", reference)):
                setter = ctypes.CFUNCTYPE(None, pointer, number)
                setter(self._procedure(b"ggml_backend_" + name))(backend, value)
            assert self._call("backend_graph_compute", backend, graph) & _INT == 0
            out = np.empty((n, m), np.float32)
            self._call("backend_tensor_get", result, _address(out), *_sizes(0, out.nbytes))
        return out

    @contextmanager
    def _context(self) -> Iterator[int]:
        context = self._call("init", _Parameters(1 << 20, None, True))
        try:
            yield context
        finally:
            self._call("free", context)

    def _tensor(self, context: int, kind: int, k: int, n: int) -> int:
        return self._call("new_tensor_2d", context, kind, ctypes.c_int64(k), ctypes.c_int64(n))

    def _set(self, tensor: int, data: bytes) -> None:
        self._call("backend_tensor_set", tensor, data, *_sizes(0, len(data)))

    def _text(self, name: str, *given: object) -> str:
        return (ctypes.c_char_p(self._call(name, *given)).value or b"").decode()

    def _call(self, name: str, *given: object) -> int:
        function = next(
            getattr(each, f"ggml_{name}")
            for each in self._libraries
            if hasattr(each, f"ggml_{name}")
        )
        function.restype = ctypes.c_void_p
        # ctypes passes a bare number as 32 bits, and an address has more.
        wide = [ctypes.c_void_p(each) if _is_address(each) else each for each in given]
        return function(*wide) or 0


def _is_address(value: object) -> bool:
    return isinstance(value, int) and value > 1 << 16


def _load(name: str) -> ctypes.CDLL:
    return ctypes.CDLL(str(_libraries(f"{name}.")[0]))


def _address(values: NDArray[np.float32]) -> ctypes.c_void_p:
    return values.ctypes.data_as(ctypes.c_void_p)


def _sizes(*sizes: int) -> Iterator[ctypes.c_size_t]:
    return map(ctypes.c_size_t, sizes)
