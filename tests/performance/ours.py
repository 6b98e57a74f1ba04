"""Our side of each comparison: one lane, in process, nothing between it and the clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.chat import Message, Prompter
from engine.decoding import Lane, Request
from engine.engine import Engine, ReplyOptions, rule_for
from engine.loading import LoadOptions, Pair, load_pair
from engine.sampling import Sampling
from engine.stats import Figures


class Ours:
    """A loaded pair and its lane. Close it before another is loaded."""

    def __init__(
        self,
        target: Path,
        draft: Path | None,
        *,
        n_ctx: int = 4096,
        exact: bool = False,
        recast: bool = True,
    ) -> None:
        options = LoadOptions(n_ctx=n_ctx, exact=exact, recast=recast)
        engine = Engine(load_pair(target, draft, options))
        engine.recast_draft(options, lambda _fraction, _what: True)
        self.pair: Pair = engine.pair
        self.lane: Lane = engine.lane
        self.prompter: Prompter = engine.prompter

    def tokens(self, messages: Sequence[Message]) -> list[int]:
        """The prompt of a conversation."""
        return self.prompter.prompt(messages, limit=self.pair.context.n_ctx).tokens

    def text(self, tokens: list[int]) -> str:
        """A prompt written out, control tokens too, for a program that reads text."""
        vocabulary = self.pair.target.vocabulary
        pieces = (vocabulary.piece(t) or vocabulary.text(t).encode() for t in tokens)
        return b"".join(pieces).decode()

    def write(self, prompt: list[int], **how: Any) -> Figures:
        """The figures of one reply; told as to :meth:`reply`."""
        return self.reply(prompt, **how)[1]

    def reply(
        self,
        prompt: list[int],
        *,
        gamma: int,
        tokens: int,
        sampling: Sampling,
        seed: int = 1,
        rule: str = "ratio",
        ends: bool = True,
    ) -> tuple[list[int], Figures]:
        """Write one reply from empty memories. ``ends`` False goes on past an end, for a fixed
        length."""
        self.clear()
        options = ReplyOptions(gamma=gamma, sampling=sampling, rule=rule, seed=seed)
        vocabulary = self.pair.target.vocabulary
        request = Request(
            gamma=gamma,
            sampling=sampling,
            rule=rule_for(options, 0),
            limit=self.pair.context.n_ctx,
            max_tokens=tokens,
            ends=vocabulary.ends if ends else frozenset(),
        )
        figures, written = Figures(), list(prompt)
        for progress in self.lane.read(written, request):
            figures.read(progress)
        for round_ in self.lane.write(written, request):
            figures.add(round_)
        return written[len(prompt) :], figures

    def clear(self) -> None:
        """Empty both memories."""
        for context in (self.lane.target, self.lane.draft):
            if context is not None:
                context.clear()

    def close(self) -> None:
        """Give everything back, so that another may be loaded."""
        self.lane.free()
        self.pair.free()
