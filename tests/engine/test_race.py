"""Lanes take turns: who has computed least goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.race import race


@dataclass(frozen=True)
class Step:
    seconds: float
    number: int = 0


def lane(*seconds: float) -> Iterator[Step]:
    return (Step(each, number) for number, each in enumerate(seconds))


def test_the_lane_that_computed_least_goes_on() -> None:
    order = [name for name, _step in race({"a": lane(2, 2, 2), "b": lane(1, 1, 1, 1)})]
    assert order == ["a", "b", "b", "a", "b", "b", "a"]


def test_the_other_lane_goes_on_alone_when_one_has_finished() -> None:
    order = [name for name, _step in race({"a": lane(1), "b": lane(5, 5, 5)})]
    assert order == ["a", "b", "b", "b"]


def test_no_lanes_and_empty_lanes_are_over_at_once() -> None:
    assert list(race({})) == []
    assert list(race({"a": lane(), "b": lane()})) == []


def test_steps_that_take_no_time_do_not_keep_the_other_waiting_for_ever() -> None:
    order = [name for name, _step in race({"a": lane(0, 0, 1, 1), "b": lane(0.5, 0.5)})]
    assert order.count("a") == 4
    assert order.count("b") == 2


seconds = st.lists(st.floats(0, 10), max_size=12)


@given(a=seconds, b=seconds)
def test_every_step_comes_once_in_order_and_no_clock_runs_ahead_by_more_than_one(
    a: list[float], b: list[float]
) -> None:
    clocks, left = {"a": 0.0, "b": 0.0}, {"a": len(a), "b": len(b)}
    seen: dict[str, list[int]] = {"a": [], "b": []}
    for name, step in race({"a": lane(*a), "b": lane(*b)}):
        other = "b" if name == "a" else "a"
        if left[other]:
            assert clocks[name] <= clocks[other]
        clocks[name] += step.seconds
        left[name] -= 1
        seen[name].append(step.number)
    assert seen == {"a": list(range(len(a))), "b": list(range(len(b)))}


def test_a_lane_that_fails_ends_the_race_with_its_error() -> None:
    def fails() -> Iterator[Step]:
        yield Step(0.1)
        raise OSError

    running = race({"a": fails(), "b": lane(1, 1)})
    assert [next(running)[0], next(running)[0]] == ["a", "b"]
    with pytest.raises(OSError):  # noqa: PT011 - whatever it is
        next(running)
