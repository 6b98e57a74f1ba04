"""What plain decoding reached on this machine."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.speeds import PlainSpeeds
from engine.protocol import Figures
from tests.support.stub_bridge import plain_figures, ready
from tests.support.tuned import CPU, RECORD


@pytest.fixture(name="path")
def speeds_path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "speeds.json"


def test_a_plain_reply_is_remembered_for_the_next_start(path: Path) -> None:
    assert PlainSpeeds(path).measured(ready(), plain_figures())
    assert PlainSpeeds(path).speed(ready()) == 10.0


def test_another_target_device_or_thread_count_is_not_measured_yet(path: Path) -> None:
    speeds = PlainSpeeds(path)
    speeds.measured(ready(), plain_figures())
    assert speeds.speed(ready("/models/other.gguf")) is None
    assert speeds.speed(replace(ready(), threads=8)) is None
    assert speeds.speed(replace(ready(), devices=("CUDA0 (x)",))) is None
    # Plain decoding does not know the draft.
    assert speeds.speed(ready(draft=None)) == 10.0


@pytest.mark.parametrize(
    "figures",
    [
        plain_figures(tokens=5),
        Figures(tokens=40, drafted=30, seconds=4.0),
        Figures(tokens=40, seconds=0.0),
    ],
)
def test_what_measures_nothing_is_not_kept(path: Path, figures: Figures) -> None:
    speeds = PlainSpeeds(path)
    assert not speeds.measured(ready(), figures)
    assert speeds.speed(ready()) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[1]",
        b"[" * 100_000,
        b'{"a": 9.5}',
        b'{"a": ["fast", 1]}',
        b'{"a": [9]}',
        b'{"a": [9' + b"0" * 400 + b", 1]}",
        b"\xff",
    ],
)
def test_a_file_with_nonsense_costs_nothing_else(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert PlainSpeeds(path).speed(ready()) is None


def test_a_folder_that_refuses_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    speeds = PlainSpeeds(tmp_path / "cache" / "speeds.json")
    assert speeds.measured(ready(), plain_figures())
    assert speeds.speed(ready()) == 10.0


def test_the_speed_up_needs_a_drafted_reply_and_a_plain_speed(path: Path) -> None:
    speeds = PlainSpeeds(path)
    drafted = Figures(tokens=40, drafted=30, seconds=2.0)
    assert speeds.speed_up(ready(), drafted) is None
    speeds.measured(ready(), plain_figures())
    assert speeds.speed_up(ready(), drafted) == pytest.approx(2.0)
    assert speeds.speed_up(ready(), plain_figures()) is None
    assert speeds.speed_up(None, drafted) is None


def test_a_short_reply_has_no_speed_up(path: Path) -> None:
    speeds = PlainSpeeds(path)
    speeds.measured(ready(), plain_figures())
    assert speeds.speed_up(ready(), Figures(tokens=23, drafted=30, seconds=1.0)) is None
    assert speeds.speed_up(ready(), Figures(tokens=24, drafted=30, seconds=1.0)) is not None


def test_the_newest_of_a_reply_and_a_tuning_counts(path: Path) -> None:
    tuned = replace(ready(), tuning=RECORD)
    at = datetime.fromisoformat(RECORD.at).timestamp()
    assert PlainSpeeds(path).speed(tuned) == pytest.approx(1 / CPU.plain)
    PlainSpeeds(path, now=lambda: at - 60).measured(tuned, plain_figures())
    assert PlainSpeeds(path).speed(tuned) == pytest.approx(1 / CPU.plain)
    PlainSpeeds(path, now=lambda: at + 60).measured(tuned, plain_figures())
    assert PlainSpeeds(path).speed(tuned) == 10.0
    again = datetime.fromtimestamp(at + 120, UTC).isoformat()
    later = replace(tuned, tuning=replace(RECORD, at=again))
    assert PlainSpeeds(path).speed(later) == pytest.approx(1 / CPU.plain)


def test_a_tuning_with_another_number_of_threads_says_nothing(path: Path) -> None:
    other = replace(ready(), tuning=RECORD, threads=RECORD.threads + 1)
    assert PlainSpeeds(path).speed(other) is None
