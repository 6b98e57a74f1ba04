"""A loaded pair at work: write a reply, compare two ways of writing it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine import costs
from engine.accept import Coupled, Greedy, Ratio, Rule
from engine.chat import Message, Prompt, Prompter
from engine.decoding import Lane, Request
from engine.errors import ForewordError, Stopped
from engine.llama.context import StopFlag
from engine.llama.library import library
from engine.loading import LoadOptions, Pair, Report, load_pair
from engine.noise import Noise
from engine.parting import Parting, find_parting
from engine.race import race
from engine.sampling import Sampling
from engine.stats import End, Figures, PromptProgress, Round
from engine.text import Piece, TextStream

SPECULATIVE, PLAIN = "speculative", "plain"

EXACT_GAMMA = 5
"""The widest γ whose passes round like a single token's under exact arithmetic."""


@dataclass(frozen=True)
class ReplyOptions:
    """How to write a reply. ``gamma`` None: the engine's own; 0: plain.

    ``rule``: "ratio", "coupled", or None for coupled where the seed is fixed and ratio elsewhere;
    ``seed`` None: drawn afresh; ``variant``: raised by Regenerate; ``max_tokens`` None: to the
    context's end; ``think``: a reasoning model's switch, None leaves it to the template.
    """

    gamma: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    rule: str | None = None
    seed: int | None = None
    variant: int = 0
    max_tokens: int | None = None
    stops: tuple[str, ...] = ()
    think: bool | None = None


@dataclass(frozen=True)
class Written:
    """One round of a reply: its text and the figures so far."""

    round: Round
    pieces: list[Piece]
    figures: Figures

    @property
    def seconds(self) -> float:
        return self.round.seconds


@dataclass(frozen=True)
class Reply:
    """A finished reply. ``tokens`` are its ids, to be kept with the message for the next turn."""

    text: str
    pieces: list[Piece]
    tokens: list[int]
    figures: Figures
    end: End
    seed: int
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """Both replies to one prompt, and where they part (None: nowhere)."""

    replies: dict[str, Reply]
    parting: Parting | None

    @property
    def speed_up(self) -> float:
        """Plain time per token ÷ speculative time per token."""
        plain = self.replies[PLAIN].figures.tokens_per_second
        return self.replies[SPECULATIVE].figures.tokens_per_second / plain if plain else 0.0


Step = PromptProgress | Written | Reply


class Engine:
    """One pair, one lane for the chat. Every method runs on the one thread that calls llama.cpp."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.stop = pair.stop
        self.lane = pair.lane()
        self.prompter = Prompter(pair.target.vocabulary, pair.target.template)
        self.costs: costs.Costs | None = None
        self.gamma = 0

    @classmethod
    def load(
        cls,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        *,
        stop: StopFlag | None = None,
        report: Report = lambda _fraction, _what: True,
    ) -> Engine:
        """Load the pair and guess at γ (a second or two). Errors: those of load_pair."""
        pair = load_pair(target, draft, options, stop=stop, report=report)
        try:
            engine = cls(pair)
        except ForewordError:
            pair.free()
            raise
        try:
            engine.guess(report)
        except ForewordError:
            engine.free()
            raise
        library().trim()
        return engine

    def guess(self, report: Report) -> None:
        """Time both models and choose γ from that, where there is a draft."""
        if self.pair.draft is None:
            return
        report(1.0, "Timing both models")
        self.costs = costs.measure(self.lane, costs.GUESS_WIDTHS)
        self.gamma = costs.guess_gamma(self.costs)

    @property
    def limit(self) -> int:
        """The context in tokens."""
        return self.pair.context.n_ctx

    def count(self, messages: Sequence[Message]) -> int:
        """How many tokens the prompt for ``messages`` has, before anything is trimmed."""
        return self.prompter.count(messages)

    def reply(self, messages: Sequence[Message], options: ReplyOptions) -> Iterator[Step]:
        """Write the next reply (or go on with the last message, if it is the assistant's).

        Yields PromptProgress, then a Written for each round, at last the Reply; the stop flag ends
        it early with what there is. Raises PromptTooLong before anything is computed."""
        prompt = self.prompter.prompt(messages, limit=self.limit, think=options.think)
        yield from self._write(self.lane, prompt, self._seeded(options))

    def compare(
        self, messages: Sequence[Message], options: ReplyOptions
    ) -> Iterator[tuple[str, Step] | Comparison]:
        """Write one reply twice, drafting and plainly, the lanes taking turns; at last a
        Comparison.

        Both lanes draw with the same noise, so only rounding can make their texts part.
        """
        options = self._seeded(replace(options, rule="coupled"))
        prompt = self.prompter.prompt(messages, limit=self.limit, think=options.think)
        with self._second_lane() as plain:
            lanes = {
                SPECULATIVE: self._write(self.lane, prompt, options),
                PLAIN: self._write(plain, prompt, replace(options, gamma=0)),
            }
            replies: dict[str, Reply] = {}
            for name, step in race(lanes):
                if isinstance(step, Reply):
                    replies[name] = step
                yield name, step
            parting = self._parting(plain, prompt, replies, options)
        yield Comparison(replies, parting)

    def _parting(
        self, lane: Lane, prompt: Prompt, replies: dict[str, Reply], options: ReplyOptions
    ) -> Parting | None:
        """Where the replies part; None as well where the user stopped the look at it."""
        begun = len(prompt.tokens) - prompt.index
        drafting, plain = (replies[name].tokens for name in (SPECULATIVE, PLAIN))
        request = self._request(prompt, options, TextStream(self._piece))
        try:
            return find_parting(lane.target, prompt.tokens[:begun], drafting, plain, request)
        except Stopped:
            return None

    @contextmanager
    def _second_lane(self) -> Iterator[Lane]:
        lane = self.pair.lane(speculative=False)
        try:
            yield lane
        finally:
            lane.free()

    def _seeded(self, options: ReplyOptions) -> ReplyOptions:
        """The options with every choice made: rule, seed and γ."""
        rule = options.rule or ("ratio" if options.seed is None else "coupled")
        seed = secrets.randbits(63) if options.seed is None else options.seed
        gamma = self.gamma if options.gamma is None else options.gamma
        return replace(options, rule=rule, seed=seed, gamma=gamma if self.pair.draft else 0)

    def _write(self, lane: Lane, prompt: Prompt, options: ReplyOptions) -> Iterator[Step]:
        stream = TextStream(self._piece, (*options.stops, *prompt.stops))
        request = self._request(prompt, options, stream)
        tokens, figures, end = list(prompt.tokens), Figures(), End.LENGTH
        figures.prompt_tokens = len(tokens)
        try:
            for progress in lane.read(tokens, request):
                figures.read(progress)
                yield progress
            for round_ in lane.write(tokens, request):
                figures.add(round_)
                end = round_.end or End.LENGTH
                yield Written(round_, stream.take(), figures)
        except Stopped:
            end = End.STOPPED
        stream.finish()
        written = tokens[len(prompt.tokens) - prompt.index :]
        assert options.seed is not None
        yield Reply(stream.text, stream.take(), written, figures, end, options.seed, prompt.notes)

    def _piece(self, token: int) -> bytes:
        return self.pair.target.vocabulary.piece(token)

    def _request(self, prompt: Prompt, options: ReplyOptions, stream: TextStream) -> Request:
        room = self.limit - len(prompt.tokens)
        vocabulary = self.pair.target.vocabulary
        return Request(
            gamma=options.gamma or 0,
            sampling=options.sampling,
            rule=rule_for(options, prompt.index),
            limit=self.limit,
            max_tokens=room if options.max_tokens is None else options.max_tokens,
            ends=vocabulary.ends,
            suppressed=vocabulary.suppressed,
            index=prompt.index,
            watch=stream.push,
        )

    def free(self) -> None:
        """Give everything back."""
        self.lane.free()
        self.pair.free()


def rule_for(options: ReplyOptions, index: int) -> Rule:
    """The rule, with randomness that is a function of seed, variant and position alone."""
    assert options.seed is not None
    if options.sampling.greedy:
        return Greedy()
    if options.rule == "coupled":
        return Coupled(Noise(options.seed, options.variant))
    return Ratio(np.random.default_rng((options.seed, options.variant, index)).random)
