"""What was measured of a pair is found again, wherever its files lie."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

from engine import tunings
from engine.models import local, measured
from engine.models.local import LocalModel
from engine.models.measured import Tuned
from engine.models.partners import Worth
from engine.tunings import EVERYDAY, Curve, Key, Overhead, Record, Sizes, Versions
from tests.support.ggufs import write_gguf

NOW = tunings.versions(version("llama-cpp-python"), on_gpu=False)


def record(
    target: Path,
    draft: Path,
    speed_up: float = 1.25,
    at: str = "2026-11-29",
    now: Versions = NOW,
    *,
    recast: bool = False,
) -> Record:
    """A tuning of two files that found γ 2."""
    curve = Curve(
        kind=EVERYDAY,
        temperature=0.7,
        tokens=100,
        survival=(0.7,) * 16,
        tokens_per_round=(1.0,) * 17,
        speed_up=(1.0, 1.1, speed_up, *(1.0,) * 14),
        low=(1.0,) * 17,
        high=(1.0,) * 17,
        gamma=2,
    )
    identities = (tunings.identity(target), tunings.identity(draft))
    return Record(
        key=Key(*identities, ("CPU",), (0, 0), 2, True, 4096, recast),
        versions=now,
        at=at,
        took=1.0,
        is_quick=False,
        temperature=0.7,
        gamma=2,
        threads=2,
        by_threads={},
        timings=(),
        draft_step=0.1,
        catch_up=0.0,
        passes=(1.0,) * 17,
        interpolated=(),
        overheads=(Overhead(0.7, 1e-3, 1e-4),),
        scale=1.0,
        curves=(curve,),
        checks=(),
        sweep=(),
        sizes=Sizes((0, 0), (0,) * 17),
    )


def pair(folder: Path) -> tuple[LocalModel, LocalModel]:
    return (
        local.check_file(write_gguf(folder / "target.gguf", general__name="T")),
        local.check_file(write_gguf(folder / "draft.gguf", general__name="D")),
    )


def test_a_stored_tuning_tells_the_real_figures(tmp_path: Path):
    target, draft = pair(tmp_path)
    assert Tuned()(target, draft) is None
    tunings.keep(record(target.path, draft.path))
    tuned = Tuned()
    assert tuned(target, draft) == Worth(1.25, 2, measured=True)
    assert tuned(draft, target) is None
    assert tuned(target, target) is None


def test_a_file_is_known_by_its_contents(tmp_path: Path):
    target, draft = pair(tmp_path)
    moved = shutil.copy(draft.path, tmp_path / "renamed.gguf")
    tuned = Tuned([record(target.path, draft.path)])
    assert tuned(target, local.check_file(moved)) is not None
    other = local.check_file(write_gguf(tmp_path / "other.gguf", general__name="X"))
    assert tuned(target, other) is None


def test_of_several_the_newest_counts(tmp_path: Path):
    target, draft = pair(tmp_path)
    old = record(target.path, draft.path, 1.9, "2026-11-28T10:00:00")
    new = record(target.path, draft.path, 1.1, "2026-11-29T09:00:00")
    for records in ([old, new], [new, old]):
        worth = Tuned(records)(target, draft)
        assert worth is not None
        assert worth.speed_up == 1.1


def test_a_pair_whose_draft_was_recast_is_known_by_the_draft_itself(tmp_path: Path):
    target, draft = pair(tmp_path)
    tunings.keep(record(target.path, draft.path, recast=True))
    assert Tuned()(target, draft) == Worth(1.25, 2, measured=True)


def test_tunings_of_other_versions_and_broken_ones_do_not_count(tmp_path: Path):
    target, draft = pair(tmp_path)
    for now in (Versions("0.0.1", NOW.llama, ""), Versions(NOW.foreword, "other", "")):
        stale = record(target.path, draft.path, now=now)
        tunings.keep(stale)
        assert Tuned()(target, draft) is None
    for content in ("", "[]", "{}", "\0"):
        stale.key.path.write_text(content)
        assert Tuned()(target, draft) is None


def test_files_are_read_only_where_a_tuning_may_be_theirs(tmp_path: Path, monkeypatch):
    target, draft = pair(tmp_path)
    other = local.check_file(write_gguf(tmp_path / "other.gguf", general__name="X"))
    tuned = Tuned([record(target.path, draft.path)])
    read: list[str] = []
    real = tunings.identity
    monkeypatch.setattr(
        measured.tunings, "identity", lambda path: read.append(path.name) or real(path)
    )
    tuned(other, draft)
    tuned(target, draft)
    tuned(target, draft)
    assert read == ["other.gguf", "target.gguf", "draft.gguf"]
