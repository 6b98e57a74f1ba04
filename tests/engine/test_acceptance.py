"""Along a plain reply, what drafting would have done there is exact for every γ at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.acceptance import pooled, walk
from engine.speedup import expected_tokens, independent_survival


def counted(agrees: list[bool], gamma: int) -> float:
    """Tokens per round of a greedy reply, by writing it: begun at each of the first γ + 1 tokens.

    Only whole rounds count, so the reply is to be long.
    """
    tokens = rounds = 0
    for first in range(gamma + 1):
        at = first
        while at + gamma < len(agrees):
            run = next((i for i in range(gamma) if not agrees[at + i]), gamma)
            at += run + 1
            tokens += run + 1
            rounds += 1
    return tokens / rounds


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 0.7, 0.95]), st.integers(1, 16))
def test_a_greedy_reply_is_walked_as_it_would_be_written(
    seed: int, rate: float, gamma: int
) -> None:
    agrees = [bool(x) for x in np.random.default_rng(seed).random(3000) < rate]
    found = walk([[float(x) for x in agrees]], gamma)
    assert found.tokens_per_round == pytest.approx(counted(agrees, gamma), rel=0.01)


def test_every_survival_is_that_of_the_rounds_themselves() -> None:
    # tested at 0, 1 (fails), then 2 on: with γ = 2 rounds begin after each rejection or bonus
    agrees = [1.0, 0.0, 1.0, 1.0, 1.0] * 400
    found = walk([agrees], 2)
    # along 1 0 | 1 1 +1 | the rounds are (1, fail) and (1, 1, bonus): s1 = 1, s2 = 1/2,
    # and where the walk begins elsewhere it comes into the same step at the next rejection
    assert found.survival == pytest.approx((1.0, 0.5), abs=0.01)


def test_a_sampled_reply_is_walked_as_its_chances_say() -> None:
    chances = [0.8] * 5000
    for gamma in (1, 3, 7, 16):
        found = walk([chances], gamma)
        assert found.survival == pytest.approx(independent_survival(0.8, gamma))
        assert found.tokens_per_round == pytest.approx(
            expected_tokens(independent_survival(0.8, gamma))
        )


def test_chances_are_what_drafting_does_on_average() -> None:
    """Against rounds drawn at random along one text, whose chances differ from token to token."""
    noise = np.random.default_rng(5)
    chances, gamma = [*noise.choice([0.2, 0.6, 1.0], 400)], 4
    tokens = rounds = 0
    for _text in range(400):
        at = int(noise.integers(gamma + 1))
        while at + gamma < len(chances):
            run = next((i for i in range(gamma) if noise.random() >= chances[at + i]), gamma)
            at, tokens, rounds = at + run + 1, tokens + run + 1, rounds + 1
    assert walk([chances], gamma).tokens_per_round == pytest.approx(tokens / rounds, rel=0.01)


def test_gamma_0_writes_one_token_a_round_for_certain() -> None:
    found = walk([[1.0, 0.0]], 0)
    assert (found.survival, found.tokens_per_round, found.error) == ((), 1.0, 0.0)


def test_the_error_is_that_of_a_mean_over_the_rounds() -> None:
    noise = np.random.default_rng(3)
    means = [
        walk([[float(x) for x in noise.random(600) < 0.7]], 3).tokens_per_round for _ in range(200)
    ]
    said = walk([[float(x) for x in noise.random(600) < 0.7]], 3).error
    assert said == pytest.approx(float(np.std(means)), rel=0.35)


def test_a_few_rounds_that_all_pass_are_not_certain() -> None:
    assert walk([[1.0] * 12], 3).error > 0.1


def test_a_place_that_no_round_reached_is_taken_to_be_like_the_others() -> None:
    found = walk([[1.0, 0.0, 1.0, 0.0]], 8)
    assert all(s > 0 for s in found.survival[:1])
    assert math.isfinite(found.tokens_per_round)
    assert list(found.survival) == sorted(found.survival, reverse=True)


def test_kinds_together_write_equally_many_tokens() -> None:
    good, bad = walk([[1.0] * 1000], 3), walk([[0.0] * 1000], 3)
    both = pooled([good, bad])
    # 4 tokens take 1 round of the good kind and 4 of the bad: 8 tokens in 5 rounds
    assert both.tokens_per_round == pytest.approx(8 / 5)
    assert both.survival[2] == pytest.approx(1 / 5)
    assert pooled([good]).tokens_per_round == pytest.approx(good.tokens_per_round)
