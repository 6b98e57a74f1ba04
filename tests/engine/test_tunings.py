"""A tuning is found again where it holds, and nowhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine import tunings
from engine.errors import FileMissing
from engine.plain import plain
from engine.sampling import Sampling
from engine.tunings import EVERYDAY, Point, find, identity, keep, temperature_of
from tests.engine.conftest import TinyPath
from tests.support.tidy import ExpectLog
from tests.support.tuned import KEY, RECORD, VERSIONS

WRONG = (
    replace(RECORD, passes=RECORD.passes[:4]),
    replace(RECORD, gamma=17),
    replace(RECORD, curves=()),
    replace(RECORD, overheads=()),
    replace(RECORD, threads=0),
    replace(RECORD, threads=10**6),
    replace(RECORD, passes=(0.0, *RECORD.passes[1:])),
    replace(RECORD, draft_step=-1.0),
    replace(RECORD, scale=0.0),
    replace(RECORD, checks=(replace(RECORD.checks[0], measured=0.0),)),
    replace(RECORD, checks=(replace(RECORD.checks[0], predicted=0.0),)),
    replace(RECORD, checks=(replace(RECORD.checks[0], gamma=17),)),
    replace(RECORD, curves=(replace(RECORD.curves[0], speed_up=(1e300,) * 17),)),
    replace(RECORD, curves=(replace(RECORD.curves[0], survival=()), *RECORD.curves[1:])),
)


def test_what_is_kept_is_found_again_to_the_last_digit() -> None:
    keep(RECORD)
    assert find(KEY, VERSIONS) == (RECORD, "")


def test_nothing_is_found_before_anything_is_kept() -> None:
    assert find(KEY, VERSIONS) == (None, "")


@pytest.mark.parametrize(
    "other",
    [
        replace(KEY, target="another"),
        replace(KEY, draft="another"),
        replace(KEY, devices=("CUDA0 (a GPU)",)),
        replace(KEY, layers=(28, 24)),
        replace(KEY, threads=3),
        replace(KEY, is_auto=False),
        replace(KEY, n_ctx=8192),
        replace(KEY, recast=True),
    ],
)
def test_a_tuning_holds_for_its_own_pair_device_threads_and_context_alone(
    other: tunings.Key,
) -> None:
    keep(RECORD)
    assert find(other, VERSIONS) == (None, "")


@pytest.mark.parametrize(
    ("now", "named"),
    [
        (replace(VERSIONS, llama="llama-cpp-python 9.9"), VERSIONS.llama),
        (replace(VERSIONS, driver="NVIDIA 999"), VERSIONS.driver),
        (replace(VERSIONS, foreword="9.9"), f"Foreword {VERSIONS.foreword}"),
    ],
)
def test_one_of_another_version_or_driver_is_not_used_and_said(
    now: tunings.Versions, named: str
) -> None:
    keep(RECORD)
    found, note = find(KEY, now)
    assert found is None
    assert named in note
    assert "Tune again" in note


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "null", "3", '{"format": 2}', '{"format": 2, "gamma": "3"}', "[" * 100000),
        *(json.dumps({"format": 2} | plain(record)) for record in WRONG),
    ],
    ids=range(8 + len(WRONG)),
)
def test_a_file_that_makes_no_sense_costs_the_tuning_only(
    content: str, expect_log: ExpectLog
) -> None:
    KEY.path.parent.mkdir(parents=True)
    KEY.path.write_text(content)
    expect_log("cannot be read")
    found, note = find(KEY, VERSIONS)
    assert found is None
    assert "Tune again" in note


def test_one_of_another_format_is_not_used_and_said() -> None:
    KEY.path.parent.mkdir(parents=True)
    KEY.path.write_text(json.dumps({"format": 1} | plain(RECORD)))
    assert find(KEY, VERSIONS)[0] is None
    assert "earlier version" in find(KEY, VERSIONS)[1]


def test_a_folder_that_refuses_leaves_no_half_file(tmp_path: Path) -> None:
    KEY.path.parent.parent.mkdir(parents=True)
    KEY.path.parent.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="tunings"):
        keep(RECORD)


def test_an_identity_is_of_the_contents_not_of_the_name(
    tiny_path: TinyPath, tmp_path: Path
) -> None:
    original = tiny_path()
    copy = tmp_path / "another name.gguf"
    copy.write_bytes(original.read_bytes())
    assert identity(copy) == identity(original)
    assert identity(tiny_path(noise=0.04)) != identity(original)
    with copy.open("r+b") as file:
        file.seek(-100, 2)
        file.write(b"another")
    assert identity(copy) != identity(original)
    with pytest.raises(FileMissing):
        identity(tmp_path / "nothing.gguf")


def test_each_way_of_writing_has_its_own_curve() -> None:
    assert RECORD.temperature == 0.7
    greedy, sampled = RECORD.curve(temperature=0.0), RECORD.curve(temperature=1.2)
    assert greedy is not None
    assert sampled is not None
    assert (greedy.temperature, sampled.temperature) == (0.0, 0.7)
    assert RECORD.gamma_at(0.7) == RECORD.gamma
    assert RECORD.gamma_at(0.0) == greedy.gamma
    assert RECORD.curve("code", 0.0) != RECORD.curve("code", 0.7)
    assert RECORD.curve("poetry") is None


def test_where_one_way_was_tried_it_stands_for_both() -> None:
    quick = replace(
        RECORD,
        curves=tuple(curve for curve in RECORD.curves if curve.temperature > 0),
        overheads=RECORD.overheads[:1],
    )
    assert quick.gamma_at(0.0) == quick.gamma
    assert quick.pace(0.0) == quick.pace(0.7)


def test_the_pace_gives_back_the_curve() -> None:
    for curve in RECORD.curves:
        if curve.kind != EVERYDAY:
            gamma = len(curve.survival)
            predicted = RECORD.pace(curve.temperature).speed_up(curve.survival)
            assert predicted == pytest.approx(curve.speed_up[gamma])


def test_what_was_run_is_told_with_its_kind_and_moves_the_point_of_all_kinds_together() -> None:
    points = (
        Point("code", 0.7, 3, 40, predicted=1.7, measured=1.53),
        Point("story", 0.7, 3, 40, predicted=1.0, measured=1.1),
        Point("code", 0.0, 3, 40, predicted=1.7, measured=9.0),
        Point("code", 0.7, 0, 40, predicted=1.0, measured=1.0),
    )
    code, everyday = RECORD.curve("code"), RECORD.curve()
    assert code is not None
    assert everyday is not None
    record = replace(RECORD, checks=points, scale=0.9)
    assert record.tried(code) == pytest.approx({3: 1.53, 0: 1.0})
    faster = (1 / 1.7 + 1 / 1.0) / (1 / 1.53 + 1 / 1.1)
    expected = {3: everyday.speed_up[3] / 0.9 * faster, 0: 1.0}
    assert record.tried(everyday) == pytest.approx(expected)
    assert replace(record, sweep=points[:1]).tried(code) == pytest.approx({3: 1.53})


def test_json_names_the_recommendation() -> None:
    told = RECORD.as_dict()
    assert told["recommended"]["gamma"] == RECORD.gamma
    assert told["recommended"]["by_kind"].keys() == set(RECORD.kinds)
    assert json.loads(json.dumps(told)) is not None


def test_always_taking_the_likeliest_is_greedy_however_it_is_said() -> None:
    assert temperature_of(Sampling(temperature=0.0)) == 0.0
    assert temperature_of(Sampling(temperature=0.9, top_k=1)) == 0.0
    assert temperature_of(Sampling(temperature=0.9)) == 0.9
