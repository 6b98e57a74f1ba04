"""What the window is at, and how a message is answered."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """What the window is at."""

    EMPTY = "empty"
    LOADING = "loading"
    READY = "ready"
    REPLYING = "replying"
    COMPARING = "comparing"
    TUNING = "tuning"
    STOPPING = "stopping"
    LOST = "lost"


USUAL_GAMMA = 3
"""What is compared where nothing would be drafted otherwise."""


MOST_GAMMA = 16
"""The most tokens that are drafted in a round."""

MOST_EXACT_GAMMA = 5
"""The widest pass whose kernels round as those of one token do is 6 wide."""


class Mode(StrEnum):
    """How the next message is answered."""

    SPECULATIVE = "speculative"
    PLAIN = "plain"
    COMPARE = "compare"
