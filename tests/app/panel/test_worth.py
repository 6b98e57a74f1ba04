"""What drafting is worth, by hand-made figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.panel.worth import Judgement, Worth, ledger, smaller_gamma, worth
from engine.protocol import Costs, Figures


def figures(**changes: object) -> Figures:
    """100 tokens in 40 rounds and 5 s, of which 2 were drafting and 2.8 checking."""
    given_ = {
        "gamma": 3,
        "tokens": 100,
        "rounds": 40,
        "drafted": 120,
        "accepted": 60,
        "rejected": 30,
        "seconds": 5.0,
        "draft_seconds": 2.0,
        "verify_seconds": 2.8,
        "draft_prompt_seconds": 1.0,
        "tested_by_position": [40, 30, 20],
        "accepted_by_position": [30, 20, 10],
    }
    return Figures(**{**given_, **changes})


def test_speed_up_is_plain_time_per_token_over_speculative() -> None:
    found = worth(figures(), 10.0)
    assert found is not None
    assert found.speed_up == pytest.approx(2.0)
    assert found.saved == pytest.approx(100 * (0.1 - 0.05) - 1.0)
    assert found.break_even == pytest.approx(20)
    assert found.judgement is Judgement.PAYS


def test_a_short_reply_may_lose_although_drafting_is_faster() -> None:
    found = worth(figures(draft_prompt_seconds=9.0), 10.0)
    assert found is not None
    assert found.saved == pytest.approx(-4.0)
    assert found.judgement is Judgement.LATER


def test_slower_is_said_and_never_breaks_even() -> None:
    found = worth(figures(), 22.4)
    assert found is not None
    assert found.judgement is Judgement.COSTS
    assert found.break_even is None
    assert found.saved < 0


@pytest.mark.parametrize("speed_up", [0.971, 1.0, 1.029])
def test_speeds_within_three_per_cent_are_the_same(speed_up: float) -> None:
    assert Worth(speed_up, 0.0, None).judgement is Judgement.SAME


@pytest.mark.parametrize(
    ("given_", "plain"),
    [
        (figures(), None),
        (figures(), 0.0),
        (figures(drafted=0), 10.0),
        (figures(tokens=0), 10.0),
        (figures(seconds=0.0), 10.0),
    ],
)
def test_nothing_is_said_without_both_measurements(given_: Figures, plain: float | None) -> None:
    assert worth(given_, plain) is None


seconds = st.floats(0.0, 100.0)


@given(seconds, seconds, seconds, st.integers(1, 40), st.integers(1, 160), st.floats(0.1, 500))
def test_the_ledger_adds_up(
    draft: float, verify: float, rest: float, rounds: int, tokens: int, plain: float
) -> None:
    given_ = figures(
        rounds=rounds,
        tokens=tokens,
        seconds=draft + verify + rest,
        draft_seconds=draft,
        verify_seconds=verify,
    )
    found = ledger(given_, plain)
    assert found is not None
    parts = found.skipped - found.drafting - found.wider - found.rest
    assert parts == pytest.approx(found.net, abs=1e-6)
    whole = tokens / plain - given_.seconds
    assert found.net * rounds == pytest.approx(whole, abs=1e-4)


def test_the_ledger_without_a_plain_speed_claims_no_saving() -> None:
    found = ledger(figures(), None)
    assert found is not None
    assert found.plain_step is None
    assert found.skipped == 0
    assert found.total == pytest.approx(5.0 / 40)


def test_a_plain_run_has_nothing_to_save() -> None:
    found = ledger(figures(drafted=0), 10.0)
    assert found is not None
    assert found.plain_step is None


def test_there_is_no_ledger_before_the_first_round() -> None:
    assert ledger(Figures(), 10.0) is None


COSTS = Costs(0.01, {1: 0.1, 4: 0.13, 8: 0.4})


def test_a_smaller_gamma_is_advised_where_the_measured_costs_say_so() -> None:
    wide = figures(
        gamma=7,
        tested_by_position=[40, 36, 32, 28, 24, 20, 16],
        accepted_by_position=[36, 32, 28, 24, 20, 16, 12],
    )
    assert smaller_gamma(wide, COSTS) == 3


def test_no_smaller_gamma_is_advised_where_none_would_pay() -> None:
    poor = figures(gamma=7, tested_by_position=[40, 4, 1], accepted_by_position=[4, 1, 0])
    assert smaller_gamma(poor, COSTS) == 0
    assert smaller_gamma(figures(gamma=3), COSTS) == 0
    assert smaller_gamma(figures(gamma=7), None) == 0
    assert smaller_gamma(Figures(), COSTS) == 0
