"""What a run counts follows from the events alone, however they were merged on their way."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.panel.run import LAST_ROUNDS, MOST_POINTS, Run, Shape, Speeds, State
from engine.accept import Source
from engine.protocol import PLAIN, SPECULATIVE, Done, Emitted, Figures, RoundTimes
from tests.app.panel.events import USUAL, Pace, reply, token

SETTINGS = st.tuples(
    st.integers(1, 16), st.integers(1, 120), st.floats(0.0, 1.0), st.integers(0, 9)
)


def run_of(gamma: int, count: int, pace: Pace = USUAL, seed: int = 1) -> Run:
    run = Run(gamma, State.READING)
    for event in reply(gamma, count, pace, seed=seed):
        if isinstance(event, Done):
            run.finish(event)
        else:
            run.emitted(event)
    return run


@given(SETTINGS)
def test_lengths_agree_with_the_engines_own_counts(settings) -> None:
    gamma, count, alpha, seed = settings
    run = run_of(gamma, count, Pace(alpha=alpha), seed)
    drafted = sum(run.lengths)
    at_least = run.figures.accepted_by_position
    for k in range(1, len(run.lengths)):
        expected = at_least[k - 1] if k <= len(at_least) else 0
        assert sum(run.lengths[k:]) == expected
    assert drafted <= run.figures.rounds
    assert sum(k * rounds for k, rounds in enumerate(run.lengths)) == run.figures.accepted


@given(SETTINGS, st.integers(1, 7))
def test_merged_events_give_the_same_run(settings, together: int) -> None:
    gamma, count, alpha, seed = settings
    events = [
        e for e in reply(gamma, count, Pace(alpha=alpha), seed=seed) if isinstance(e, Emitted)
    ]
    single, merged = Run(gamma), Run(gamma)
    for event in events:
        single.emitted(event)
    for i in range(0, len(events), together):
        part = events[i : i + together]
        merged.emitted(
            replace(
                part[-1],
                pieces=[piece for e in part for piece in e.pieces],
                tokens=[token for e in part for token in e.tokens],
                rounds=[round_ for e in part for round_ in e.rounds],
            )
        )
    assert merged.shapes == single.shapes
    assert merged.lengths == single.lengths
    assert merged.speeds.points == single.speeds.points
    assert merged.figures == single.figures


def test_a_round_is_drawn_as_it_came() -> None:
    times = RoundTimes(2, 4, 0.2, 0.1, 0.1)
    corrected = Shape.of(times, [token(Source.ACCEPTED), token(Source.CORRECTED)])
    assert corrected == Shape(4, 1, corrected=True, bonus=False, plain=False, seconds=0.2)
    cut = Shape.of(times, [token(Source.ACCEPTED)] * 2)
    assert (cut.accepted, cut.corrected, cut.bonus) == (2, False, False)
    plain = Shape.of(RoundTimes(1, 0, 0.1, 0.0, 0.1), [token(Source.PLAIN)])
    assert plain.plain
    assert plain.drafted == 0


def test_the_plain_lane_of_a_comparison_is_passed_over() -> None:
    run = Run(3, State.READING)
    for event in reply(0, 20, lane=PLAIN):
        run.finish(event) if isinstance(event, Done) else run.emitted(event)
    assert run.figures == Figures()
    assert run.state is State.READING
    for event in reply(3, 20, lane=SPECULATIVE):
        run.finish(event) if isinstance(event, Done) else run.emitted(event)
    assert run.figures.tokens == 20
    assert run.state is State.OVER


def test_text_that_was_held_back_to_the_end_adds_no_round() -> None:
    run = run_of(3, 30)
    before = list(run.shapes)
    run.emitted(Emitted("chat", [], [], [], run.figures))
    assert list(run.shapes) == before


def test_only_the_last_rounds_are_kept() -> None:
    run = run_of(1, 400)
    assert len(run.shapes) == LAST_ROUNDS


def test_a_lost_run_keeps_what_it_had() -> None:
    run = run_of(3, 20)
    run.state = State.WRITING
    run.lost()
    assert run.state is State.LOST
    assert run.figures.tokens == 20
    over = run_of(3, 20)
    over.lost()
    assert over.state is State.OVER


def test_acceptance_by_place_knows_what_was_never_tested() -> None:
    run = Run(4)
    run.figures = Figures(tested_by_position=[4, 2], accepted_by_position=[2, 2])
    assert run.by_position() == [0.5, 1.0, None, None]


def test_speed_is_that_of_the_last_second() -> None:
    speeds = Speeds()
    for _ in range(20):
        speeds.add(0.1, 2)  # 20 tokens/s for two seconds
    for _ in range(20):
        speeds.add(0.1, 1)
    assert speeds.points[9][1] == pytest.approx(20)
    assert speeds.points[-1] == (pytest.approx(4.0), pytest.approx(10))


@given(st.lists(st.tuples(st.floats(0.0, 0.5), st.integers(1, 17)), max_size=400))
def test_the_curve_of_speed_never_grows_too_long(rounds) -> None:
    speeds = Speeds()
    for seconds, tokens in rounds:
        speeds.add(seconds, tokens)
    assert len(speeds.points) <= MOST_POINTS
    times = [at for at, _speed in speeds.points]
    assert times == sorted(times)


def test_the_models_behind_the_figures_know_no_qt() -> None:
    code = (
        "import app.panel.run, app.panel.worth, app.panel.facts, app.compare.lane, sys;"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
