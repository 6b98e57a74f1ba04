"""What the drafts so far say of the next ones, at γ that were tried and at γ that were not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.outlook import Outlook
from engine.speedup import independent_survival
from engine.stats import Figures
from tests.support.conversations import mixed_survival, reply, true_speed_up
from tests.support.tuned import CPU

SURVIVAL = mixed_survival([0.93, 0.8, 0.65])


def heard(alphas: list[float], gamma: int = 3) -> Outlook:
    random, outlook = Random(1), Outlook(CPU, SURVIVAL)
    for alpha in alphas:
        outlook.count(reply(random, CPU, gamma, alpha))
    return outlook


def test_before_anything_is_counted_it_expects_what_was_tuned() -> None:
    outlook = Outlook(CPU, SURVIVAL)
    for gamma in outlook.gammas:
        assert outlook.speed_up(gamma) == pytest.approx(CPU.speed_up(SURVIVAL[:gamma]), rel=1e-3)
    assert outlook.weight == 0


@pytest.mark.parametrize("alpha", [0.5, 0.65, 0.8, 0.93])
def test_a_steady_conversation_is_soon_known_at_every_gamma(alpha: float) -> None:
    outlook = heard([alpha] * 8)
    assert outlook.likeness > 0.6
    for gamma in (1, 2, 3):
        true = CPU.speed_up(independent_survival(alpha, gamma))
        assert outlook.present(gamma) == pytest.approx(true, rel=0.06)
        assert outlook.present(gamma, -3) < true < outlook.present(gamma, 3)
    deep = CPU.speed_up(independent_survival(alpha, 7))  # a γ that was never tried
    assert outlook.present(7, -3) < deep < outlook.present(7, 3)


def test_the_more_is_counted_the_narrower_is_the_band() -> None:
    bands = [heard([0.8] * replies).gain(3, 0, 1.645) for replies in (0, 1, 8)]
    widths = [band.high - band.low for band in bands]
    assert widths == sorted(widths, reverse=True)
    assert all(band.low < band.mean < band.high for band in bands)


def test_what_was_counted_long_ago_says_little() -> None:
    outlook = heard([0.3] * 6)
    before = outlook.present(3)
    outlook.age(3000)
    assert outlook.weight < 0.1
    assert outlook.present(3) > before
    assert outlook.present(3) == pytest.approx(outlook.usual(3), rel=0.02)


def test_a_conversation_that_changes_from_reply_to_reply_is_not_taken_for_steady() -> None:
    expected = heard([0.95, 0.3] * 6).speed_up(3)
    assert expected == pytest.approx(true_speed_up(CPU, [0.95, 0.3], 3), rel=0.2)
    steady, changed = heard([0.95] * 8), heard([0.95] * 8 + [0.3])
    assert changed.likeness < 0.5 < 0.9 < steady.likeness


def test_nothing_but_passes_and_nothing_but_rejections_are_believed_in_measure() -> None:
    always, never = heard([1.0] * 10), heard([0.0] * 10)
    assert always.present(3) <= CPU.speed_up([1.0] * 3)
    assert never.present(3) < 0.6
    assert never.best() == 0


def test_a_shorter_pace_or_curve_limits_what_it_speaks_about() -> None:
    short = Outlook(replace(CPU, passes=CPU.passes[:6]), SURVIVAL)
    assert list(short.gammas) == list(range(6))
    assert list(Outlook(CPU, ()).gammas) == [0]
    assert short.best() in short.gammas
    assert Outlook(CPU, ()).best() == 0


def test_deeper_places_than_it_knows_are_left_out() -> None:
    outlook = Outlook(CPU, SURVIVAL[:2])
    outlook.count(reply(Random(2), CPU, 7, 0.8))
    assert list(outlook.gammas) == [0, 1, 2]
    assert outlook.weight > 0


def test_an_empty_reply_says_nothing() -> None:
    outlook = heard([0.8])
    before = outlook.speed_up(3)
    outlook.count(Figures())
    assert outlook.speed_up(3) == pytest.approx(before, rel=1e-6)
