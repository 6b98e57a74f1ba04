"""What of a pair fits a machine's memories, and what has to give where it does not.

Pure functions over plain numbers. The order in which things give is fixed, and every step is
told: the draft is left out, then layers leave the graphics processor, then the context is
shortened. Nothing is left out in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.machine import Machine
from engine.models.arriving import size_in_words
from engine.models.needs import ALL_LAYERS, SHORTEST_CONTEXT, Needs, Plan, copied_types, needs
from engine.models.shape import Shape

_KEPT, _KEPT_SHARE = int(3.5e9), 0.25
"""Of the computer's memory, what the system and other programs keep: so much or that share."""

_LEAST_KEPT, _LEAST_KEPT_SHARE = int(1.5e9), 0.5
"""What they keep of a small one: that share, but so much at least."""

_GPU_KEPT, _GPU_KEPT_SHARE = int(0.8e9), 0.07
"""The same of a graphics processor's: for the screen, and for what its driver takes."""

_BESIDE_WEIGHTS, _LEAST_BESIDE = 1.15, 400_000_000
"""What a model takes beyond its file, where nothing but its size is known: caches, buffers."""


class Step(StrEnum):
    """What is given up so that the rest fits."""

    NO_DRAFT = "no-draft"
    FEWER_LAYERS = "fewer-layers"
    SHORTER_CONTEXT = "shorter-context"


@dataclass(frozen=True)
class Room:
    """Bytes that a pair may take: of the computer's own memory, and of the graphics processor's.

    ``shared``: both are one memory, of which ``gpu`` is how much the graphics processor may have.
    """

    host: int
    gpu: int = 0
    shared: bool = False

    def holds(self, found: Needs) -> bool:
        """Whether that fits."""
        own = found.total if self.shared else found.memory
        return own <= self.host and found.gpu.total <= self.gpu


@dataclass(frozen=True)
class Fit:
    """How a pair fits: as asked, with something given up, or not at all.

    Attributes:
        room: What there is.
        asked: What it needs as asked for; ``wanted``: the plan that was asked for.
        plan: The plan that fits, None where none does; ``draft``: whether the draft is in it.
        needs: What that plan needs; of the least plan, where none fits.
        steps: What was given up, in order.
        layers: How many layers the target has, its output counted as one more.
    """

    room: Room
    asked: Needs
    wanted: Plan
    plan: Plan | None
    draft: bool
    needs: Needs
    steps: tuple[Step, ...]
    layers: int

    @property
    def ok(self) -> bool:
        """It fits as asked."""
        return self.plan is not None and not self.steps

    @property
    def sentence(self) -> str:
        """What fits and what does not, with both numbers."""
        return " ".join(_sentences(self))


# Room ------------------------------------------------------------------------------------------


def room_now(machine: Machine) -> Room:
    """What is free at this moment."""
    gpu = machine.gpu
    return Room(machine.free, gpu.memory_free if gpu else 0, machine.is_unified)


def room_usually(machine: Machine) -> Room:
    """What can be had beside the system and other programs: what a choice should go by."""
    small = max(_LEAST_KEPT, int(machine.memory * _LEAST_KEPT_SHARE))
    host = max(machine.memory - max(min(_KEPT, small), int(machine.memory * _KEPT_SHARE)), 0)
    gpu = machine.gpu
    if gpu is None:
        return Room(host)
    kept = 0 if machine.is_unified else max(_GPU_KEPT, int(gpu.memory_total * _GPU_KEPT_SHARE))
    return Room(host, max(gpu.memory_total - kept, 0), machine.is_unified)


def room_wherever(machine: Machine) -> int:
    """Bytes of that in both memories together."""
    room = room_usually(machine)
    return room.host if room.shared else room.host + room.gpu


def needs_roughly(size: int) -> int:
    """Bytes of memory that a model takes of which nothing is known but its files' ``size``."""
    return max(int(size * _BESIDE_WEIGHTS), size + _LEAST_BESIDE)


def fits_roughly(size: int, machine: Machine) -> bool:
    """Whether such a model fits, in whichever memory."""
    return needs_roughly(size) <= room_wherever(machine)


def plan_for(machine: Machine, n_ctx: int) -> Plan:
    """How a pair would be loaded there: on the graphics processor, where there is one."""
    layers = ALL_LAYERS if machine.gpu else 0
    return Plan(n_ctx, layers, copied_types(machine.features))


# Fitting ---------------------------------------------------------------------------------------


def fit(target: Shape, draft: Shape | None, plan: Plan, room: Room) -> Fit:
    """The plan nearest to ``plan`` that fits, and what had to be given up for it."""
    asked = found = needs(target, draft, plan)
    layers, drafts, tried = len(target.layers) + 1, False, plan
    for drafts, tried in _attempts(plan, layers, has_draft=draft is not None):
        found = needs(target, draft if drafts else None, tried)
        if room.holds(found):
            break
    steps = _steps(plan, tried, left_out=draft is not None and not drafts)
    fitting = tried if room.holds(found) else None
    return Fit(room, asked, plan, fitting, drafts and fitting is not None, found, steps, layers)


def _attempts(plan: Plan, layers: int, *, has_draft: bool) -> Iterator[tuple[bool, Plan]]:
    """(with the draft?, plan), in the order in which things give.

    A target that leaves the graphics processor in part may keep its draft: it is the slowest there
    is, and gains most from one.
    """
    for n_ctx in _contexts(plan.n_ctx):
        shorter = replace(plan, n_ctx=n_ctx)
        with_draft = has_draft and n_ctx == plan.n_ctx
        if with_draft:
            yield True, shorter
        yield False, shorter
        for drafts in (True, False) if with_draft else (False,):
            yield from ((drafts, each) for each in _fewer_layers(shorter, layers))


def _fewer_layers(plan: Plan, layers: int) -> Iterator[Plan]:
    most = layers if plan.gpu_layers == ALL_LAYERS else min(plan.gpu_layers, layers)
    return (replace(plan, gpu_layers=count) for count in range(most - 1, -1, -1))


def _contexts(most: int) -> Iterator[int]:
    yield most
    while most > SHORTEST_CONTEXT:
        most = max(most // 2, SHORTEST_CONTEXT)
        yield most


def _steps(asked: Plan, tried: Plan, *, left_out: bool) -> tuple[Step, ...]:
    given = (
        (Step.NO_DRAFT, left_out),
        (Step.FEWER_LAYERS, tried.gpu_layers != asked.gpu_layers),
        (Step.SHORTER_CONTEXT, tried.n_ctx < asked.n_ctx),
    )
    return tuple(step for step, is_given in given if is_given)


def _sentences(found: Fit) -> Iterator[str]:
    if found.ok:
        yield f"It needs {_amounts(found.needs, found.room)}."
        return
    whole = "Both models together need" if Step.NO_DRAFT in found.steps else "It needs"
    yield f"{whole} {_amounts(found.asked, found.room)}."
    if found.plan is None:
        yield (
            f"Even alone and with a context of {SHORTEST_CONTEXT:,} tokens the target needs "
            f"{_amounts(found.needs, found.room)}. Choose a smaller model."
        )
        return
    yield "It fits " + _listed([_given(step, found) for step in found.steps]) + "."


def _given(step: Step, found: Fit) -> str:
    assert found.plan is not None
    if step is Step.NO_DRAFT:
        return "without the draft"
    if step is Step.FEWER_LAYERS:
        return f"with {found.plan.gpu_layers} of {found.layers} layers on the graphics processor"
    return f"with a context of {found.plan.n_ctx:,} tokens"


def _amounts(found: Needs, room: Room) -> str:
    """Both numbers: what is needed, and what there is."""
    if room.shared or not found.gpu.total:
        need = found.total if room.shared else found.memory
        return f"{size_in_words(need)} of memory, and {size_in_words(room.host)} can be had"
    return (
        f"{size_in_words(found.gpu.total)} of the graphics processor's memory, where "
        f"{size_in_words(room.gpu)} can be had, and {size_in_words(found.memory)} of the "
        f"computer's, where {size_in_words(room.host)} can"
    )


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
