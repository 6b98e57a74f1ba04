"""What the engine thread does for each request: call the engine, tell how it goes, answer.

Everything here runs on the one thread that calls llama.cpp.
"""

from __future__ import annotations

import logging
import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from engine import costs, protocol, settings, tunings
from engine.chat import Message
from engine.engine import (
    EXACT_GAMMA,
    Comparison,
    Engine,
    Reply,
    ReplyOptions,
    Step,
    Written,
    tuning_versions,
)
from engine.errors import (
    BadSetting,
    BrokenCopy,
    ForewordError,
    LoadCancelled,
    NothingLoaded,
    PairRefused,
    Stopped,
)
from engine.llama.context import CHUNK, StopFlag, common_prefix
from engine.llama.library import library
from engine.llama.model import Model
from engine.loading import LoadOptions
from engine.models.header import read_header
from engine.parting import Parting
from engine.protocol import CHAT, PLAIN, SPECULATIVE
from engine.speedup import break_even, time_saved
from engine.stats import Figures, PromptProgress

log = logging.getLogger(__name__)

_MOST_REPEATS = 1000
_TELL_SECONDS = 0.1  # between two words on how a tuning goes


class Service:
    """At most one loaded pair, and the requests that need it."""

    def __init__(self, flag: StopFlag, tell: Callable[[protocol.Event], None]) -> None:
        """``flag`` ends what runs; ``tell`` takes every event but a request's last."""
        self._flag = flag
        self._tell = tell
        self._engine: Engine | None = None
        self._loaded: protocol.Load | None = None

    def answer(self, request: protocol.Request) -> protocol.Event:
        """Do what is asked, return the event that ends it: a Failed after an error of any kind."""
        name = type(request).__name__
        try:
            event = self._answer(request)
            library().trim()  # what it took for a while; a tenth of a millisecond
            return event
        except ForewordError as error:
            log.info("%s: %s", name, error.detail)
            if isinstance(error, BrokenCopy):
                self._here().distrust_copy()
            return self._failed(protocol.Failed.of(error, request.id), request)
        except Exception as error:  # noqa: BLE001 - the worker outlives whatever a request meets
            # The error's own words may quote a message, so the log gets its kind and place only.
            places = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s met %s\n%s", name, type(error).__name__, places)  # noqa: TRY400
            failed = protocol.Failed.unforeseen(traceback.format_exc(), request.id)
            return self._failed(failed, request)

    def _failed(self, failed: protocol.Failed, request: protocol.Request) -> protocol.Failed:
        """With word of whether a load that failed cost what was loaded before it."""
        is_load = isinstance(request, protocol.Load)
        return replace(failed, unloaded=is_load and self._engine is None)

    def _answer(self, request: protocol.Request) -> protocol.Event:
        match request:
            case protocol.Load():
                return self._load(request)
            case protocol.Chat():
                return self._chat(request)
            case protocol.Compare():
                return self._compare(request)
            case protocol.Measure():
                return self._measure(request)
            case protocol.Tune():
                return self._tune(request)
            case protocol.Count():
                return self._count(request)
            case protocol.Survey():
                found = library()
                return protocol.Surveyed(tuple(found.devices()), found.features, id=request.id)
            case protocol.Unload():
                self._free()
                return protocol.Unloaded(id=request.id)
        raise AssertionError(f"{type(request).__name__} is not for the engine")

    # Loading -----------------------------------------------------------------------------------

    def _load(self, request: protocol.Load) -> protocol.Ready:
        for name in ("n_ctx", "threads", "gpu_layers", "recast"):
            settings.check(name, getattr(request, name))
        read_header(
            Path(request.target)
        ).vocabulary()  # a wrong path must not cost the user what is loaded
        self._free()  # before the new one comes: there is seldom memory for both
        self._engine = self._open(request, request.id)
        self._loaded = request
        ready = _ready(self._engine, request.id)
        log.info("Loaded %s and %s: %s", request.target, request.draft, ready.verdict)
        return ready

    def _open(self, load: protocol.Load, request: int, *, exact: bool = False) -> Engine:
        """The pair that ``load`` names, telling ``request`` how far it is."""

        def report(fraction: float, what: str) -> bool:
            self._tell(protocol.Loading(fraction, what, id=request))
            return not self._flag

        draft = Path(load.draft) if load.draft else None
        options = LoadOptions(load.n_ctx, load.threads, load.gpu_layers, exact, load.recast)
        try:
            return Engine.load(Path(load.target), draft, options, stop=self._flag, report=report)
        except Stopped:  # it came in the middle of a trial pass
            raise LoadCancelled from None

    def _free(self) -> None:
        if self._engine is not None:
            self._engine.free()
            self._engine = self._loaded = None

    def _here(self) -> Engine:
        if self._engine is None:
            raise NothingLoaded
        return self._engine

    # Writing -----------------------------------------------------------------------------------

    def _chat(self, request: protocol.Chat) -> protocol.Done:
        here = self._here()
        options = _options(request.options)
        if request.fresh:
            _forget(here)
        for step in here.reply(_messages(request.messages, here), options):
            self._tell_step(step, CHAT, request.id)
            if isinstance(step, Reply):
                return _done(step, CHAT, request.id)
        raise AssertionError("a reply ends in a Reply")

    def _tell_step(self, step: Step, lane: str, request: int) -> None:
        """Tell one step of a lane; of a finished reply, the text that was held back to the end."""
        if isinstance(step, PromptProgress):
            self._tell(protocol.Prompt(lane, step.done, step.total, id=request))
        elif isinstance(step, Written):
            self._tell(_emitted(step, lane, request))
        elif step.pieces:
            figures = _snapshot(step.figures)
            self._tell(protocol.Emitted(lane, step.pieces, [], [], figures, id=request))

    def _compare(self, request: protocol.Compare) -> protocol.Compared:
        options = _options(request.options)
        with self._comparing(request) as pair:
            if request.exact:
                gamma = pair.gamma if options.gamma is None else options.gamma
                options = replace(options, gamma=min(gamma, EXACT_GAMMA))
            messages = _messages(request.messages, pair)
            return _compared(self._race(pair, messages, options, request.id), pair, request.id)

    @contextmanager
    def _comparing(self, request: protocol.Compare) -> Iterator[Engine]:
        """The pair that is loaded, or for this once a second copy with exact arithmetic.

        Raises PairRefused where the copy has no draft though the pair has one: there is not memory
        for two of everything, say.
        """
        here = self._here()
        if not request.exact:
            # Both lanes read the whole prompt, or their times to a first token would not compare.
            _forget(here)
            yield here
            return
        assert self._loaded is not None
        try:
            copy = self._open(self._loaded, request.id, exact=True)
        except LoadCancelled:
            raise Stopped from None
        try:
            if here.pair.draft is not None and copy.pair.draft is None:
                raise PairRefused(reason=copy.pair.verdict.reason)
            yield copy
        finally:
            copy.free()

    def _race(
        self, pair: Engine, messages: Sequence[Message], options: ReplyOptions, request: int
    ) -> Comparison:
        for told in pair.compare(messages, options):
            if isinstance(told, Comparison):
                return told
            lane, step = told
            self._tell_step(step, lane, request)
            if isinstance(step, Reply):
                self._tell(_done(step, lane, request))
        raise AssertionError("a comparison ends in a Comparison")

    # Measuring ---------------------------------------------------------------------------------

    def _measure(self, request: protocol.Measure) -> protocol.Measured:
        here = self._here()
        if here.lane.draft is None:
            raise PairRefused(reason=here.pair.verdict.reason)
        _check_measure(request, here.limit)
        depth, repeats = request.depth, request.repeats
        found = costs.measure(here.lane, request.widths, depth=depth, repeats=repeats)
        return protocol.Measured(found.draft_step, found.passes, found.catch_up, id=request.id)

    def _tune(self, request: protocol.Tune) -> protocol.Tuned:
        from engine.tune import Plan, tune  # few workers ever tune; a chat does without the memory

        here = self._here()
        if here.key is None:
            raise PairRefused(reason=here.pair.verdict.reason)
        for name, value in vars(request.sampling).items():
            settings.check(name, value)
        plan = Plan(request.sampling, is_quick=request.quick, is_exhaustive=request.exhaustive)
        told = _Seldom(lambda done, what: self._tell(protocol.Tuning(done, what, id=request.id)))
        found = tune(here.pair, here.key, tuning_versions(here.pair), plan, told)
        here.adopt(found)
        return protocol.Tuned(found, _stored(found), id=request.id)

    def _count(self, request: protocol.Count) -> protocol.Counted:
        here = self._here()
        messages = _messages(request.messages, here)
        if not request.listed:
            return protocol.Counted(here.count(messages), here.limit, id=request.id)
        tokens = here.prompter.prompt(messages, limit=here.limit).tokens
        return protocol.Counted(len(tokens), here.limit, tuple(tokens), id=request.id)


def _stored(record: tunings.Record) -> str:
    """Store it for later loads; "", or a sentence where that cannot be."""
    try:
        tunings.keep(record)
    except OSError as error:
        log.warning("The tuning was not stored: %s", error)
        folder, reason = record.key.path.parent, error.strerror or type(error).__name__
        return (
            f"What was found cannot be stored in {folder} ({reason}): "
            "it is in force only until the models are loaded again."
        )
    return ""


class _Seldom:
    """Tells only so often how far something is, and whenever something else begins."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._last = (0.0, "")

    def __call__(self, fraction: float, what: str) -> None:
        now = perf_counter()
        if what != self._last[1] or now - self._last[0] > _TELL_SECONDS:
            self._last = (now, what)
            self._tell(fraction, what)


def _check_measure(request: protocol.Measure, limit: int) -> None:
    widths, most = request.widths, max(request.widths, default=0)
    if not widths or min(widths) < 1 or most > CHUNK:
        allowed = f"one or more numbers from 1 to {CHUNK}"
        raise BadSetting(name="widths", value=list(widths), allowed=allowed)
    if not 0 <= request.depth <= limit - most:
        raise BadSetting(name="depth", value=request.depth, allowed=f"from 0 to {limit - most:,}")
    if not 1 <= request.repeats <= _MOST_REPEATS:
        allowed = f"from 1 to {_MOST_REPEATS:,}"
        raise BadSetting(name="repeats", value=request.repeats, allowed=allowed)


def _forget(pair: Engine) -> None:
    """Empty the memories of the chat's lane."""
    for context in (pair.lane.target, pair.lane.draft):
        if context is not None:
            context.clear()


# What the engine takes -------------------------------------------------------------------------


def _options(options: protocol.Options) -> ReplyOptions:
    """The same as the engine has it. Raises BadSetting for a value that makes no sense."""
    for name, value in (*vars(options).items(), *vars(options.sampling).items()):
        if name in settings.SETTINGS:
            settings.check(name, value)
    if options.variant < 0:
        raise BadSetting(name="variant", value=options.variant, allowed="0 or more")
    return ReplyOptions(**vars(options))


def _messages(messages: Sequence[protocol.Message], pair: Engine) -> list[Message]:
    return [_message(message, pair.pair.target.vocabulary.size) for message in messages]


def _message(message: protocol.Message, size: int) -> Message:
    """Without its tokens where another model wrote it: llama.cpp dies of an id it does not know."""
    known = all(0 <= token < size for token in message.tokens)
    return Message(message.role, message.content, message.tokens if known else ())


# What a front end is told ----------------------------------------------------------------------


def _ready(loaded: Engine, request: int) -> protocol.Ready:
    pair, found = loaded.pair, loaded.costs
    return protocol.Ready(
        target=_model(pair.target),
        draft=_model(pair.draft) if pair.draft else None,
        devices=tuple(pair.devices),
        n_ctx=loaded.limit,
        threads=pair.context.threads,
        gamma=loaded.gamma,
        verdict=pair.verdict,
        notes=tuple(pair.notes),
        costs=protocol.Costs(**vars(found)) if found else None,
        memory=_memory(loaded),
        tuning=loaded.tuning,
        id=request,
    )


def _memory(loaded: Engine) -> protocol.Memory:
    models = [model for model in (loaded.pair.target, loaded.pair.draft) if model is not None]
    contexts = [each for each in (loaded.lane.target, loaded.lane.draft) if each is not None]
    return protocol.Memory(
        weights=sum(model.size for model in models),
        caches=sum(context.cache_bytes for context in contexts),
        buffers=sum(context.buffer_bytes for context in contexts),
    )


def _model(model: Model) -> protocol.ModelInfo:
    return protocol.ModelInfo(
        name=model.name,
        description=model.description,
        path=str(model.path),
        bytes=model.size,
        parameters=model.parameters,
        layers=model.layers,
    )


def _emitted(step: Written, lane: str, request: int) -> protocol.Emitted:
    round_ = step.round
    times = protocol.RoundTimes(
        emitted=len(round_.tokens),
        drafted=round_.drafted,
        seconds=round_.seconds,
        draft_seconds=round_.draft_seconds,
        verify_seconds=round_.verify_seconds,
    )
    figures = _snapshot(step.figures)
    return protocol.Emitted(lane, step.pieces, [*round_.tokens], [times], figures, id=request)


def _snapshot(figures: Figures) -> Figures:
    """The figures as they are now: the engine's own go on counting while these are written."""
    return replace(
        figures,
        tested_by_position=[*figures.tested_by_position],
        accepted_by_position=[*figures.accepted_by_position],
    )


def _done(reply: Reply, lane: str, request: int) -> protocol.Done:
    return protocol.Done(
        lane=lane,
        why=reply.end,
        text=reply.text,
        tokens=tuple(reply.tokens),
        figures=reply.figures,
        seed=reply.seed,
        notes=reply.notes,
        id=request,
    )


def _compared(comparison: Comparison, pair: Engine, request: int) -> protocol.Compared:
    drafting, plain = (comparison.replies[lane] for lane in (SPECULATIVE, PLAIN))
    token, plain_token = _per_token(drafting.figures), _per_token(plain.figures)
    draft_prompt, count = drafting.figures.draft_prompt_seconds, drafting.figures.tokens
    enough = break_even(plain_token=plain_token, token=token, draft_prompt=draft_prompt)
    return protocol.Compared(
        speed_up=comparison.speed_up,
        time_saved=time_saved(
            plain_token=plain_token, token=token, tokens=count, draft_prompt=draft_prompt
        ),
        break_even=_finite(enough),
        same_tokens=common_prefix(drafting.tokens, plain.tokens),
        parting=_parting(comparison.parting, pair) if comparison.parting else None,
        id=request,
    )


def _per_token(figures: Figures) -> float:
    return figures.seconds / figures.tokens if figures.tokens else 0.0


def _parting(parting: Parting, pair: Engine) -> protocol.Parting:
    first, second = (_spelled(token, pair) for token in parting.ids)
    return protocol.Parting(
        index=parting.index,
        ids=parting.ids,
        texts=(first, second),
        p=parting.p,
        gap=_finite(parting.gap),
        at_the_edge=parting.at_the_edge,
    )


def _spelled(token: int, pair: Engine) -> str:
    """What a token adds to the text; how the file writes it where that is nothing."""
    vocabulary = pair.pair.target.vocabulary
    return vocabulary.piece(token).decode(errors="replace") or vocabulary.text(token)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
