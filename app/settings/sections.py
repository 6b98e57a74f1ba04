"""Which setting stands where on the page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """Some settings under one head. ``title`` in capitals, before translation."""

    title: str
    names: tuple[str, ...]


SECTIONS: tuple[Section, ...] = (
    Section("LOOK", ("theme", "text_size", "language", "reduced_motion")),
    Section("CHAT", ("follow", "tint", "system", "think")),
    Section("DRAFTING", ("gamma",)),
    Section("MODELS", ("models_folder", "other_apps", "n_ctx", "gpu_layers", "threads", "recast")),
    Section(
        "REPLIES",
        ("temperature", "top_k", "top_p", "min_p", "max_tokens", "seed"),
    ),
    Section("PENALTIES", ("repetition_penalty", "presence_penalty", "frequency_penalty")),
)

ELSEWHERE = frozenset({"target", "draft", "more_folders", "auto_gamma"})
"""Not on the page: chosen with the models or with γ."""

NEXT_LOAD = frozenset({"n_ctx", "gpu_layers", "threads", "recast"})
"""Take effect when the models are loaded again."""
