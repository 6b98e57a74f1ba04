"""What passes cost is measured, and γ begins with a guess from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.costs import GUESS_WIDTHS, TYPICAL_ALPHA, Costs, guess_gamma, measure
from engine.decoding import Lane
from engine.errors import Stopped
from tests.engine.conftest import EXACT, NewContext, TinyModel


@pytest.fixture
def lane(new_context: NewContext, tiny_model: TinyModel) -> Lane:
    draft = new_context(tiny_model(noise=0.04), replace(EXACT, outputs=1))
    return Lane(new_context(tiny_model()), draft)


def test_costs_are_ratios_to_one_plain_step() -> None:
    costs = Costs(draft_step=0.5, passes={1: 2.0, 4: 3.0})
    assert costs.c == 0.25
    assert costs.v(1) == 1
    assert costs.v(4) == 1.5


def test_every_width_is_measured_and_the_memories_are_left_empty(lane: Lane) -> None:
    assert lane.draft is not None
    lane.target.decode([7, 8], outputs=1)
    costs = measure(lane, [8, 1, 4], repeats=1)
    assert list(costs.passes) == [1, 4, 8]
    assert costs.draft_step > 0
    assert min(costs.passes.values()) > 0
    for context in (lane.target, lane.draft):
        assert context.tokens == []
        assert context.position == 0


def test_a_flag_that_is_up_ends_the_measuring_and_leaves_the_memories_empty(lane: Lane) -> None:
    assert lane.draft is not None
    lane.target.decode([7, 8], outputs=1)
    lane.draft.stop.set()
    with pytest.raises(Stopped):
        measure(lane, GUESS_WIDTHS)
    assert lane.draft.position == 0


def test_the_guess_is_the_best_of_the_measured_widths() -> None:
    cheap = Costs(draft_step=0.02, passes={1: 1.0, 4: 1.1, 8: 1.2})
    assert guess_gamma(cheap) == 7
    steep = Costs(draft_step=0.3, passes={1: 1.0, 4: 1.4, 8: 3.5})
    assert guess_gamma(steep) == 3


def test_off_is_a_guess_too() -> None:
    dear = Costs(draft_step=TYPICAL_ALPHA, passes={1: 1.0, 4: 1.8, 8: 3.0})
    assert guess_gamma(dear) == 0
