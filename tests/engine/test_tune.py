"""The tuner over real llama.cpp: what it measures, that it can be stopped, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import tune as tuner
from engine import tunings
from engine.acceptance import walk
from engine.chat import Message
from engine.client import Client
from engine.costs import Costs, Timings
from engine.decoding import Lane
from engine.engine import Engine, Reply, ReplyOptions, tuning_versions
from engine.errors import MachineBusy, NothingToTune, PairRefused, Stopped
from engine.findings import Findings
from engine.llama.context import Context, StopFlag
from engine.loading import LoadOptions
from engine.protocol import (
    Chat,
    Done,
    Event,
    Failed,
    Load,
    Options,
    Ready,
    Tune,
    Tuned,
    Tuning,
    Unload,
    decode,
    encode,
)
from engine.protocol import Message as Said
from engine.sampling import Sampling
from engine.service import Service
from engine.stats import Figures
from engine.tryout import Attempt, Sample, Tryout
from engine.tune import Plan, tune
from engine.tunings import EVERYDAY, Curve, Record
from tests.engine.conftest import NewContext, TinyModel, TinyPath
from tests.support.tiny_models import EOS
from tests.support.tuned import KEY, VERSIONS
from tests.support.workers import final, load, until

pytestmark = pytest.mark.small

GREEDY, SAMPLED = Sampling(temperature=0.0), Sampling(temperature=0.7)
SIX = ["code", "rewriting", "structured output", "explanation", "story", "everyday"]
SHORT = tuner.Extent(1.0, (16, 64), (2, 3), (8, 12), (2, 3))
"""As the full tuning, on a machine that has no time."""


@pytest.fixture(autouse=True)
def _in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short replies; and passes of a tiny model take too little time to be timed well."""
    monkeypatch.setattr(tuner, "FULL", SHORT)
    monkeypatch.setattr(tuner, "QUICK", replace(tuner.QUICK, tokens=(8, 12)))
    monkeypatch.setattr(tuner, "SPREAD", math.inf)
    monkeypatch.setattr(tuner, "ALARM", math.inf)
    monkeypatch.setattr(tuner, "CROWDED", math.inf)


@pytest.fixture
def engine(tiny_path: TinyPath) -> Iterator[Engine]:
    engine = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions(threads=1))
    yield engine
    engine.free()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Attempt]:
    """The plain replies as they are asked for; none ends before it has all its tokens."""
    real, asked = Tryout.plainly, list[Attempt]()

    def plainly(self: Tryout, attempt: Attempt) -> Sample:
        asked.append(attempt)
        self.ends = frozenset()
        return real(self, attempt)

    monkeypatch.setattr(Tryout, "plainly", plainly)
    return asked


def tuned(engine: Engine, plan: Plan, told: tuner.Told = lambda _done, _what: None) -> Record:
    assert engine.key is not None
    return tune(engine.pair, engine.key, tuning_versions(engine.pair), plan, told)


# What it measures --------------------------------------------------------------------------------


def test_everything_that_is_to_be_drawn_is_measured(engine: Engine) -> None:
    record = tuned(engine, Plan(SAMPLED))
    assert record.key == engine.key
    assert record.kinds == SIX
    assert {curve.temperature for curve in record.curves} == {0.7, 0.0}
    assert len(record.curves) == 2 * (len(SIX) + 1)
    assert [timing.depth for timing in record.timings] == [16, 64]
    assert all(seconds > 0 for seconds in (*record.passes, record.draft_step))
    assert len(record.passes) == 17
    assert not set(record.interpolated) & set(record.timings[0].passes)
    assert record.curve().gamma == record.gamma  # type: ignore[union-attr]
    assert record.sizes.caches[1] > record.sizes.caches[0] > 0
    assert list(record.sizes.buffers) == sorted(record.sizes.buffers)
    assert record.sweep == ()


def test_the_best_two_are_tried_on_several_kinds(engine: Engine) -> None:
    told: list[str] = []
    checks = tuned(engine, Plan(SAMPLED), lambda _done, what: told.append(what)).checks
    assert len({check.gamma for check in checks[:6]}) == 2
    for three in (checks[:6:2], checks[1:6:2]):
        assert [check.kind for check in three] == ["code", "structured output", "story"]
    tries = [what for what in dict.fromkeys(told) if what.startswith("Trying γ")]
    assert [tries[at] for at in (0, 3, 6)] == [f"Trying γ 0: {c.kind}" for c in checks[:6:2]]
    assert all(check.measured > 0 and check.tokens > 0 for check in checks)


def in_doubt(*kinds: str, gamma: int = 9) -> Callable[[Findings], list[Curve]]:
    """As if these kinds could not be sure of what this γ promises."""

    def doubtful(findings: Findings) -> list[Curve]:
        found = findings.curves(findings.timed())
        ours = [c for c in found if c.kind in kinds and c.temperature == 0]
        return [replace(curve, gamma=gamma) for curve in ours]

    return doubtful


def test_kinds_in_doubt_are_tried_with_their_own_gamma(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Findings, "doubtful", in_doubt("code", "rewriting"))
    checks = [(check.kind, check.gamma) for check in tuned(engine, Plan(GREEDY)).checks]
    own = [each for each in (("code", 9), ("rewriting", 9)) if each not in checks[:6]]
    assert checks[6:] == own


def test_what_the_best_two_have_shown_of_a_kind_is_not_tried_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doubtful(findings: Findings) -> list[Curve]:
        ran = [point.gamma for point in findings.points]
        return in_doubt("code", gamma=ran[0])(findings) if ran else []

    monkeypatch.setattr(Findings, "doubtful", doubtful)
    assert len(tuned(engine, Plan(GREEDY)).checks) == 6


def test_the_quick_form_leaves_doubts_to_be_said(
    engine: Engine, written: list[Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Findings, "doubtful", in_doubt("code", "story"))
    record = tuned(engine, Plan(GREEDY, is_quick=True))
    assert len(record.checks) == 1
    assert [attempt.kind for attempt in written] == ["code", "story", "everyday"]


def test_the_quick_form_tries_fewer_kinds_in_one_way(engine: Engine) -> None:
    record = tuned(engine, Plan(GREEDY, is_quick=True))
    assert record.is_quick
    assert record.kinds == ["code", "story", "everyday"]
    assert {curve.temperature for curve in record.curves} == {0.0}
    assert len(record.timings) == 1


def test_the_exhaustive_form_tries_every_gamma_on_every_kind(engine: Engine) -> None:
    sweep = tuned(engine, Plan(GREEDY, is_exhaustive=True)).sweep
    assert {(point.kind, point.gamma) for point in sweep} == {
        (k, g) for k in SIX for g in range(17)
    }
    assert all(point.measured == point.predicted == 1 for point in sweep if point.gamma == 0)


def test_a_machine_that_drifts_meanwhile_favours_no_gamma(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, order = Tryout.drafting, []

    def drafting(self: Tryout, attempt: Attempt, gamma: int) -> Figures:
        order.append(gamma)
        return real(self, attempt, gamma)

    monkeypatch.setattr(Tryout, "drafting", drafting)
    tuned(engine, Plan(GREEDY, is_quick=True, is_exhaustive=True))
    there, back = list(range(1, 17)), list(range(16, 0, -1))
    assert order[2:] == [0, *there, 0, 0, *back, 0, 0, *there, 0]  # to and fro, kind by kind


def test_every_gamma_is_held_against_plain_replies_before_and_after_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = [0.2, *[0.1, 0.3] * 3]  # seconds of a token: beside none, then before and after

    def drafting(_self: Tryout, _attempt: Attempt, gamma: int) -> Figures:
        token = 0.15 if gamma else plain.pop(0)
        return Figures(gamma=gamma, tokens=10, rounds=10, seconds=10 * token)

    extent = replace(tuner.QUICK, checks=(0, 1))
    monkeypatch.setattr(tuner, "QUICK", extent)
    monkeypatch.setattr(Tryout, "drafting", drafting)
    sweep = tuned(engine, Plan(GREEDY, is_quick=True, is_exhaustive=True)).sweep
    speed = (1 / 0.1 + 1 / 0.3) / 2
    assert {point.measured for point in sweep if not point.gamma} == {1.0}
    assert [point.measured for point in sweep if point.gamma] == pytest.approx(
        [1 / 0.15 / speed] * 48
    )


def test_it_tells_how_far_it_is_and_what_it_does(engine: Engine) -> None:
    told: list[tuple[float, str]] = []
    tuned(engine, Plan(GREEDY), lambda done, what: told.append((done, what)))
    assert all(0 <= done < 1 for done, _what in told)
    assert [done for done, _what in told] == sorted(done for done, _what in told)
    said = list(dict.fromkeys(what for _done, what in told))
    assert said[0] == "Timing both models, 16 tokens deep"
    assert "Writing plainly, greedily: story" in said
    assert any(what.startswith("Trying γ") for what in said)


def test_a_target_slower_than_was_expected_is_not_nearly_done_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuner, "FULL", replace(SHORT, seconds=1e-3))
    told: list[tuple[float, str]] = []
    tuned(engine, Plan(GREEDY), lambda done, what: told.append((done, what)))
    assert max(done for done, what in told if what.endswith("16 tokens deep")) <= 0.3


def test_the_chat_s_own_memories_are_left_alone(engine: Engine) -> None:
    list(engine.reply([Message("user", "hello")], ReplyOptions(max_tokens=8, seed=1)))
    before = [*engine.lane.target.tokens]
    tuned(engine, Plan(GREEDY, is_quick=True))
    assert engine.lane.target.tokens == before
    assert engine.lane.target.position == len(before)


def test_thread_counts_are_tried_only_where_the_number_is_the_engine_s_choice(
    engine: Engine, tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tuned(engine, Plan(GREEDY, is_quick=True)).by_threads == {}
    monkeypatch.setattr("engine.machine.threads", lambda: 2)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    try:
        record = tuned(auto, Plan(GREEDY, is_quick=True))
    finally:
        auto.free()
    assert list(record.by_threads) == [2, 1]
    assert record.threads in (1, 2)


@pytest.mark.parametrize(("one_thread", "best"), [(0.98, 2), (0.9, 1)])
def test_fewer_threads_are_taken_only_where_they_are_clearly_faster(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch, one_thread: float, best: int
) -> None:
    real = Timings.costs
    left = [Costs(0.5, {1: seconds, 4: 1.6}) for seconds in (1.0, one_thread)]
    monkeypatch.setattr("engine.machine.threads", lambda: 2)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    monkeypatch.setattr(Timings, "costs", lambda self: left.pop(0) if left else real(self))
    try:
        record = tuned(auto, Plan(GREEDY, is_quick=True))
    finally:
        auto.free()
    assert record.by_threads == {2: 1.0, 1: one_thread}
    assert record.threads == best


def test_threads_are_chosen_by_drafting_where_that_is_faster_than_plain(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Timings.costs
    left = [Costs(0.2, {1: 1.0, 4: 1.2}), Costs(0.2, {1: 0.9, 4: 2.0})]
    monkeypatch.setattr("engine.machine.threads", lambda: 2)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    monkeypatch.setattr(Timings, "costs", lambda self: left.pop(0) if left else real(self))
    try:
        record = tuned(auto, Plan(GREEDY, is_quick=True))
    finally:
        auto.free()
    # A round of γ = 3 writes about 2.7 tokens: with two threads one takes (3 · 0.2 + 1.2) ÷ 2.7.
    assert record.by_threads == pytest.approx({2: 1.8 / 2.7, 1: 0.9})
    assert record.threads == 2


def test_where_a_gpu_computes_the_number_of_threads_is_left_alone(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.machine.threads", lambda: 2)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    try:
        assert auto.key is not None
        monkeypatch.setattr(tuner, "library", lambda: SimpleNamespace(can_offload=True))
        monkeypatch.setattr(auto.pair.target, "gpu_layers", 4)
        record = tune(auto.pair, auto.key, VERSIONS, Plan(GREEDY, is_quick=True), lambda *_: None)
    finally:
        auto.free()
    assert (record.by_threads, record.threads) == ({}, 2)


def test_too_many_threads_are_told_from_a_busy_machine(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Timings.costs
    left: list[Costs] = []
    monkeypatch.setattr(tuner, "CROWDED", 0.3)
    monkeypatch.setattr("engine.machine.threads", lambda: 4)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    monkeypatch.setattr(Timings, "costs", lambda self: left.pop(0) if left else real(self))
    try:
        left += [Costs(9.0, {1: seconds, 4: 9.0}) for seconds in (1.0, 0.95, 0.6)]
        record = tuned(auto, Plan(GREEDY, is_quick=True))
        assert (record.by_threads, record.threads) == ({4: 1.0, 3: 0.95, 2: 0.6}, 2)
        left += [Costs(9.0, {1: seconds, 4: 9.0}) for seconds in (1.0, 0.6, 0.95)]
        with pytest.raises(MachineBusy, match="vary by 40 %"):
            tuned(auto, Plan(GREEDY, is_quick=True))
    finally:
        auto.free()


@pytest.mark.parametrize(("seconds", "sweeps", "tokens"), [(1e-9, 2, 8), (1e6, 3, 12)])
def test_what_is_measured_is_as_much_as_the_time_allows(
    engine: Engine,
    written: list[Attempt],
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    sweeps: int,
    tokens: int,
) -> None:
    monkeypatch.setattr(tuner, "FULL", replace(SHORT, seconds=seconds))
    monkeypatch.setattr(Findings, "doubtful", lambda _self: [])
    record = tuned(engine, Plan(GREEDY))
    assert [timing.samples for timing in record.timings] == [sweeps, sweeps]
    assert {attempt.tokens for attempt in written} == {tokens}


def test_a_restless_moment_is_timed_again_and_left_out(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    spreads = [0.5, 0.1]
    monkeypatch.setattr(tuner, "SPREAD", 0.15)
    monkeypatch.setattr(tuner, "FULL", replace(SHORT, seconds=1e6))
    monkeypatch.setattr(
        Timings, "spread", lambda _self, share=0.8: spreads.pop(0) if spreads else 0.0
    )
    record = tuned(engine, Plan(GREEDY))
    assert [timing.samples for timing in record.timings] == [2, 3]


def test_the_passes_of_those_gamma_that_look_best_are_timed_at_every_depth(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Findings.curves

    def curves(self: Findings, gammas: Iterable[int], scale: float = 1.0) -> list[Curve]:
        found = real(self, gammas, scale)
        if 6 not in gammas:
            return found
        return [replace(curve, gamma=10 if 6 in self.timed() else 6) for curve in found]

    monkeypatch.setattr(Findings, "curves", curves)
    record = tuned(engine, Plan(GREEDY))
    for timing in record.timings:
        assert {7, 11} <= timing.passes.keys()
    assert not {7, 11} & set(record.interpolated)


def test_where_replies_are_short_more_of_the_kind_s_prompts_are_answered(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Tryout.plainly
    monkeypatch.setattr(
        Tryout, "plainly", lambda self, attempt: real(self, replace(attempt, tokens=2))
    )
    monkeypatch.setattr(Findings, "doubtful", lambda _self: [])
    record = tuned(engine, Plan(GREEDY))
    tokens = {c.kind: c.tokens for c in record.curves if c.temperature == 0}
    # Three prompts, and two: all that there are.
    assert (tokens["code"], tokens["story"]) == (6, 4)


def test_a_depth_that_the_context_does_not_reach_is_timed_as_far_as_it_does(
    tiny_path: TinyPath,
) -> None:
    small = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions(n_ctx=144, threads=1))
    try:
        record = tuned(small, Plan(GREEDY))
    finally:
        small.free()
    assert [timing.depth for timing in record.timings] == [16, 144 - 96]


def test_buffers_are_those_of_the_widest_pass_and_the_draft(engine: Engine) -> None:
    record, pair = tuned(engine, Plan(GREEDY, is_quick=True)), engine.pair
    assert engine.key is not None
    assert pair.draft is not None
    options = replace(pair.context, n_ctx=engine.key.n_ctx)
    sizes = []
    for model, outputs in ((pair.target, 17), (pair.draft, 1), (pair.target, 1)):
        with Context(model, replace(options, outputs=outputs), pair.stop) as context:
            sizes.append((context.cache_bytes, context.buffer_bytes))
    widest, draft, plain = sizes
    assert record.sizes.caches == (plain[0], widest[0] + draft[0])
    assert (record.sizes.buffers[0], record.sizes.buffers[16]) == (plain[1], widest[1] + draft[1])


@pytest.mark.parametrize(
    "asked", [SAMPLED, GREEDY, replace(SAMPLED, top_k=1), replace(GREEDY, top_k=7)]
)
def test_replies_are_written_as_asked_and_then_the_other_way(asked: Sampling) -> None:
    first, other = Plan(asked).ways
    assert first == asked
    assert other.greedy is not asked.greedy
    assert Plan(asked, is_quick=True).ways == [asked]


# The draft looking on ----------------------------------------------------------------------------


@pytest.fixture
def tryout(new_context: NewContext, tiny_model: TinyModel) -> Tryout:
    """Kernels that round alike at any width, so that a text is the same whatever γ it has."""
    lane = Lane(new_context(tiny_model()), new_context(tiny_model(noise=0.03)))
    return Tryout(lane, frozenset(), (), 512, lambda: None)


def rounds_along(agrees: list[float], gamma: int) -> int:
    """How many rounds a greedy reply takes, cut where it ends."""
    at = rounds = 0
    while at < len(agrees):
        drafted = min(gamma, len(agrees) - at - 1)
        run = next((i for i in range(drafted) if not agrees[at + i]), drafted)
        at, rounds = at + run + 1, rounds + 1
    return rounds


@pytest.mark.parametrize("way", [GREEDY, replace(GREEDY, repetition_penalty=1.2)])
@pytest.mark.parametrize("gamma", [1, 2, 3, 5])
def test_a_greedy_reply_s_chances_tell_exactly_the_rounds_that_drafting_takes(
    tryout: Tryout, gamma: int, way: Sampling
) -> None:
    attempt = Attempt("code", (7, 8, 9, 20, 30), way, 120)
    sample = tryout.plainly(attempt)
    assert set(sample.chances) == {0.0, 1.0}
    assert len(sample.chances) == sample.figures.tokens == 120
    assert tryout.drafting(attempt, gamma).rounds == rounds_along(sample.chances, gamma)


def test_sampled_replies_chances_tell_how_often_drafting_accepts(tryout: Tryout) -> None:
    """The law of acceptance at the first three places, over many prompts, both ways."""
    chances, whole = [], Figures()
    for first in range(10, 70):
        attempt = Attempt("story", (7, first, first + 1), Sampling(temperature=1.0, top_p=1.0), 48)
        chances.append(tryout.plainly(attempt).chances)
        figures = tryout.drafting(attempt, 3)
        whole.tested_by_position = add(whole.tested_by_position, figures.tested_by_position)
        whole.accepted_by_position = add(whole.accepted_by_position, figures.accepted_by_position)
    assert walk(chances, 3).survival == pytest.approx(whole.survival(), abs=0.06)
    assert any(0 < chance < 1 for reply in chances for chance in reply)


def add(a: list[int], b: list[int]) -> list[int]:
    size = max(len(a), len(b))
    padded = ([*row, *[0] * (size - len(row))] for row in (a, b))
    return [x + y for x, y in zip(*padded, strict=True)]


# What may go wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0, 3, 40, 150])
def test_it_can_be_stopped_at_any_moment(engine: Engine, after: int) -> None:
    calls = 0

    def told(_done: float, _what: str) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            engine.stop.set()

    with pytest.raises(Stopped):
        tuned(engine, Plan(SAMPLED), told)
    engine.stop.clear()
    *_steps, reply = engine.reply([Message("user", "hello")], ReplyOptions(max_tokens=4, seed=1))
    assert isinstance(reply, Reply)


def test_a_busy_machine_is_said_and_gets_no_recommendation(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuner, "SPREAD", -1.0)
    with pytest.raises(MachineBusy, match="tune again"):
        tuned(engine, Plan(GREEDY))


def test_threads_that_wait_for_another_program_are_no_reason_to_use_fewer(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuner, "CROWDED", -math.inf)
    monkeypatch.setattr("engine.machine.threads", lambda: 2)
    auto = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions())
    try:
        with pytest.raises(MachineBusy, match="tune again"):
            tuned(auto, Plan(GREEDY, is_quick=True))
    finally:
        auto.free()


def test_a_machine_that_turns_busy_while_the_best_are_tried_is_noticed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuner, "ALARM", 0.25)
    for scale in (0.7, 1.3):
        monkeypatch.setattr(Findings, "scale", lambda _self, scale=scale: scale)
        with pytest.raises(MachineBusy, match="vary by 30 %"):
            tuned(engine, Plan(GREEDY, is_quick=True))


def test_without_a_draft_there_is_nothing_to_tune(tiny_path: TinyPath) -> None:
    engine = Engine.load(tiny_path(), None, LoadOptions(threads=1))
    try:
        with pytest.raises(PairRefused, match="no draft"):
            tune(engine.pair, KEY, VERSIONS, Plan(GREEDY), lambda _done, _what: None)
    finally:
        engine.free()


def test_a_target_that_says_nothing_is_refused(tiny_path: TinyPath) -> None:
    silent = Engine.load(tiny_path(always=EOS), tiny_path(noise=0.04), LoadOptions(threads=1))
    try:
        with pytest.raises(NothingToTune, match="ends every reply"):
            tuned(silent, Plan(GREEDY))
    finally:
        silent.free()


def test_a_context_without_room_for_the_prompts_is_refused(tiny_path: TinyPath) -> None:
    options = LoadOptions(n_ctx=48, threads=1)
    small = Engine.load(tiny_path(), tiny_path(noise=0.04), options)
    try:
        with pytest.raises(NothingToTune, match="48 tokens has no room"):
            tuned(small, Plan(GREEDY))
    finally:
        small.free()


def test_a_memory_that_does_not_rewind_far_is_tuned_too(tiny_path: TinyPath) -> None:
    target = tiny_path(architecture="lfm2", layers=4)
    hybrid = Engine.load(target, tiny_path(noise=0.04), LoadOptions(threads=1))
    try:
        record = tuned(hybrid, Plan(GREEDY, is_quick=True))
    finally:
        hybrid.free()
    assert record.kinds


# Kept, and found again ---------------------------------------------------------------------------


def test_what_is_stored_is_in_force_at_the_next_load_without_a_guess(
    engine: Engine, tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = replace(tuned(engine, Plan(SAMPLED)), gamma=5)
    greedy = next(c for c in record.curves if (c.kind, c.temperature) == (EVERYDAY, 0.0))
    curves = tuple(replace(c, gamma=2) if c is greedy else c for c in record.curves)
    tunings.keep(replace(record, curves=curves))
    monkeypatch.setattr("engine.costs.measure", None)
    again = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions(threads=1))
    try:
        assert again.gamma == 5
        assert again.costs is not None
        assert list(again.costs.passes) == list(range(1, 18))
        for sampling, gamma in ((SAMPLED, 5), (GREEDY, 2), (replace(SAMPLED, top_k=1), 2)):
            options = ReplyOptions(max_tokens=12, seed=1, sampling=sampling, rule="ratio")
            *_steps, reply = again.reply([Message("user", "hello")], options)
            assert isinstance(reply, Reply)
            assert reply.figures.gamma == gamma
    finally:
        again.free()


def test_a_tuning_of_another_version_is_ignored_and_said(
    engine: Engine, tiny_path: TinyPath
) -> None:
    record = tuned(engine, Plan(GREEDY, is_quick=True))
    tunings.keep(replace(record, versions=replace(record.versions, llama="llama-cpp-python 0.1")))
    again = Engine.load(tiny_path(), tiny_path(noise=0.04), LoadOptions(threads=1))
    try:
        assert again.tuning is None
        assert any("llama-cpp-python 0.1" in note for note in again.pair.notes)
    finally:
        again.free()


def test_fewer_threads_are_used_where_the_tuning_found_them_faster(engine: Engine) -> None:
    record = tuned(engine, Plan(GREEDY, is_quick=True))
    engine.adopt(replace(record, threads=3))
    assert engine.pair.context.threads == 3


# Through the worker ------------------------------------------------------------------------------


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def service(told: list[Event]) -> Iterator[Service]:
    service = Service(StopFlag(), told.append)
    yield service
    service.answer(Unload())


def asked(tiny_path: TinyPath) -> Load:
    return load(tiny_path(), tiny_path(noise=0.04), 2048)


def test_a_request_is_answered_with_the_record_and_the_next_load_has_it(
    service: Service, told: list[Event], tiny_path: TinyPath
) -> None:
    before = service.answer(asked(tiny_path))
    assert isinstance(before, Ready)
    assert before.tuning is None
    answer = service.answer(Tune(SAMPLED, quick=True, id=7))
    assert isinstance(answer, Tuned)
    assert answer.note == ""
    assert decode(encode(answer), Event) == answer
    progress = [event for event in told if isinstance(event, Tuning)]
    assert progress
    assert {event.id for event in progress} == {7}
    after = service.answer(asked(tiny_path))
    assert isinstance(after, Ready)
    assert after.tuning == answer.tuning
    assert after.gamma == answer.tuning.gamma
    assert decode(encode(after), Event) == after


def test_a_cache_folder_that_refuses_costs_the_storing_only_and_that_is_said(
    service: Service, tiny_path: TinyPath, own_folders: Path, expect_log: Callable[[str], None]
) -> None:
    own_folders.mkdir(exist_ok=True)
    (own_folders / "cache").write_text("no folder")
    service.answer(asked(tiny_path))
    expect_log("cannot be read")
    expect_log("not stored")
    answer = service.answer(Tune(GREEDY, quick=True))
    assert isinstance(answer, Tuned)
    assert f"cannot be stored in {own_folders / 'cache' / 'tunings'}" in answer.note
    assert "until the models are loaded again" in answer.note


def test_a_setting_that_makes_no_sense_is_refused(service: Service, tiny_path: TinyPath) -> None:
    service.answer(asked(tiny_path))
    answer = service.answer(Tune(replace(GREEDY, top_p=7.0)))
    assert isinstance(answer, Failed)
    assert answer.code == "bad-setting"


def test_without_a_draft_the_request_fails_with_a_sentence(
    service: Service, tiny_path: TinyPath
) -> None:
    service.answer(load(tiny_path()))
    answer = service.answer(Tune())
    assert isinstance(answer, Failed)
    assert answer.code == "pair-refused"


def test_a_worker_stops_in_the_middle_and_goes_on_chatting(tiny_path: TinyPath) -> None:
    slow = {"layers": 6, "width": 256, "context_length": 2048}
    with Client() as client:
        ready = final(client.request(load(tiny_path(**slow), tiny_path(noise=0.04, **slow), 2048)))
        assert isinstance(ready, Ready)
        tuning = client.request(Tune(SAMPLED, exhaustive=True))
        until(tuning, Tuning)
        tuning.stop()
        stopped = final(tuning)
        assert isinstance(stopped, Failed)
        assert stopped.code in ("stopped", "machine-busy")
        reply = final(client.request(Chat((Said("user", "hello"),), Options(max_tokens=4))))
        assert isinstance(reply, Done)
