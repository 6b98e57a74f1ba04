"""Is there memory for a pair? Estimated before anything of it is loaded.

Where there is none the system would end the worker, or everything would crawl. The draft gives
way first: without it the target still chats. A target is refused only where even what cannot be
read from its file again exceeds what is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine import machine
from engine.errors import ContextTooLarge, ModelTooLarge
from engine.models.arriving import size_in_words
from engine.models.needs import SHORTEST_CONTEXT, Needs, Plan, needs
from engine.models.shape import Shape
from engine.pairing import Verdict


@dataclass(frozen=True)
class Judgement:
    """``draft``: why the draft is left out, None where it may stay; ``notes``: for the user."""

    draft: Verdict | None = None
    notes: tuple[str, ...] = ()


def judge(target: Path, shapes: Sequence[Shape], plan: Plan, *, shared: bool = False) -> Judgement:
    """Hold what the target's shape and perhaps the draft's need against what is free.

    ``shared``: the graphics processor computes in the computer's own memory. The memory of any
    other is llama.cpp's to judge: it refuses, where the computer's own is promised without end.

    Raises ModelTooLarge, ContextTooLarge.
    """
    _all, free = machine.memory()
    alone = needs(shapes[0], None, plan)
    if _held(alone, shared) > free:
        raise _too_large(target, shapes[0], plan, shared, free)
    whole = needs(shapes[0], shapes[1], plan) if len(shapes) > 1 else alone
    draft = _left_out(whole, shared, free) if whole is not alone else None
    staying = alone if draft else whole
    if _memory(staying, shared) <= free:
        return Judgement(draft)
    need = size_in_words(_memory(staying, shared))
    note = (
        f"{target.name} needs {need} of memory and {size_in_words(free)} are free: it is read from "
        "the disk again and again, which is slow. Close other programs, or choose a smaller model."
    )
    return Judgement(draft, (note,))


def _left_out(whole: Needs, shared: bool, free: int) -> Verdict | None:
    need = _memory(whole, shared)
    if need <= free:
        return None
    reason = (
        f"both models together need {size_in_words(need)} of memory and {size_in_words(free)} "
        "are free"
    )
    return Verdict(ok=False, code="no-memory", reason=reason)


def _too_large(
    target: Path, shape: Shape, plan: Plan, shared: bool, free: int
) -> ContextTooLarge | ModelTooLarge:
    need = size_in_words(_held(needs(shape, None, plan), shared))
    n_ctx = plan.n_ctx
    while n_ctx > SHORTEST_CONTEXT:
        n_ctx = max(n_ctx // 2, SHORTEST_CONTEXT)
        if _held(needs(shape, None, replace(plan, n_ctx=n_ctx)), shared) <= free:
            return ContextTooLarge(
                n_ctx=plan.n_ctx,
                name=target.name,
                need=need,
                free=size_in_words(free),
                fits=n_ctx,
            )
    return ModelTooLarge(name=target.name, need=need, free=size_in_words(free))


def _memory(found: Needs, shared: bool) -> int:
    return found.total if shared else found.memory


def _held(found: Needs, shared: bool) -> int:
    return found.held + (found.gpu.total if shared else 0)
