"""What is read off a tuning."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from app.tuning.axes import ticks
from app.tuning.reading import Reading
from engine.tunings import EVERYDAY, Point
from tests.support.tuned import RECORD, STEPS


def test_a_kind_that_was_not_tried_is_read_as_all_together() -> None:
    assert Reading(RECORD, 0.7, 3, "poems").curve.kind == EVERYDAY
    assert Reading(RECORD, 0.7, 3, "code").curve.kind == "code"


def test_the_best_is_the_recommended_one_or_the_kinds_own() -> None:
    assert Reading(RECORD, 0.7, 1).best == RECORD.gamma
    curves = tuple(replace(c, gamma=7) if c.kind == "code" else c for c in RECORD.curves)
    assert Reading(replace(RECORD, curves=curves), 0.7, 1, "code").best == 7
    assert Reading(replace(RECORD, curves=curves), 0.7, 1).best == RECORD.gamma


def test_what_was_tried_on_a_kind_is_shown_with_that_kind() -> None:
    assert Reading(RECORD, 0.7, 1, "code").measured == {3: pytest.approx(1.68)}
    assert Reading(RECORD, 0.7, 1, "story").measured == {}
    assert Reading(RECORD, 0.0, 1, "code").measured == {}


def test_for_all_kinds_what_was_tried_on_one_moves_the_curves_own_point() -> None:
    everyday = Reading(RECORD, 0.7, 1)
    shown = everyday.measured[3] / everyday.curve.speed_up[3]
    assert shown == pytest.approx(1.68 / 1.7)
    scaled = replace(RECORD, scale=0.9)  # which is in the curve, but not in what was foretold
    assert Reading(scaled, 0.7, 1).measured[3] == pytest.approx(everyday.measured[3] / 0.9)


def test_a_sweep_is_shown_in_place_of_the_two_that_were_checked() -> None:
    points = tuple(Point("code", 0.7, gamma, 40, 1.0, 1.1) for gamma in (1, 2))
    assert set(Reading(replace(RECORD, sweep=points), 0.7, 1).measured) == {1, 2}


def test_passes_are_told_in_plain_ones_and_which_were_timed() -> None:
    reading = Reading(RECORD, 0.7, 1)
    assert reading.passes == pytest.approx(STEPS)
    assert reading.spread[4] == pytest.approx((1.6, 1.6))
    assert reading.is_timed(5)
    assert not reading.is_timed(6)


def test_plain_decoding_does_without_the_drafts_cache() -> None:
    reading = Reading(RECORD, 0.7, 1)
    assert reading.caches(0) < reading.caches(1) == reading.caches(16)
    assert reading.buffers(2) > reading.buffers(1)


def test_acceptance_is_known_for_each_kind() -> None:
    survivals = Reading(RECORD, 0.7, 1).survivals
    assert list(survivals) == ["code", "everyday", "story", EVERYDAY]
    assert survivals["code"][2] == pytest.approx(0.93**3, rel=0.01)


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (0.52, 1.7), (0.97, 1.02), (0, 2.27e8), (1.0, 1.0), (-3, 40)]
)
@pytest.mark.parametrize("most", [3, 6])
def test_an_axis_reaches_over_all_of_it_with_few_numbers(
    low: float, high: float, most: int
) -> None:
    found = ticks(low, high, most)
    assert len(found) <= most
    assert found[0] <= low
    assert found[-1] >= high - 1e-6
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    assert len(steps) == 1
