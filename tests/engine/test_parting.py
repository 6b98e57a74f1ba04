"""Where two replies part is found, and how close the two candidates were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.accept import Greedy
from engine.decoding import Request
from engine.llama.context import Context
from engine.parting import find_parting
from engine.sampling import Sampling, filtered
from tests.engine.conftest import NewContext, TinyModel

PROMPT = [20, 30, 40]
SETTINGS = Sampling(temperature=1.0, top_k=5, top_p=1.0, min_p=0.0)
REQUEST = Request(gamma=4, sampling=SETTINGS, rule=Greedy(), limit=512, max_tokens=60)


@pytest.fixture
def context(new_context: NewContext, tiny_model: TinyModel) -> Context:
    return new_context(tiny_model())


def row_after(context: Context, tokens: list[int]) -> np.ndarray:
    context.clear()
    context.decode(tokens, outputs=1)
    return context.row(0).copy()


def test_equal_replies_part_nowhere(context: Context) -> None:
    assert find_parting(context, PROMPT, [7, 8], [7, 8], REQUEST) is None
    assert find_parting(context, PROMPT, [], [], REQUEST) is None


def test_a_reply_that_was_cut_short_parts_nowhere(context: Context) -> None:
    assert find_parting(context, PROMPT, [7, 8, 9], [7, 8], REQUEST) is None


@pytest.mark.parametrize("before", [[], [7], [7, 8, 9]])
def test_the_first_difference_is_scored_after_the_common_words(
    context: Context, before: list[int]
) -> None:
    row = row_after(context, [*PROMPT, *before])
    best, second = (int(i) for i in np.argsort(-row)[:2])
    parting = find_parting(context, PROMPT, [*before, best, 1], [*before, second, 2], REQUEST)
    assert parting is not None
    assert (parting.index, parting.ids) == (len(before), (best, second))
    assert parting.gap == pytest.approx(float(row[best] - row[second]))
    assert parting.p[0] > parting.p[1] > 0
    assert not parting.at_the_edge


def test_a_candidate_that_the_filters_take_out_stood_at_the_edge(context: Context) -> None:
    order = np.argsort(-row_after(context, PROMPT))
    inside, outside = int(order[0]), int(order[5])
    parting = find_parting(context, PROMPT, [inside], [outside], REQUEST)
    assert parting is not None
    assert parting.p[1] == 0
    assert parting.at_the_edge


@pytest.mark.parametrize("greedy", [{"temperature": 0.0}, {"top_k": 1}])
def test_greedy_candidates_are_told_by_their_chances_not_as_filtered_out(
    context: Context, greedy: dict[str, float]
) -> None:
    row = row_after(context, PROMPT)
    best, second = (int(i) for i in np.argsort(-row)[:2])
    request = replace(REQUEST, sampling=replace(SETTINGS, **greedy))
    parting = find_parting(context, PROMPT, [best], [second], request)
    assert parting is not None
    assert not parting.at_the_edge
    weights = np.exp(row.astype(np.float64) - row.max())
    expected = (weights[best] / weights.sum(), weights[second] / weights.sum())
    assert parting.p == pytest.approx(expected, rel=1e-4)


def test_penalties_count_as_they_did_for_the_lanes(context: Context) -> None:
    penalised = replace(SETTINGS, top_k=0, presence_penalty=1.0, frequency_penalty=0.5)
    said, other = [7, 8, 7], 9
    row = row_after(context, [*PROMPT, *said])
    expected = filtered(row, penalised, [*PROMPT, *said])
    unpenalised = filtered(row, penalised)
    for again in (7, PROMPT[0]):
        parting = find_parting(
            context, PROMPT, [*said, again], [*said, other], replace(REQUEST, sampling=penalised)
        )
        assert parting is not None
        assert parting.p == pytest.approx((expected[again], expected[other]))
        assert parting.p[0] < 0.5 * unpenalised[again]
