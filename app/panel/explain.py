"""What each figure is called and the one sentence that explains it.

docs/speculative-decoding.md holds the same sentences; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


class Key(StrEnum):
    """A figure of the panel or of the comparison."""

    SPEED = "speed"
    SPEED_UP = "speed-up"
    SAVED = "saved"
    BREAK_EVEN = "break-even"
    FIRST_TOKEN = "first-token"
    OVER_TIME = "over-time"
    ACCEPTANCE = "acceptance"
    ALPHA = "alpha"
    PER_ROUND = "per-round"
    ROUNDS = "rounds"
    LENGTHS = "lengths"
    PLACES = "places"
    ROUND = "round"
    SKIPPED = "skipped"
    DRAFTING = "drafting"
    CHECKING = "checking"
    WIDER = "wider"
    REST = "rest"
    NET = "net"
    TOKENS = "tokens"
    CONTEXT = "context"
    WEIGHTS = "weights"
    CACHES = "caches"
    BUFFERS = "buffers"
    CLOCK = "clock"
    CURVE = "curve"
    PASSES = "passes"
    SURVIVAL = "survival"
    BYTES = "bytes"


# What QT_TRANSLATE_NOOP gives back is the text itself; Qt's stubs do not know.
_TITLES: Mapping[Key, object] = MappingProxyType(
    {
        Key.SPEED: QT_TRANSLATE_NOOP("Panel", "Tokens per second"),
        Key.SPEED_UP: QT_TRANSLATE_NOOP("Panel", "Speed-up"),
        Key.SAVED: QT_TRANSLATE_NOOP("Panel", "Time saved"),
        Key.BREAK_EVEN: QT_TRANSLATE_NOOP("Panel", "Breaks even at"),
        Key.FIRST_TOKEN: QT_TRANSLATE_NOOP("Panel", "Time to first token"),
        Key.OVER_TIME: QT_TRANSLATE_NOOP("Panel", "Tokens per second over time"),
        Key.ACCEPTANCE: QT_TRANSLATE_NOOP("Panel", "Acceptance rate"),
        Key.ALPHA: QT_TRANSLATE_NOOP("Panel", "α, acceptance per tested token"),
        Key.PER_ROUND: QT_TRANSLATE_NOOP("Panel", "Tokens per round"),
        Key.ROUNDS: QT_TRANSLATE_NOOP("Panel", "The last rounds"),
        Key.LENGTHS: QT_TRANSLATE_NOOP("Panel", "Accepted in a round"),
        Key.PLACES: QT_TRANSLATE_NOOP("Panel", "Accepted by place"),
        Key.ROUND: QT_TRANSLATE_NOOP("Panel", "One round"),
        Key.SKIPPED: QT_TRANSLATE_NOOP("Panel", "Target steps skipped"),
        Key.DRAFTING: QT_TRANSLATE_NOOP("Panel", "Drafting"),
        Key.CHECKING: QT_TRANSLATE_NOOP("Panel", "The target’s pass"),
        Key.WIDER: QT_TRANSLATE_NOOP("Panel", "The wider pass"),
        Key.REST: QT_TRANSLATE_NOOP("Panel", "Everything else"),
        Key.NET: QT_TRANSLATE_NOOP("Panel", "Net of a round"),
        Key.TOKENS: QT_TRANSLATE_NOOP("Panel", "Tokens written"),
        Key.CONTEXT: QT_TRANSLATE_NOOP("Panel", "Context"),
        Key.WEIGHTS: QT_TRANSLATE_NOOP("Panel", "Weights in memory"),
        Key.CACHES: QT_TRANSLATE_NOOP("Panel", "Caches in memory"),
        Key.BUFFERS: QT_TRANSLATE_NOOP("Panel", "Buffers in memory"),
        Key.CLOCK: QT_TRANSLATE_NOOP("Panel", "Clock"),
        Key.CURVE: QT_TRANSLATE_NOOP("Panel", "Speed-up against γ"),
        Key.PASSES: QT_TRANSLATE_NOOP("Panel", "Cost of a pass against its width"),
        Key.SURVIVAL: QT_TRANSLATE_NOOP("Panel", "Acceptance by position"),
        Key.BYTES: QT_TRANSLATE_NOOP("Panel", "Memory against γ"),
    }
)

_SENTENCES: Mapping[Key, object] = MappingProxyType(
    {
        Key.SPEED: QT_TRANSLATE_NOOP(
            "Panel",
            "Tokens of the reply for each second of writing; reading the prompt is not counted.",
        ),
        Key.SPEED_UP: QT_TRANSLATE_NOOP(
            "Panel",
            "How many times faster a token comes than plain decoding with this pair wrote it "
            "on this computer.",
        ),
        Key.SAVED: QT_TRANSLATE_NOOP(
            "Panel",
            "How much sooner this reply came than a plain one would have, counting that the "
            "draft reads the prompt too.",
        ),
        Key.BREAK_EVEN: QT_TRANSLATE_NOOP(
            "Panel",
            "The length of reply from which on drafting has made up for the time the draft "
            "took to read the prompt.",
        ),
        Key.FIRST_TOKEN: QT_TRANSLATE_NOOP(
            "Panel",
            "How long reading the prompt and writing the first round took, by this reply’s own "
            "clock: in a comparison the other lane’s turns do not count.",
        ),
        Key.OVER_TIME: QT_TRANSLATE_NOOP(
            "Panel",
            "The speed over the last second of writing, from the reply’s beginning to now; the "
            "dashed line is plain decoding.",
        ),
        Key.ACCEPTANCE: QT_TRANSLATE_NOOP(
            "Panel", "The share of all drafted tokens that the target accepted."
        ),
        Key.ALPHA: QT_TRANSLATE_NOOP(
            "Panel",
            "The share of tested tokens that were accepted; what follows a rejection is never "
            "tested.",
        ),
        Key.PER_ROUND: QT_TRANSLATE_NOOP(
            "Panel", "How many tokens a round of drafting and checking wrote, from 1 to γ + 1."
        ),
        Key.ROUNDS: QT_TRANSLATE_NOOP(
            "Panel",
            "A column for each round, the newest on the right: from the bottom up what was "
            "accepted, then the corrected token and what was never tested, or the bonus on top.",
        ),
        Key.LENGTHS: QT_TRANSLATE_NOOP(
            "Panel", "How many rounds had none, one, two … of their drafted tokens accepted."
        ),
        Key.PLACES: QT_TRANSLATE_NOOP(
            "Panel",
            "How often the first, second, third … token of a draft was accepted when it was "
            "tested.",
        ),
        Key.ROUND: QT_TRANSLATE_NOOP(
            "Panel", "Where the time of an average round goes, in milliseconds and to scale."
        ),
        Key.SKIPPED: QT_TRANSLATE_NOOP(
            "Panel",
            "What plain decoding would have spent on the tokens that a round adds to its first.",
        ),
        Key.DRAFTING: QT_TRANSLATE_NOOP(
            "Panel", "What the draft spent on guessing, a step for each token of γ."
        ),
        Key.CHECKING: QT_TRANSLATE_NOOP(
            "Panel", "What the target spent on its one pass over all drafted tokens."
        ),
        Key.WIDER: QT_TRANSLATE_NOOP(
            "Panel",
            "What the target’s pass over all drafted tokens took more than a plain step for one.",
        ),
        Key.REST: QT_TRANSLATE_NOOP(
            "Panel", "Choosing tokens, judging the draft and turning tokens into text."
        ),
        Key.NET: QT_TRANSLATE_NOOP(
            "Panel",
            "What a round saved in all, or lost where it is negative: the plain time of its tokens "
            "less the time it took.",
        ),
        Key.TOKENS: QT_TRANSLATE_NOOP("Panel", "How many tokens of the reply are written."),
        Key.CONTEXT: QT_TRANSLATE_NOOP(
            "Panel",
            "How much of what the models can see at once the conversation and this reply fill.",
        ),
        Key.WEIGHTS: QT_TRANSLATE_NOOP(
            "Panel", "The memory that the numbers of the target and of the draft take."
        ),
        Key.CACHES: QT_TRANSLATE_NOOP(
            "Panel",
            "The memory that each loaded model takes to know a full context; a longer one takes "
            "more.",
        ),
        Key.BUFFERS: QT_TRANSLATE_NOOP(
            "Panel",
            "The memory to compute passes up to the widest γ and to hold what they answer.",
        ),
        Key.CLOCK: QT_TRANSLATE_NOOP(
            "Panel",
            "The time this lane has computed, prompt included; it stands while the other lane "
            "has its turn.",
        ),
        Key.CURVE: QT_TRANSLATE_NOOP(
            "Panel",
            "How many times faster than plain each γ is predicted to be from what was timed here; "
            "the band holds nine times in ten, and at the dashed line drafting breaks even.",
        ),
        Key.PASSES: QT_TRANSLATE_NOOP(
            "Panel",
            "What one pass of the target over several tokens takes, in passes over one; where it "
            "jumps, so does the cost of one more drafted token.",
        ),
        Key.SURVIVAL: QT_TRANSLATE_NOOP(
            "Panel",
            "How often the first one, two, three … drafted tokens of a round all pass, for each "
            "kind of text.",
        ),
        Key.BYTES: QT_TRANSLATE_NOOP(
            "Panel",
            "The memory that the caches of a full context and the buffers to compute with take "
            "at each γ.",
        ),
    }
)


def title(key: Key) -> str:
    """What the figure is called."""
    return QCoreApplication.translate("Panel", str(_TITLES[key]))


def sentence(key: Key) -> str:
    """What the figure means."""
    return QCoreApplication.translate("Panel", str(_SENTENCES[key]))
