"""Files on their way to a folder: several as one, from several sources, and when the disk balks."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.errors import FetchFailed, FolderNotWritable, NameTaken, NoSpace, TooLargeForDisk
from engine.models.arriving import Arriving, ModelFile, Progress
from engine.models.download import SourceFailed, bring, discard, installed
from engine.models.item import Item, unfinished, write_note
from tests.support.disks import closed, read_only, small_disk


def file(name: str, size: int) -> tuple[ModelFile, bytes]:
    content = random.Random(name).randbytes(size)
    digest = hashlib.sha256(content).hexdigest()
    return ModelFile(name, name, "", size, digest, "MIT", "someone/Model"), content


FILES = [file(f"m-{n:05}-of-00003.gguf", size) for n, size in ((1, 900), (2, 500), (3, 600))]
CONTENT = {each.name: content for each, content in FILES}
ITEM = Item("Model", tuple(each for each, _ in FILES))


class Giving:
    """A source that gives a few bytes at a time, up to a limit over all files."""

    name = "a test"

    def __init__(self, limit: int = 10**9, reason: str = "it has no more") -> None:
        self.limit, self.reason = limit, reason

    def spare(self, file: ModelFile) -> int:
        return 0

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        while arriving.missing:
            if self.limit <= 0:
                raise SourceFailed(self.reason)
            piece = CONTENT[file.name][arriving.length : arriving.length + 100]
            self.limit -= len(piece)
            arriving.write(piece)


def fetch(folder: Path, *sources: Giving, told: list[Progress] | None = None) -> tuple[Path, ...]:
    progress = (told if told is not None else []).append
    return bring(ITEM, folder, sources, progress=progress, cancelled=lambda: False)


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_all_files_come_and_one_progress_tells_it(tmp_path):
    told: list[Progress] = []
    paths = fetch(tmp_path, Giving(), told=told)
    assert [path.read_bytes() for path in paths] == list(CONTENT.values())
    assert left_in(tmp_path) == set(CONTENT)
    done = [progress.done for progress in told]
    assert done == sorted(done)
    assert (told[-1].done, {progress.total for progress in told}) == (2000, {2000})


def test_until_all_are_there_a_note_tells_of_it(tmp_path):
    with pytest.raises(FetchFailed):
        fetch(tmp_path, Giving(limit=1000))
    (kept,) = unfinished(tmp_path)
    assert kept.item == ITEM
    told: list[Progress] = []
    fetch(tmp_path, Giving(), told=told)
    assert told[0].done >= 900
    assert unfinished(tmp_path) == []


def test_the_next_source_goes_on_where_one_stopped(tmp_path):
    fetch(tmp_path, Giving(limit=1200), Giving())
    assert left_in(tmp_path) == set(CONTENT)


def test_every_reason_is_told_where_all_sources_fail(tmp_path):
    second = Giving(limit=0, reason="neither has it.")
    second.name = "another"
    with pytest.raises(FetchFailed, match=r"a test: it has no more; another: neither has it\. C"):
        fetch(tmp_path, Giving(limit=0), second)


def test_without_a_source_it_says_so(tmp_path):
    with pytest.raises(FetchFailed, match="no source"):
        fetch(tmp_path)


def test_another_file_of_the_name_is_never_written_over(tmp_path):
    second = tmp_path / ITEM.files[1].name
    second.write_bytes(b"somebody's own")
    with pytest.raises(NameTaken, match=second.name):
        fetch(tmp_path, Giving())
    assert left_in(tmp_path) == {second.name}
    assert second.read_bytes() == b"somebody's own"


def test_a_file_that_is_put_there_meanwhile_is_not_written_over_either(tmp_path):
    first = tmp_path / ITEM.files[0].name

    class Meanwhile(Giving):
        def pour(self, file: ModelFile, arriving: Arriving) -> None:
            first.write_bytes(b"somebody's own")
            super().pour(file, arriving)

    with pytest.raises(NameTaken):
        fetch(tmp_path, Meanwhile())
    assert first.read_bytes() == b"somebody's own"
    first.rename(tmp_path / "mine.gguf")
    assert fetch(tmp_path, Giving(limit=1100))[0].read_bytes() == CONTENT[first.name]


def test_discarding_removes_parts_notes_and_shards_that_lack_others(tmp_path):
    (tmp_path / "mine.gguf").touch()
    with pytest.raises(FetchFailed):
        fetch(tmp_path, Giving(limit=1000))
    assert installed(ITEM.files[0], tmp_path)
    discard(ITEM, tmp_path)
    assert left_in(tmp_path) == {"mine.gguf"}


def test_what_a_kill_left_of_a_source_s_work_goes_with_the_next_try_or_the_rest(tmp_path):
    def leave() -> None:
        work = tmp_path / f"{ITEM.files[1].name}.wheels"
        (work / "tmp").mkdir(parents=True)
        (work / "tmp" / "part.whl").write_bytes(b"x")

    leave()
    fetch(tmp_path, Giving())
    assert left_in(tmp_path) == set(CONTENT)
    (tmp_path / ITEM.files[1].name).unlink()
    leave()
    write_note(ITEM, tmp_path, 1.0)
    discard(ITEM, tmp_path)
    assert left_in(tmp_path) == {ITEM.files[0].name, ITEM.files[2].name}


def test_discarding_leaves_what_somebody_put_there_before(tmp_path):
    first, _second, third = (tmp_path / name for name in ITEM.names)
    first.write_bytes(CONTENT[first.name])
    for _again in range(2):
        with pytest.raises(FetchFailed):
            fetch(tmp_path, Giving(limit=400))
    third.write_bytes(b"somebody's own")
    assert installed(ITEM.files[1], tmp_path)
    discard(ITEM, tmp_path)
    assert left_in(tmp_path) == {first.name, third.name}
    assert first.read_bytes() == CONTENT[first.name]


def test_what_a_kill_in_mid_removal_leaves_is_known_to_the_next_start(tmp_path, monkeypatch):
    with pytest.raises(FetchFailed):
        fetch(tmp_path, Giving(limit=400))

    remove = Path.unlink

    def die(path: Path, **options: bool) -> None:
        if path.suffix == ".part":
            raise KeyboardInterrupt
        remove(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", die)
        with pytest.raises(KeyboardInterrupt):
            discard(ITEM, tmp_path)
    assert [kept.item for kept in unfinished(tmp_path)] == [ITEM]
    discard(ITEM, tmp_path)
    assert left_in(tmp_path) == set()


def test_discarding_a_pair_leaves_no_shards_that_lack_others(tmp_path, monkeypatch):
    small, content = file("d.gguf", 300)
    monkeypatch.setitem(CONTENT, small.name, content)
    pair = Item("Pair", (*ITEM.files, small))

    def bring_some(limit: int) -> None:
        with pytest.raises(FetchFailed):
            bring(pair, tmp_path, [Giving(limit)], progress=[].append, cancelled=lambda: False)

    bring_some(1000)
    discard(pair, tmp_path)
    assert left_in(tmp_path) == set()
    bring_some(2100)
    discard(pair, tmp_path)
    assert left_in(tmp_path) == set(ITEM.names)


def test_discarding_what_is_whole_keeps_it(tmp_path):
    fetch(tmp_path, Giving())
    discard(ITEM, tmp_path)
    assert left_in(tmp_path) == set(CONTENT)


def test_discarding_where_nothing_is_does_nothing(tmp_path):
    discard(ITEM, tmp_path / "nowhere")
    assert left_in(tmp_path) == set()


def test_discarding_where_nobody_may_go_does_nothing(tmp_path):
    (tmp_path / "models").mkdir()
    with closed(tmp_path):
        discard(ITEM, tmp_path / "models")


def test_discarding_leaves_alone_what_another_is_fetching(tmp_path):
    half_way, go_on = threading.Event(), threading.Event()

    class Slow(Giving):
        def pour(self, file: ModelFile, arriving: Arriving) -> None:
            arriving.write(CONTENT[file.name][:100])
            half_way.set()
            go_on.wait(10)
            super().pour(file, arriving)

    thread = threading.Thread(target=fetch, args=(tmp_path, Slow()))
    thread.start()
    half_way.wait(10)
    discard(ITEM, tmp_path)
    go_on.set()
    thread.join()
    assert left_in(tmp_path) == set(CONTENT)


# The disk ----------------------------------------------------------------------------------------


def test_a_disk_with_too_little_room_for_all_files_is_told_before_the_first(tmp_path):
    with small_disk(tmp_path / "disk", 4096) as disk:
        (disk / "something").write_bytes(bytes(4096))
        with pytest.raises(NoSpace, match="0 bytes free and the download needs 2"):
            fetch(disk, Giving())
        assert left_in(disk) == {"something"}


def test_a_read_only_folder_is_told_and_keeps_its_models(tmp_path):
    folder = tmp_path / "models"
    fetch(folder, Giving())
    with read_only(folder):
        assert fetch(folder, Giving())[0].read_bytes() == FILES[0][1]
        other, _ = file("other.gguf", 10)
        with pytest.raises(FolderNotWritable, match=r"Read-only .* in the settings"):
            bring(
                Item("Other", (other,)),
                folder,
                [],
                progress=lambda _p: None,
                cancelled=lambda: False,
            )


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """As if on a file system like FAT32, whose files end at 4 GB."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_takes_no_large_files_is_told_as_that(tmp_path):
    name = "large.gguf"
    large, CONTENT[name] = file(name, 200_000)
    with no_file_above(100_000), pytest.raises(TooLargeForDisk):
        bring(
            Item("Large", (large,)),
            tmp_path,
            [Giving()],
            progress=lambda _p: None,
            cancelled=lambda: False,
        )
    assert (tmp_path / f"{name}.part").stat().st_size == 100_000
