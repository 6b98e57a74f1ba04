"""Whether a model is loaded or being loaded: its files must not go then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.engine_life import EngineLife, Life
from app.pairs import Pair
from engine.models.local import LocalModel


def is_target(model: LocalModel, life: EngineLife) -> bool:
    """Whether it is the target in use, or the one that is to be."""
    return any(pair.target.absolute() in model.files for pair in _pairs(life))


def is_draft(model: LocalModel, life: EngineLife) -> bool:
    """The same of the draft."""
    return any(pair.draft and pair.draft.absolute() in model.files for pair in _pairs(life))


def _pairs(life: EngineLife) -> Iterator[Pair]:
    """What is loaded, and what takes its place."""
    if life.ready is not None:
        draft = life.ready.draft
        yield Pair(Path(life.ready.target.path), Path(draft.path) if draft else None)
    if life.pair is not None and life.life in (Life.LOADING, Life.READY):
        yield life.pair
