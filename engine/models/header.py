"""Reads a GGUF file's header: what the model is and whether the file is whole, weights untouched.

Our own reader, because llama.cpp may abort the process on a damaged file. The checks are those of
``gguf_init_from_reader`` (ggml/src/gguf.cpp); `Cursor` keeps every read within bounds.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from engine.errors import (
    FileIsFolder,
    FileMissing,
    FileUnreadable,
    GgufDamaged,
    GgufTruncated,
    NotGguf,
)
from engine.models.cursor import I64, TEXT, U32, U64, ArrayInFile, Cursor, Value
from engine.models.lookalikes import what_it_is
from engine.pairing import VocabularyFacts

REMOVED_TYPES: Mapping[int, str] = {
    4: "Q4_2",
    5: "Q4_3",
    31: "Q4_0_4_4",
    32: "Q4_0_4_8",
    33: "Q4_0_8_8",
    36: "IQ4_NL_4_4",
    37: "IQ4_NL_4_8",
    38: "IQ4_NL_8_8",
}
"""ggml types that llama.cpp once wrote and no longer reads (``ggml_type``, ggml/include/ggml.h)."""

TENSOR_TYPES: Mapping[int, tuple[int, int]] = {
    0: (1, 4),  # F32
    1: (1, 2),  # F16
    2: (32, 18),  # Q4_0
    3: (32, 20),  # Q4_1
    6: (32, 22),  # Q5_0
    7: (32, 24),  # Q5_1
    8: (32, 34),  # Q8_0
    9: (32, 36),  # Q8_1
    10: (256, 84),  # Q2_K
    11: (256, 110),  # Q3_K
    12: (256, 144),  # Q4_K
    13: (256, 176),  # Q5_K
    14: (256, 210),  # Q6_K
    15: (256, 292),  # Q8_K
    16: (256, 66),  # IQ2_XXS
    17: (256, 74),  # IQ2_XS
    18: (256, 98),  # IQ3_XXS
    19: (256, 50),  # IQ1_S
    20: (32, 18),  # IQ4_NL
    21: (256, 110),  # IQ3_S
    22: (256, 82),  # IQ2_S
    23: (256, 136),  # IQ4_XS
    24: (1, 1),  # I8
    25: (1, 2),  # I16
    26: (1, 4),  # I32
    27: (1, 8),  # I64
    28: (1, 8),  # F64
    29: (256, 56),  # IQ1_M
    30: (1, 2),  # BF16
    34: (256, 54),  # TQ1_0
    35: (256, 66),  # TQ2_0
    39: (32, 17),  # MXFP4
    40: (64, 36),  # NVFP4
    41: (128, 18),  # Q1_0
    42: (64, 18),  # Q2_0
}
"""ggml type -> (elements, bytes) of one block."""

_TOKENS = "tokenizer.ggml.tokens"

# Far above any real model, low enough that no lying file costs more than a moment.
_MOST_KEYS = 1 << 16
_MOST_TENSORS = 1 << 20

_MOST_ALIGNED = 1 << 16  # bytes

_U32_KEYS = ("context_length", "block_count")
"""Of an architecture's: numbers that llama.cpp reads as u32, and that are shown and counted by."""

_MAX_DIMENSIONS = 4  # GGML_MAX_DIMS
_LONGEST_NAME = 63  # GGML_MAX_NAME less its closing zero


@dataclass(frozen=True)
class TensorInfo:
    """One row of the tensor table; ``offset`` counts from the start of the data, in bytes."""

    name: str
    shape: tuple[int, ...]
    type: int
    offset: int

    @property
    def nbytes(self) -> int | None:
        """Its size in bytes; None for a type this version does not know."""
        block = TENSOR_TYPES.get(self.type)
        return None if block is None else math.prod(self.shape) // block[0] * block[1]


@dataclass(frozen=True)
class Header:
    """What a GGUF file says of itself.

    Attributes:
        path: The file.
        version: Of the format, 2 or 3.
        metadata: By key, in the file's order; long arrays as `ArrayInFile`.
        tensors: The tensor table.
        alignment: Of each tensor's data, in bytes.
        data_offset: Where the data begins in the file, in bytes.
        size: Bytes the file must have to be whole, as far as the types are known.
        file_size: Bytes it has.
    """

    path: Path
    version: int
    metadata: Mapping[str, Value]
    tensors: tuple[TensorInfo, ...]
    alignment: int
    data_offset: int
    size: int
    file_size: int

    @property
    def architecture(self) -> str:
        """``general.architecture`` ("qwen2"), "" where missing."""
        return self._text("general.architecture") or ""

    @property
    def name(self) -> str:
        """The model's own name, or the file's where it gives none."""
        return self._text("general.name") or self.path.stem

    @property
    def context_length(self) -> int | None:
        """Tokens the model was trained to read at once."""
        return self._number(f"{self.architecture}.context_length")

    @property
    def block_count(self) -> int | None:
        """Its number of layers."""
        return self._number(f"{self.architecture}.block_count")

    @property
    def chat_template(self) -> str | None:
        """The Jinja template that turns messages into a prompt."""
        return self._text("tokenizer.chat_template")

    @cached_property
    def tokens(self) -> list[bytes]:
        """How the file writes each token, by id; read from the file at the first use.

        Raises:
            FileMissing, FileUnreadable, GgufDamaged: The file went away or changed since.
        """
        where = self.token_list
        if where is None:
            return []
        with _opened(self.path) as file:
            return Cursor(self.path, file, self.file_size).texts_at(where)

    @property
    def token_list(self) -> ArrayInFile | None:
        """Where the texts of the tokens lie in the file."""
        where = self.metadata.get(_TOKENS)
        return where if isinstance(where, ArrayInFile) and where.type == TEXT else None

    def vocabulary(self) -> VocabularyFacts:
        """What pairing compares. Raises as `tokens` does, and GgufDamaged for a repeated text."""
        repeated = len(self.tokens) - len(set(_as_loaded(self.tokens)))
        if repeated:  # llama.cpp's vocabulary asserts that there is none, and ends the process
            reason = f"{repeated:,} of its vocabulary's texts are there twice"
            raise GgufDamaged(path=self.path, reason=reason)
        return replace(self.vocabulary_without_texts(), texts=self.tokens)

    def vocabulary_without_texts(self) -> VocabularyFacts:
        """`vocabulary` less what has to be read from the file."""
        where = self.token_list
        return VocabularyFacts(
            kind=self._text("tokenizer.ggml.model") or "",
            size=where.count if where else 0,
            add_bos=self._flag("tokenizer.ggml.add_bos_token"),
            bos=self._number("tokenizer.ggml.bos_token_id"),
            add_eos=self._flag("tokenizer.ggml.add_eos_token"),
            eos=self._number("tokenizer.ggml.eos_token_id"),
            texts=(),
        )

    @property
    def vocabulary_size(self) -> int:
        """Its number of tokens."""
        where = self.token_list
        return where.count if where else self.count("vocab_size")

    def count(self, key: str, default: int = 0) -> int:
        """A whole number among what the file says of its architecture ("embedding_length").

        Where there is one for each layer, the largest.
        """
        return max(self.counts(key, 1, default))

    def counts(self, key: str, layers: int, default: int = 0) -> tuple[int, ...]:
        """The same for each of so many layers, or for more; a single number holds for them all."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        if isinstance(value, tuple) and len(value) >= layers:
            return tuple(each if isinstance(each, int) else default for each in value)
        number = self._number(f"{self.architecture}.{key}")
        return (default if number is None else number,) * layers

    def _text(self, key: str) -> str | None:
        value = self.metadata.get(key)
        return value if isinstance(value, str) else None

    def _number(self, key: str) -> int | None:
        value = self.metadata.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def _flag(self, key: str) -> bool | None:
        value = self.metadata.get(key)
        return value if isinstance(value, bool) else None


def _as_loaded(texts: Iterable[bytes]) -> Iterator[bytes]:
    """How llama.cpp has them: each up to a zero byte, and those without one letter named anew."""
    for token, text in enumerate(texts):
        yield text.split(b"\0", 1)[0] or b"[EMPTY_%d]" % token


def read_header(path: Path) -> Header:
    """Read and check the header of the GGUF file at ``path``.

    Raises:
        FileMissing, FileIsFolder, FileUnreadable: The file cannot be opened.
        NotGguf: It is something else; the reason says what.
        GgufDamaged: The header cannot be read to its end, or contradicts itself.
        GgufTruncated: The tensors need more bytes than the file has.
    """
    with _opened(path) as file:
        return _read(Cursor(path, file, os.fstat(file.fileno()).st_size))


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    _refuse_unless_regular(path)
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error


def _refuse_unless_regular(path: Path) -> None:
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise FileMissing(path=path) from error  # ValueError: a zero byte in the name
    except OSError as error:
        raise FileUnreadable(path=path, reason=error.strerror or str(error)) from error
    if stat.S_ISDIR(mode):
        raise FileIsFolder(path=path)
    if not stat.S_ISREG(mode):  # opening a pipe would wait for its other end
        raise FileUnreadable(path=path, reason="it is not a regular file")


def _read(cursor: Cursor) -> Header:
    version = _read_version(cursor)
    tensor_count, key_count = cursor.number(U64), cursor.number(U64)
    metadata = _read_metadata(cursor, key_count)
    alignment = _alignment(cursor, metadata)
    _expect_counts(cursor, metadata)
    tensors = _read_tensors(cursor, tensor_count)
    # A vocabulary-only file ends with its table, unpadded.
    data_offset = cursor.position + (-cursor.position % alignment if tensors else 0)
    header = Header(
        path=cursor.path,
        version=version,
        metadata=metadata,
        tensors=tensors,
        alignment=alignment,
        data_offset=data_offset,
        size=data_offset + _data_size(cursor, tensors, alignment),
        file_size=cursor.size,
    )
    if header.size > header.file_size:
        raise GgufTruncated(path=cursor.path, have=header.file_size, need=header.size)
    return header


def _read_version(cursor: Cursor) -> int:
    start = cursor.peek(64)
    if start[:4] != b"GGUF" or len(start) < 8:
        raise NotGguf(path=cursor.path, reason=what_it_is(start))
    cursor.number(U32)  # the four letters
    version = cursor.number(U32)
    if version in (2, 3):
        return version
    if version == 1:
        reason = "it is in version 1 of the format, which llama.cpp no longer reads"
    elif version & 0xFFFF == 0 and version:
        reason = "it was written for big-endian machines"
    else:
        reason = f"it is in version {version} of the format, and 2 and 3 are known"
    raise NotGguf(path=cursor.path, reason=reason)


def _read_metadata(cursor: Cursor, count: int) -> dict[str, Value]:
    cursor.expect(count, each=13, most=_MOST_KEYS, what="keys")
    metadata: dict[str, Value] = {}
    for _ in range(count):
        key = cursor.name()
        if not key or key in metadata:
            cursor.damaged(f"the key {key!r} is given twice" if key else "a key has no name")
        # Tokens are bytes that need not be text: never decoded, however few they are.
        metadata[key] = cursor.value(key, inline=0 if key == _TOKENS else 256)
    return metadata


def _alignment(cursor: Cursor, metadata: Mapping[str, Value]) -> int:
    value = metadata.get("general.alignment", 32)
    number = value if isinstance(value, int) and not isinstance(value, bool) else 0
    if not 0 < number <= _MOST_ALIGNED or number & (number - 1):
        cursor.damaged(f"its alignment is not a power of two up to {_MOST_ALIGNED:,}")
    return number


def _expect_counts(cursor: Cursor, metadata: Mapping[str, Value]) -> None:
    architecture = metadata.get("general.architecture")
    for name in _U32_KEYS:
        value = metadata.get(f"{architecture}.{name}") if isinstance(architecture, str) else None
        if isinstance(value, int) and not 0 <= value < 1 << 32:
            cursor.damaged(f"its {name} is {value:,}, which no model has")


def _read_tensors(cursor: Cursor, count: int) -> tuple[TensorInfo, ...]:
    cursor.expect(count, each=24, most=_MOST_TENSORS, what="tensors")
    tensors: dict[str, TensorInfo] = {}
    for _ in range(count):
        tensor = _read_tensor(cursor)
        if tensor.name in tensors:
            cursor.damaged(f"the tensor {tensor.name!r} is given twice")
        tensors[tensor.name] = tensor
    return tuple(tensors.values())


def _read_tensor(cursor: Cursor) -> TensorInfo:
    name = cursor.text(longest=_LONGEST_NAME)
    dimensions = cursor.number(U32)
    if dimensions > _MAX_DIMENSIONS:
        cursor.damaged(f"the tensor {name!r} has {dimensions} dimensions")
    shape = tuple(cursor.number(I64) for _ in range(dimensions))
    tensor = TensorInfo(name, shape, type=cursor.number(U32), offset=cursor.number(U64))
    block = TENSOR_TYPES.get(tensor.type, (1, 1))[0]
    row = shape[0] if shape else 1
    if min(shape, default=0) < 0 or math.prod(shape) >= 1 << 63 or row % block:
        cursor.damaged(f"the tensor {name!r} has the impossible shape {shape}")
    return tensor


def _data_size(cursor: Cursor, tensors: tuple[TensorInfo, ...], alignment: int) -> int:
    """Bytes from the start of the data to the end of the last tensor of a known type."""
    end = 0
    for tensor in tensors:
        nbytes = tensor.nbytes
        if nbytes is None:
            return end  # a newer type: what follows cannot be checked, and need not be wrong
        if tensor.offset != end + -end % alignment:
            cursor.damaged(f"the tensor {tensor.name!r} does not follow the one before it")
        end = tensor.offset + nbytes
    return end
