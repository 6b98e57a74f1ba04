"""The first page: the pair that suits this computer, the starter pair, and what is here."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app import firststart
from app.firststart import FirstStart
from app.models import offers
from app.models.room import Models
from app.theme import Theme
from engine.machine import Machine
from engine.models import starter
from engine.models.arriving import Arriving, ModelFile
from engine.models.downloads import State
from engine.models.item import Item
from tests.app.models.conftest import MakeModels, words
from tests.app.models.test_fetches import Source
from tests.app.windows import until
from tests.support.fake_hub import FakeHub
from tests.support.tiny_models import Tiny, write_tiny

GB = 10**9


@pytest.fixture(autouse=True)
def roomy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with 32 GB, whichever it is; and no wait before it is looked at."""
    machine = Machine(32 * GB, 28 * GB, 8, 500 * GB)
    monkeypatch.setattr(
        "app.models.surveyor.this_machine", lambda _folder, _devices, _features: machine
    )
    monkeypatch.setattr(firststart, "_AFTER", 0)


@pytest.fixture
def page(installed: Theme, models: Models, window: QWidget, folder: Path) -> FirstStart:
    return shown(installed, models, window, folder)


def shown(theme: Theme, models: Models, window: QWidget, folder: Path) -> FirstStart:
    made = FirstStart(theme, models, window)
    made.resize(window.size())
    made.show()
    made.offer(folder)
    return made


def test_the_starter_pair_is_there_at_once_with_size_memory_and_licence(page: FirstStart) -> None:
    said = words(page)
    for wanted in ("The starter pair", "1.1 GB", "491 MB", "Memory needed", "Apache-2.0"):
        assert wanted in said
    assert "Download (1.6 GB)" in said


def test_the_pair_that_suits_this_computer_comes_before_it(page: FirstStart, hub: FakeHub) -> None:
    until(lambda: page.best is not None)
    assert page.best is not None
    assert page.best.pair.ratio >= 8
    said = words(page)
    assert said.index("Best for this computer") < said.index("The starter pair")
    assert hub.requests == []


def test_one_press_asks_for_both_files(page: FirstStart) -> None:
    wanted: list[Item] = []
    page.fetched.connect(wanted.append)
    until(lambda: page.best is not None)
    assert page.best is not None
    page.best.download.click()
    page.starter.download.click()
    assert {file.role for file in wanted[0].files} == {"target", "draft"}
    bare = tuple(replace(file, revision="") for file in wanted[1].files)
    assert bare == starter.STARTER_PAIR


def test_where_nothing_larger_suits_the_starter_pair_stands_alone(
    page: FirstStart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "offers", lambda *_args: [])
    until(lambda: page._job is not None)
    until(lambda: page._models.surveyor.is_done)
    assert page.best is None


def test_a_download_is_shown_in_its_card_and_can_be_paused(
    make_models: MakeModels,
    installed: Theme,
    window: QWidget,
    folder: Path,
    hub: FakeHub,
    hasty: None,
) -> None:
    models = make_models()
    page = shown(installed, models, window, folder)
    hub.silent = True
    models.fetches.add(page.starter.item, folder)
    until(page.starter.pause.isVisible)
    assert not page.starter.download.isVisible()
    page.starter.pause.click()
    until(lambda: models.fetches.statuses[0].state is State.PAUSED)
    assert "the rest" in page.starter.download.text()
    page.starter.cancel.click()
    until(lambda: "Download (1.6 GB)" in words(page))


def test_a_slip_on_cancel_is_undone_in_the_card(
    make_models: MakeModels, installed: Theme, window: QWidget, folder: Path
) -> None:
    class Trickle(Source):
        def pour(self, file: ModelFile, arriving: Arriving) -> None:
            arriving.write(b"x" * 1000)
            while True:
                time.sleep(0.005)
                arriving.check()

    models = make_models(sources=lambda _item: [Trickle()])
    page = shown(installed, models, window, folder)
    models.fetches.add(page.starter.item, folder)
    until(lambda: list(folder.glob("*.part")))
    page.starter.cancel.click()
    assert "about to be removed" in words(page)
    assert not page.starter.download.isVisible()
    assert not page.starter.cancel.isVisible()
    page.starter.undo.click()
    until(page.starter.pause.isVisible)
    assert not page.starter.undo.isVisible()


def test_a_failure_is_said_and_can_be_tried_again(
    models: Models, page: FirstStart, folder: Path, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    models.fetches.add(page.starter.item, in_the_way)
    until(lambda: str(in_the_way) in words(page))
    assert page.starter.download.text() == "Try again"


def test_models_that_are_here_are_offered(page: FirstStart, folder: Path, models: Models) -> None:
    asked: list[str] = []
    page.models_wanted.connect(asked.append)
    write_tiny(folder / "one.gguf", Tiny())
    write_tiny(folder / "two.gguf", Tiny())
    models.library.look()
    until(lambda: "Use one of 2 models here" in words(page))
    page.here.click()
    page.others.click()
    assert asked == ["here", "suiting"]


def test_a_note_says_why_there_is_nothing(page: FirstStart, folder: Path) -> None:
    page.offer(folder, "The model used last is not there any more.")
    assert "not there any more" in words(page)


def test_a_file_of_ones_own_can_be_opened(page: FirstStart, qtbot) -> None:
    with qtbot.waitSignal(page.file_wanted):
        page.open.click()
