"""The benchmark's order, sums and prediction."""

from __future__ import annotations

import json

import pytest

from engine.bench import Plan, Results, pooled
from engine.prompts import BenchPrompt
from engine.protocol import Chat, Done, Event, Measure, Measured, Message, Request
from engine.speedup import predicted_speed_up
from engine.stats import End, Figures

FIELDS = {
    "prompt", "kind", "lane", "gamma", "temperature", "tokens", "seconds", "tokens_per_second",
    "time_to_first_token", "rounds", "drafted", "accepted", "rejected", "draft_seconds",
    "verify_seconds", "other_seconds", "accepted_by_position", "tested_by_position", "end",
}  # fmt: skip
SUMMARY = {
    "gamma", "temperature", "kind", "speed_up", "acceptance_rate", "alpha", "tokens_per_round",
    "predicted_speed_up", "other_share",
}  # fmt: skip

DRAFT_STEP, PASSES = 0.01, {1: 0.05, 3: 0.07, 4: 0.08}
OWN_TIME = 0.002
ACCEPTED = (0.9, 0.8, 0.7)


def prompt(name: str, kind: str) -> BenchPrompt:
    return BenchPrompt(name, kind, (Message("user", "Say something."),))


class Machine:
    """Answers as a machine would whose every pass takes just as long as it was measured to."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Event:
        self.asked.append(request)
        if isinstance(request, Measure):
            return Measured(DRAFT_STEP, {width: PASSES[width] for width in request.widths})
        assert isinstance(request, Chat)
        figures = self.figures(request.options.gamma or 0)
        return Done("chat", End.LENGTH, "", (), figures, request.options.seed or 0)

    @staticmethod
    def figures(gamma: int, rounds: int = 1000) -> Figures:
        tested, accepted, left = [], [], float(rounds)
        for chance in ACCEPTED[:gamma]:
            tested.append(round(left))
            left *= chance
            accepted.append(round(left))
        draft, verify = rounds * gamma * DRAFT_STEP, rounds * PASSES[gamma + 1]
        return Figures(
            gamma=gamma,
            tokens=rounds + sum(accepted),
            rounds=rounds,
            drafted=gamma * rounds,
            accepted=sum(accepted),
            rejected=rounds - accepted[-1] if accepted else 0,
            draft_seconds=draft,
            verify_seconds=verify,
            seconds=draft + verify + rounds * OWN_TIME,
            tested_by_position=tested,
            accepted_by_position=accepted,
        )


def measured(plan: Plan) -> Results:
    results, machine = Results(plan), Machine()
    results.measure(machine.ask)
    for task in plan.tasks():
        results.run(task, machine.ask)
    return results


def test_plain_is_always_run_and_whoever_goes_first_changes():
    plan = Plan((prompt("a", "code"), prompt("b", "story")), gammas=(3, 2, 3), repeats=2)
    order = [(task.prompt.id, task.gamma, task.repeat) for task in plan.tasks()]
    assert order[:6] == [
        ("a", 0, 0),
        ("a", 2, 0),
        ("a", 3, 0),
        ("b", 3, 0),
        ("b", 2, 0),
        ("b", 0, 0),
    ]
    assert len(order) == 12


def test_requests_say_everything_that_a_run_depends_on():
    plan = Plan((prompt("a", "code"),), (2,), (0.8,), max_tokens=64, repeats=2, seed=5)
    machine = Machine()
    results = Results(plan)
    runs = [results.run(task, machine.ask) for task in plan.tasks()]
    asked = [request for request in machine.asked if isinstance(request, Chat)]
    assert {request.fresh for request in asked} == {True}
    assert {request.options.rule for request in asked} == {"ratio"}
    assert {request.options.max_tokens for request in asked} == {64}
    assert {request.options.sampling.temperature for request in asked} == {0.8}
    assert [run.seed for run in runs] == [5, 5, 6, 6]


def test_passes_are_timed_at_every_width_in_use_and_deep_in_a_reply():
    measurement = Plan((prompt("a", "code"),), (0, 3, 2), max_tokens=200).measurement()
    assert measurement.widths == (1, 3, 4)
    assert 100 <= measurement.depth <= 110
    assert measurement.repeats >= 5


@pytest.mark.parametrize("n_ctx", [32, 256])
def test_passes_are_timed_within_the_context(n_ctx: int):
    long = BenchPrompt("a", "code", (Message("user", "word " * 400),))
    measurement = Plan((long,), (3, 16), n_ctx=n_ctx).measurement()
    assert measurement.depth == n_ctx - 17  # the widest pass still fits behind it


def test_a_row_of_runs_has_every_field_and_fits_json():
    run = measured(Plan((prompt("a", "code"),), (3,))).runs[1].as_dict()
    assert set(run) >= FIELDS
    assert (run["lane"], run["gamma"], run["kind"]) == ("speculative", 3, "code")
    assert json.loads(json.dumps(run)) == run


def test_a_summary_row_stands_for_each_gamma_temperature_and_kind():
    plan = Plan((prompt("a", "code"), prompt("b", "story")), (2, 3), (0.0, 0.8))
    rows = measured(plan).summary()
    keys = [(row["gamma"], row["temperature"], row["kind"]) for row in rows]
    assert len(keys) == len(set(keys)) == 3 * 2 * 2
    assert all(set(row) >= SUMMARY for row in rows)


@pytest.mark.parametrize("gamma", [2, 3])
def test_the_prediction_equals_what_a_machine_without_surprises_does(gamma):
    rows = measured(Plan((prompt("a", "code"),), (gamma,))).summary()
    row = rows[-1]
    assert row["speed_up"] == pytest.approx(row["predicted_speed_up"], rel=1e-3)
    assert row["speed_up"] > 1
    assert (rows[0]["speed_up"], rows[0]["predicted_speed_up"]) == pytest.approx((1, 1))
    assert rows[0]["acceptance_rate"] is None


def test_the_prediction_is_the_formula_in_units_of_a_plain_step():
    row = measured(Plan((prompt("a", "code"),), (3,))).summary()[-1]
    step = PASSES[1] + OWN_TIME
    s1, s2, s3 = 0.9, 0.9 * 0.8, 0.9 * 0.8 * 0.7
    expected = predicted_speed_up(
        [s1, s2, s3],
        draft_cost=DRAFT_STEP / step,
        pass_cost=PASSES[4] / step,
        overhead=OWN_TIME / step,
    )
    assert row["predicted_speed_up"] == pytest.approx(expected, rel=1e-3)


def test_a_group_without_its_plain_runs_is_not_summed_up():
    plan = Plan((prompt("a", "code"),), (3,))
    results, machine = Results(plan), Machine()
    plain, drafting = plan.tasks()
    results.run(drafting, machine.ask)
    assert results.summary() == []
    results.run(plain, machine.ask)
    rows = results.summary()
    assert [row["gamma"] for row in rows] == [0, 3]
    assert rows[1]["predicted_speed_up"] is None  # nothing was timed
    assert results.costs_as_dict()["c"] is None


def test_a_run_that_wrote_nothing_is_left_out():
    plan = Plan((prompt("a", "code"),), (3,))
    results = Results(plan)
    empty = Done("chat", End.END, "", (), Figures(), 1)
    results.run(next(plan.tasks()), lambda _request: empty)
    assert results.runs == []


def test_costs_are_the_medians_of_all_measurements():
    results = Results(Plan((prompt("a", "code"),), (3,)))
    results.costs = [Measured(0.01 * n, {1: 0.1 * n, 4: 0.2}) for n in (1, 2, 5)]
    costs = results.costs_as_dict()
    assert costs["c"] == pytest.approx(0.1)
    assert costs["v"] == {1: 1.0, 4: pytest.approx(1.0)}
    assert len(costs["measurements"]) == 3


def test_pooled_figures_add_up_position_by_position():
    a = Figures(tokens=3, rounds=1, accepted_by_position=[1, 1], tested_by_position=[1, 1])
    b = Figures(tokens=2, rounds=2, accepted_by_position=[1], tested_by_position=[2])
    whole = pooled([a, b])
    assert (whole.tokens, whole.rounds) == (5, 3)
    assert (whole.accepted_by_position, whole.tested_by_position) == ([2, 1], [3, 1])
