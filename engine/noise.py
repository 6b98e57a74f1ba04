"""Stateless noise for the ``coupled`` rule: the same for both models, whatever the draft or γ.

The noise of a token is a pure function of (seed, variant, index within the reply, token id): no
state to rewind, nothing to keep in step between two models."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.sampling import Distribution, Ids

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_BLOCK = 16384
_POSITIONS = 17  # of the widest round: γ = 16 drafted and the bonus


def splitmix64(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64 (Steele, Lea & Flood 2014), elementwise and in place."""
    x = _upper_half(x)
    x ^= x >> np.uint64(31)
    return x


def _upper_half(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same before its last step, which leaves the 31 highest bits as they are."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    return x


def _mix(x: int) -> int:
    return int(splitmix64(np.array([x & _MASK], np.uint64))[0])


class Noise:
    """The noise of one reply. Regenerate raises ``variant``; Continue goes on with the index."""

    def __init__(self, seed: int, variant: int = 0) -> None:
        self._key = _mix(_mix(seed + _GOLDEN) ^ (variant + 1) * _GOLDEN)
        self._spread = np.empty(0, np.uint64)
        self._lateness: dict[int, NDArray[np.float32]] = {}

    def uniforms(self, index: int, ids: Ids) -> NDArray[np.float64]:
        """u in (0, 1) of each of ``ids`` at position ``index`` of the reply."""
        mixed = splitmix64(ids.astype(np.uint64) * np.uint64(_GOLDEN) + self._at(index))
        # 52 bits and a half: never 0, never 1
        return ((mixed >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52

    def pick(self, law: Distribution, index: int) -> int:
        """argmax(log weight + g), g = −log(−log u): the Gumbel-max trick.

        Computed as the smallest −log(u) ÷ weight, a race of exponentials, which orders alike.
        """
        ids, weights = law.ids, law.weights
        if ids is None:
            # −log u ≥ 1 − u: who has 1 − u above the favourite's time · weight comes in later than
            # the favourite, and needs no logarithm. Nearly all of a vocabulary does.
            favourite = np.array([law.likeliest])
            time = float(-np.log(self.uniforms(index, favourite))[0] / weights[favourite[0]])
            bound = weights * np.float32(time * 1.0001)
            ids = np.flatnonzero(self._least_lateness(index, len(weights)) <= bound)
            weights = weights[ids]
        with np.errstate(divide="ignore"):  # a weight of zero never comes in
            return int(ids[np.argmin(-np.log(self.uniforms(index, ids)) / weights)])

    def _at(self, index: int) -> np.uint64:
        return np.uint64(_mix(self._key ^ (index + 1) * _GOLDEN))

    def _least_lateness(self, index: int, size: int) -> NDArray[np.float32]:
        """A lower bound of 1 − u for all ids below ``size``, kept for the second model that asks.

        From the 24 highest bits of the hash, in single precision: half the work, and enough to
        tell who cannot win.
        """
        known = self._lateness.get(index)
        if known is None or len(known) < size:
            if len(self._spread) < size:
                self._spread = np.arange(size, dtype=np.uint64) * np.uint64(_GOLDEN)
                self._lateness.clear()
            known = self._lateness[index] = self._bound_all(index, self._recycled())
        return known[:size]

    def _recycled(self) -> NDArray[np.float32]:
        """An array to fill: the oldest position's, once there are enough for the widest round."""
        if len(self._lateness) > _POSITIONS:
            return self._lateness.pop(next(iter(self._lateness)))
        return np.empty(len(self._spread), np.float32)

    def _bound_all(self, index: int, out: NDArray[np.float32]) -> NDArray[np.float32]:
        key = self._at(index)
        for start in range(0, len(out), _BLOCK):  # thrice as fast inside the processor's cache
            mixed = _upper_half(self._spread[start : start + _BLOCK] + key)
            highest = (mixed >> np.uint64(40)).astype(np.int32)
            out[start : start + _BLOCK] = np.int32(0xFFFFFF) - highest
        out *= np.float32(2.0**-24)
        return out
