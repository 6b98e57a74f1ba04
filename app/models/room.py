"""What the screens of models share: what is here, what is coming, what can compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from app.engine_life import EngineLife
from app.jobs import Jobs
from app.models.fetches import Fetches
from app.models.library import Library
from app.models.surveyor import Surveyor
from app.settings.choices import Choices


@dataclass(frozen=True)
class Models:
    """Everything behind those screens."""

    jobs: Jobs
    choices: Choices
    life: EngineLife
    surveyor: Surveyor
    library: Library
    fetches: Fetches

    @classmethod
    def assemble(
        cls,
        jobs: Jobs,
        choices: Choices,
        life: EngineLife,
        worker: Sequence[str] | None = None,
        **queue: Any,
    ) -> Self:
        """Put it together. ``worker``: a test's own engine; ``queue``: its own downloads."""
        surveyor = Surveyor(jobs, worker)
        library = Library(jobs, choices, surveyor)
        fetches = Fetches(jobs, more_folders=lambda: choices.engine.more_folders, **queue)
        fetches.arrived.connect(lambda _status: library.look_again())
        fetches.cleared.connect(library.look_again)
        return cls(jobs, choices, life, surveyor, library, fetches)
