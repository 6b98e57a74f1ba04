"""The speed of something that grows."""

from __future__ import annotations

import pytest

from engine.models import meter
from engine.models.meter import Meter


@pytest.fixture(name="clock")
def own_clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(meter.time, "monotonic", lambda: now[0])
    return now


def test_nothing_told_is_no_speed():
    assert Meter().speed == 0.0


def test_the_speed_is_that_of_the_last_seconds(clock):
    growing = Meter()
    for second in range(20):
        clock[0] = 100.0 + second
        growing.tell(1000 * second if second < 10 else 9000 + 500 * (second - 9))
    assert growing.speed == pytest.approx(500)


def test_it_falls_while_nothing_comes(clock):
    growing = Meter()
    growing.tell(0)
    clock[0] += 1
    growing.tell(1000)
    assert growing.speed == pytest.approx(1000)
    clock[0] += 9
    assert growing.speed == pytest.approx(100)


def test_a_moment_is_too_short_to_tell(clock):
    growing = Meter()
    growing.tell(0)
    clock[0] += 0.1
    growing.tell(1_000_000)
    assert growing.speed == 0.0


def test_what_starts_over_has_no_speed_below_zero(clock):
    growing = Meter()
    growing.tell(1000)
    clock[0] += 1
    growing.tell(0)
    assert growing.speed == 0.0
