"""What plain decoding reached on this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.speeds import PlainSpeeds
from engine.protocol import Figures
from tests.support.stub_bridge import plain_figures, ready


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
    "content", [b"", b"no JSON", b"[1]", b'{"a": -1}', b'{"a": "fast"}', b"\xff"]
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
