"""From costs and acceptance to the γ to recommend, which is never far from the best there is."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.acceptance import walk
from engine.costs import TUNED_WIDTHS, every_width
from engine.prediction import Measured, Z, best_two, curves, settled
from engine.speedup import Pace, independent_survival
from engine.tunings import EVERYDAY, Curve
from tests.support.conversations import true_speed_up
from tests.support.tuned import ALPHAS, CPU, STEPS

REPLIES = {kind: [[alpha] * 2000] for kind, alpha in ALPHAS.items()}


def curve_of(pace: Pace = CPU, kind: str = EVERYDAY) -> Curve:
    found = curves(Measured(0.7, pace, REPLIES, 0.02), pace.gammas)
    return next(curve for curve in found if curve.kind == kind)


def test_every_kind_has_a_curve_and_all_together_one() -> None:
    found = curves(Measured(0.7, CPU, REPLIES, 0.02), CPU.gammas)
    assert [curve.kind for curve in found] == ["code", "everyday", "story", EVERYDAY]
    for curve in found:
        assert len(curve.speed_up) == len(curve.tokens_per_round) == len(curve.low) == 17
        assert len(curve.survival) == 16
        assert curve.speed_up[0] == curve.low[0] == curve.high[0] == 1
        assert curve.speed_up[curve.gamma] >= 0.99 * max(curve.speed_up)


@pytest.mark.parametrize("gamma", [1, 3, 8, 16])
def test_predictions_are_the_formula_s(gamma: int) -> None:
    code = curve_of(kind="code")
    survival = independent_survival(ALPHAS["code"], gamma)
    assert code.speed_up[gamma] == pytest.approx(CPU.speed_up(survival), rel=1e-6)
    # all kinds together: the time of as many tokens of each
    assert curve_of().speed_up[gamma] == pytest.approx(
        true_speed_up(CPU, list(ALPHAS.values()), gamma), rel=1e-3
    )


def test_the_band_grows_with_what_is_not_known() -> None:
    sure = curves(Measured(0.7, CPU, REPLIES, 0.01), CPU.gammas)[0]
    unsure = curves(Measured(0.7, CPU, REPLIES, 0.1), CPU.gammas)[0]
    few = curves(Measured(0.7, CPU, {"code": [[0.93] * 30]}, 0.01), CPU.gammas)[0]
    for other in (unsure, few):
        assert other.high[3] - other.low[3] > 2 * (sure.high[3] - sure.low[3])
    for curve in (sure, unsure, few):
        assert 0 <= curve.low[3] < curve.speed_up[3] < curve.high[3]


def test_gamma_0_is_chosen_where_nothing_gains() -> None:
    assert curve_of(replace(CPU, draft_step=0.07)).gamma == 0


def test_plain_decoding_is_chosen_only_where_no_gamma_gains_not_where_the_surest_does_not() -> None:
    # v(2) is steep and v(4) is not: γ = 1 is surely even with plain, γ = 3 gains, less surely.
    steps = (1.0, 1.636, 5.0, 2.578, *[9.0] * 13)
    pace = Pace(0.3, steps)
    curve = curves(Measured(0.0, pace, {"code": [[0.93] * 30]}, 0.0), pace.gammas)[0]
    assert best_two(curve, pace.gammas)[0] == 1
    assert curve.speed_up[1] < 1 < 1.03 < curve.speed_up[3]
    assert curve.gamma == 3


def test_only_a_gamma_whose_pass_was_timed_is_chosen() -> None:
    found = curves(Measured(0.7, CPU, REPLIES, 0.02), (0, 1, 2))
    assert all(curve.gamma in (0, 1, 2) for curve in found)


def test_the_two_that_are_tried_are_the_best_predicted() -> None:
    curve = curve_of()
    first, second = best_two(curve, CPU.gammas)
    others = set(range(1, 17)) - {first, second}
    for better, worse in ((first, second), *((second, other) for other in others)):
        assert curve.speed_up[better] > 0.98 * curve.speed_up[worse]
    assert best_two(curve, (0, 5)) == [5]


def test_a_few_tokens_that_all_passed_recommend_no_long_rounds() -> None:
    steep = replace(CPU, passes=tuple(0.07 * (1 + 0.62 * i) for i in range(17)))
    few = curves(Measured(0.0, steep, {"code": [[1.0] * 20]}, 0.02), steep.gammas)[0]
    assert few.speed_up[16] == max(few.speed_up) > 1
    assert few.gamma < 16


@pytest.mark.parametrize(("tokens", "most"), [(4, 0), (24, 5), (67, 15), (68, 16)])
def test_a_gamma_is_known_once_there_were_some_of_its_rounds(tokens: int, most: int) -> None:
    free = replace(CPU, draft_step=1e-6, passes=(CPU.passes[0],) * 17)
    found = curves(Measured(0.0, free, {"code": [[1.0] * tokens]}, 0.0), free.gammas)[0]
    assert found.gamma == most


def test_of_two_promises_the_surer_is_tried_first_and_of_equals_the_smaller() -> None:
    curve = curve_of()
    speeds = (1.0, 1.5, 1.55, 1.5, *[1.1] * 13)
    unsure = replace(curve, speed_up=speeds, low=(1.0, 1.4, 1.2, 1.4, *[1.0] * 13))
    assert best_two(unsure, CPU.gammas) == [1, 3]
    level = replace(curve, speed_up=(1.2,) * 17, low=(1.1,) * 17)
    assert best_two(level, CPU.gammas) == [1, 2]


def test_the_band_is_that_of_the_rounds_and_of_the_times_and_never_below_zero() -> None:
    replies = {"code": [[0.8] * 300]}
    for times in (0.0, 0.05):
        found = curves(Measured(0.7, CPU, replies, times), CPU.gammas)[0]
        for gamma in (1, 3, 16):
            rounds = walk(replies["code"], gamma)
            doubt = hypot(rounds.error / rounds.tokens_per_round, times)
            speed = found.speed_up[gamma]
            assert found.low[gamma] == pytest.approx(speed * (1 - Z * doubt))
            assert found.high[gamma] == pytest.approx(speed * (1 + Z * doubt))
    wild = curves(Measured(0.7, CPU, replies, 5.0), CPU.gammas)[0]
    assert min(wild.low) == 0.0
    assert wild.high[3] == pytest.approx(2 * wild.speed_up[3])


def test_all_kinds_together_know_longer_rounds_than_each() -> None:
    free = replace(CPU, draft_step=1e-6, passes=(CPU.passes[0],) * 17)
    replies = {kind: [[1.0] * 24] for kind in ("code", "story", "everyday")}
    *kinds, everyday = curves(Measured(0.0, free, replies, 0.0), free.gammas)
    assert [curve.gamma for curve in kinds] == [5, 5, 5]
    assert everyday.gamma == 16


def test_what_was_tried_settles_it() -> None:
    curve = curve_of()
    first, second = best_two(curve, CPU.gammas)
    assert settled(curve, {first: 1.0, second: 1.0}, 1.0) == first
    assert settled(curve, {first: 0.8, second: 1.0}, 1.0) == second
    assert settled(curve, {first: 0.3, second: 0.3}, 1.0) == 0


def chosen(measured: Measured, timed: dict[int, float], true: Pace) -> int:
    """As the tuner does it: the passes of those γ that look best are timed too."""
    for _again in range(3):
        passes = tuple(every_width(timed).values())
        now = replace(measured, pace=replace(measured.pace, passes=passes))
        best = curves(now, range(17))[-1].gamma
        if best + 1 in timed:
            break
        timed[best + 1] = true.passes[best]
    passes = tuple(every_width(timed).values())
    now = replace(measured, pace=replace(measured.pace, passes=passes))
    return curves(now, [width - 1 for width in timed])[-1].gamma


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    c=st.sampled_from([0.03, 0.1, 0.3, 0.5]),
    alpha=st.floats(0.3, 0.97),
    shape=st.sampled_from(["teeth", "cliff", "slope", "flat"]),
)
def test_the_choice_is_within_5_percent_of_the_best(
    seed: int, c: float, alpha: float, shape: str
) -> None:
    steps = {
        "teeth": STEPS,
        "cliff": tuple(1 + 0.04 * i + (i >= 8) * 1.2 for i in range(17)),
        "slope": tuple(1 + 0.3 * i for i in range(17)),
        "flat": tuple(1 + 0.01 * i for i in range(17)),
    }[shape]
    true = Pace(c, steps, catch_up=0.02, step=0.01, row=0.002)
    noise = np.random.default_rng(seed)
    timed = {w: true.passes[w - 1] * float(noise.normal(1, 0.01)) for w in TUNED_WIDTHS}
    measured = Measured(0.0, true, {"code": [[alpha] * 400]}, 0.02)
    speeds = [true.speed_up(independent_survival(alpha, gamma)) for gamma in range(17)]
    assert speeds[chosen(measured, timed, true)] >= 0.95 * max(speeds)
