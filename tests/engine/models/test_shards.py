"""What the names of a split model's files say."""

from __future__ import annotations

import pytest

from engine.models.shards import Shard, shard_in


@pytest.mark.parametrize(
    ("name", "shard"),
    [
        ("model-00002-of-00003.gguf", Shard("model", 2, 3)),
        ("BF16/a-00001-of-00002-00001-of-00001.GGUF", Shard("BF16/a-00001-of-00002", 1, 1)),
        ("model-1-of-3.gguf", None),
        ("-00001-of-00002.gguf", None),
        ("model-00001-of-00002.gguf.part", None),
        ("model.gguf", None),
    ],
)
def test_it_is_a_shard_only_with_five_digits_twice(name, shard):
    assert shard_in(name) == shard
