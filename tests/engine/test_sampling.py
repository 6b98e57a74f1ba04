"""One row of logits → a law: the same as a slow reference's, and as llama.cpp's own samplers'."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import llama_cpp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.errors import BrokenLogits
from engine.sampling import (
    PENALTY_WINDOW,
    Distribution,
    Row,
    Sampling,
    filtered,
    one_hot,
    residual,
)

OFF = Sampling(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
LARGE = 152_000


# A slow reference --------------------------------------------------------------------------------


def reference(
    row: Row, wanted: Sampling, history: Sequence[int] = (), suppressed: Sequence[int] = ()
) -> dict[int, float]:
    """The law by sorting everything and doing one thing after the other, as llama.cpp does."""
    x = penalised(row, wanted, history)
    x[list(suppressed)] = -np.inf
    x[~np.isfinite(x)] = -np.inf
    order = sorted(range(len(x)), key=lambda i: (-x[i], i))
    if wanted.greedy:
        return {order[0]: 1.0}
    if wanted.top_k > 0:
        order = order[: wanted.top_k]
    chances = np.exp(x[order] - x[order[0]])
    reached = np.cumsum(chances) / chances.sum()
    kept = len(order)
    if wanted.top_p < 1:
        kept = int(np.argmax(reached >= wanted.top_p)) + 1
    if wanted.min_p > 0:
        floor = np.float32(x[order[0]] + math.log(wanted.min_p))
        kept = min(kept, sum(np.float32(x[i]) >= floor for i in order))
    weights = {i: math.exp((x[i] - x[order[0]]) / wanted.temperature) for i in order[:kept]}
    return {i: weight / sum(weights.values()) for i, weight in weights.items()}


def penalised(row: Row, wanted: Sampling, history: Sequence[int]) -> np.ndarray:
    x = row.astype(np.float64)
    for token, count in Counter(history[-PENALTY_WINDOW:]).items():
        if token < len(x):
            repeated = wanted.repetition_penalty
            x[token] = x[token] * repeated if x[token] <= 0 else x[token] / repeated
            x[token] -= count * wanted.frequency_penalty + wanted.presence_penalty
    return x.astype(np.float32).astype(np.float64)  # a logit is single precision throughout


def at_an_edge(row: Row, wanted: Sampling, history: Sequence[int] = ()) -> bool:
    """Whether rounding may decide what top-p keeps."""
    if wanted.top_p == 1:
        return False
    x = penalised(row, wanted, history)
    x = np.sort(x[np.isfinite(x)])[::-1]
    if wanted.top_k > 0:
        x = x[: wanted.top_k]
    if not len(x):
        return False
    chances = np.exp(x - x[0])
    reached = np.cumsum(chances) / chances.sum()
    return bool(np.any(np.abs(reached - wanted.top_p) < 1e-6))


def as_dict(law: Distribution) -> dict[int, float]:
    count = len(law.weights)
    return {law.token(i): float(law.weights[i]) / law.total for i in range(count)}


def assert_same(law: Distribution, expected: dict[int, float]) -> None:
    got = {token: p for token, p in as_dict(law).items() if p > 0}
    expected = {token: p for token, p in expected.items() if p > 1e-38 or p == 1}
    got = {token: p for token, p in got.items() if p > 1e-38 or token in expected}
    assert got.keys() == expected.keys()
    assert [got[token] for token in expected] == pytest.approx(
        list(expected.values()), rel=2e-5, abs=1e-9
    )


def assert_well_formed(law: Distribution) -> None:
    assert law.total > 0
    assert law.total == pytest.approx(float(law.weights.sum(dtype=np.float64)))
    assert np.all(law.weights >= 0)
    assert np.all(np.isfinite(law.weights))
    if law.ids is not None:
        assert len(law.ids) == len(law.weights)
        assert np.all(np.diff(law.ids) > 0)


finite = st.one_of(
    st.floats(-30, 30, width=32),
    st.sampled_from([0.0, 1.0, 1.5, -2.0]),  # equals are likely
)
logits = st.lists(
    st.one_of(finite, finite, finite, st.sampled_from([-math.inf, math.nan, math.inf])),
    min_size=1,
    max_size=40,
)
samplings = st.builds(
    Sampling,
    temperature=st.sampled_from([0.0, 1e-6, 0.1, 0.7, 1.0, 2.0]),
    top_k=st.sampled_from([0, 1, 2, 3, 10, 40, 100]),
    top_p=st.sampled_from([0.01, 0.3, 0.5, 0.9, 0.95, 0.999, 1.0]),
    min_p=st.sampled_from([0.0, 0.001, 0.05, 0.3, 1.0]),
    repetition_penalty=st.sampled_from([1.0, 1.0, 1.1, 1.5, 0.8]),
    presence_penalty=st.sampled_from([0.0, 0.0, 0.5, -0.5]),
    frequency_penalty=st.sampled_from([0.0, 0.0, 0.2, -0.1]),
)


@given(row=logits, wanted=samplings, history=st.lists(st.integers(0, 45), max_size=90))
@settings(max_examples=400)
def test_a_row_gives_the_law_of_the_reference(
    row: list[float], wanted: Sampling, history: list[int]
) -> None:
    values = np.array(row, np.float32)
    assume(np.any(np.isfinite(values)) and not at_an_edge(values, wanted, history))
    law = filtered(values, wanted, history)
    assert_well_formed(law)
    assert_same(law, reference(values, wanted, history))


def large_row(kind: str, size: int) -> Row:
    random = np.random.default_rng(size)
    row = random.normal(0, {"flat": 0.05, "spread": 3.0}.get(kind, 1.0), size)
    if kind == "steps":
        row = np.round(row * 4) / 4  # thousands of equals
    if kind == "peaked":
        row[random.integers(0, size, 20)] += 15
    if kind == "spike in the sample":
        row[::64] += 8  # what is looked at first misleads
    if kind == "equal":
        row[:] = 1.25
    if kind == "half gone":
        row[: size // 2] = -np.inf
    return row.astype(np.float32)


KINDS = ["flat", "spread", "steps", "peaked", "spike in the sample", "equal", "half gone"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [5_000, LARGE])
def test_a_large_vocabulary_gives_the_law_of_the_reference(kind: str, size: int) -> None:
    row = large_row(kind, size)
    order = sorted(range(size), key=lambda i: (-row[i], i))
    chances = np.exp(row[order].astype(np.float64) - float(row[order[0]]))
    cumulative = np.cumsum(chances) / chances.sum()
    for top_p in (0.3, 0.95, 0.9999):
        law = filtered(row, replace(OFF, top_p=top_p))
        count = int(np.searchsorted(cumulative, top_p)) + 1
        assert law.ids is not None
        # Rounding in a sum of thousands may move the edge by a token or two; never what is kept.
        kept = len(law.ids)
        assert kept == pytest.approx(count, abs=2 + 1e-6 * size / max(chances[count - 1], 1e-9))
        assert law.ids.tolist() == sorted(order[:kept])
    for top_k in (1 + 1, 40, 700, 4_999):
        law = filtered(row, replace(OFF, top_k=top_k))
        assert law.ids is not None
        assert law.ids.tolist() == sorted(order[:top_k])
    law = filtered(row, replace(OFF, min_p=0.05))
    assert law.ids is not None
    floor = row[order[0]] + np.float32(math.log(0.05))
    assert law.ids.tolist() == np.flatnonzero(row >= floor).tolist()
    assert_well_formed(law)


@pytest.mark.parametrize("size", [4095, 4096, 4097, 4159, 4160, 70 * 64 + 5, 9000])
@pytest.mark.parametrize("top_k", [2, 40, 63, 64, 65, 141, 2000])
def test_the_top_k_are_found_wherever_they_stand(size: int, top_k: int) -> None:
    random = np.random.default_rng(size + top_k)
    for row in (
        random.integers(0, 40, size).astype(np.float32),  # many equals
        random.standard_normal(size).astype(np.float32),
        np.arange(size, dtype=np.float32),
        np.arange(size, dtype=np.float32)[::-1].copy(),
        np.where(np.arange(size) % (size // 64) == 3, 1, 0).astype(np.float32),  # one column
    ):
        law = filtered(row, replace(OFF, top_k=top_k))
        assert law.ids is not None
        assert law.ids.tolist() == sorted(np.argsort(-row, kind="stable")[:top_k].tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_vocabulary_is_never_sorted(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def watched(function: Any) -> Any:
        def call(array: np.ndarray, *args: Any, **kwargs: Any) -> Any:
            assert len(array) < 100_000, f"{function.__name__} of {len(array)} entries"
            return function(array, *args, **kwargs)

        return call

    for name in ("sort", "argsort", "lexsort", "unique"):
        monkeypatch.setattr(np, name, watched(getattr(np, name)))
    row = large_row(kind, LARGE)
    for wanted in (
        Sampling(),
        OFF,
        replace(OFF, top_k=40),
        replace(OFF, top_p=0.95),
        replace(OFF, top_p=0.9999),
        replace(OFF, min_p=0.05),
        replace(OFF, top_p=0.9, min_p=1e-4),
        replace(OFF, top_k=50_000, top_p=0.5, repetition_penalty=1.2),
    ):
        law = filtered(row, wanted, [1, 2, 3])
        law.draw(0.5)


# Edges -------------------------------------------------------------------------------------------


def test_of_equal_logits_the_lowest_ids_survive() -> None:
    row = np.array([1, 2, 2, 2, 2, 0], np.float32)
    assert as_dict(filtered(row, replace(OFF, top_k=2))).keys() == {1, 2}
    assert filtered(row, replace(OFF, temperature=0)).likeliest == 1
    many = np.random.default_rng(1).integers(0, 3, 1500).astype(np.float32)
    law = filtered(many, replace(OFF, top_p=0.4))
    assert law.ids is not None
    assert law.ids.tolist() == np.flatnonzero(many == 2)[: len(law.ids)].tolist()


def test_top_k_of_the_whole_vocabulary_and_more_filters_nothing() -> None:
    row = np.array([1, 2, 3], np.float32)
    for top_k in (0, 3, 4, 10**9):
        assert_same(filtered(row, replace(OFF, top_k=top_k)), reference(row, OFF))


def test_top_p_takes_its_share_of_what_top_k_left() -> None:
    row = np.array([1, 1.1, 1.2, 1.3, 1.4, 1.5], np.float32)
    law = filtered(row, replace(OFF, top_k=3, top_p=0.5))
    assert as_dict(law).keys() == {4, 5}  # of the whole row's mass it would take three


def test_top_p_that_is_reached_exactly_takes_no_further_token() -> None:
    row = np.zeros(4, np.float32)
    for top_p, kept in ((0.25, 1), (0.5, 2), (0.75, 3)):
        assert as_dict(filtered(row, replace(OFF, top_p=top_p))).keys() == set(range(kept))
    many = np.full(6_000, -1, np.float32)
    many[:1_000] = 0  # too many to be sorted: they are cut by height first
    mass = float(np.exp(many).sum(dtype=np.float64))
    top_p = 1_000 / mass
    assert top_p * mass == 1_000
    law = filtered(many, replace(OFF, top_p=top_p))
    assert law.ids is not None
    assert law.ids.tolist() == list(range(1_000))


def test_top_p_takes_the_last_tokens_that_it_needs_from_far_down() -> None:
    # The first that are looked at hold 2,048 of the 2,049 that are wanted: 99.95 %.
    row = np.full(5_120, -1, np.float32)
    row[:2_048] = 0
    mass = float(np.exp(row).sum(dtype=np.float64))
    law = filtered(row, replace(OFF, top_p=2_049 / mass))
    assert law.ids is not None
    assert law.ids.tolist() == list(range(2_048 + math.ceil(math.e)))


COLD = [1e-2, 1e-4, 1e-10, 1e-30, 1e-38, 1e-40, 1e-310, 5e-324]
"""Temperatures; of the last three 1 ÷ T is more than single precision holds."""


@pytest.mark.parametrize("temperature", COLD)
@pytest.mark.parametrize("top_k", [0, 2])
def test_a_falling_temperature_comes_to_the_greedy_choice(temperature: float, top_k: int) -> None:
    row = np.array([1, 3, 2.5, -np.inf, -3e38], np.float32)
    law = filtered(row, replace(OFF, temperature=temperature, top_k=top_k))
    assert_well_formed(law)
    assert law[1] == pytest.approx(1)
    assert law.draw(1 - 2**-53) == 1


@pytest.mark.parametrize("temperature", COLD)
@pytest.mark.parametrize("top_k", [0, 5])
def test_a_low_temperature_is_no_greedy_one(temperature: float, top_k: int) -> None:
    wanted = replace(OFF, temperature=temperature, top_k=top_k)
    equals = np.array([3, 1, 3, 2.5, -np.inf, 3], np.float32)
    law = filtered(equals, wanted)
    assert [law[token] for token in (0, 2, 5)] == pytest.approx([1 / 3] * 3)
    # Logits apart by as much as the temperature: single precision has the like down to 1e-45.
    gap = np.float32(temperature)
    close = np.array([0, -gap, -200], np.float32)
    ratio = math.exp(-float(gap) / temperature)
    assert filtered(close, wanted)[1] == pytest.approx(ratio / (1 + ratio))


def test_greedy_is_temperature_zero_and_top_k_one() -> None:
    assert replace(OFF, temperature=0).greedy
    assert replace(OFF, temperature=-1).greedy
    assert replace(OFF, top_k=1).greedy
    assert not OFF.greedy
    row = np.array([1, 3, 2], np.float32)
    assert as_dict(filtered(row, replace(OFF, top_k=1))) == {1: 1.0}


@pytest.mark.parametrize("wanted", [OFF, Sampling(), replace(OFF, temperature=0)])
def test_a_row_without_a_finite_number_is_broken(wanted: Sampling) -> None:
    for value in (math.nan, -math.inf, math.inf):
        with pytest.raises(BrokenLogits):
            filtered(np.full(5, value, np.float32), wanted)


def test_what_is_not_finite_is_never_emitted() -> None:
    row = np.array([math.nan, 1, math.inf, 2, -math.inf], np.float32)
    for wanted in (OFF, Sampling(), replace(OFF, temperature=0), replace(OFF, top_p=0.9)):
        law = filtered(row, wanted)
        assert {token for token, p in as_dict(law).items() if p > 0} <= {1, 3}
        assert law.likeliest == 3


def test_the_row_itself_is_never_changed() -> None:
    row = np.array([1, math.nan, 2, 3], np.float32)
    before = row.copy()
    filtered(row, replace(Sampling(), repetition_penalty=2.0), [0, 2, 3], suppressed=(3,))
    assert np.array_equal(row, before, equal_nan=True)


def test_suppressed_ids_are_never_emitted() -> None:
    row = np.array([1, 2, 9], np.float32)
    assert filtered(row, OFF, suppressed=(2,))[2] == 0
    assert filtered(row, replace(OFF, temperature=0), suppressed=(2,)).likeliest == 1
    with pytest.raises(BrokenLogits):
        filtered(row, OFF, suppressed=(0, 1, 2))


def test_suppressed_ids_past_a_smaller_vocabulary_do_not_matter() -> None:
    # The target's list is used on the draft's rows too, and the draft may have fewer of them.
    row = np.array([1, 2, 9], np.float32)
    assert_same(filtered(row, OFF, suppressed=(7,)), reference(row, OFF))


def test_penalties_look_at_the_last_64_tokens_alone() -> None:
    row = np.array([1, 2, 3], np.float32)
    wanted = replace(OFF, presence_penalty=1.0)
    assert_same(filtered(row, wanted, [2, *[1] * 64]), reference(row - np.eye(3)[1], OFF))
    assert_same(filtered(row, wanted, [2, *[1] * 63]), reference(row - np.array([0, 1, 1]), OFF))


def test_a_frequency_penalty_counts_every_time() -> None:
    row = np.array([1, 2, 3], np.float32)
    law = filtered(row, replace(OFF, frequency_penalty=0.1), [1] * 30)
    assert_same(law, reference(row - 3 * np.eye(3)[1], OFF))


def test_penalties_hold_at_temperature_zero_too() -> None:
    row = np.array([1, 2, 3], np.float32)
    wanted = replace(OFF, temperature=0, presence_penalty=5.0)
    assert filtered(row, wanted, [2]).likeliest == 1


def test_denormal_differences_do_not_disturb_the_buckets() -> None:
    row = np.zeros(20_000, np.float32)
    row[7] = 1e-40
    law = filtered(row, replace(OFF, top_p=0.5))
    assert law.ids is not None
    assert len(law.ids) == pytest.approx(10_000, abs=2)
    assert law[7] > 0


# llama.cpp's own samplers ------------------------------------------------------------------------


def llama_law(row: Row, wanted: Sampling, history: Sequence[int]) -> dict[int, float]:
    """The law that llama.cpp's chain makes of the row."""
    chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
    made = [
        llama_cpp.llama_sampler_init_penalties(
            len(row),
            PENALTY_WINDOW,
            wanted.repetition_penalty,
            wanted.frequency_penalty,
            wanted.presence_penalty,
        ),
        llama_cpp.llama_sampler_init_top_k(wanted.top_k),
        llama_cpp.llama_sampler_init_top_p(wanted.top_p, 1),
        llama_cpp.llama_sampler_init_min_p(wanted.min_p, 1),
        llama_cpp.llama_sampler_init_temp(wanted.temperature),
    ]
    for sampler in made:
        llama_cpp.llama_sampler_chain_add(chain, sampler)
    for token in history:
        llama_cpp.llama_sampler_accept(chain, token)
    data = (llama_cpp.llama_token_data * len(row))()
    for i, logit in enumerate(row):
        data[i].id, data[i].logit, data[i].p = i, float(logit), 0.0
    candidates = llama_cpp.llama_token_data_array(data, len(row), -1, False)
    llama_cpp.llama_sampler_apply(chain, ctypes.byref(candidates))
    left = [(candidates.data[i].id, candidates.data[i].logit) for i in range(candidates.size)]
    llama_cpp.llama_sampler_free(chain)
    top = max(logit for _token, logit in left)
    weights = {token: math.exp(logit - top) for token, logit in left}
    return {token: weight / sum(weights.values()) for token, weight in weights.items()}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "wanted",
    [
        Sampling(),
        Sampling(temperature=1.0, repetition_penalty=1.3),
        Sampling(top_k=0, top_p=0.9, presence_penalty=0.7, frequency_penalty=0.3),
        Sampling(top_k=0, top_p=1.0, min_p=0.1, temperature=2.0),
        Sampling(top_k=5, top_p=1.0, min_p=0.0, frequency_penalty=-0.4),
        OFF,
    ],
)
def test_a_row_gives_the_law_of_llama_cpps_samplers(wanted: Sampling, seed: int) -> None:
    random = np.random.default_rng(seed)
    row = random.normal(0, 2.5, 600).astype(np.float32)
    history = random.integers(0, 600, 50).tolist() + [int(np.argmax(row))] * 3
    if at_an_edge(row, wanted, history):
        pytest.skip("rounding decides")
    assert_same(filtered(row, wanted, history), llama_law(row, wanted, history))


# Laws --------------------------------------------------------------------------------------------


def some(
    ids: Sequence[int] | None, weights: Sequence[float], dtype: Any = np.float64
) -> Distribution:
    values = np.array(weights, dtype)
    at = None if ids is None else np.array(ids, np.int64)
    return Distribution(at, values, float(values.sum(dtype=np.float64)))


def test_a_law_knows_its_ids_and_nothing_else() -> None:
    law = some([2, 5, 9], [1, 2, 1])
    assert [law[i] for i in (0, 2, 4, 5, 9, 10)] == [0, 0.25, 0, 0.5, 0.25, 0]
    whole = some(None, [1, 0, 3])
    assert [whole[i] for i in range(4)] == [0.25, 0, 0.75, 0]
    assert one_hot(7)[7] == 1
    assert law.likeliest == 5


edges = st.lists(st.sampled_from([0.0, 0.0, 1e-30, 1e-9, 0.3, 1.0, 7.0]), min_size=1, max_size=20)


@given(weights=edges.filter(any), scale=st.sampled_from([1.0, 1e-3, 1e9]), whole=st.booleans())
def test_a_draw_never_lands_on_a_weight_of_zero(
    weights: list[float], scale: float, whole: bool
) -> None:
    values = [weight * scale for weight in weights]
    law = some(None if whole else range(3, 3 + len(values)), values, "f4" if whole else "f8")
    cumulative = np.cumsum(law.weights, dtype=np.float64) / law.total
    points = [0.0, 2.0**-1074, 2.0**-53, 0.5, 1 - 2.0**-53]
    points += [float(np.nextafter(c, side)) for c in cumulative for side in (0, 1)]
    for u in [*points, *map(float, cumulative)]:
        if 0 <= u < 1:
            assert law[law.draw(u)] > 0


@given(u=st.floats(0, 1, exclude_max=True))
def test_a_draw_over_many_blocks_is_the_one_of_a_running_sum(u: float) -> None:
    weights = np.random.default_rng(3).exponential(size=5_000) ** 3
    law = some(None, weights)
    plain = np.cumsum(law.weights)
    assume(np.min(np.abs(plain / law.total - u)) > 1e-12)
    assert law.draw(u) == int(np.searchsorted(plain, u * law.total, side="right"))


def test_blocks_without_weight_are_stepped_over() -> None:
    weights = np.zeros(3_000)
    weights[[700, 2_600]] = 1, 3
    law = some(None, weights)
    assert [law.draw(u) for u in (0.0, 0.24, 0.26, 1 - 2**-53)] == [700, 700, 2_600, 2_600]


PAIRS = {
    "few and few": (some([1, 2, 3], [1, 2, 1]), some([2, 3, 4], [1, 2, 1])),
    "whole and few": (some(None, [1, 2, 3, 4]), some([1, 9], [1, 1])),
    "few and whole": (some([1, 9], [1, 1]), some(None, [1, 2, 3, 4])),
    "whole and longer": (some(None, [1, 2, 3]), some(None, [3, 2, 1, 5, 6])),
    "whole and shorter": (some(None, [3, 2, 1, 5, 6]), some(None, [1, 2, 3])),
    "unsorted ranks": (some([0, 5], [1, 9]), some([0, 3, 4, 5], [9, 1, 1, 1])),
}


@pytest.mark.parametrize(("p", "q"), PAIRS.values(), ids=PAIRS.keys())
def test_the_residual_is_what_the_target_has_more_of(p: Distribution, q: Distribution) -> None:
    left = {x: max(p[x] - q[x], 0.0) for x in range(10)}
    law = residual(p, q)
    assert_well_formed(law)
    for x, value in left.items():
        assert law[x] == pytest.approx(value / sum(left.values()))


def test_the_residual_of_two_equal_laws_is_the_law_itself() -> None:
    for law in (some([1, 2], [0.3, 0.7]), some(None, [1, 2, 0], "f4")):
        left = residual(law, law)
        assert [left[x] for x in range(4)] == [law[x] for x in range(4)]
