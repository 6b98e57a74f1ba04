"""What a whole GGUF file is for: to talk to, or something else that says so in its metadata.

Architectures are named as ``LLM_ARCH_NAMES`` does, and grouped as ``llm_arch_is_recurrent`` and
its neighbours do (src/llama-arch.cpp).
"""

from __future__ import annotations

from enum import StrEnum

from engine.models.header import Header


class Kind(StrEnum):
    """What a file is for."""

    CHAT = "chat"
    PROJECTOR = "projector"
    EMBEDDING = "embedding"
    RERANKER = "reranker"
    ADAPTER = "adapter"
    OTHER = "other"


_EMBEDDING = frozenset(
    {
        "bert",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "llama-embed",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "t5encoder",
    }
)
_SPEECH = frozenset({"wavtokenizer-dec", "qwen3tts", "pockettts"})
_DIFFUSION = frozenset({"dream", "llada", "llada-moe", "rnd1"})
_INNER_STATES = frozenset({"eagle3", "dflash", "gemma4-assistant"})

_ONE_WAY = frozenset(
    {
        "arwkv7",
        "falcon-h1",
        "granitehybrid",
        "jamba",
        "kimi-linear",
        "mamba",
        "mamba2",
        "minimax-01",
        "plamo2",
        "qwen3next",
        "rwkv6",
        "rwkv6qwen2",
        "rwkv7",
    }
)
"""Recurrent and hybrid architectures whose memory is not taken back at all."""

_ONE_PASS = frozenset(
    {
        "bailingmoe3",
        "deepseek4",
        "glm5-next",
        "kimi-k3",
        "lfm2",
        "lfm2moe",
        "nemotron_h",
        "nemotron_h_moe",
        "qwen35",
        "qwen35moe",
        "qwen4exp",
    }
)
"""Those with ``llm_arch_supports_rs_rollback``: what came in one pass is taken back, no more."""

_RANK = 4  # LLAMA_POOLING_TYPE_RANK; 0 and -1 are none
_EMBEDDING_TAGS = frozenset({"feature-extraction", "sentence-similarity"})

_WHY = {
    Kind.PROJECTOR: "it is a projector, which lets another model see pictures or hear",
    Kind.EMBEDDING: "it is an embedding model, which turns texts into numbers for searching",
    Kind.RERANKER: "it is a reranker, which judges how well a text answers a question",
    Kind.ADAPTER: "it is an adapter (LoRA), which changes another model",
}


def kind_of(header: Header) -> tuple[Kind, str]:
    """What the file is for and, unless that is to chat, why it cannot, after "because"."""
    kind = _told(header) or _pooled(header)
    if kind:
        return kind, _WHY[kind]
    reason = _other(header)
    return (Kind.OTHER, reason) if reason else (Kind.CHAT, "")


def can_rewind(architecture: str, *, one_by_one: bool) -> bool:
    """Whether its memory takes back a few rejected tokens; the loaded model is tried once more.

    ``one_by_one``: they came in passes of their own, as a draft's do, and not in a target's one.
    """
    return architecture not in _ONE_WAY and not (one_by_one and architecture in _ONE_PASS)


def _told(header: Header) -> Kind | None:
    """By what the file calls itself."""
    stated = header.metadata.get("general.type")
    if stated == "mmproj" or header.architecture == "clip":
        return Kind.PROJECTOR
    return Kind.ADAPTER if stated == "adapter" else None


def _pooled(header: Header) -> Kind | None:
    """Models whose tokens end in one vector or one mark."""
    pooling = header.metadata.get(f"{header.architecture}.pooling_type")
    if pooling == _RANK:
        return Kind.RERANKER
    tags = header.metadata.get("general.tags")
    tagged = isinstance(tags, tuple) and not _EMBEDDING_TAGS.isdisjoint(tags)
    pooled = isinstance(pooling, int) and pooling > 0
    return Kind.EMBEDDING if pooled or tagged or header.architecture in _EMBEDDING else None


def _other(header: Header) -> str:
    """Why it is no language model to chat with; "" where it is one."""
    if header.metadata.get("general.type") == "imatrix":
        return "it holds statistics for quantising (an importance matrix), and no model"
    by_architecture = (
        (_SPEECH, "it is a part of a speech model"),
        (_DIFFUSION, "it writes whole texts by diffusion and not token by token"),
        (_INNER_STATES, "it drafts from its target's inner states, which Foreword does not use"),
        ({"t5"}, "it is an encoder with a decoder, and only decoders are run here"),
    )
    for architectures, reason in by_architecture:
        if header.architecture in architectures:
            return reason
    if "tokenizer.ggml.model" not in header.metadata:
        return "it has no vocabulary, so it is no language model"
    if not header.tensors:
        return "it holds a vocabulary and no weights"
    if any(tensor.name.startswith(("v.", "mm.", "a.")) for tensor in header.tensors):
        return "a projector was packed into it, as Ollama does, and llama.cpp wants that apart"
    return ""
