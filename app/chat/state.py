"""Whether a message can be sent now. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """What the engine is doing, as far as the composer is concerned."""

    IDLE = "idle"
    BUSY = "busy"
    STOPPING = "stopping"
    DISABLED = "disabled"


@dataclass(frozen=True)
class ComposerState:
    """A phase, and why nothing can be sent where that is so."""

    phase: Phase
    reason: str = ""

    @classmethod
    def idle(cls) -> ComposerState:
        """A message can be sent."""
        return cls(Phase.IDLE)

    @classmethod
    def busy(cls) -> ComposerState:
        """A reply is being written; it can be stopped."""
        return cls(Phase.BUSY)

    @classmethod
    def stopping(cls) -> ComposerState:
        """It was stopped and is not over yet."""
        return cls(Phase.STOPPING)

    @classmethod
    def disabled(cls, reason: str) -> ComposerState:
        """Nothing can be sent, for this reason; it can be written all the same."""
        return cls(Phase.DISABLED, reason)
