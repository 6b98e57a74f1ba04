"""What of a pair fits, and what gives where it does not."""

from __future__ import annotations

from dataclasses import replace

from engine.devices import Device
from engine.machine import Machine
from engine.models.fits import Room, Step, fit, room_now, room_usually
from engine.models.needs import ALL_LAYERS, Plan, needs
from engine.models.shape import Layer, Shape

GIB = 2**30


def with_gpu(name: str, gib: float) -> Machine:
    total = int(gib * GIB)
    gpu = Device(name, "a graphics processor", "gpu", int(total * 0.97), total)
    return Machine(64 * GIB, 50 * GIB, 16, 500 * GIB, (gpu,))


LAPTOP = Machine(8 * GIB, 4 * GIB, 4, 100 * GIB)
GAMER, MAC = with_gpu("CUDA0", 24), with_gpu("MTL0", 48)


# Room --------------------------------------------------------------------------------------------


def test_the_system_keeps_its_part_of_every_memory() -> None:
    assert room_usually(LAPTOP).host < 6 * GIB
    assert room_usually(GAMER).host == 48 * GIB
    assert 20 * GIB < room_usually(GAMER).gpu < 23 * GIB
    assert room_usually(Machine(GIB, GIB, 1, GIB)).host == 0


def test_what_is_free_now_is_asked_for_a_load() -> None:
    assert room_now(GAMER) == Room(50 * GIB, GAMER.devices[0].memory_free)
    assert room_now(MAC) == Room(50 * GIB, MAC.devices[0].memory_free, shared=True)


def test_one_memory_holds_both_sides_together() -> None:
    room = Room(1000, 800, shared=True)
    found = needs(shape(), None, Plan(256, ALL_LAYERS))
    assert Room(found.total, found.gpu.total, shared=True).holds(found)
    assert not Room(found.total - 1, found.gpu.total, shared=True).holds(found)
    assert not room.holds(found)
    assert Room(found.memory, found.gpu.total).holds(found)
    assert not Room(found.memory, found.gpu.total - 1).holds(found)


# What gives --------------------------------------------------------------------------------------


def shape(layers: int = 10, weights: int = 100_000_000) -> Shape:
    layer = Layer(weights, {12: weights}, cache=4096)
    return Shape((layer,) * layers, Layer(weights), Layer(weights), 64, 256, 1000)


TARGET, DRAFT = shape(), shape(2)
ASKED = Plan(8192)


def test_what_fits_is_left_as_asked() -> None:
    whole = needs(TARGET, DRAFT, ASKED).memory
    found = fit(TARGET, DRAFT, ASKED, Room(whole))
    assert found.ok
    assert found.draft
    assert found.plan == ASKED
    assert found.needs == found.asked
    assert found.sentence == "It needs 2.1 GB of memory, and 2.1 GB can be had."


def test_the_draft_gives_first() -> None:
    alone = needs(TARGET, None, ASKED).memory
    found = fit(TARGET, DRAFT, ASKED, Room(alone))
    assert found.steps == (Step.NO_DRAFT,)
    assert (found.draft, found.plan) == (False, ASKED)
    assert "Both models together need 2.1 GB of memory, and 1.6 GB can be had." in found.sentence
    assert "It fits without the draft." in found.sentence


def test_the_context_gives_after_the_draft() -> None:
    shorter = replace(ASKED, n_ctx=2048)
    found = fit(TARGET, DRAFT, ASKED, Room(needs(TARGET, None, shorter).memory))
    assert found.steps == (Step.NO_DRAFT, Step.SHORTER_CONTEXT)
    assert found.plan == shorter
    assert "without the draft and with a context of 2,048 tokens" in found.sentence


def test_a_target_alone_has_no_draft_to_give() -> None:
    shorter = replace(ASKED, n_ctx=2048)
    found = fit(TARGET, None, ASKED, Room(needs(TARGET, None, shorter).memory))
    assert found.steps == (Step.SHORTER_CONTEXT,)
    assert not found.draft


def test_nothing_fits_where_the_shortest_context_does_not() -> None:
    found = fit(TARGET, DRAFT, ASKED, Room(10**9))
    assert found.plan is None
    assert not found.ok
    assert not found.draft
    assert "Even alone and with a context of 1,024 tokens" in found.sentence


def test_on_a_graphics_processor_the_draft_gives_before_layers_do() -> None:
    plan = replace(ASKED, gpu_layers=ALL_LAYERS)
    alone = needs(TARGET, None, plan)
    found = fit(TARGET, DRAFT, plan, Room(10**10, alone.gpu.total))
    assert found.steps == (Step.NO_DRAFT,)
    assert found.plan == plan


def test_a_target_that_is_split_keeps_its_draft_where_there_is_memory() -> None:
    plan = replace(ASKED, gpu_layers=ALL_LAYERS)
    alone = needs(TARGET, None, plan)
    found = fit(TARGET, DRAFT, plan, Room(10**10, alone.gpu.total // 2))
    assert found.steps == (Step.FEWER_LAYERS,)
    assert found.draft
    assert found.plan is not None
    assert 0 < found.plan.gpu_layers < 11
    assert found.needs.gpu.total <= alone.gpu.total // 2
    more = replace(plan, gpu_layers=found.plan.gpu_layers + 1)
    assert needs(TARGET, DRAFT, more).gpu.total > alone.gpu.total // 2
    assert f"{found.plan.gpu_layers} of 11 layers on the graphics processor" in found.sentence


def test_all_three_give_where_they_must() -> None:
    plan = replace(ASKED, gpu_layers=ALL_LAYERS)
    least = needs(TARGET, None, replace(plan, n_ctx=1024, gpu_layers=0))
    found = fit(TARGET, DRAFT, plan, Room(least.memory, 10**7))
    assert found.steps == (Step.NO_DRAFT, Step.FEWER_LAYERS, Step.SHORTER_CONTEXT)
    assert "without the draft, with 0 of 11 layers on the graphics processor and with" in (
        found.sentence
    )
