"""Which pair suits which machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.devices import Device
from engine.machine import Machine
from engine.models.catalogue import Purpose, catalogue
from engine.models.suits import LEAST_RATIO, Recommendation, recommendations

GIB = 2**30
PC, ARM = ("AVX2", "REPACK"), ("NEON", "DOTPROD", "MATMUL_INT8", "REPACK")


def gpu(name: str, gib: float) -> Device:
    total = int(gib * GIB)
    return Device(name, "a graphics processor", "gpu", int(total * 0.97), total)


LAPTOP = Machine(8 * GIB, 4 * GIB, 4, 100 * GIB, (), PC)
COMPUTER = Machine(16 * GIB, 10 * GIB, 8, 100 * GIB, (), PC)
WORKSTATION = Machine(64 * GIB, 50 * GIB, 16, 500 * GIB, (), PC)
GAMER = replace(WORKSTATION, devices=(gpu("CUDA0", 24),))
MAC = Machine(16 * GIB, 9 * GIB, 4, 100 * GIB, (gpu("MTL0", 10.6),), ARM)
LARGE_MAC = Machine(64 * GIB, 48 * GIB, 8, 500 * GIB, (gpu("MTL0", 48),), ARM)
TWO_CORES = Machine(24 * GIB, 20 * GIB, 2, 100 * GIB, (), PC)


def best(machine: Machine, purpose: Purpose | None = None) -> Recommendation:
    return recommendations(catalogue(), machine, purpose=purpose)[0]


@pytest.mark.parametrize(
    ("machine", "least", "most"),
    [
        (LAPTOP, 3e9, 5e9),
        (TWO_CORES, 3e9, 5e9),
        (COMPUTER, 7e9, 13e9),
        (WORKSTATION, 7e9, 13e9),
        (MAC, 7e9, 15e9),
        (GAMER, 27e9, 33e9),
        (LARGE_MAC, 27e9, 33e9),
    ],
    ids=["laptop", "two cores", "computer", "workstation", "mac", "gamer", "large mac"],
)
def test_a_machine_is_given_the_largest_target_that_is_a_pleasure(
    machine: Machine, least: float, most: float
) -> None:
    found = best(machine)
    assert found.suits
    assert least < found.pair.target.parameters < most
    assert found.pair.ratio >= LEAST_RATIO


def test_a_purpose_is_kept_to() -> None:
    assert best(COMPUTER, Purpose.CODE).pair.target.key == "qwen2.5-coder-7b"
    every = recommendations(catalogue(), COMPUTER, purpose=Purpose.CODE)
    assert {each.pair.purpose for each in every} == {Purpose.CODE}


def test_everything_is_listed_the_too_large_last() -> None:
    every = recommendations(catalogue(), LAPTOP)
    assert len(every) == len(catalogue())
    suiting = [each.suits for each in every]
    assert suiting == sorted(suiting, reverse=True)
    assert every[-1].pair.target.key == "llama-3.3-70b"
    assert "Choose a smaller model" in every[-1].sentence


def test_a_target_that_would_crawl_is_not_offered_first() -> None:
    every = {each.pair.target.key: each for each in recommendations(catalogue(), WORKSTATION)}
    assert every["llama-3.3-70b"].fit.ok
    assert not every["llama-3.3-70b"].suits
    assert "slower than one reads" in every["llama-3.3-70b"].sentence


def test_a_machine_too_small_for_all_hears_what_is_missing() -> None:
    tiny = Machine(2 * GIB, 1 * GIB, 2, 100 * GIB, (), PC)
    found = best(tiny)
    assert not found.suits
    assert found.fit.plan is None
    assert found.pair.target.parameters < 2e9
    assert "Choose a smaller model" in found.sentence


def test_a_full_disk_leaves_what_is_there_already() -> None:
    full = replace(COMPUTER, disk=1 * GIB)
    assert not any(each.suits for each in recommendations(catalogue(), full))
    assert "On the disk" in best(full).sentence
    here = recommendations(catalogue(), full, here=lambda _, each: each.key.startswith("qwen2.5-0"))
    assert not any(each.suits for each in here)
    here = recommendations(catalogue(), full, here=lambda _, each: "coder" in each.key)
    assert here[0].pair.target.key == "qwen2.5-coder-7b"


def test_a_context_is_no_longer_than_both_were_made_for() -> None:
    found = recommendations(catalogue(), WORKSTATION, n_ctx=100_000)
    small = next(each for each in found if each.pair.target.key == "smollm2-1.7b")
    assert small.fit.wanted.n_ctx == 8192


@pytest.mark.parametrize("gib", [2, 4, 6, 8, 12, 24])
@pytest.mark.parametrize("machine", [COMPUTER, replace(COMPUTER, memory=32 * GIB, cores=16)])
def test_a_graphics_processor_never_makes_the_recommendation_smaller(
    machine: Machine, gib: float
) -> None:
    without, found = best(machine), best(replace(machine, devices=(gpu("CUDA0", gib),)))
    assert found.suits
    assert found.pair.target.parameters >= without.pair.target.parameters


def test_layers_that_stay_with_the_processor_must_be_quick_there() -> None:
    small = replace(WORKSTATION, devices=(gpu("CUDA0", 4),))
    every = {each.pair.target.key: each for each in recommendations(catalogue(), small)}
    assert not every["llama-3.3-70b"].suits
    assert not every["llama-3.3-70b"].quick


def test_four_gigabytes_are_enough_for_a_pair() -> None:
    assert best(Machine(4 * GIB, 2 * GIB, 4, 100 * GIB, (), PC)).suits
