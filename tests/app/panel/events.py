"""Events of made-up replies, counted by the engine's own Figures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.accept import Source, Token
from engine.pairing import Verdict
from engine.protocol import (
    CHAT,
    PLAIN,
    Costs,
    Done,
    Emitted,
    Memory,
    ModelInfo,
    Ready,
    RoundTimes,
)
from engine.stats import End, Figures, PromptProgress, Round
from engine.text import Piece

TEXT = (
    "Here is a small parser that splits the date at its dashes and checks each part before it "
    "builds the result. It raises ValueError for anything that is not a real date. Years have "
    "four digits, months and days have two, and nothing may stand before or behind them. A leap "
    "day is a day only in a leap year, which is one that four divides, unless a hundred does and "
    "four hundred does not. "
)
WORDS = tuple(f"{word} " for word in TEXT.split())


@dataclass(frozen=True)
class Pace:
    """What things take, in seconds, and how often a drafted token passes."""

    draft_step: float = 0.012
    plain_step: float = 0.070
    per_token: float = 0.010
    rest: float = 0.001
    alpha: float = 0.85
    prompt: float = 0.9
    draft_prompt: float = 0.3


USUAL = Pace()


def model(name: str, size: int) -> ModelInfo:
    """A loaded model."""
    return ModelInfo(name, "qwen2 1.5B Q4_K", f"/models/{name}.gguf", size, 10**9, 28)


def ready(gamma: int = 3, *, draft: bool = True, reason: str = "") -> Ready:
    """A loaded pair, or a target whose draft was refused for ``reason``."""
    return Ready(
        target=model("Qwen2.5-Coder-1.5B", 1_117_320_768),
        draft=model("Qwen2.5-Coder-0.5B", 491_400_064) if draft else None,
        devices=("CPU",),
        n_ctx=4096,
        threads=2,
        gamma=gamma if draft else 0,
        verdict=Verdict(ok=True) if draft else Verdict(ok=False, code="kind", reason=reason),
        notes=(),
        costs=Costs(0.012, {1: 0.07, 4: 0.1, 8: 0.14}) if draft else None,
        memory=Memory(1_608_720_832, 168_000_000, 41_000_000),
    )


def rounds(gamma: int, count: int, pace: Pace = USUAL, seed: int = 1) -> Iterator[Round]:
    """Rounds that emit ``count`` tokens in all."""
    luck = random.Random(seed)
    left = count
    while left:
        drafted = min(gamma, left - 1)
        accepted = 0
        while accepted < drafted and luck.random() < pace.alpha:
            accepted += 1
        last = Source.PLAIN if not drafted else Source.BONUS
        last = Source.CORRECTED if accepted < drafted else last
        sources = [Source.ACCEPTED] * accepted + [last]
        draft = drafted * pace.draft_step * luck.uniform(0.9, 1.1)
        verify = (pace.plain_step + drafted * pace.per_token) * luck.uniform(0.9, 1.1)
        tokens = [token(source) for source in sources]
        left -= len(tokens)
        yield Round(tokens, drafted, draft + verify + pace.rest, draft, verify)


def token(source: Source) -> Token:
    """A token that came from there."""
    return Token(7, source, 0.8, None if source in (Source.BONUS, Source.PLAIN) else 0.7)


def emitted(round_: Round, figures: Figures, lane: str = CHAT, text: str | None = None) -> Emitted:
    """The message of one round, after ``figures`` have counted it."""
    start = figures.tokens - len(round_.tokens)
    pieces = [
        Piece(WORDS[i % len(WORDS)] if text is None else text, i)
        for i in range(start, figures.tokens)
    ]
    times = RoundTimes(
        len(round_.tokens),
        round_.drafted,
        round_.seconds,
        round_.draft_seconds,
        round_.verify_seconds,
    )
    snapshot = replace(
        figures,
        tested_by_position=[*figures.tested_by_position],
        accepted_by_position=[*figures.accepted_by_position],
    )
    return Emitted(lane, pieces, [*round_.tokens], [times], snapshot)


def reply(
    gamma: int,
    count: int,
    pace: Pace = USUAL,
    *,
    lane: str = CHAT,
    seed: int = 1,
    why: End = End.END,
) -> Iterator[Emitted | Done]:
    """A whole reply: an Emitted for each round, then Done."""
    figures = Figures(prompt_tokens=598)
    draft = 0.0 if lane == PLAIN or not gamma else pace.draft_prompt
    figures.read(PromptProgress(0, 1196, 0.0, 0.0))
    figures.read(PromptProgress(1196, 1196, pace.prompt - pace.draft_prompt + draft, draft))
    told = []
    for round_ in rounds(gamma, count, pace, seed):
        figures.add(round_)
        told.append(emitted(round_, figures, lane))
        yield told[-1]
    text = "".join(piece.text for event in told for piece in event.pieces)
    yield Done(lane, why, text, (7,) * figures.tokens, figures, 5)
