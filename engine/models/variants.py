"""The GGUF files of a repository, put together: one entry for each model that can be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from engine.models.arriving import ModelFile
from engine.models.item import Item
from engine.models.shards import Shard, shard_in

_GGUF = re.compile(r"(?P<stem>.+)\.gguf", re.IGNORECASE)
# As llama.cpp names its types (tools/quantize/quantize.cpp), and as repositories vary them.
_QUANTISATION = re.compile(
    r"(?<![a-z0-9])"
    r"((?:UD-)?(?:I?Q[1-9]_(?:K_(?:XXS|XS|S|M|L|XL)|K|XXS|XS|S|M|L|XL|NL|0|1)(?:_[48]_[48])?"
    r"|TQ[12]_0|MXFP4(?:_MOE)?|NVFP4|BF16|FP?16|FP?32))"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"mmproj|imatrix", re.IGNORECASE)


@dataclass(frozen=True)
class Variant:
    """A model in one quantisation, in one file or several.

    Attributes:
        name: Its file's name without its ending and shard number; unique in its repository.
        quantisation: As llama.cpp spells it ("Q4_K_M"); "" where the name does not say.
        files: Its files in order.
        is_whole: Whether all shards are in the repository.
    """

    name: str
    quantisation: str
    files: tuple[ModelFile, ...]
    is_whole: bool = True

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    @property
    def item(self) -> Item:
        """What a download takes."""
        return Item(self.name, self.files)


def variants(files: Iterable[ModelFile]) -> tuple[Variant, ...]:
    """The models among ``files``, smallest first; projectors and importance matrices are none."""
    groups: dict[str, list[tuple[int, int, ModelFile]]] = {}
    for file in files:
        place = file.path or file.name
        named = _GGUF.fullmatch(place)
        if named is None or _BESIDE.search(file.name):
            continue
        shard = shard_in(place) or Shard(named["stem"], 1, 1)
        groups.setdefault(shard.stem, []).append((shard.number, shard.count, file))
    found = [_variant(stem, parts) for stem, parts in groups.items()]
    return tuple(sorted(found, key=lambda variant: (variant.size, variant.name)))


def quantisation_in(place: str) -> str:
    """The quantisation that a path names, its file's name first; "" where it names none."""
    for part in reversed(place.split("/")):
        named = _QUANTISATION.findall(part)
        if named:
            return str(named[-1]).upper().replace("FP16", "F16").replace("FP32", "F32")
    return ""


def _variant(stem: str, parts: list[tuple[int, int, ModelFile]]) -> Variant:
    parts = sorted(parts, key=lambda part: part[0])
    count = max(count for _, count, _ in parts)
    is_whole = [number for number, _, _ in parts] == list(range(1, count + 1))
    files = tuple(file for _, _, file in parts)
    return Variant(stem.rpartition("/")[2], quantisation_in(stem), files, is_whole)
