"""The noise is a pure function of seed, variant, position and token, and picks by the law."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.noise import Noise, splitmix64
from engine.sampling import Distribution, one_hot

GOLDEN = 0x9E3779B97F4A7C15
WHOLE = 1 << 64


def mixed(*states: int) -> list[int]:
    return splitmix64(np.array([state % WHOLE for state in states], np.uint64)).tolist()


def zipf(size: int, *, whole: bool = False) -> Distribution:
    weights = 1 / np.arange(1.0, size + 1)
    if whole:
        single = weights.astype(np.float32)
        return Distribution(None, single, float(single.sum(dtype=np.float64)))
    return Distribution(np.arange(size), weights, float(weights.sum()))


def test_the_mix_is_splitmix64_as_published() -> None:
    # The generator of https://prng.di.unimi.it/splitmix64.c, seeded with 1234567.
    assert mixed(*(1234567 + GOLDEN * (i + 1) for i in range(5))) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    ("seed", "variant", "index", "expected"),
    [
        (0, 0, 0, ["0x1.65a30899fad4bp-1", "0x1.39d20899e8861p-1", "0x1.14242633a9923p-1"]),
        (1, 0, 0, ["0x1.ac134d71db4c6p-2", "0x1.2d93ea26040f3p-1", "0x1.4ee09bacb56f0p-5"]),
        (0, 1, 0, ["0x1.0cbf03b164f2bp-1", "0x1.bc40cdbfe079ep-2", "0x1.b31cfb834f84bp-1"]),
        (0, 0, 1, ["0x1.624a6f4b449d2p-2", "0x1.c4b78a385d946p-2", "0x1.912b9b4109680p-8"]),
        ((1 << 63) - 1, 3, 4095, ["0x1.593930d42107bp-1", "0x1.8c147c0b75b87p-1", None]),
    ],
)
def test_a_seed_gives_the_same_numbers_for_ever(
    seed: int, variant: int, index: int, expected: list[str | None]
) -> None:
    uniforms = Noise(seed, variant).uniforms(index, np.array([0, 1, 151_935]))
    for value, wanted in zip(uniforms, expected, strict=True):
        assert wanted is None or float(value).hex() == wanted


def test_a_seed_gives_the_same_text_for_ever() -> None:
    law = zipf(1000)
    first, second = Noise(42), Noise(42, variant=1)
    assert [first.pick(law, i) for i in range(12)] == [35, 13, 5, 2, 5, 12, 124, 5, 0, 210, 9, 40]
    assert [second.pick(law, i) for i in range(6)] == [0, 0, 13, 341, 0, 451]


def test_the_order_of_asking_does_not_matter() -> None:
    law, positions = zipf(3000, whole=True), [5, 0, 90, 5, 17, 0, *range(40), 3, 5]
    asked = Noise(9)
    picks = [asked.pick(law, i) for i in positions]
    assert picks == [Noise(9).pick(law, i) for i in positions]


def test_seed_variant_position_and_token_all_count() -> None:
    ids = np.arange(50)
    keys = itertools.product((0, 1, 7), (0, 1, 2), (0, 1, 2))
    rows = [Noise(seed, variant).uniforms(index, ids) for seed, variant, index in keys]
    seen = np.concatenate(rows)
    assert len(set(seen.tolist())) == len(seen)


@given(seed=st.integers(0, 2**63 - 1), index=st.integers(0, 10**6), token=st.integers(0, 2**31 - 1))
def test_a_uniform_is_never_zero_or_one(seed: int, index: int, token: int) -> None:
    [u] = Noise(seed).uniforms(index, np.array([token]))
    assert 0 < u < 1


@pytest.mark.parametrize("mixes_to", [0, WHOLE - 1])
def test_the_extremes_of_the_hash_stay_inside(
    mixes_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mixer in ("splitmix64", "_upper_half"):
        monkeypatch.setattr(f"engine.noise.{mixer}", lambda x: np.full_like(x, mixes_to))
    [u] = Noise(0).uniforms(0, np.array([1]))
    assert 0 < u < 1
    assert Noise(0).pick(zipf(10, whole=True), 0) == Noise(0).pick(zipf(10), 0)


@given(
    seed=st.integers(0, 1000),
    index=st.integers(0, 1000),
    weights=st.lists(st.one_of(st.just(0.0), st.floats(2.0**-66, 8, width=32)), min_size=1).filter(
        any
    ),
)
def test_a_whole_vocabulary_is_picked_from_like_its_few_candidates(
    seed: int, index: int, weights: list[float]
) -> None:
    # Zero weights may be left out: the noise hangs on the id, not on who else is in the race.
    single = np.array(weights, np.float32)
    ids = np.flatnonzero(single)
    whole = Distribution(None, single, float(single.sum(dtype=np.float64)))
    few = Distribution(ids, single[ids].astype(np.float64), float(single[ids].sum()))
    assert Noise(seed).pick(whole, index) == Noise(seed).pick(few, index)


@pytest.mark.parametrize("size", [1, 8_192, 151_936])
def test_nobody_is_ruled_out_who_may_come_in_sooner_than_the_bound(size: int) -> None:
    for seed, index in ((0, 0), (5, 3), (2**63 - 1, 4095)):
        noise = Noise(seed)
        bound = noise._least_lateness(index, size).astype(np.float64)
        lateness = 1 - noise.uniforms(index, np.arange(size))
        assert np.all(bound <= lateness)
        assert np.all(lateness - bound <= 2.0**-24)


@pytest.mark.parametrize("sizes", [(20_000, 19_872), (19_872, 20_000)])
def test_padded_vocabularies_share_their_noise(sizes: tuple[int, int]) -> None:
    # Both models ask for the same positions, one with fewer ids: the noise of an id is one.
    noise = Noise(3)
    for index in range(25):
        for size in sizes:
            law = zipf(size, whole=True)
            assert noise.pick(law, index) == Noise(3).pick(zipf(size), index)


def test_positions_that_were_asked_for_few_ids_serve_more_ids_later() -> None:
    # As in a round: a smaller draft draws at many positions, then the target at the same ones.
    noise, few, many = Noise(3), zipf(1_000, whole=True), zipf(20_000, whole=True)
    few_first = [noise.pick(few, index) for index in range(20)]
    assert few_first == [Noise(3).pick(zipf(1_000), index) for index in range(20)]
    picks = [noise.pick(many, index) for index in range(60)]
    assert picks == [Noise(3).pick(zipf(20_000), index) for index in range(60)]
    assert max(picks) > 10_000


def test_a_token_without_weight_is_never_picked() -> None:
    law = Distribution(None, np.array([0, 1, 0, 0], np.float32), 1.0)
    assert {Noise(1).pick(law, i) for i in range(200)} == {1}
    assert {Noise(1).pick(one_hot(7), i) for i in range(20)} == {7}


@pytest.mark.parametrize("whole", [False, True])
def test_picks_follow_the_law(whole: bool) -> None:
    law, picks = zipf(40, whole=whole), 12_000
    noise = Noise(2024)
    counts = np.bincount([noise.pick(law, i) for i in range(picks)], minlength=40)
    expected = picks * law.weights / law.total
    chi_square = float(np.sum((counts - expected) ** 2 / expected))
    assert chi_square < 73  # 39 degrees of freedom: exceeded once in a thousand seeds


def test_neighbouring_positions_are_independent() -> None:
    law, picks = zipf(4), 8_000
    noise = Noise(11)
    said = [noise.pick(law, i) for i in range(picks + 1)]
    pairs = np.zeros((4, 4))
    np.add.at(pairs, (said[:-1], said[1:]), 1)
    p = law.weights / law.total
    expected = picks * np.outer(p, p)
    assert float(np.sum((pairs - expected) ** 2 / expected)) < 40  # 15 degrees of freedom
