"""The starter pair on its way, and the page that offers it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app import fetching
from app.fetching import Far, Fetch
from app.firststart import FirstStart
from app.jobs import Jobs
from app.pairs import Pair
from app.theme import Theme
from engine.errors import ForewordError
from engine.models.arriving import Arriving, ModelFile
from tests.app.windows import until

CONTENT = {"target.gguf": b"t" * 60_000, "draft.gguf": b"d" * 40_000}


def file(name: str, role: str) -> ModelFile:
    content = CONTENT[name]
    digest = hashlib.sha256(content).hexdigest()
    title = f"Tiny {role}"
    return ModelFile(name, title, role, len(content), digest, "Apache-2.0", "some/repo")


FILES = (file("target.gguf", "target"), file("draft.gguf", "draft"))


class Source:
    """Gives bytes in small pieces, as slowly as a test likes."""

    name = "a test"

    def __init__(self, *, wrong: bool = False, endless: bool = False) -> None:
        self.wrong, self.endless = wrong, endless

    def spare(self, file: ModelFile) -> int:
        return 0

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        content = CONTENT[file.name]
        if self.wrong:
            content = content[::-1].replace(b"t", b"x")
        while arriving.missing:
            arriving.write(content[arriving.length : arriving.length + 5_000])
            while self.endless:
                time.sleep(0.005)
                arriving.check()


@pytest.fixture(name="jobs")
def running_jobs(qapp: QApplication) -> Iterator[Jobs]:
    jobs = Jobs()
    yield jobs
    jobs.close()


@pytest.fixture(name="folder")
def models_folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def make(jobs: Jobs, source: Source) -> Fetch:
    return Fetch(jobs, FILES, [source])


def test_both_files_come_and_one_progress_tells_it(jobs: Jobs, folder: Path) -> None:
    fetch = make(jobs, Source())
    pairs: list[Pair] = []
    far: list[Far] = []
    fetch.done.connect(pairs.append)
    fetch.progressed.connect(far.append)
    fetch.start(folder)
    assert fetch.is_running
    until(lambda: pairs)
    assert pairs == [Pair(folder / "target.gguf", folder / "draft.gguf")]
    assert not fetch.is_running
    assert fetch.here(folder) == 100_000
    assert far[-1].done == far[-1].total == 100_000
    assert [each.done for each in far] == sorted(each.done for each in far)


def test_a_cancelled_one_goes_on_where_it_was(jobs: Jobs, folder: Path) -> None:
    fetch = make(jobs, Source(endless=True))
    ends: list[ForewordError | None] = []
    fetch.failed.connect(ends.append)
    fetch.start(folder)
    until(lambda: fetch.here(folder))
    fetch.cancel()
    until(lambda: ends)
    assert ends == [None]
    assert 0 < fetch.here(folder) < 100_000


def test_what_is_in_the_way_is_told(jobs: Jobs, folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.touch()
    fetch = make(jobs, Source())
    ends: list[ForewordError | None] = []
    fetch.failed.connect(ends.append)
    fetch.start(folder)
    until(lambda: ends)
    assert ends[0] is not None
    assert str(folder) in ends[0].sentence


def test_a_second_start_changes_nothing(jobs: Jobs, folder: Path) -> None:
    fetch = make(jobs, Source())
    pairs: list[Pair] = []
    fetch.done.connect(pairs.append)
    fetch.start(folder)
    fetch.start(folder)
    until(lambda: pairs)
    assert len(pairs) == 1


def test_the_speed_is_that_of_the_last_seconds(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    from engine.models.arriving import Progress

    clock = [0.0]
    monkeypatch.setattr(fetching.time, "monotonic", lambda: clock[0])
    meter = fetching._Meter(FILES, folder)
    meter.far(Progress("target.gguf", 0, 60_000, "x"))
    clock[0] = 2.0
    far = meter.far(Progress("target.gguf", 20_000, 60_000, "x"))
    assert far.speed == pytest.approx(10_000)
    assert far.seconds_left == pytest.approx(8.0)
    assert Far(0, 10, 0.0, "", "").seconds_left is None


# The page ----------------------------------------------------------------------------------------


@pytest.fixture(name="page")
def first_start(jobs: Jobs, folder: Path, installed: Theme, qtbot) -> FirstStart:
    page = FirstStart(installed, make(jobs, Source()))
    qtbot.addWidget(page)
    page.offer(folder)
    page.resize(700, 600)
    page.show()
    return page


def words(page: FirstStart) -> str:
    from app.controls import Text

    return "\n".join(text.whole_text() for text in page.findChildren(Text) if text.isVisible())


def test_it_offers_the_pair_with_size_memory_and_licence(page: FirstStart) -> None:
    said = words(page)
    for wanted in ("Tiny target", "Tiny draft", "60 kB", "40 kB", "Memory needed", "Apache-2.0"):
        assert wanted in said
    assert "100 kB" in page.download.text()
    assert page.download.isVisible()
    assert not page.cancel.isVisible()


def test_pressing_download_fetches_the_pair(page: FirstStart, qtbot) -> None:
    with qtbot.waitSignal(page._fetch.done):
        page.download.click()
        assert page.cancel.isVisible()
        assert not page.download.isVisible()


def test_a_cancelled_download_offers_the_rest(page: FirstStart, folder: Path, qtbot) -> None:
    page._fetch._sources = [Source(endless=True)]
    page.download.click()
    until(lambda: page._fetch.here(folder))
    with qtbot.waitSignal(page._fetch.failed):
        page.cancel.click()
    assert "the rest" in page.download.text()
    assert "here already" in words(page)


def test_a_failure_is_said_and_can_be_tried_again(page: FirstStart, qtbot) -> None:
    page._fetch._sources = [Source(wrong=True)]
    with qtbot.waitSignal(page._fetch.failed):
        page.download.click()
    assert "sha256" in words(page)
    page._fetch._sources = [Source()]
    with qtbot.waitSignal(page._fetch.done):
        page.download.click()
    assert "sha256" not in words(page)


def test_a_note_says_why_there_is_nothing(page: FirstStart, folder: Path) -> None:
    page.offer(folder, "The model used last is not there any more.")
    assert "not there any more" in words(page)


def test_a_file_of_ones_own_can_be_opened(page: FirstStart, qtbot) -> None:
    with qtbot.waitSignal(page.file_wanted):
        page.open.click()
