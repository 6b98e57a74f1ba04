"""Which pair of the catalogue suits a machine best: pure functions over plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from engine.machine import Machine
from engine.models.arriving import size_in_words
from engine.models.catalogue import CatalogueModel, CataloguePair, Purpose
from engine.models.fits import Fit, Step, fit, plan_for, room_usually
from engine.models.needs import ALL_LAYERS

LEAST_RATIO = 8.0
"""Times that a target should be larger than its draft, where memory allows."""

_DISK_KEPT = int(1e9)

_CORE_READS = 8e9
"""Bytes of weights that one core gets through in a second (1.1 GB at 14 tokens/s on two)."""

_MEMORY_GIVES, _UNIFIED_GIVES, _GPU_GIVES = 40e9, 100e9, 300e9
"""Bytes a second that common memories give: two channels of a computer's, the least that Apple
silicon has, and a small graphics card's."""

_COMFORT = 5.0
"""Tokens a second below which waiting for a target's reply is no pleasure."""


@dataclass(frozen=True)
class Recommendation:
    """A pair of the catalogue for a machine.

    ``fit``: how it fits beside the system and other programs; ``quick``: whether its target alone
    would write at a pace to read along; ``disk``: bytes that are missing on the disk, 0 for none.
    """

    pair: CataloguePair
    fit: Fit
    quick: bool
    disk: int

    @property
    def suits(self) -> bool:
        """Both models fit, in memory and on the disk, and the target is quick enough.

        That some layers stay with the processor is no matter, where that is quick enough alone.
        """
        fits = self.fit.ok or self.fit.steps == (Step.FEWER_LAYERS,)
        return fits and self.quick and not self.disk

    @property
    def sentence(self) -> str:
        """How it fits, with every number that speaks against it."""
        parts = [self.fit.sentence]
        if not self.quick and self.fit.plan:
            parts.append("It would write slower than one reads.")
        if self.disk:
            parts.append(f"On the disk, {size_in_words(self.disk)} are missing.")
        return " ".join(parts)


def recommendations(
    pairs: Iterable[CataloguePair],
    machine: Machine,
    *,
    purpose: Purpose | None = None,
    n_ctx: int = 4096,
    here: Callable[[CataloguePair, CatalogueModel], bool] = lambda _pair, _model: False,
) -> list[Recommendation]:
    """All pairs (of one ``purpose``), the best for this machine first, those too large last.

    The best is the largest target that fits with its draft and writes at a pace to read along,
    with a draft of an eighth of it or less where there is one. ``here``: whether a model of a pair
    need not be fetched.
    """
    found = [
        _recommendation(pair, machine, n_ctx, here)
        for pair in pairs
        if purpose is None or pair.purpose is purpose
    ]
    return sorted(found, key=_rank)


def _recommendation(
    pair: CataloguePair,
    machine: Machine,
    n_ctx: int,
    here: Callable[[CataloguePair, CatalogueModel], bool],
) -> Recommendation:
    context = min(n_ctx, pair.target.context, pair.draft.context)
    plan, room = plan_for(machine, context), room_usually(machine)
    missing = sum(model.size for model in (pair.target, pair.draft) if not here(pair, model))
    disk = max(missing + _DISK_KEPT - machine.disk, 0) if missing else 0
    plans = [plan]
    if plan.gpu_layers and not room.shared:  # without a small graphics processor more may fit
        plans.append(replace(plan, gpu_layers=0))
    ways = []
    for each in plans:
        found = fit(pair.target.shape, pair.draft.shape, each, room)
        wholly_on_gpu = found.plan is not None and found.plan.gpu_layers == ALL_LAYERS
        quick = is_quick(pair.target.size, machine, on_gpu=wholly_on_gpu)
        ways.append(Recommendation(pair, found, quick, disk))
    return next((way for way in ways if way.suits), ways[0])


def is_quick(size: int, machine: Machine, *, on_gpu: bool) -> bool:
    """Whether a target of ``size`` bytes alone would write `_COMFORT` tokens a second.

    Each token reads all weights. ``on_gpu``: from the graphics processor's memory, where there is
    one; else some of them come from the computer's, at whose pace all goes.
    """
    gpu = machine.gpu
    if on_gpu and gpu is not None and gpu.kind == "gpu":
        reads = _UNIFIED_GIVES if machine.is_unified else _GPU_GIVES
    else:
        reads = min(machine.cores * _CORE_READS, _MEMORY_GIVES)
    return reads >= _COMFORT * size


def _rank(each: Recommendation) -> tuple[object, ...]:
    pair = each.pair
    if each.suits:
        is_wide = pair.ratio >= LEAST_RATIO
        taste = list(Purpose).index(pair.purpose)
        size = round(math.log(pair.target.parameters), 1)  # 32.7 and 32.8 billion are the same
        return (0, not is_wide, -size, taste, -pair.draft.parameters)
    given = len(each.fit.steps) if each.fit.plan else len(Step) + 1
    return (
        1,
        bool(each.disk),
        given,
        not each.quick,
        pair.target.parameters,
        pair.draft.parameters,
    )
