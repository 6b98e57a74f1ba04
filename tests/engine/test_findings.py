"""What a tuning measured becomes a pace, curves and a γ; what was tried in fact settles it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from random import Random

import pytest

from engine.costs import TUNED_WIDTHS, Timings
from engine.decoding import Lane
from engine.findings import Findings
from engine.prediction import Z
from engine.sampling import Sampling
from engine.speedup import Pace, independent_survival
from engine.stats import Figures
from engine.tryout import Attempt, Sample
from engine.tunings import EVERYDAY
from tests.engine.conftest import EXACT, NewContext, TinyModel
from tests.support.conversations import reply, true_speed_up
from tests.support.tuned import ALPHAS, CPU

GREEDY, SAMPLED = Sampling(temperature=0.0), Sampling(temperature=0.7)


@pytest.fixture
def lane(new_context: NewContext, tiny_model: TinyModel) -> Lane:
    return Lane(new_context(tiny_model()), new_context(tiny_model(noise=0.04), EXACT))


def timings(
    lane: Lane, pace: Pace, widths: Sequence[int] = TUNED_WIDTHS, factors: Sequence[float] = (1.0,)
) -> Timings:
    """As if passes had taken as long as ``pace`` says, times each of ``factors``."""
    found = Timings(lane, widths, 64)
    for width, seconds in found.passes.items():
        seconds += [pace.passes[width - 1] * factor for factor in factors]
    found.drafting[1] += [pace.draft_step * factor for factor in factors]
    found.drafting[2] += [(pace.draft_step + pace.catch_up) * factor for factor in factors]
    return found


def sample(kind: str, way: Sampling, pace: Pace = CPU, tokens: int = 1000) -> Sample:
    """A plain reply along which the draft passes as ALPHAS says."""
    figures = reply(Random(1), pace, 0, 1.0, tokens, noise=0.0)
    figures.verify_seconds = figures.rounds * pace.passes[0]
    return Sample(Attempt(kind, (7,), way, tokens), figures, [ALPHAS[kind]] * tokens, pace.row)


def times(factor: float) -> Pace:
    """CPU, everything taking so many times as long."""
    return Pace(
        factor * CPU.draft_step,
        tuple(factor * seconds for seconds in CPU.passes),
        catch_up=factor * CPU.catch_up,
        step=factor * CPU.step,
        row=factor * CPU.row,
    )


def drafted(each: Sample, gamma: int, pace: Pace) -> Figures:
    alpha = ALPHAS[each.attempt.kind]
    return reply(Random(2), pace, gamma, alpha, each.attempt.tokens, noise=0.0)


@pytest.fixture
def findings(lane: Lane) -> Findings:
    """A machine that takes what CPU says, both ways of writing, every kind."""
    samples = {way: [sample(kind, way) for kind in ALPHAS] for way in (GREEDY, SAMPLED)}
    every = range(1, 18)
    return Findings([timings(lane, CPU, every), timings(lane, CPU, every)], samples)


def test_the_pace_is_the_mean_over_the_depths_and_the_engine_s_own_time(
    lane: Lane, findings: Findings
) -> None:
    pace = findings.pace(GREEDY, 1.1)
    assert pace.passes == pytest.approx(CPU.passes)
    assert (pace.draft_step, pace.catch_up) == pytest.approx((CPU.draft_step, CPU.catch_up))
    assert (pace.step, pace.row, pace.scale) == pytest.approx((CPU.step, CPU.row, 1.1))
    deeper = replace(CPU, draft_step=3 * CPU.draft_step, passes=tuple(3 * x for x in CPU.passes))
    findings.timings[1] = timings(lane, deeper, range(1, 18))
    pace = findings.pace(GREEDY)
    assert pace.draft_step == pytest.approx(2 * CPU.draft_step)
    assert pace.passes == pytest.approx([2 * seconds for seconds in CPU.passes])


def test_there_is_a_curve_for_each_way_and_kind_the_way_asked_for_first(
    findings: Findings,
) -> None:
    found = findings.curves(findings.timed())
    kinds = [*ALPHAS, EVERYDAY]
    assert [(c.temperature, c.kind) for c in found] == [(t, k) for t in (0.0, 0.7) for k in kinds]
    assert findings.everyday() == found[len(ALPHAS)]
    assert findings.asked == findings.samples[GREEDY]
    code = found[0]
    assert code.speed_up[3] == pytest.approx(CPU.speed_up(independent_survival(0.93, 3)), rel=1e-3)
    findings.samples[SAMPLED].clear()
    assert {curve.temperature for curve in findings.curves(findings.timed())} == {0.0}
    assert [own.temperature for own in findings.overheads()] == [0.0]


def test_only_what_was_timed_at_every_depth_may_be_chosen(lane: Lane, findings: Findings) -> None:
    assert findings.timed() == set(range(17))
    assert findings.interpolated() == []
    findings.timings[1] = timings(lane, CPU, (1, 2, 3, 4, 17))
    assert findings.timed() == {0, 1, 2, 3, 16}
    assert findings.interpolated() == list(range(5, 17))


def test_samples_that_vary_more_or_are_fewer_widen_the_band(lane: Lane) -> None:
    def width(*factors: float) -> float:
        samples = {GREEDY: [sample("code", GREEDY)]}
        curve = Findings([timings(lane, CPU, range(1, 18), factors)], samples).everyday()
        return curve.high[3] - curve.low[3]

    steady, varied = width(1, 1, 1, 1, 1), width(0.9, 0.9, 1, 1.1, 1.1)
    assert varied > 3 * steady > 0
    assert width(*(0.9, 0.9, 1, 1.1, 1.1) * 4) == pytest.approx(varied / 2, rel=0.1)


def test_two_depths_tell_more_than_one_and_none_is_beyond_doubt(lane: Lane) -> None:
    def width(depths: int, *factors: float) -> float:
        each = replace(sample("code", GREEDY), chances=[1.0] * 3000)  # sure of the text
        timed = [timings(lane, CPU, range(1, 18), factors)] * depths
        curve = Findings(timed, {GREEDY: [each]}).everyday()
        return (curve.high[3] - curve.low[3]) / curve.speed_up[3]

    assert width(2, 0.9, 0.9, 1, 1.1, 1.1) == pytest.approx(
        width(1, 0.9, 0.9, 1, 1.1, 1.1) / sqrt(2), rel=0.02
    )
    assert width(1, 1, 1, 1) == pytest.approx(2 * Z * 0.01, rel=0.05)


def test_a_reply_that_was_tried_is_compared_with_what_its_own_rounds_should_have_taken(
    findings: Findings,
) -> None:
    code = findings.samples[GREEDY][0]
    point = findings.tried(code, 3, drafted(code, 3, CPU), code.figures)
    assert (point.kind, point.temperature, point.gamma) == ("code", 0.0, 3)
    assert point.tokens == 1000
    assert point.predicted == pytest.approx(true_speed_up(CPU, [0.93], 3), rel=1e-3)
    assert point.measured == pytest.approx(point.predicted, rel=0.03)
    # The luck of the text is in both: what is left is the machine.
    assert findings.scale() == pytest.approx(1.0, abs=2e-3)


def test_what_was_tried_scales_every_curve_and_chooses_among_the_tried(
    findings: Findings,
) -> None:
    before, gamma = findings.settled()
    assert gamma == findings.everyday().gamma == before[len(ALPHAS)].gamma
    # All drafting takes a fifth longer than its parts say; γ 7 twice as long.
    for each in findings.samples[GREEDY]:
        findings.tried(each, 3, drafted(each, 3, times(1.2)), each.figures)
    assert findings.scale() == pytest.approx(1 / 1.2, abs=5e-3)
    after, chosen = findings.settled()
    assert chosen == 3
    for was, now in zip(before, after, strict=True):
        assert now.speed_up[5] == pytest.approx(was.speed_up[5] / 1.2, rel=5e-3)
    assert after[len(ALPHAS)].gamma == 3
    own = findings.curves(findings.timed(), findings.scale())
    for now, unsettled in zip(after, own, strict=True):
        assert now.kind == EVERYDAY or now.gamma == unsettled.gamma
    assert len({curve.gamma for curve in after}) > 1
    findings.ratios = {3: [0.4], 7: [0.4]}
    after, chosen = findings.settled()
    assert chosen == after[len(ALPHAS)].gamma == 0


def test_no_gamma_is_the_best_of_a_kind_that_was_slower_with_it(findings: Findings) -> None:
    def best() -> dict[tuple[str, float], int]:
        found, everyday = findings.settled()
        assert everyday == next(c for c in found if c.kind == EVERYDAY).gamma
        return {(c.kind, c.temperature): c.gamma for c in found}

    before = best()
    assert before["code", 0.0] == before[EVERYDAY, 0.0] == 3
    code, *others = findings.samples[GREEDY]
    findings.tried(code, 3, drafted(code, 3, times(2.2)), code.figures)
    for each in others:
        findings.tried(each, 3, drafted(each, 3, times(0.7)), each.figures)
    assert findings.scale() > 1  # so that all the rest speaks for drafting
    assert best() == before | {("code", 0.0): 0}
    findings.tried(code, 1, drafted(code, 1, CPU), code.figures)
    assert findings.points[-1].measured > 1
    assert best()["code", 0.0] == 1  # less than 3 promised, but it held


def test_none_is_for_everyday_use_that_was_slower_on_what_it_was_tried_on(
    findings: Findings,
) -> None:
    for each in findings.samples[GREEDY]:  # the texts that drafting wrote went worse than foretold
        drafting = reply(Random(2), CPU, 3, 0.3, 1000, noise=0.0)
        findings.tried(each, 3, drafting, each.figures)
    assert findings.scale() == pytest.approx(1.0, abs=2e-3)
    found, everyday = findings.settled()
    assert everyday == 0
    assert found[len(ALPHAS)].speed_up[3] > 1.2
    assert [curve.gamma for curve in found[: len(ALPHAS) + 1]] == [0] * (len(ALPHAS) + 1)


def test_a_gamma_that_was_run_for_one_kind_s_sake_is_not_everyday_s(findings: Findings) -> None:
    for each in findings.samples[GREEDY]:
        findings.tried(each, 3, drafted(each, 3, CPU), each.figures)
    code = findings.samples[GREEDY][0]
    findings.tried(code, 7, drafted(code, 7, times(0.5)), code.figures)
    assert findings.settled()[1] == 3


def test_a_reply_in_a_slow_minute_is_compared_with_a_plain_one_of_that_minute(
    findings: Findings,
) -> None:
    code = findings.samples[GREEDY][0]
    quiet = findings.tried(code, 3, drafted(code, 3, CPU), code.figures)
    busy = replace(code.figures, seconds=2 * code.figures.seconds)
    point = findings.tried(code, 3, drafted(code, 3, times(2.0)), busy)
    assert point.measured == pytest.approx(quiet.measured, rel=0.02)


def test_what_was_tried_widens_the_band_where_it_lies_apart(findings: Findings) -> None:
    def width() -> float:
        code = findings.settled()[0][0]
        return (code.high[3] - code.low[3]) / code.speed_up[3]

    steady = width()
    findings.ratios = {3: [1.0, 1.0], 7: [1.0]}
    assert width() == pytest.approx(steady)
    findings.ratios = {3: [0.8, 1.0], 7: [1.2]}
    assert width() == pytest.approx(2 * Z * 0.2 / sqrt(3), rel=0.1)


def test_a_kind_is_in_doubt_where_its_best_gamma_may_not_gain(findings: Findings) -> None:
    long, short = sample("code", GREEDY), sample("story", GREEDY, tokens=24)
    findings.samples = {GREEDY: [long, short], SAMPLED: [sample("story", SAMPLED, tokens=24)]}
    [story] = findings.doubtful()
    assert (story.kind, story.temperature) == ("story", 0.0)
    assert story.low[story.gamma] < 1 < story.speed_up[story.gamma]
    findings.samples[GREEDY][1] = sample("story", GREEDY, tokens=20_000)
    assert findings.doubtful() == []


def test_a_reply_that_was_cut_before_its_first_test_says_nothing_of_the_machine(
    findings: Findings,
) -> None:
    short = Figures(tokens=1, rounds=1, seconds=0.1, drafted=3)
    code = findings.samples[GREEDY][0]
    point = findings.tried(code, 3, short, code.figures)
    assert point.measured > 0
    assert findings.scale() == 1.0
    assert findings.ratios == {}


def test_the_record_gets_what_half_of_the_samples_lie_between(lane: Lane) -> None:
    factors = (1.0, 0.8, 0.9, 1.2, 1.1)
    [row] = Findings([timings(lane, CPU, (1, 4), factors)]).timing_rows()
    assert (row.depth, row.samples) == (64, 5)
    assert row.passes == pytest.approx({1: CPU.passes[0], 4: CPU.passes[3]})
    assert row.low[4] == pytest.approx(0.9 * CPU.passes[3])
    assert row.high[4] == pytest.approx(1.1 * CPU.passes[3])
    assert row.draft_step == pytest.approx(CPU.draft_step)
