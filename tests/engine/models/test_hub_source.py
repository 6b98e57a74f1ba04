"""Bytes from the Hub, and every way in which servers do not keep to the rules."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import AnotherFile, ChecksumWrong, FetchCancelled, HubBusy, HubUnreachable
from engine.models.arriving import Doing, ModelFile, Progress
from engine.models.download import download
from engine.models.http import Patience
from engine.models.hub import Hub
from engine.models.hub_source import HubSource
from tests.support.fake_hub import COMMIT, FakeHub

REPO = "someone/Model-GGUF"
CONTENT = random.Random(5).randbytes(300_000)
FILE = ModelFile(
    "model.gguf", "Model", "", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), "MIT", REPO
)


@pytest.fixture(name="fake")
def fake_hub() -> Iterator[FakeHub]:
    with FakeHub({(REPO, FILE.name): CONTENT}) as fake:
        yield fake


class Fetching:
    """Downloads into a folder, and keeps what it is told."""

    def __init__(self, fake: FakeHub, folder: Path) -> None:
        self.folder = folder
        self.source = HubSource(Hub(fake.address, Patience(1.0, 1.0)), pause=0.01)
        self.told: list[Progress] = []
        self.stop_when: Callable[[], bool] = lambda: False

    def __call__(self, file: ModelFile = FILE) -> bytes:
        path = download(
            file,
            self.folder,
            [self.source],
            progress=self.told.append,
            cancelled=self.stop_when,
        )
        return path.read_bytes()

    @property
    def doings(self) -> list[Doing]:
        """What went on, in order."""
        all_of_them = [progress.doing for progress in self.told]
        return [d for i, d in enumerate(all_of_them) if i == 0 or all_of_them[i - 1] is not d]

    def has(self, content: bytes) -> None:
        """Let an earlier try have left ``content``."""
        (self.folder / f"{FILE.name}.part").write_bytes(content)


@pytest.fixture(name="fetch")
def fetching(fake: FakeHub, tmp_path: Path) -> Fetching:
    return Fetching(fake, tmp_path)


def test_it_says_what_goes_on(fetch):
    fetch()
    assert fetch.doings == [Doing.CHECKING, Doing.FETCHING, Doing.CONNECTING, Doing.FETCHING]


def test_a_commit_is_asked_for_as_it_is(fetch, fake):
    fetch(replace(FILE, revision=COMMIT))
    assert fake.requests[0].path == f"/{REPO}/resolve/{COMMIT}/{FILE.name}"


def test_a_file_in_a_folder_of_its_repository_is_found(fetch, fake):
    fake.files[REPO, "Q4 K/model ü.gguf"] = CONTENT
    fetch(replace(FILE, path="Q4 K/model ü.gguf"))
    assert "/Q4%20K/model%20%C3%BC.gguf" in fake.requests[0].path


def test_a_server_that_knows_no_ranges_is_read_over(fetch, fake):
    fetch.has(CONTENT[:200_000])
    fake.refuse_range = True
    assert fetch() == CONTENT
    assert fake.starts == [200_000, None]
    assert Doing.PASSING_OVER in fetch.doings


def test_a_part_from_a_wrong_place_is_not_taken(fetch, fake):
    fetch.has(CONTENT[:1000])
    fake.wrong_range = 7
    with pytest.raises(Exception, match="another part than was asked for"):
        fetch()
    assert (fetch.folder / "model.gguf.part").read_bytes() == CONTENT[:1000]


@pytest.mark.parametrize("claimed", [100, 299_999, 300_001, 10**15])
@pytest.mark.parametrize("have", [0, 1000])
def test_a_lie_about_the_size_is_noticed_before_a_byte_is_taken(fetch, fake, claimed, have):
    fetch.has(CONTENT[:have])
    fake.claimed_size = claimed
    with pytest.raises(AnotherFile, match=f"it has {claimed:,} bytes"):
        fetch()


def test_a_body_longer_than_was_said_is_cut(fetch, fake):
    fake.files[REPO, FILE.name] = CONTENT + b"and more"
    fake.claimed_size = FILE.size
    fake.published_sha256 = FILE.sha256
    with pytest.raises(AnotherFile):  # the data's own Content-Length says so
        fetch()
    fetch.has(CONTENT[:-5])
    assert fetch() == CONTENT  # of a part only the total is said, which is the lie


def test_a_body_shorter_than_was_said_fails_and_is_kept(fetch, fake):
    fake.files[REPO, FILE.name] = CONTENT[:-5]
    fake.claimed_size = FILE.size
    fake.published_sha256 = FILE.sha256
    fetch.has(CONTENT[:1000])
    with pytest.raises(AnotherFile):
        fetch()
    assert (fetch.folder / "model.gguf.part").read_bytes() == CONTENT[:-5]


@pytest.mark.parametrize("position", [0, 150_000, 299_999])
def test_one_wrong_byte_is_noticed(fetch, fake, position):
    fake.wrong_byte = position
    with pytest.raises(ChecksumWrong):
        fetch()
    assert {path.suffix for path in fetch.folder.iterdir()} <= {".lock"}


def test_it_goes_on_as_long_as_connections_bring_anything(fetch, fake):
    fake.drop_after = [20_000] * 14
    assert fetch() == CONTENT
    assert fake.starts == [None, *range(20_000, 300_000, 20_000)]


def test_the_waits_between_barren_connections_grow(fetch, fake):
    fetch.source = replace(fetch.source, pause=0.05)
    fake.drop_after = [1000, *[0] * 9]
    begin = time.monotonic()
    with pytest.raises(HubUnreachable, match="ended early"):
        fetch()
    assert 0.05 * (1 + 1 + 2 + 4 + 8) < time.monotonic() - begin < 5
    assert len(fake.starts) == 6


def test_a_stall_is_a_lost_connection_and_is_taken_up(fetch, fake):
    fetch.source = replace(fetch.source, hub=Hub(fake.address, Patience(1.0, silence=0.1)))
    fake.stall_after = 100_000
    assert fetch() == CONTENT
    assert fake.starts == [None, 100_000, 200_000]


def test_trouble_that_passes_is_waited_out(fetch, fake):
    fake.statuses = [503, 500, 429, 502]
    fake.retry_after = "0"
    assert fetch() == CONTENT


def test_an_address_that_grew_old_is_asked_for_anew(fetch, fake):
    fake.statuses = [0, 403]  # the second request is for the data
    assert fetch() == CONTENT


def test_a_wait_that_is_asked_for_can_be_cancelled(fetch, fake):
    fake.status, fake.retry_after = 429, "50"
    fetch.stop_when = lambda: Doing.TOLD_TO_WAIT in fetch.doings
    begin = time.monotonic()
    with pytest.raises(FetchCancelled):
        fetch()
    assert time.monotonic() - begin < 1


def test_a_wait_that_is_too_long_is_told(fetch, fake):
    fake.status, fake.retry_after = 429, "61"
    with pytest.raises(HubBusy, match="61 seconds"):
        fetch()
