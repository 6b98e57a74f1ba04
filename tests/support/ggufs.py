"""Small GGUF files with any metadata: what they say of themselves, and hardly any weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

WORDS = tuple(f"t{number}" for number in range(300))


def write_gguf(
    path: Path,
    architecture: str = "llama",
    *,
    words: Sequence[str] = WORDS,
    tokenizer: str | None = "gpt2",
    tensors: Mapping[str, tuple[int, ...]] | None = None,
    **metadata: Any,
) -> Path:
    """Write a file of float tensors; ``metadata``: keys with "__" for each dot, any values."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, architecture)
    if tokenizer is not None:
        writer.add_tokenizer_model(tokenizer)
        writer.add_token_list(list(words))
    for key, value in metadata.items():
        _add(writer, key.replace("__", "."), value)
    for name, shape in ({"token_embd.weight": (8, 4)} if tensors is None else tensors).items():
        writer.add_tensor(name, np.zeros(shape, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_parts(
    folder: Path, stem: str = "big", count: int = 3, shape: tuple[int, ...] = (8, 4)
) -> list[Path]:
    """Write a model split over ``count`` files, as llama-gguf-split does."""
    paths = []
    for number in range(count):
        path = folder / f"{stem}-{number + 1:05d}-of-{count:05d}.gguf"
        split = {"split__no": number, "split__count": count, "split__tensors__count": count}
        tensors = {f"blk.{number}.ffn_up.weight": shape}
        first = {} if number else {"general__name": "Big"}
        tokenizer = None if number else "gpt2"
        write_gguf(path, tokenizer=tokenizer, tensors=tensors, **split, **first)
        paths.append(path)
    return paths


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        (writer.add_uint32 if value >= 0 else writer.add_int32)(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, list(value))
