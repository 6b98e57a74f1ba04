"""Writes a GGUF, version 3: as much of the format as a tiny model needs.

Source: ggml/include/gguf.h of llama.cpp, which tells the layout.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Value = bool | int | float | str | Sequence[int] | Sequence[str]
"""What metadata may hold. Whole numbers are written as u32, those of a list as i32."""

_ALIGNMENT = 32
_BLOCK = 32  # values of a Q8_0 block, which share one scale
_U32, _I32, _F32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9  # enum gguf_type
_TYPE_F32, _TYPE_Q8_0 = 0, 8  # enum ggml_type


def write_gguf(
    path: Path, metadata: Mapping[str, Value], tensors: Mapping[str, NDArray[np.float32]]
) -> Path:
    """Write ``path`` and return it.

    ``tensors``: float32; those of shape (rows, columns) are stored as Q8_0 (columns must be a
    multiple of 32), vectors as they are. Raises OSError.
    """
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    head += b"".join(_string(name) + _typed(value) for name, value in metadata.items())
    body = b""
    for name, values in tensors.items():
        head += _string(name) + struct.pack("<I", values.ndim)
        head += struct.pack(f"<{values.ndim}Q", *reversed(values.shape))
        head += struct.pack("<IQ", _TYPE_Q8_0 if values.ndim > 1 else _TYPE_F32, len(body))
        body += _padded(q8_0(values) if values.ndim > 1 else values.astype("<f4").tobytes())
    path.write_bytes(_padded(head) + body)
    return path


def q8_0(values: NDArray[np.float32]) -> bytes:
    """The blocks of 32 values: a float16 scale, then 32 signed bytes (``block_q8_0``)."""
    blocks = values.reshape(-1, _BLOCK)
    scales = np.abs(blocks).max(axis=1, keepdims=True) / 127
    steps = np.rint(blocks / np.where(scales > 0, scales, 1)).astype(np.int8)
    return np.hstack([scales.astype("<f2").view(np.int8), steps]).tobytes()


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _typed(value: Value) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", _BOOL, value)
        case int():
            return struct.pack("<II", _U32, value)
        case float():
            return struct.pack("<If", _F32, value)
        case str():
            return struct.pack("<I", _STRING) + _string(value)
    if isinstance(value[0], str):
        items = b"".join(_string(str(item)) for item in value)
        return struct.pack("<IIQ", _ARRAY, _STRING, len(value)) + items
    return struct.pack(f"<IIQ{len(value)}i", _ARRAY, _I32, len(value), *value)
