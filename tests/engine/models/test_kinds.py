"""What a whole file is for, from its metadata."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.models.header import read_header
from engine.models.kinds import Kind, can_rewind, kind_of
from tests.support.ggufs import write_gguf

NOT_FOR_CHAT = [
    ({"architecture": "clip", "tokenizer": None}, Kind.PROJECTOR, "a projector"),
    ({"general__type": "mmproj"}, Kind.PROJECTOR, "a projector"),
    ({"general__type": "adapter"}, Kind.ADAPTER, "an adapter"),
    ({"architecture": "bert"}, Kind.EMBEDDING, "an embedding model"),
    ({"architecture": "qwen3", "qwen3__pooling_type": 3}, Kind.EMBEDDING, "an embedding model"),
    ({"general__tags": ["sentence-similarity", "en"]}, Kind.EMBEDDING, "an embedding model"),
    ({"architecture": "qwen3", "qwen3__pooling_type": 4}, Kind.RERANKER, "a reranker"),
    ({"architecture": "wavtokenizer-dec"}, Kind.OTHER, "a speech model"),
    ({"architecture": "dream"}, Kind.OTHER, "by diffusion"),
    ({"architecture": "eagle3"}, Kind.OTHER, "inner states"),
    ({"architecture": "t5"}, Kind.OTHER, "only decoders"),
    ({"architecture": "flux", "tokenizer": None}, Kind.OTHER, "no vocabulary"),
    ({"general__type": "imatrix"}, Kind.OTHER, "importance matrix"),
    ({"tensors": {}}, Kind.OTHER, "no weights"),
    ({"tensors": {"v.blk.0.attn_q.weight": (8, 4)}}, Kind.OTHER, "packed into it, as Ollama"),
]


@pytest.mark.parametrize(("made", "kind", "said"), NOT_FOR_CHAT)
def test_files_for_other_purposes_say_what_they_are(tmp_path: Path, made, kind, said):
    header = read_header(write_gguf(tmp_path / "x.gguf", **made))
    told, reason = kind_of(header)
    assert told is kind
    assert said in reason


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"general__type": "model"},
        {"architecture": "qwen3", "qwen3__pooling_type": 0},
        {"general__tags": ["chat", "text-generation"]},
        {"architecture": "from-the-future"},
    ],
)
def test_language_models_are_for_chat(tmp_path: Path, made):
    header = read_header(write_gguf(tmp_path / "x.gguf", **made))
    assert kind_of(header) == (Kind.CHAT, "")


def test_memories_that_go_one_way_are_known_by_their_architecture():
    assert not can_rewind("mamba", one_by_one=False)
    assert can_rewind("llama", one_by_one=True)


def test_a_hybrid_takes_back_what_came_in_one_pass_and_no_more():
    assert can_rewind("lfm2", one_by_one=False)
    assert not can_rewind("lfm2", one_by_one=True)
