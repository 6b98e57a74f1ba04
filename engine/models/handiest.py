"""Which model at hand a machine had best have as its target, before anybody has chosen one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.machine import Machine
from engine.models.fits import room_usually
from engine.models.local import LocalModel
from engine.models.suits import is_quick

_LOOKED_AT = 12
"""Models whose drafts are judged, so that hundreds of models take no longer than a dozen."""

Judge = Callable[[LocalModel], LocalModel | None]
"""The draft that helps a target most; None where none helps it."""


def best_target(
    models: Iterable[LocalModel],
    machine: Machine,
    *,
    fits: Callable[[int], bool],
    best_draft: Judge,
) -> LocalModel | None:
    """The largest target that fits, writes at a pace to read along and has a draft that helps.

    Where there is none such, the smallest that fits with its draft; then the largest that fits
    alone at such a pace; then the smallest of all. None where no model can be used.

    ``fits``: whether models of so many bytes have room in memory.
    """
    usable = sorted((model for model in models if model.ok), key=lambda model: model.size)
    fitting = [model for model in usable if fits(model.size)]
    on_gpu = room_usually(machine).gpu

    def is_pleasant(model: LocalModel) -> bool:
        return is_quick(model.size, machine, on_gpu=model.size <= on_gpu)

    quick = [model for model in reversed(fitting) if is_pleasant(model)]
    slow = [model for model in fitting if not is_pleasant(model)]
    for target in [*quick, *slow][:_LOOKED_AT]:
        draft = best_draft(target)
        if draft is not None and fits(target.size + draft.size):
            return target
    return next(iter([*quick, *fitting, *usable]), None)
