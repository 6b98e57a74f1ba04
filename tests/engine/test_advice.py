"""Advice is given when it is sure and does not flicker; Auto is never slower than plain by much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, product
from random import Random

import pytest

from engine.advice import ENOUGH, Adviser, Auto, outlook_of
from engine.outlook import Outlook
from engine.speedup import Pace, best_gamma
from engine.stats import Figures
from tests.support.conversations import mixed_survival, reply, true_speed_up
from tests.support.tuned import CPU, STEPS, tuned

ALPHAS = (0.93, 0.8, 0.65)


def advised(alphas: Sequence[float], gamma: int, seed: int = 1) -> list[int | None]:
    """The γ named after each reply of a conversation at ``gamma``."""
    random = Random(seed)
    adviser = Adviser(Outlook(CPU, mixed_survival(ALPHAS)))
    named = []
    for alpha in alphas:
        advice = adviser.heed(reply(random, CPU, gamma, alpha, 64), gamma)
        named.append(advice.gamma if advice else None)
    return named


# Advice ------------------------------------------------------------------------------------------


def test_a_conversation_that_would_gain_is_told_with_its_interval() -> None:
    random, adviser = Random(1), Adviser(Outlook(CPU, mixed_survival(ALPHAS)))
    for _reply in range(6):
        advice = adviser.heed(reply(random, CPU, 1, 0.95), 1)
    assert advice is not None
    assert advice.gamma in (3, 7)
    true = true_speed_up(CPU, [0.95], advice.gamma) / true_speed_up(CPU, [0.95], 1) - 1
    assert 0 < advice.low < advice.gain < advice.high
    assert advice.low < true < advice.high
    assert advice.tested > ENOUGH


def test_plain_decoding_is_advised_where_drafting_costs_time() -> None:
    assert advised([0.3] * 6, 7)[-1] == 0


def test_nothing_is_said_of_a_few_tokens() -> None:
    adviser = Adviser(Outlook(CPU, mixed_survival(ALPHAS)))
    assert adviser.heed(reply(Random(1), CPU, 7, 0.2, 40), 7) is None
    assert adviser.heed(Figures(), 7) is None
    advice = adviser.heed(reply(Random(2), CPU, 7, 0.2, 40), 7)
    assert advice is not None
    assert advice.gamma == 0


def test_nothing_is_said_where_the_best_is_in_use_or_the_gain_is_small() -> None:
    for seed in range(10):
        assert advised([0.85] * 8, 3, seed) == [None] * 8


def test_what_is_first_said_is_sure_and_worth_a_word() -> None:
    said = silent = 0
    for seed, gamma, alpha in product(range(25), (0, 1, 3), (0.6, 0.75, 0.85, 0.95)):
        adviser = Adviser(Outlook(CPU, mixed_survival(ALPHAS)))
        figures = reply(Random(seed), CPU, gamma, alpha, 90)
        advice = adviser.heed(figures, gamma)
        if advice:
            said += 1
            assert advice.tested == figures.accepted + figures.rejected
            assert advice.low > 0
            assert advice.gain >= 0.05
        else:
            silent += 1
    assert min(said, silent) > 20


def test_little_is_not_said_and_what_is_not_worth_it_any_more_is_taken_back() -> None:
    # Passes that cost nearly the same at every width: neighbours of γ differ by a little.
    pace, kinds = Pace(0.02, GPU, catch_up=0.01), (0.95, 0.9, 0.8, 0.7, 0.6, 0.4)
    gains = []
    for seed, gamma in product(range(20), (3, 4)):
        random, adviser = Random(seed), Adviser(Outlook(pace, mixed_survival(ALPHAS)))
        named = None
        for _reply in range(14):
            alpha = random.choice(kinds) if seed % 2 else 0.8
            advice = adviser.heed(reply(random, pace, gamma, alpha, 96), gamma)
            if advice:
                gains.append(advice.gain)
                assert advice.gain >= (0.02 if advice.gamma == named else 0.05)
            named = advice.gamma if advice else None
    assert len(gains) > 20
    assert min(gains) < 0.04  # what was said stays a little longer


def test_a_clearly_better_gamma_takes_the_place_of_the_one_that_was_named() -> None:
    for seed in range(5):
        named = advised([*[0.8] * 4, *[0.98] * 10], 7, seed)
        assert named[3] == 3
        assert named[-1] == 15


def test_what_was_named_does_not_flicker() -> None:
    for seed in range(20):
        named = advised([0.9] * 30, 1, seed)
        changes = sum(a != b for a, b in pairwise(named))
        assert changes <= 2, named


def test_advice_goes_once_it_is_followed() -> None:
    random, adviser = Random(1), Adviser(Outlook(CPU, mixed_survival(ALPHAS)))
    for _reply in range(6):
        advice = adviser.heed(reply(random, CPU, 1, 0.93), 1)
    assert advice is not None
    assert adviser.advice(advice.gamma) is None
    again = adviser.advice(1)
    assert again is not None
    assert again.gamma == advice.gamma


def test_a_gamma_nobody_has_timed_gets_no_advice() -> None:
    adviser = Adviser(Outlook(replace(CPU, passes=CPU.passes[:4]), mixed_survival(ALPHAS)))
    assert adviser.heed(reply(Random(1), CPU, 9, 0.95), 9) is None


def test_an_outlook_begins_with_the_stored_curve() -> None:
    record = tuned()
    outlook, curve = outlook_of(record, 0.7), record.curve()
    assert curve is not None
    assert outlook.usual(16) == pytest.approx(curve.speed_up[16], rel=0.02)
    assert outlook_of(record, 0.0).usual(3) < outlook.usual(3)


# Auto --------------------------------------------------------------------------------------------

GPU = (1, 1.07, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 2.2, 2.3, 2.4, 2.5, 2.6, 2.6, 2.7, 2.7, 2.8)
LINEAR = tuple(1 + 0.9 * i for i in range(17))
KINDS = {
    "starter": (0.93, 0.88, 0.84, 0.80, 0.66, 0.65),
    "high": (0.97, 0.95, 0.93, 0.9, 0.88, 0.85),
    "low": (0.6, 0.55, 0.5, 0.4, 0.3, 0.2),
    "mixed": (0.95, 0.9, 0.7, 0.5, 0.4, 0.3),
}
Order = Callable[[Random, Sequence[float]], list[float]]
ORDERS: dict[str, Order] = {
    "at random": lambda random, kinds: [random.choice(kinds) for _ in range(45)],
    "in turn": lambda _random, kinds: [*kinds] * 8,
    "in blocks": lambda _random, kinds: [kind for kind in kinds for _ in range(8)],
    "the worst only": lambda _random, kinds: [min(kinds)] * 45,
    "the best only": lambda _random, kinds: [max(kinds)] * 45,
}


def written(
    auto: Auto, pace: Pace, kinds: Sequence[float], seed: int, true: Pace | None = None
) -> tuple[float, list[int]]:
    """The speed-up over plain of replies of these kinds, and the γ each was written with.

    ``true``: what passes really cost, where the tuning was wrong about it.
    """
    random, true, seconds, tokens, gammas = Random(seed), true or pace, 0.0, 0, []
    for alpha in kinds:
        gammas.append(auto.gamma)
        figures = reply(random, true, auto.gamma, alpha, max(8, round(random.gauss(128, 40))))
        seconds, tokens = seconds + figures.seconds, tokens + figures.tokens
        auto.learn(figures)
    return tokens * true.plain / seconds, gammas


def auto_for(pace: Pace, kinds: Sequence[float]) -> Auto:
    """As a good tuning of the pair on these kinds makes it."""
    gamma = best_gamma(lambda gamma: true_speed_up(pace, kinds, gamma), pace.gammas)
    return Auto(Outlook(pace, mixed_survival(kinds)), gamma)


@pytest.mark.parametrize("steps", [STEPS, GPU, LINEAR], ids=["cpu", "gpu", "linear"])
@pytest.mark.parametrize("c", [0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("kinds", KINDS)
def test_auto_is_never_slower_than_plain_by_more_than_2_percent(
    steps: tuple[float, ...], c: float, kinds: str
) -> None:
    pace = Pace(c, steps, catch_up=0.02, step=0.01, row=0.003)
    alphas = KINDS[kinds]
    for seed, (name, order) in enumerate(ORDERS.items()):
        auto = auto_for(pace, alphas)
        speed, gammas = written(auto, pace, order(Random(seed), alphas), seed)
        assert speed >= 0.98, (name, speed, gammas)


@pytest.mark.parametrize("kinds", ["starter", "high"])
@pytest.mark.parametrize("c", [0.05, 0.2])
def test_auto_keeps_most_of_what_drafting_gains(kinds: str, c: float) -> None:
    pace, alphas = Pace(c, STEPS, catch_up=0.02), KINDS[kinds]
    gamma = auto_for(pace, alphas).gamma
    fixed = true_speed_up(pace, alphas, gamma)
    for order in ("in turn", "in blocks"):
        speed, _gammas = written(auto_for(pace, alphas), pace, ORDERS[order](Random(1), alphas), 1)
        assert speed > 0.95 * fixed


def test_auto_finds_out_that_a_conversation_gains_although_text_in_general_does_not() -> None:
    pace, alphas = Pace(0.2, STEPS, catch_up=0.02), KINDS["mixed"]
    auto = auto_for(pace, alphas)
    assert auto.gamma == 0
    speed, gammas = written(auto, pace, [0.95] * 60, 3)
    assert speed > 1.1
    assert gammas[-1] >= 3


def test_auto_gives_up_drafting_that_costs_time_after_one_reply() -> None:
    pace, alphas = Pace(0.2, STEPS, catch_up=0.02), KINDS["starter"]
    _speed, gammas = written(auto_for(pace, alphas), pace, [0.2] * 20, 1)
    assert gammas[0] > 0
    assert gammas[1:6] == [0] * 5


def test_auto_comes_back_to_drafting_once_a_conversation_gains_again() -> None:
    pace, alphas = Pace(0.2, STEPS, catch_up=0.02), KINDS["starter"]
    for seed, bad in product(range(8), (0.45, 0.55)):
        auto = auto_for(pace, alphas)
        speed, gammas = written(auto, pace, [*[bad] * 6, *[0.93] * 54], seed)
        assert 0 in gammas[1:8]
        assert all(gammas[-20:]), (seed, bad, gammas)
        assert speed > 1.1


def test_what_a_conversation_showed_long_ago_does_not_shape_its_next_trial() -> None:
    pace, random = Pace(0.2, STEPS, catch_up=0.02), Random(1)
    outlook = Outlook(pace, mixed_survival(KINDS["starter"]))
    auto = Auto(outlook, 3)
    auto.learn(reply(random, pace, 3, 0.5))
    auto.learn(reply(random, pace, 3, 0.5))
    assert auto.gamma == 0
    assert outlook.best() != 3
    while auto.gamma == 0:  # until what was lost is small beside the time so far
        auto.learn(reply(random, pace, 0, 1.0))
    assert outlook.weight < 10
    assert outlook.present(3) == pytest.approx(outlook.usual(3), rel=0.1)
    assert auto.gamma == 3


def test_auto_notices_that_passes_cost_more_than_was_tuned() -> None:
    tuned_pace, alphas = Pace(0.2, STEPS, catch_up=0.02), KINDS["starter"]
    dear = replace(tuned_pace, draft_step=0.6)
    auto = auto_for(tuned_pace, alphas)
    speed, gammas = written(auto, tuned_pace, [*alphas] * 8, 1, true=dear)
    assert sum(gammas[24:]) < sum(gammas[:24])
    assert speed > 0.97


def test_a_reply_of_which_nothing_passed_is_counted_at_all_that_it_cost() -> None:
    pace, random = Pace(0.2, STEPS), Random(1)
    auto = auto_for(pace, KINDS["starter"])
    auto.learn(reply(random, pace, 3, 0.0, 128))  # 2.2 plain tokens' time for each: 154 were lost
    for _reply in range(90):  # a hundredth of these, and a tenth of one, are 129
        auto.learn(reply(random, pace, 0, 1.0, 128))
    assert auto.gamma == 0
    for _reply in range(30):
        auto.learn(reply(random, pace, 0, 1.0, 128))
    assert auto.gamma > 0


def test_auto_does_not_take_a_slower_machine_for_dearer_drafting() -> None:
    pace = Pace(0.2, STEPS, catch_up=0.02)
    slower = Pace(0.32, tuple(1.6 * v for v in STEPS), catch_up=0.032)
    for kinds in ("starter", "high"):
        alphas = KINDS[kinds]
        _speed, gammas = written(auto_for(pace, alphas), pace, [*alphas] * 6, 1, true=slower)
        assert sum(gamma > 0 for gamma in gammas) > 0.8 * len(gammas)
        assert all(gammas[-5:])


@pytest.mark.parametrize("alpha", [0.98, 0.6, 0.4])
@pytest.mark.parametrize(
    "pace",
    [Pace(0.1, STEPS, catch_up=0.02), Pace(0.05, GPU, catch_up=0.02, step=0.01, row=0.003)],
    ids=["cpu", "gpu"],
)
def test_auto_arrives_at_the_gamma_that_suits_the_conversation(pace: Pace, alpha: float) -> None:
    for seed in range(3):
        auto = auto_for(pace, KINDS["starter"])
        written(auto, pace, [alpha] * 15, seed)
        speeds = [true_speed_up(pace, [alpha], gamma) for gamma in pace.gammas]
        assert speeds[auto.gamma] > 0.97 * max(speeds)


def test_auto_stays_with_a_gamma_that_is_as_good_as_its_neighbours() -> None:
    pace, changes = Pace(0.05, GPU, catch_up=0.02, step=0.01, row=0.003), 0
    for seed in range(5):
        _speed, gammas = written(auto_for(pace, KINDS["starter"]), pace, [0.8] * 30, seed)
        changes += sum(a != b for a, b in pairwise(gammas))
    assert changes <= 4  # in 150 replies


def test_auto_is_not_thrown_by_one_reply_during_which_the_machine_slept() -> None:
    pace, alphas, random = Pace(0.2, STEPS, catch_up=0.02), KINDS["high"], Random(1)
    auto = auto_for(pace, alphas)
    gammas = []
    for number in range(40):
        gammas.append(auto.gamma)
        figures = reply(random, pace, auto.gamma, random.choice(alphas))
        auto.learn(replace(figures, seconds=figures.seconds * (100 if number == 9 else 1)))
    assert all(gammas)


def test_auto_is_deterministic() -> None:
    pace, alphas = Pace(0.2, STEPS), KINDS["mixed"]
    runs = [written(auto_for(pace, alphas), pace, [*alphas] * 4, 9) for _ in range(2)]
    assert runs[0] == runs[1]


def test_auto_keeps_its_gamma_over_a_reply_that_wrote_nothing() -> None:
    auto = Auto(Outlook(CPU, mixed_survival(ALPHAS)), 3)
    auto.learn(Figures())
    assert auto.gamma == 3


def test_auto_without_a_curve_writes_plainly() -> None:
    auto = Auto(Outlook(CPU, ()), 5)
    assert auto.gamma == 0
    for _reply in range(5):
        auto.learn(reply(Random(1), CPU, auto.gamma, 0.9))
        assert auto.gamma == 0
