"""Models, downloads and what fits, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.models import words
from engine.errors import HubFailing
from engine.machine import Device, Machine
from engine.models.arriving import Doing
from engine.models.catalogue import catalogue
from engine.models.downloads import State, Status
from engine.models.fits import fit, plan_for, room_usually
from engine.models.item import catalogue_item
from engine.models.partners import Worth
from engine.models.suits import recommendations

GB = 10**9
SMALL = Machine(8 * GB, 6 * GB, 4, 100 * GB)
LARGE = Machine(
    64 * GB, 60 * GB, 8, 100 * GB, (Device("CUDA0", "A Card", "gpu", 23 * GB, 24 * GB),)
)

pytestmark = pytest.mark.usefixtures("english", "qapp")


@pytest.mark.parametrize(
    ("number", "said"), [(134_515_008, "135M"), (7_615_616_512, "7.6B"), (1_000_000_000, "1.0B")]
)
def test_weights_are_counted_as_names_have_them(number: int, said: str) -> None:
    assert words.parameters(number) == said


def test_a_size_fits_the_graphics_processor_or_the_computer_or_neither() -> None:
    assert words.size_verdict(4 * GB, LARGE) == "fits the graphics processor"
    assert words.size_verdict(40 * GB, LARGE) == "fits, in part on the processor"
    assert words.size_verdict(1 * GB, SMALL) == "fits"
    assert "needs about 9.2" in words.size_verdict(8 * GB, SMALL)


def test_a_pair_is_told_with_both_numbers_and_what_would_fit() -> None:
    pair = next(each for each in catalogue() if each.target.key == "qwen2.5-14b")
    room = room_usually(LARGE)
    plan = plan_for(LARGE, 4096)
    fits = words.fit(fit(pair.target.shape, pair.draft.shape, plan, room))
    assert "graphics processor’s memory" in fits
    small = fit(pair.target.shape, pair.draft.shape, plan_for(SMALL, 4096), room_usually(SMALL))
    said = words.fit(small)
    assert "Both models together need" in said
    assert "Choose a smaller model" in said


def test_what_is_given_up_is_said_in_order() -> None:
    card = Machine(64 * GB, 60 * GB, 8, 100 * GB, (Device("C", "A Card", "gpu", 8 * GB, 8 * GB),))
    pair = next(each for each in catalogue() if each.target.key == "qwen2.5-14b")
    found = fit(pair.target.shape, pair.draft.shape, plan_for(card, 4096), room_usually(card))
    assert "layers on the graphics processor" in words.fit(found)


def test_a_full_disk_and_a_slow_machine_are_said() -> None:
    full = Machine(64 * GB, 60 * GB, 1, 2 * GB)
    found = recommendations(catalogue(), full)
    told = [words.recommendation(each) for each in found if each.disk]
    assert all("On the disk" in each for each in told)
    assert told
    assert any("slower than one reads" in words.recommendation(each) for each in found)


@pytest.mark.parametrize(
    ("worth", "said"),
    [
        (Worth(1.84, 4), "up to 1.8×, a guess"),
        (Worth(1.84, 4, measured=True), "1.84× measured here"),
        (Worth(1.0, 0, measured=True), "measured here: drafting does not pay"),
    ],
)
def test_what_drafting_brings_says_how_it_is_known(worth: Worth, said: str) -> None:
    assert words.worth(worth) == said


def test_one_file_is_one_file() -> None:
    assert words.looking(1, "a.gguf") == "Looking … 1 file, a.gguf"
    assert words.looking(1200, "a.gguf") == "Looking … 1,200 files, a.gguf"


@pytest.mark.parametrize(
    ("seconds", "said"), [(12, "12 s left"), (600, "10 min left"), (9000, "2.5 h left")]
)
def test_time_left_is_told_as_people_count_it(seconds: float, said: str) -> None:
    assert words.time_left(seconds) == said


def test_a_problem_does_not_repeat_the_path(tmp_path: Path) -> None:
    from engine.models.local import check_file

    page = tmp_path / "page.gguf"
    page.write_bytes(b"<!DOCTYPE html>")
    said = words.problem(check_file(page))
    assert said.startswith("The file is not a GGUF model")
    assert str(page) not in said


def test_what_becomes_of_a_download_that_the_hub_ended_is_said() -> None:
    error = HubFailing(status=500)
    begun = Status(
        key="1",
        title="A model",
        state=State.FAILED,
        done=10,
        total=100,
        speed=0.0,
        seconds_left=None,
        doing=Doing.FETCHING,
        source="",
        item=catalogue_item(catalogue()[0].target),
        folder=Path(),
        paths=(),
        error=error,
    )
    assert words.trouble(begun) == f"{error.sentence} What came so far is kept."
    assert words.trouble(replace(begun, done=0)) == error.sentence
