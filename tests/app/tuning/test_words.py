"""γ in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.tuning import words
from app.tuning.advising import Choice, Why
from app.tuning.reading import Reading
from engine.advice import Advice
from engine.tunings import EVERYDAY
from tests.support.tuned import RECORD

ADVICE = Advice(gamma=3, gain=0.1234, low=0.049, high=0.2, tested=240)


def test_advice_says_how_much_in_whole_per_cent() -> None:
    assert words.advised(ADVICE) == "γ = 3 would be about 12\u00a0% faster for this conversation"
    plain = words.advised(replace(ADVICE, gamma=0))
    assert plain.startswith("Plain decoding would be about 12\u00a0% faster")


def test_its_interval_says_how_sure_that_is_and_from_what() -> None:
    said = words.interval(ADVICE)
    assert said.startswith("Between 5.0\u00a0% and 20\u00a0%, nine times in ten, from 240 tokens")
    assert "Between 0\u00a0%" in words.interval(replace(ADVICE, low=-0.03))


@pytest.mark.parametrize("why", Why)
def test_auto_has_a_reason_for_every_choice(why: Why) -> None:
    gamma = 0 if why is Why.PLAIN else 4
    choice = Choice(gamma, why, before=2, speed_up=1.31, tested=210, accepted=0.84)
    said = words.reason(choice)
    assert said.startswith("γ 0" if why is Why.PLAIN else "γ\u00a04")
    assert said.endswith(".")
    if why in (Why.KEPT, Why.CHANGED):
        assert "84\u00a0% of 210 tokens" in said
        assert "1.31×" in said
    assert ("γ 2" in said) == (why is Why.CHANGED)


def test_where_plain_is_best_the_summary_says_so() -> None:
    curves = tuple(replace(curve, gamma=0) for curve in RECORD.curves)
    unsure = replace(RECORD, gamma=0, curves=curves)
    said = words.summary(Reading(unsure, 0.7, 3))
    assert said.startswith("Plain decoding is best for all kinds: what drafting promises is not")
    slower = tuple(replace(curve, speed_up=(1.0, *[0.9] * 16)) for curve in curves)
    plain = replace(unsure, curves=slower)
    assert words.summary(Reading(plain, 0.7, 3)) == "Plain decoding is best for all kinds."


def test_that_one_more_token_would_cost_is_said_only_at_the_top_of_the_curve() -> None:
    best = RECORD.gamma
    assert "One more drafted token would cost" in words.summary(Reading(RECORD, 0.7, best))
    curves = tuple(
        replace(c, speed_up=(*c.speed_up[: best + 1], *[9.0] * (16 - best))) for c in RECORD.curves
    )
    said = words.summary(Reading(replace(RECORD, curves=curves), 0.7, best))
    assert "One more" not in said
    assert "Another one promises more, but less surely, or did not keep it." in said


def test_a_gain_that_may_be_none_is_said_to_be_so() -> None:
    curves = tuple(replace(curve, low=(1.0, *[0.97] * 16)) for curve in RECORD.curves)
    doubtful = words.summary(Reading(replace(RECORD, curves=curves), 0.7, 8))
    assert "It may be no faster: nine times in ten it is 0.97× to 1.34×. In force" in doubtful
    assert "no faster" not in words.summary(Reading(RECORD, 0.7, 8))


def test_the_gamma_in_force_is_named_where_it_is_not_the_best() -> None:
    assert "In force" not in words.summary(Reading(RECORD, 0.7, RECORD.gamma))
    assert "In force is γ\u00a08" in words.summary(Reading(RECORD, 0.7, 8))


def test_kinds_of_text_have_names() -> None:
    assert words.kind(EVERYDAY) == "all kinds"
    assert words.kind("code") == "code"


def test_a_date_that_is_none_costs_no_more_than_itself() -> None:
    assert words.measured_at(replace(RECORD, at="some time")).endswith("in 84.2\u00a0s.")
