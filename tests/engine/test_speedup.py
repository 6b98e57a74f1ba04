"""What drafting is worth, by the formulas of docs/speculative-decoding.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.speedup import (
    Pace,
    best_gamma,
    break_even,
    expected_tokens,
    independent_survival,
    predicted_speed_up,
    time_saved,
)


def speed_up(alpha: float, c: float, slope: float) -> Callable[[int], float]:
    """S by γ where a target pass costs v = 1 + slope · γ."""

    def predict(gamma: int) -> float:
        survival = independent_survival(alpha, gamma)
        return predicted_speed_up(survival, draft_cost=c, pass_cost=1 + slope * gamma)

    return predict


@pytest.mark.parametrize(
    ("c", "slope", "alpha", "gamma", "value"),
    [
        (0.1, 0.0, 0.6, 3, 1.67),
        (0.1, 0.0, 0.7, 4, 1.98),
        (0.1, 0.0, 0.8, 6, 2.47),
        (0.1, 0.0, 0.9, 10, 3.43),
        (0.1, 0.1, 0.6, 2, 1.40),
        (0.1, 0.1, 0.7, 3, 1.58),
        (0.1, 0.1, 0.8, 4, 1.87),
        (0.1, 0.1, 0.9, 7, 2.37),
        (0.1, 0.25, 0.6, 1, 1.19),
        (0.1, 0.25, 0.7, 2, 1.29),
        (0.1, 0.25, 0.8, 3, 1.44),
        (0.1, 0.25, 0.9, 4, 1.71),
        (0.3, 0.1, 0.6, 1, 1.14),
        (0.3, 0.1, 0.7, 2, 1.22),
        (0.3, 0.1, 0.8, 2, 1.36),
        (0.3, 0.1, 0.9, 4, 1.58),
        (0.3, 0.4, 0.6, 0, 1.0),
        (0.3, 0.4, 0.7, 0, 1.0),
        (0.3, 0.4, 0.8, 1, 1.06),
        (0.3, 0.4, 0.9, 2, 1.13),
    ],
)
def test_the_best_gamma_and_what_it_brings(
    c: float, slope: float, alpha: float, gamma: int, value: float
) -> None:
    predict = speed_up(alpha, c, slope)
    assert best_gamma(predict, range(17)) == gamma
    assert (predict(gamma) if gamma else 1.0) == pytest.approx(value, abs=0.005)


@given(alpha=st.floats(0.01, 0.99), gamma=st.integers(0, 16), c=st.floats(0, 2))
def test_with_equal_chances_it_is_theorem_3_8(alpha: float, gamma: int, c: float) -> None:
    survival = independent_survival(alpha, gamma)
    expected = (1 - alpha ** (gamma + 1)) / (1 - alpha)
    assert expected_tokens(survival) == pytest.approx(expected)
    predicted = predicted_speed_up(survival, draft_cost=c, pass_cost=1)
    assert predicted == pytest.approx(expected / (gamma * c + 1))


def test_plain_decoding_is_as_fast_as_itself() -> None:
    assert expected_tokens([]) == 1
    assert predicted_speed_up([], draft_cost=0.5, pass_cost=1) == 1


def test_a_draft_that_is_always_right_emits_gamma_and_one() -> None:
    assert expected_tokens(independent_survival(1.0, 5)) == 6
    assert expected_tokens(independent_survival(0.0, 5)) == 1


def test_overhead_slows_down() -> None:
    survival = independent_survival(0.8, 3)
    without = predicted_speed_up(survival, draft_cost=0.1, pass_cost=1.2)
    with_it = predicted_speed_up(survival, draft_cost=0.1, pass_cost=1.2, overhead=0.1)
    assert with_it == pytest.approx(without * 1.5 / 1.6)


def test_a_draft_nearly_as_dear_as_its_target_is_slower_than_plain() -> None:
    survival = independent_survival(0.55, 3)
    assert predicted_speed_up(survival, draft_cost=0.9, pass_cost=1.0) < 1
    assert best_gamma(speed_up(0.55, 0.9, 0.0), range(17)) == 0


def test_of_equal_gammas_the_smaller_is_best() -> None:
    assert best_gamma(lambda gamma: 1.5, [3, 7, 1]) == 1
    assert best_gamma(lambda gamma: 1.0, [3, 7, 1]) == 0
    assert best_gamma(lambda gamma: 2.0, []) == 0
    assert best_gamma(lambda gamma: 2.0, [0]) == 0


def test_time_saved_is_negative_where_the_prompt_costs_more_than_the_reply_gains() -> None:
    short = time_saved(plain_token=0.10, token=0.06, tokens=10, draft_prompt=2.0)
    long = time_saved(plain_token=0.10, token=0.06, tokens=100, draft_prompt=2.0)
    assert (short, long) == (pytest.approx(-1.6), pytest.approx(2.0))


def test_a_reply_breaks_even_where_nothing_is_saved() -> None:
    tokens = break_even(plain_token=0.10, token=0.06, draft_prompt=2.0)
    assert tokens == pytest.approx(50)
    assert break_even(plain_token=0.10, token=0.10, draft_prompt=2.0) == math.inf
    assert break_even(plain_token=0.10, token=0.12, draft_prompt=0.0) == math.inf


PACE = Pace(draft_step=0.03, passes=(0.09, 0.13, 0.15, 0.16), catch_up=0.01, step=0.01, row=0.002)


def test_a_pace_predicts_by_the_same_formula() -> None:
    survival = [0.8, 0.7, 0.5]
    spent = 3 * 0.03 + 0.5 * 0.01 + 0.16 + 0.01 + 0.002 * (3 + 2.0)
    assert PACE.plain == pytest.approx(0.1)
    assert PACE.speed_up(survival) == pytest.approx(3.0 * 0.1 / spent)
    assert PACE.seconds(survival) == pytest.approx(spent / 3.0)


def test_plain_decoding_is_as_fast_as_itself_whatever_drafting_was_in_fact() -> None:
    scaled = replace(PACE, scale=0.9)
    assert (scaled.speed_up([]), scaled.seconds([])) == (1.0, pytest.approx(0.1))
    assert scaled.speed_up([0.5]) == pytest.approx(0.9 * PACE.speed_up([0.5]))
    assert list(PACE.gammas) == [0, 1, 2, 3]
