"""The names of a split model's files: "model-00001-of-00003.gguf", as llama.cpp writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)


@dataclass(frozen=True)
class Shard:
    """What a shard's name says.

    Attributes:
        stem: The name all shards of the model share, with the folder if the name has one.
        number: Which it is, from 1.
        count: Of how many.
    """

    stem: str
    number: int
    count: int


def shard_in(name: str) -> Shard | None:
    """The shard that a file name or path names; None where it is no shard's."""
    found = _SHARD.fullmatch(name)
    return Shard(found["stem"], int(found["number"]), int(found["count"])) if found else None
