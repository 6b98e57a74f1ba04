"""Which pair to load: the one last chosen, else the starter pair."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from engine.models import starter
from engine.settings import Settings, models_folder


@dataclass(frozen=True)
class Pair:
    """A target, and the draft that guesses for it, if any."""

    target: Path
    draft: Path | None = None


def last_pair(settings: Settings) -> Pair | None:
    """The pair last chosen, else the starter pair; None where neither is there."""
    if settings.target is not None and os.path.isfile(settings.target):
        return Pair(settings.target, settings.draft)
    folder = models_folder(settings)
    target = starter.installed(starter.TARGET, folder)
    return Pair(target, starter.installed(starter.DRAFT, folder)) if target else None
