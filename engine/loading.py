"""A pair in memory: both models, a lane to decode with, and whether the draft may serve."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine import machine
from engine.decoding import Lane
from engine.errors import ContextFailed, ForewordError, LoadCancelled, LoadFailed
from engine.llama.context import (
    CHUNK,
    DRAFT_CHUNK,
    GPU_CHUNK,
    MAX_GAMMA,
    Context,
    ContextOptions,
    StopFlag,
    can_rewind,
)
from engine.llama.library import library
from engine.llama.model import ALL_LAYERS, Model
from engine.memory import Judgement, judge
from engine.models.header import read_header
from engine.models.needs import Plan, copied_types
from engine.models.shape import shape_at
from engine.pairing import Verdict, VocabularyFacts, verdict
from engine.recast import Recaster

Report = Callable[[float, str], bool]
"""Told the fraction done and what is being done; answers False to cancel."""

NO_DRAFT = Verdict(ok=False, code="no-draft", reason="no draft is chosen")


@dataclass(frozen=True)
class LoadOptions:
    """``n_ctx`` in tokens; ``threads`` 0: the performance cores; ``gpu_layers`` -1: all that fit;
    ``exact``: kernels that round alike at widths 1 to 6 (see docs/speculative-decoding.md);
    ``recast``: whether a draft may be rounded anew for this processor (recast.py).
    """

    n_ctx: int = 4096
    threads: int = 0
    gpu_layers: int = ALL_LAYERS
    exact: bool = False
    recast: bool = True


@dataclass
class Pair:
    """A loaded target and, where it may serve, its draft. ``notes``: sentences for the user."""

    target: Model
    draft: Model | None
    verdict: Verdict
    context: ContextOptions
    stop: StopFlag
    notes: list[str] = field(default_factory=list)

    def lane(self, *, speculative: bool = True) -> Lane:
        """New contexts over the shared weights, every buffer at its final size.

        Raises ContextFailed for want of memory, Stopped where the flag is up.
        """
        drafting = speculative and self.draft is not None
        lane = Lane(
            Context(self.target, self.context if drafting else _single(self.context), self.stop)
        )
        try:
            if drafting:
                lane.draft = self.draft_context()
            lane.warm_up()
        except ForewordError:
            lane.free()
            raise
        return lane

    def draft_context(self) -> Context:
        """A memory for the draft. Raises ContextFailed."""
        assert self.draft is not None
        return Context(self.draft, _drafting(self.context), self.stop)

    @property
    def devices(self) -> list[str]:
        """The devices that compute, by name."""
        return device_names(self.target.gpu_layers)

    def free(self) -> None:
        """Give the weights back; every lane first."""
        if self.draft is not None:
            self.draft.free()
        self.target.free()


def _single(options: ContextOptions) -> ContextOptions:
    """For passes that return one row, as plain decoding's do."""
    return replace(options, outputs=1)


def _drafting(options: ContextOptions) -> ContextOptions:
    """For a draft, whose share of the reading is small."""
    chunk = DRAFT_CHUNK if options.chunk == CHUNK else options.chunk
    return replace(_single(options), chunk=chunk)


def device_names(gpu_layers: int) -> list[str]:
    """Names of the GPUs in use, else of the CPU."""
    devices = library().devices()
    used = [d for d in devices if d.is_gpu and gpu_layers] or [
        d for d in devices if d.kind == "cpu"
    ]
    return [f"{device.name} ({device.description})" for device in used]


def load_pair(
    target: Path,
    draft: Path | None,
    options: LoadOptions,
    *,
    stop: StopFlag | None = None,
    report: Report = lambda _fraction, _what: True,
    asked: LoadOptions | None = None,
) -> Pair:
    """Load both models and find out whether they may work together, before a word is generated.

    A draft that may not serve, or cannot be loaded, leaves a pair whose verdict says why: plain
    decoding works. ``asked``: what the user asked for, where ``options`` already ask for less.
    Raises the target's own errors, ModelTooLarge and ContextTooLarge for want of memory,
    LoadCancelled, and ContextFailed where a GPU is full.
    """
    asked = asked or options
    wanted = read_header(target).vocabulary()
    ruling, facts = (NO_DRAFT, None) if draft is None else _first_verdict(wanted, draft)
    del wanted  # 152,000 texts
    judged = _judged(target, draft if ruling.ok else None, options)
    if judged.draft is not None:
        ruling, facts = judged.draft, None
    share = 0.7 if ruling.ok else 1.0
    model = _load(target, options, _part(report, 0.0, share, f"Loading {target.name}"))
    context = ContextOptions(
        n_ctx=min(options.n_ctx, model.trained_context or options.n_ctx),
        threads=options.threads or machine.threads(),
        chunk=GPU_CHUNK if model.gpu_layers else CHUNK,
        rewindable=MAX_GAMMA + 1 if model.recurrent else 0,
    )
    context = context.exact() if options.exact else context
    pair = Pair(model, None, ruling, context, StopFlag() if stop is None else stop)
    pair.notes.extend(judged.notes)
    if context.n_ctx < options.n_ctx:
        pair.notes.append(
            f"The context is {context.n_ctx:,} tokens, the most this model was made for."
        )
    _note_layers(pair, model, asked)
    if draft is not None and facts is not None:
        # The headers leave some rules to llama.cpp, which has now read both files.
        pair.verdict = verdict(model.vocabulary.facts(), facts)
    if draft is not None and pair.verdict.ok:
        try:
            said = _part(report, share, 1.0, f"Loading {draft.name}")
            _add_draft(pair, draft, options, said, asked)
        except ForewordError:
            pair.free()
            raise
    return pair


def _first_verdict(target: VocabularyFacts, draft: Path) -> tuple[Verdict, VocabularyFacts | None]:
    """From the two headers alone: no weights are loaded for a draft that cannot serve.

    Where it can, llama.cpp's own reading of its vocabulary comes too.
    """
    try:
        ruling = verdict(target, read_header(draft).vocabulary())
        return ruling, Model.facts(draft) if ruling.ok else None
    except ForewordError as error:
        return Verdict(ok=False, code=error.code, reason=error.sentence), None


def _judged(target: Path, draft: Path | None, options: LoadOptions) -> Judgement:
    """Whether there is memory for both, before anything is loaded. Raises where not for one."""
    found, most = library(), read_header(target).context_length
    plan = Plan(
        n_ctx=min(options.n_ctx, most or options.n_ctx),
        gpu_layers=options.gpu_layers if found.can_offload else 0,
        copied=copied_types(() if options.exact else found.features),
        small_cache=options.exact,
    )
    shapes = [shape_at(path) for path in (target, draft) if path is not None]
    shared = any(device.is_gpu and device.shares_memory for device in found.devices())
    return judge(target, shapes, plan, shared=shared)


def _load(
    path: Path, options: LoadOptions, report: Callable[[float], bool], *, words: bool = True
) -> Model:
    """The model with as many layers on the GPU as fit: all, or fewer by quarters."""
    layers, repack = options.gpu_layers, not options.exact
    while True:
        try:
            return Model.load(path, gpu_layers=layers, repack=repack, words=words, progress=report)
        except LoadFailed:
            if layers == 0 or not library().can_offload:
                raise
            layers = fewer_layers(layers, path)


def load_draft(
    path: Path,
    options: LoadOptions,
    report: Callable[[float], bool] = lambda _fraction: True,
    weights: Path | None = None,
) -> Model:
    """The draft at ``path``; with the ``weights`` of its recast copy, where they can be read."""
    if weights is not None:
        try:
            model = _load(weights, options, report, words=False)
        except LoadCancelled:
            raise
        except ForewordError:
            with suppress(OSError):
                weights.unlink(missing_ok=True)
        else:
            model.path = path
            return model
    return _load(path, options, report, words=False)


def may_recast(options: LoadOptions) -> bool:
    """Whether the draft computes on the CPU, in whatever format is fastest there."""
    offloads = library().can_offload and options.gpu_layers != 0
    return options.recast and not options.exact and not offloads


def _settled(pair: Pair, draft: Path, options: LoadOptions) -> Path | None:
    return Recaster().settled(draft, pair.target.path) if may_recast(options) else None


def fewer_layers(layers: int, path: Path) -> int:
    """How many to try on the GPU after ``layers`` (negative: all) did not fit."""
    every = read_header(path).block_count or 0
    return (every if layers < 0 else layers) * 3 // 4


def _note_layers(pair: Pair, model: Model, options: LoadOptions) -> None:
    wanted = model.layers if options.gpu_layers < 0 else min(options.gpu_layers, model.layers)
    if library().can_offload and 0 <= model.gpu_layers < wanted:
        pair.notes.append(
            f"{model.gpu_layers} of {model.layers} layers of {model.path.name} are on the GPU: "
            "its memory does not hold more."
        )


def _add_draft(
    pair: Pair,
    path: Path,
    options: LoadOptions,
    report: Callable[[float], bool],
    asked: LoadOptions,
) -> None:
    try:
        draft = load_draft(path, options, report, _settled(pair, path, options))
    except LoadCancelled:
        raise
    except ForewordError as error:
        pair.verdict = Verdict(ok=False, code="draft-failed", reason=error.sentence)
        return
    pair.draft = draft
    pair.verdict = _rewinding_verdict(pair, draft)
    if pair.verdict.ok:
        _note_layers(pair, draft, asked)
    else:
        draft.free()
        pair.draft = None


def _rewinding_verdict(pair: Pair, draft: Model) -> Verdict:
    """Whether both memories rewind: tried in contexts of their own, too small to cost memory.

    Raises ContextFailed where the GPU's is full to that last bit.
    """
    for model, role in ((pair.target, "target"), (draft, "draft")):
        depth = MAX_GAMMA + 1 if model.recurrent else 1
        options = replace(pair.context, n_ctx=256, rewindable=depth if model.recurrent else 0)
        try:
            with Context(model, options, pair.stop) as context:
                able = can_rewind(context, depth, one_by_one=model is draft)
        except ContextFailed as error:
            if pair.target.gpu_layers and library().can_offload:
                raise  # with fewer layers on the GPU there is room for both
            return Verdict(ok=False, code=error.code, reason=error.sentence)
        if not able:
            reason = f"the {role}'s memory ({model.architecture}) cannot take back a rejected token"
            return Verdict(ok=False, code="cannot-rewind", reason=reason)
    return pair.verdict


def _part(report: Report, start: float, end: float, what: str) -> Callable[[float], bool]:
    """A report over one part of the whole."""
    return lambda fraction: report(start + (end - start) * fraction, what)
