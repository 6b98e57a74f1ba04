"""One row of logits → a Distribution under the user's settings.

The order is llama.cpp's: penalties, top-k, top-p, min-p, temperature last. Every filter keeps a
*prefix* of the candidates sorted by logit, so the order in which the prefixes are cut does not
matter as long as top-p's mass is summed before min-p, and only the few that can survive are ever
sorted: a vocabulary of 152,000 entries is scanned, never sorted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import BrokenLogits

Ids = NDArray[np.int64]
Row = NDArray[np.float32]
Weights = NDArray[np.floating[Any]]

PENALTY_WINDOW = 64
"""How many of the last tokens the penalties look at (llama.cpp's ``repeat_last_n``)."""

_SORTABLE = 2048  # candidates that are sorted outright
_BLOCK = 512
_STRIDE = 64
_LAYERS = 64
_COLD = 1e-30  # below it 1 ÷ T soon is more than single precision holds


@dataclass(frozen=True)
class Sampling:
    """The user's settings. top-k 0, top-p 1, min-p 0 and the penalties 1, 0, 0 are "off"."""

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0

    @property
    def greedy(self) -> bool:
        """Whether the largest logit's token is always taken: no random number is touched."""
        return self.temperature <= 0 or self.top_k == 1

    @property
    def penalises(self) -> bool:
        """Whether any of the three penalties is on."""
        return (self.repetition_penalty, self.presence_penalty, self.frequency_penalty) != (1, 0, 0)


@dataclass(frozen=True, eq=False)
class Distribution:
    """A law over token ids.

    ``ids``: ascending, shape (n,); None when every id from 0 is a candidate.
    ``weights``: shape (n,), float64, or float32 over a whole vocabulary; at least one above zero.
    ``total``: their sum. A probability is a weight ÷ total.
    """

    ids: Ids | None
    weights: Weights
    total: float

    def __getitem__(self, token: int) -> float:
        """The probability of ``token``; 0 for an id that was filtered out or is not there."""
        if self.ids is None:
            return float(self.weights[token]) / self.total if token < len(self.weights) else 0.0
        at = int(np.searchsorted(self.ids, token))
        found = at < len(self.ids) and self.ids[at] == token
        return float(self.weights[at]) / self.total if found else 0.0

    def draw(self, u: float) -> int:
        """The token at ``u`` in [0, 1) of the cumulative law, ids ascending."""
        # By blocks first: a running sum over a whole vocabulary would cost more than all else here.
        starts = np.arange(0, len(self.weights), _BLOCK)
        edges = np.cumsum(np.add.reduceat(self.weights, starts, dtype=np.float64))
        block = _land(edges, u * edges[-1])
        inside = np.cumsum(self.weights[starts[block] :][:_BLOCK], dtype=np.float64)
        before = edges[block - 1] if block else 0.0
        return self.token(int(starts[block]) + _land(inside, u * edges[-1] - before))

    def token(self, index: int) -> int:
        """The id of the ``index``-th candidate."""
        return index if self.ids is None else int(self.ids[index])

    @property
    def likeliest(self) -> int:
        """The most probable id, the lowest of equals."""
        return self.token(int(np.argmax(self.weights)))


def _land(cumulative: Weights, at: float) -> int:
    """The first index whose cumulative weight exceeds ``at``: never one of weight zero."""
    # Rounding can put ``at`` past the end; the last index that added weight is meant then.
    last = int(np.searchsorted(cumulative, cumulative[-1], side="left"))
    return min(int(np.searchsorted(cumulative, at, side="right")), last)


def one_hot(token: int) -> Distribution:
    """All probability on one token: the law of greedy decoding."""
    return Distribution(np.array([token]), np.ones(1), 1.0)


def residual(p: Distribution, q: Distribution) -> Distribution:
    """norm(max(p − q, 0)), the law of the corrected token (Leviathan et al. 2023, §2.3).

    Where p and q agree to the last bit nothing is left and p itself is returned: the rejection that
    leads here had probability zero but for rounding.
    """
    # In double precision, also over a whole vocabulary: the difference of near equals is exact to
    # the last digits of the larger, and those decide.
    left = np.maximum(p.weights.astype(np.float64) / p.total - _at(q, p), 0)
    total = float(left.sum())
    return Distribution(p.ids, left, total) if total > 0 else p


def _at(q: Distribution, p: Distribution) -> Weights:
    """q's probabilities at p's candidates; matched by id, never by rank."""
    size = len(p.weights)
    out = np.zeros(size)
    if p.ids is not None and q.ids is not None:
        at = np.minimum(np.searchsorted(q.ids, p.ids), len(q.ids) - 1)
        known = q.ids[at] == p.ids
        out[known] = q.weights[at[known]]
    elif p.ids is not None:
        known = p.ids < len(q.weights)
        out[known] = q.weights[p.ids[known]]
    elif q.ids is not None:
        known = q.ids < size
        out[q.ids[known]] = q.weights[known]
    else:
        both = min(size, len(q.weights))
        out[:both] = q.weights[:both]
    return out / q.total


def filtered(
    row: Row,
    settings: Sampling,
    history: Sequence[int] = (),
    *,
    suppressed: Sequence[int] = (),
) -> Distribution:
    """The law that plain decoding samples from at this row.

    ``row``: logits, shape (V,), never changed; ``history``: the tokens before it, for penalties;
    ``suppressed``: ids that may never be emitted.

    Raises BrokenLogits where no finite logit is left.
    """
    penalise = settings.penalises and len(history) > 0
    if penalise or suppressed:
        row = row.copy()
        if penalise:
            _penalise(row, history, settings)
        row[[i for i in suppressed if i < len(row)]] = -np.inf  # a draft may have fewer rows
    if settings.greedy:
        likeliest = int(np.argmax(row))  # a NaN or +inf where there is one
        return one_hot(likeliest if math.isfinite(row[likeliest]) else int(np.argmax(_sound(row))))
    heights = _heights(row)
    top = float(heights.max())  # a NaN or +inf where there is one
    if not math.isfinite(top):
        row = _sound(row)
        heights = _heights(row)
        top = float(heights.max())
    ids = _survivors(row, heights, top, settings)
    return _tempered(row, ids, top, settings.temperature)


def _sound(row: Row) -> Row:
    """``row`` with −∞ in place of what is no finite number."""
    finite = np.isfinite(row)
    if not finite.any():
        raise BrokenLogits(path="The file", role="model")
    sound: Row = np.where(finite, row, np.float32(-np.inf))
    return sound


def _heights(row: Row) -> Row:
    """The largest logit of each column, where the row is laid out in _LAYERS layers: shape (w,).

    Column i holds the ids i, i + w, i + 2w …, so that the processor compares whole layers. A short
    row is its own heights.
    """
    width = len(row) // _LAYERS
    if width < _LAYERS:
        return row
    heights: Row = row[: _LAYERS * width].reshape(_LAYERS, width).max(axis=0)
    rest = row[_LAYERS * width :]
    np.maximum(heights[: len(rest)], rest, out=heights[: len(rest)])
    return heights


def _penalise(row: Row, history: Sequence[int], settings: Sampling) -> None:
    """Lower, in place, the logits of what was said lately (``llama_sampler_init_penalties``)."""
    ids, counts = np.unique(np.asarray(history[-PENALTY_WINDOW:], np.int64), return_counts=True)
    known = ids < len(row)
    ids, counts = ids[known], counts[known]
    x = row[ids]
    x = np.where(x > 0, x / settings.repetition_penalty, x * settings.repetition_penalty)
    row[ids] = x - counts * settings.frequency_penalty - settings.presence_penalty


def _survivors(row: Row, heights: Row, top: float, settings: Sampling) -> Ids | None:
    """The ids that pass top-k, top-p and min-p, ascending; None when no filter is on."""
    ids = _largest(row, heights, settings.top_k) if 0 < settings.top_k < len(row) else None
    nucleus = settings.top_p < 1
    mass = _mass(row if ids is None else row[ids], top) if nucleus else 0.0
    if settings.min_p > 0:
        floor = top + math.log(settings.min_p)
        ids = np.flatnonzero(row >= floor) if ids is None else ids[row[ids] >= floor]
    if nucleus:
        ids = _nucleus(row, ids, top, settings.top_p * mass)
    return ids


def _mass(x: Row, top: float) -> float:
    return float(np.exp(x - np.float32(top)).sum(dtype=np.float64))


def _pools(row: Row, wanted: int) -> Iterator[Ids]:
    """Growing sets of ids, each holding every logit from some height up; the last holds all.

    The heights come from a sample of the row. A bad sample costs time, never a candidate.
    """
    sample = np.sort(row[::_STRIDE])
    for size in (4 * wanted, 64 * wanted):
        rank = size // _STRIDE + 16
        if rank < len(sample) // 2:
            yield np.flatnonzero(row >= sample[-rank])
    yield np.arange(len(row))


def _largest(row: Row, heights: Row, k: int) -> Ids:
    """The ids of the k largest logits, ascending; of equals at the edge the lowest ids."""
    ids = _tall(row, heights, k)
    x = row[ids]
    edge = np.partition(x, len(x) - k)[len(x) - k]
    kept: NDArray[np.bool_] = x > edge
    kept[np.flatnonzero(x == edge)[: k - np.count_nonzero(kept)]] = True
    largest: Ids = ids[kept]
    return largest


def _tall(row: Row, heights: Row, k: int) -> Ids:
    """All ids from some logit up, ascending; at least k."""
    width = len(heights)
    if width <= k or width == len(row):
        return np.arange(len(row))
    # The k-th tallest column: k logits reach its height, so the k largest all do.
    edge = np.partition(heights, width - k)[width - k]
    columns = np.flatnonzero(heights >= edge)
    layers, found = np.nonzero(row[: _LAYERS * width].reshape(_LAYERS, width)[:, columns] >= edge)
    rest = _LAYERS * width + np.flatnonzero(row[_LAYERS * width :] >= edge)
    return np.concatenate((layers * width + columns[found], rest))


def _nucleus(row: Row, ids: Ids | None, top: float, need: float) -> Ids:
    """The fewest largest logits of ``ids`` (None: of all) whose mass reaches ``need``."""
    for pool in _pools(row, _SORTABLE // 8) if ids is None else (ids,):
        x = row[pool]
        weights = np.exp(x.astype(np.float64) - top)
        if weights.sum() >= need:
            break
    kept = np.zeros(len(pool), bool)
    kept[_heaviest(x, weights, need)] = True
    return pool[kept]


def _heaviest(x: Row, weights: Weights, need: float) -> Ids:
    """Indices of the fewest largest ``x`` whose ``weights`` reach ``need``, in no order.

    A large pool is first cut by buckets of equal width: those above the bucket in which the mass is
    reached are in, those below are out, and only that bucket is looked at again.
    """
    pool, chosen, reached = np.flatnonzero(weights > 0), [], 0.0
    while len(pool) > _SORTABLE and (span := float(np.ptp(x[pool]))) > 0:
        bucket = ((x[pool].max() - x[pool]) * np.float64(255 / span)).astype(np.int64)
        mass = reached + np.cumsum(np.bincount(bucket, weights[pool]))
        at = min(int(np.searchsorted(mass, need)), len(mass) - 1)
        chosen.append(pool[bucket < at])
        reached = float(mass[at - 1]) if at else reached
        pool = pool[bucket == at]
    if len(pool) <= _SORTABLE:  # a larger pool is one of equals, in the order of their ids
        pool = pool[np.argsort(-x[pool], kind="stable")]  # stable: of equals the lowest ids first
    count = int(np.searchsorted(reached + np.cumsum(weights[pool]), need)) + 1
    return np.concatenate((*chosen, pool[:count]))


def _tempered(row: Row, ids: Ids | None, top: float, temperature: float) -> Distribution:
    """exp((x − top) / T) over the survivors; double precision for a few, single for all."""
    with np.errstate(over="ignore"):  # it ends at −∞, whose weight is zero
        if ids is None and temperature > _COLD:
            whole = row - np.float32(top)
            whole *= np.float32(1 / temperature)
            np.exp(whole, out=whole)
            return Distribution(None, whole, float(whole.sum(dtype=np.float64)))
        few = row if ids is None else row[ids]
        weights = np.exp((few.astype(np.float64) - top) / temperature)
    return Distribution(ids, weights, float(weights.sum()))
