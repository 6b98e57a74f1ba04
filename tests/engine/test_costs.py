"""What passes cost is measured, and γ begins with a guess from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.costs import (
    GUESS_WIDTHS,
    TUNED_WIDTHS,
    TYPICAL_ALPHA,
    Costs,
    Timings,
    every_width,
    guess_gamma,
    measure,
)
from engine.decoding import Lane
from engine.errors import RewindFailed, Stopped
from engine.llama.context import Context
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


def test_what_only_an_uncommonly_good_draft_would_pay_is_not_guessed() -> None:
    assert guess_gamma(Costs(draft_step=0.4, passes={1: 1.0, 4: 1.6})) == 0
    assert guess_gamma(Costs(draft_step=0.3, passes={1: 1.0, 4: 1.6})) == 3


def test_the_first_pass_of_a_width_is_not_counted(
    lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: set[tuple[bool, int]] = set()

    def timed(context: Context, width: int, _depth: int) -> float:
        which = context is lane.target, width
        seconds = 1.0 if which in made else 100.0
        made.add(which)
        return seconds

    monkeypatch.setattr("engine.costs._pass", timed)
    assert measure(lane, [1, 4], repeats=1) == Costs(1.0, {1: 1.0, 4: 1.0}, 0.0)


def test_off_is_a_guess_too() -> None:
    dear = Costs(draft_step=TYPICAL_ALPHA, passes={1: 1.0, 4: 1.8, 8: 3.0})
    assert guess_gamma(dear) == 0


def test_widths_that_were_timed_are_kept_and_the_others_lie_between() -> None:
    timed = {1: 1.0, 2: 1.1, 3: 1.2, 4: 1.3, 5: 1.5, 8: 1.8, 9: 4.0, 12: 4.3, 13: 4.4, 17: 4.8}
    found = every_width(timed)
    assert list(found) == list(range(1, 18))
    assert all(found[width] == seconds for width, seconds in timed.items())
    assert found[6] == pytest.approx(1.6)
    assert found[7] == pytest.approx(1.7)
    assert found[10] == pytest.approx(4.1)  # behind the step, not on a slope up to it


def test_a_processor_that_does_leftover_rows_one_by_one_shows_the_same_tooth_in_every_group() -> (
    None
):
    def cost(width: int) -> float:
        groups, left = divmod(width, 4)
        return 0.5 + 0.6 * groups + 0.4 * left

    found = every_width({width: cost(width) for width in TUNED_WIDTHS})
    for width in range(1, 18):
        assert found[width] == pytest.approx(cost(width), rel=0.12)
    assert found[7] > found[8]


def test_no_width_is_taken_to_cost_less_than_one_token() -> None:
    # Three rows cost hardly more than four: below the line, and so would every third width be.
    odd = {1: 1.0, 2: 4.0, 3: 0.2, 4: 4.0, 5: 1.0, 8: 1.0, 17: 1.0}
    found = every_width(odd)
    assert found[3] == 0.2  # what was timed is kept
    assert all(found[width] >= 1.0 for width in (6, 7, 9, 10, 11, 12, 13, 14, 15, 16))
    assert found[7] == 1.0


def test_a_pass_over_two_tokens_that_took_less_than_one_costs_nothing_more(lane: Lane) -> None:
    timings = Timings(lane, [1], 16)
    timings.passes[1] += [1.0]
    for two, more in ((0.4, 0.0), (0.7, 0.2)):
        timings.drafting.update({1: [0.5], 2: [two]})
        assert timings.costs().catch_up == pytest.approx(more)


def test_the_guess_counts_what_the_draft_catches_up() -> None:
    costs = Costs(draft_step=0.3, passes={1: 1.0, 4: 1.4})
    assert guess_gamma(costs) == 3
    assert guess_gamma(replace(costs, catch_up=2.0)) == 0


def test_samples_of_every_width_come_sweep_by_sweep(lane: Lane) -> None:
    timings = Timings(lane, [4, 1], 16)
    told = []
    for _sweep in range(3):
        timings.sweep(lambda: told.append(len(lane.target.tokens)))
    assert {width: len(seconds) for width, seconds in timings.passes.items()} == {1: 3, 4: 3}
    assert len(lane.target.tokens) == 16
    assert len(told) >= 12
    timings.forget()
    timings.sweep()
    assert timings.deviations() == [0.0] * 4


def test_passes_are_timed_as_rounds_make_them_with_a_row_for_each_token(
    lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[bool, int, int, int]] = []
    real = Context.decode

    def decode(self: Context, tokens: Sequence[int], *, outputs: int) -> None:
        made.append((self is lane.target, len(self.tokens), len(tokens), outputs))
        real(self, tokens, outputs=outputs)

    timings = Timings(lane, (1, 4, 17), 16)
    timings.fill()
    monkeypatch.setattr(Context, "decode", decode)
    timings.sweep()
    drafting = [(False, 16, 1, 1), (False, 16, 2, 1)]
    assert made == [*drafting, (True, 16, 1, 1), (True, 16, 4, 4), (True, 16, 17, 17)]


def test_what_a_scheduler_adds_to_a_short_pass_is_no_spread(lane: Lane) -> None:
    timings = Timings(lane, [1], 16)
    timings.passes[1] += [0.0001, 0.0001, 0.0005]
    timings.drafting[1] += [1.0, 1.0, 1.5, 1.0]
    assert max(timings.deviations()) == pytest.approx(0.5, rel=0.01)
    assert timings.deviations()[2] == pytest.approx(0.1, abs=0.01)
    # Seven samples: one lies far off, and 0.8 of them do not.
    assert timings.spread() == pytest.approx(0.1, abs=0.01)
    assert timings.spread(1.0) == max(timings.deviations())
    assert timings.spread(0.5) == 0.0


def test_a_memory_that_does_not_rewind_is_never_timed_far_from_its_depth(
    lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_length: int) -> None:
        raise RewindFailed

    monkeypatch.setattr(lane.target, "rewind", refuse)
    timings = Timings(lane, [1, 4, 16], 32)
    deepest = 0
    for _sweep in range(30):
        timings.sweep()
        deepest = max(deepest, len(lane.target.tokens))
    assert deepest <= 32 + 64 + 21
