"""A loaded pair at work: write a reply, compare two ways of writing it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine import costs, tunings
from engine.accept import Coupled, Greedy, Ratio, Rule
from engine.chat import Message, Prompt, Prompter
from engine.decoding import Lane, Request
from engine.errors import ContextFailed, ForewordError, Stopped
from engine.llama.context import StopFlag
from engine.llama.library import library
from engine.loading import (
    LoadOptions,
    Pair,
    Report,
    fewer_layers,
    load_draft,
    load_pair,
    may_recast,
)
from engine.noise import Noise
from engine.parting import Parting, find_parting
from engine.race import race
from engine.recast import Recaster, pays
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
        self.key: tunings.Key | None = None
        self.tuning: tunings.Record | None = None
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
        """Load the pair; γ is the stored tuning's, else a guess (a second or two).

        Errors: those of load_pair."""
        engine = cls._fitting(target, draft, options, stop=stop, report=report)
        try:
            engine.recast_draft(options, report)
            engine.choose_gamma(options, report)
        except ForewordError:
            engine.free()
            raise
        library().trim()
        return engine

    @classmethod
    def _fitting(
        cls,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        *,
        stop: StopFlag | None,
        report: Report,
    ) -> Engine:
        """The pair with its lane: with fewer layers on the GPU where the memories do not fit
        beside the weights."""
        layers = options.gpu_layers
        while True:
            pair, fewer = None, replace(options, gpu_layers=layers)
            try:
                pair = load_pair(target, draft, fewer, stop=stop, report=report, asked=options)
                return cls(pair)
            except ForewordError as error:
                tried = layers
                if pair is not None:
                    pair.free()
                    tried = pair.target.gpu_layers
                is_full = isinstance(error, ContextFailed) and library().can_offload
                if not is_full or tried == 0:
                    raise
                layers = fewer_layers(tried, target)

    def recast_draft(self, options: LoadOptions, report: Report) -> None:
        """The first time a pair is loaded: try its draft recast, and keep to what is faster."""
        pair, recaster = self.pair, Recaster()
        if pair.draft is None or pair.draft.is_recast or not may_recast(options):
            return
        files = pair.draft.path, pair.target.path
        told = "Recasting the draft for this processor, once"
        copy = recaster.untried(*files, lambda: report(1.0, told))
        if copy is None:
            return
        before = costs.measure(self.lane, costs.GUESS_WIDTHS)
        paid = self._take_draft(options, copy) and pays(
            before, costs.measure(self.lane, costs.GUESS_WIDTHS)
        )
        if not paid:
            self._take_draft(options, None)
        recaster.settle(*files, paid=paid)

    def distrust_copy(self) -> None:
        """Have a recast draft made anew at the next load."""
        if self.pair.draft is not None:
            Recaster().distrust(self.pair.draft.path, self.pair.target.path)

    def _take_draft(self, options: LoadOptions, weights: Path | None) -> bool:
        """Load the draft again, from these ``weights`` or its own; whether from these."""
        pair = self.pair
        assert pair.draft is not None
        assert self.lane.draft is not None
        path = pair.draft.path
        self.lane.draft.free()
        pair.draft.free()
        pair.draft = load_draft(path, options, weights=weights)
        self.lane.draft = pair.draft_context()
        self.lane.draft.warm_up()
        return pair.draft.is_recast

    def choose_gamma(self, options: LoadOptions, report: Report) -> None:
        """As this pair's tuning found, where one is stored; else time both models and guess."""
        if self.pair.draft is None:
            return
        if not options.exact:  # whose passes are dearer than those that were tuned
            self.key = tuning_key(self.pair, options, self.limit)
            found, note = tunings.find(self.key, tuning_versions(self.pair))
            if found:
                self.adopt(found)
                return
            self.pair.notes += [note] if note else []
        report(1.0, "Timing both models")
        self.costs = costs.measure(self.lane, costs.GUESS_WIDTHS)
        self.gamma = costs.guess_gamma(self.costs)

    def adopt(self, record: tunings.Record) -> None:
        """Go by this tuning from the next reply on, its number of threads included."""
        self.tuning, self.gamma = record, record.gamma
        passes = dict(enumerate(record.passes, start=1))
        self.costs = costs.Costs(record.draft_step, passes, record.catch_up)
        self.pair.context = replace(self.pair.context, threads=record.threads)
        for context in (self.lane.target, self.lane.draft):
            if context is not None:
                context.set_threads(record.threads)

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
        gamma = self._own_gamma(options) if options.gamma is None else options.gamma
        return replace(options, rule=rule, seed=seed, gamma=gamma if self.pair.draft else 0)

    def _own_gamma(self, options: ReplyOptions) -> int:
        """The engine's γ for replies of this temperature."""
        if self.tuning is None:
            return self.gamma
        return self.tuning.gamma_at(tunings.temperature_of(options.sampling))

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
        stream.finish(cut=end in (End.STOPPED, End.LENGTH))
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


def tuning_key(pair: Pair, options: LoadOptions, limit: int) -> tunings.Key:
    """What a tuning of this pair, loaded so, holds for. Reads a part of both files."""
    assert pair.draft is not None
    return tunings.Key(
        target=tunings.identity(pair.target.path),
        draft=tunings.identity(pair.draft.path),
        devices=tuple(pair.devices),
        layers=(pair.target.gpu_layers, pair.draft.gpu_layers),
        threads=pair.context.threads,
        is_auto=options.threads == 0,
        n_ctx=limit,
        recast=pair.draft.is_recast,
    )


def tuning_versions(pair: Pair) -> tunings.Versions:
    """Those that time passes of this pair now."""
    on_gpu = library().can_offload and pair.target.gpu_layers != 0
    return tunings.versions(library().version, on_gpu=on_gpu)
