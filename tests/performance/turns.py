"""Whether a lane's clock tells the same speed in a comparison as alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.chat import Message
from engine.engine import PLAIN, SPECULATIVE, Comparison, Engine, Reply, ReplyOptions
from engine.loading import LoadOptions
from engine.sampling import Sampling

TOKENS = 200


def compare_clocks(
    target: Path, draft: Path, messages: Sequence[Message], repeats: int
) -> dict[str, list[float]]:
    """Tokens/s in a comparison ÷ alone, per lane, one ratio a repeat, the two in turns."""
    engine = Engine.load(target, draft, LoadOptions())
    options = ReplyOptions(
        gamma=3, sampling=Sampling(temperature=0), max_tokens=TOKENS, seed=1, stops=()
    )
    ratios: dict[str, list[float]] = {SPECULATIVE: [], PLAIN: []}
    try:
        for _repeat in range(repeats):
            together = _together(engine, messages, options)
            for lane, gamma in ((SPECULATIVE, 3), (PLAIN, 0)):
                alone = _alone(engine, messages, options, gamma)
                ratios[lane].append(together[lane] / alone)
    finally:
        engine.free()
    return ratios


def _together(
    engine: Engine, messages: Sequence[Message], options: ReplyOptions
) -> dict[str, float]:
    *_, last = engine.compare(messages, options)
    assert isinstance(last, Comparison)
    return {name: reply.figures.tokens_per_second for name, reply in last.replies.items()}


def _alone(engine: Engine, messages: Sequence[Message], options: ReplyOptions, gamma: int) -> float:
    *_, last = engine.reply(messages, replace(options, gamma=gamma))
    assert isinstance(last, Reply)
    return last.figures.tokens_per_second
