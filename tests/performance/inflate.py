"""A target that costs more and says the same: copies of its layers that add exactly nothing.

A layer adds to the residual stream what its attention and feed-forward outputs project. With those
two matrices all zero bytes (a zero block in every quantisation) it adds zero, so every logit stays
bit-identical while each pass costs as much as a deeper model's. So a small machine can measure what
a large target would gain, with real acceptance."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFReader, GGUFValueType, GGUFWriter

_LAYER = re.compile(r"blk\.(\d+)\.(.+)")
_SILENCED = ("attn_output.weight", "ffn_down.weight")


def inflate(source: Path, destination: Path, layers: int) -> Path:
    """Write ``source`` with ``layers`` layers in all; the added ones repeat the last and add
    nothing."""
    reader = GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    writer = GGUFWriter(destination, architecture)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        value = layers if field.name == f"{architecture}.block_count" else field.contents()
        kind = field.types[0]
        writer.add_key_value(
            field.name, value, kind, field.types[-1] if kind == GGUFValueType.ARRAY else None
        )
    for name, data, kind in _tensors(reader, layers):
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return destination


def _tensors(reader: GGUFReader, layers: int) -> Iterator[tuple[str, np.ndarray[Any, Any], Any]]:
    own = [int(found[1]) for t in reader.tensors if (found := _LAYER.fullmatch(t.name))]
    last = max(own)
    for tensor in reader.tensors:
        yield tensor.name, tensor.data, tensor.tensor_type
        found = _LAYER.fullmatch(tensor.name)
        if found is None or int(found[1]) != last:
            continue
        silent = found[2] in _SILENCED
        data = np.zeros_like(tensor.data) if silent else tensor.data
        for layer in range(last + 1, layers):
            yield f"blk.{layer}.{found[2]}", data, tensor.tensor_type


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=inflate.__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("destination", type=Path)
    parser.add_argument("layers", type=int)
    inflate(**vars(parser.parse_args()))
