"""The queue of downloads in Qt's terms."""

from __future__ import annotations

import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from app.models.fetches import Fetches, pair_in
from app.models.room import Models
from app.pairs import Pair
from engine.errors import ForewordError
from engine.models.arriving import Arriving, ModelFile
from engine.models.downloads import State, Status
from engine.models.item import Item, folder_of_its_own
from tests.app.models.conftest import MakeModels, looked
from tests.app.windows import until
from tests.support.fake_hub import FakeHub
from tests.support.ggufs import write_parts


class Source:
    """Gives bytes in pieces; ``endless``: the last of them never comes."""

    name = "a test"

    def __init__(self, *, endless: bool = False) -> None:
        self.endless = endless

    def spare(self, file: ModelFile) -> int:
        return 0

    def pour(self, file: ModelFile, arriving: Arriving) -> None:
        content = content_of(file)
        while arriving.missing:
            piece = content[arriving.length : arriving.length + 10_000]
            while self.endless and arriving.missing <= len(piece):
                time.sleep(0.005)
                arriving.check()
            arriving.write(piece)


def content_of(file: ModelFile) -> bytes:
    return file.name.encode()[:1] * 50_000


def file(name: str, role: str = "") -> ModelFile:
    content = name.encode()[:1] * 50_000
    digest = sha256(content).hexdigest()
    return ModelFile(name, name, role, len(content), digest, "Apache-2.0", "some/repo")


ONE = Item("One", (file("one.gguf"),))
TWO = Item("Two", (file("two.gguf", "target"), file("small.gguf", "draft")))


def make(make_models: MakeModels, source: Source) -> Fetches:
    return make_models(sources=lambda _item: [source]).fetches


def states(fetches: Fetches) -> list[State]:
    return [status.state for status in fetches.statuses]


def has_most(folder: Path) -> bool:
    """Whether all but the last piece is on the disk."""
    part = folder / "one.gguf.part"
    return part.exists() and part.stat().st_size == 40_000


def test_a_download_arrives_and_what_waits_for_it_is_told(
    make_models: MakeModels, folder: Path
) -> None:
    fetches = make(make_models, Source())
    arrived: list[Status] = []
    used: list[Pair] = []
    fetches.arrived.connect(arrived.append)
    fetches.add(TWO, folder, used.append)
    until(lambda: used)
    assert used == [Pair(folder / "two.gguf", folder / "small.gguf")]
    assert [status.title for status in arrived] == ["Two"]
    assert not fetches.is_busy


def test_several_come_one_after_the_other(make_models: MakeModels, folder: Path) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    fetches.add(ONE, folder)
    fetches.add(TWO, folder)
    until(lambda: states(fetches) == [State.RUNNING, State.WAITING])
    source.endless = False
    until(lambda: states(fetches) == [State.DONE, State.DONE])


def test_files_that_two_publishers_call_alike_are_two_downloads(
    make_models: MakeModels, folder: Path
) -> None:
    fetches = make(make_models, Source())
    fetches.add(ONE, folder)
    another = Item("One", (replace(ONE.files[0], repo="another/repo"),))
    assert fetches.of(ONE) is not None
    assert fetches.of(another) is None


def test_a_paused_one_goes_on_where_it_was(make_models: MakeModels, folder: Path) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    fetches.pause(fetches.statuses[0].key)
    until(lambda: states(fetches) == [State.PAUSED])
    source.endless = False
    fetches.resume(fetches.statuses[0].key)
    until(lambda: states(fetches) == [State.DONE])


def test_a_cancelled_one_leaves_nothing(make_models: MakeModels, folder: Path, hasty: None) -> None:
    fetches = make(make_models, Source(endless=True))
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    fetches.cancel(fetches.statuses[0].key)
    until(lambda: not fetches.statuses)
    until(lambda: not list(folder.glob("one*")))


@pytest.mark.parametrize("is_paused", [True, False])
def test_a_cancel_can_be_taken_back_and_costs_no_byte(
    make_models: MakeModels, folder: Path, is_paused: bool
) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    used: list[Pair] = []
    fetches.add(ONE, folder, used.append)
    until(lambda: has_most(folder))
    key = fetches.statuses[0].key
    if is_paused:
        fetches.pause(key)
        until(lambda: states(fetches) == [State.PAUSED])
    for _slip in range(2):
        fetches.cancel(key)
    until(lambda: states(fetches) == [State.PAUSED])
    assert fetches.is_leaving(key)
    assert has_most(folder)
    fetches.take_back(key)
    assert not fetches.is_leaving(key)
    until(lambda: states(fetches) == [State.PAUSED if is_paused else State.RUNNING])
    source.endless = False
    fetches.resume(key)
    until(lambda: used)


def test_what_is_wanted_again_after_a_cancel_stays(
    make_models: MakeModels, folder: Path, hasty: None
) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    key = fetches.statuses[0].key
    fetches.cancel(key)
    fetches.add(ONE, folder)
    QTest.qWait(20)
    assert [status.key for status in fetches.statuses] == [key]
    source.endless = False
    until(lambda: states(fetches) == [State.DONE])


def test_what_nothing_came_of_goes_at_once(make_models: MakeModels, folder: Path) -> None:
    fetches = make(make_models, Source(endless=True))
    fetches.add(TWO, folder)
    fetches.add(ONE, folder)
    fetches.cancel(fetches.statuses[1].key)
    until(lambda: len(fetches.statuses) == 1)
    until(lambda: not list(folder.glob("one*")))


def test_closing_ends_the_wait_for_an_undo(make_models: MakeModels, folder: Path) -> None:
    fetches = make(make_models, Source(endless=True))
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    fetches.cancel(fetches.statuses[0].key)
    fetches.close()
    assert not list(folder.glob("one*"))


def stopped_by_a_stranger_s_file(make_models: MakeModels, folder: Path) -> Fetches:
    """A download of ONE that failed at its end, because a file has taken its name meanwhile."""
    source = Source(endless=True)
    fetches = make(make_models, source)
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    (folder / "one.gguf").write_text("somebody's own")
    source.endless = False
    until(lambda: states(fetches) == [State.FAILED])
    return fetches


def test_a_file_that_somebody_put_there_meanwhile_stays_and_another_folder_serves(
    make_models: MakeModels, folder: Path, tmp_path: Path
) -> None:
    fetches = stopped_by_a_stranger_s_file(make_models, folder)
    assert "stays as it is" in str(fetches.statuses[0].error)
    fetches.move(fetches.statuses[0], tmp_path / "other", lambda error: pytest.fail(str(error)))
    until(lambda: states(fetches) == [State.DONE])
    assert (folder / "one.gguf").read_text() == "somebody's own"
    assert (tmp_path / "other" / "one.gguf").stat().st_size == 50_000


def test_asked_for_again_it_goes_on_beside_the_file_that_has_its_name(
    make_models: MakeModels, folder: Path
) -> None:
    fetches = stopped_by_a_stranger_s_file(make_models, folder)
    used: list[Pair] = []
    fetches.add(ONE, folder, used.append)
    until(lambda: used)
    assert used == [Pair(folder / folder_of_its_own(ONE) / "one.gguf")]
    assert states(fetches) == [State.DONE]
    assert not list(folder.glob("*.part"))
    assert (folder / "one.gguf").read_text() == "somebody's own"


def test_what_an_earlier_start_left_waits_for_a_word(make_models: MakeModels, folder: Path) -> None:
    first = make(make_models, Source(endless=True))
    first.add(ONE, folder)
    until(lambda: has_most(folder))
    first.close()
    second = make(make_models, Source())
    second.restore(folder)
    until(lambda: states(second) == [State.PAUSED])
    assert second.statuses[0].done == 40_000
    assert second.of(ONE) is not None
    second.resume(second.statuses[0].key)
    until(lambda: states(second) == [State.DONE])


def test_a_download_that_stands_still_goes_on_in_another_folder(
    make_models: MakeModels, folder: Path, tmp_path: Path
) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    used: list[Pair] = []
    fetches.add(ONE, folder, used.append)
    until(lambda: has_most(folder))
    fetches.pause(fetches.statuses[0].key)
    until(lambda: states(fetches) == [State.PAUSED])
    source.endless = False
    other = tmp_path / "other"
    fetches.move(fetches.statuses[0], other, lambda error: pytest.fail(str(error)))
    until(lambda: used)
    assert used == [Pair(other / "one.gguf")]
    assert not list(folder.glob("one*"))


def test_what_is_moved_lies_beside_another_file_of_its_name(
    make_models: MakeModels, folder: Path, tmp_path: Path
) -> None:
    source = Source(endless=True)
    fetches = make(make_models, source)
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    fetches.pause(fetches.statuses[0].key)
    until(lambda: states(fetches) == [State.PAUSED])
    other = tmp_path / "other"
    other.mkdir()
    (other / "one.gguf").write_text("somebody's own")
    fetches.move(fetches.statuses[0], other, lambda error: pytest.fail(str(error)))
    until(lambda: [status.folder for status in fetches.statuses] == [other / "some repo"])
    assert fetches.statuses[0].done == 40_000
    source.endless = False
    until(lambda: states(fetches) == [State.DONE])
    assert (other / "one.gguf").read_text() == "somebody's own"
    assert not (other / "one.gguf.part").exists()


def test_a_folder_that_takes_nothing_is_told_and_nothing_is_lost(
    make_models: MakeModels, folder: Path, tmp_path: Path
) -> None:
    fetches = make(make_models, Source(endless=True))
    fetches.add(ONE, folder)
    until(lambda: has_most(folder))
    fetches.pause(fetches.statuses[0].key)
    until(lambda: states(fetches) == [State.PAUSED])
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    errors: list[ForewordError] = []
    fetches.move(fetches.statuses[0], in_the_way, errors.append)
    until(lambda: errors)
    assert str(in_the_way) in errors[0].sentence
    assert (folder / "one.gguf.part").stat().st_size == 40_000


def test_what_arrives_is_listed(make_models: MakeModels, folder: Path) -> None:
    models: Models = looked(make_models(sources=lambda _item: [Source()]))
    models.fetches.add(ONE, folder)
    until(lambda: "one" in [model.name for model in models.library.models])


def test_a_model_in_parts_is_said_to_come_until_it_is_cancelled(
    make_models: MakeModels, folder: Path, tmp_path: Path, hasty: None
) -> None:
    parts = write_parts(tmp_path)

    class Parts(Source):
        def pour(self, file: ModelFile, arriving: Arriving) -> None:
            while file.name == parts[-1].name:
                time.sleep(0.005)
                arriving.check()
            arriving.write((tmp_path / file.name).read_bytes())

    contents = [part.read_bytes() for part in parts]
    files = [
        replace(ONE.files[0], name=part.name, size=len(content), sha256=sha256(content).hexdigest())
        for part, content in zip(parts, contents, strict=True)
    ]
    models: Models = make_models(sources=lambda _item: [Parts()])
    models.fetches.add(Item("Big", tuple(files)), folder)
    until((folder / parts[1].name).exists)
    (model,) = looked(models).library.models
    assert model.code == "shard-coming"
    models.fetches.cancel(models.fetches.statuses[0].key)
    until(lambda: not models.library.models and not models.library.is_looking)


def test_offline_is_said_within_three_seconds_and_can_be_tried_again(
    models: Models, folder: Path, hub: FakeHub, monkeypatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    item = Item("Unknown", (ModelFile("a.gguf", "a", "", 0, "", "mit", "some/Model-GGUF"),))
    began = time.monotonic()
    models.fetches.add(item, folder)
    until(lambda: states(models.fetches) == [State.PAUSED], 4)
    assert time.monotonic() - began < 3
    assert models.fetches.statuses[0].error is not None
    assert "reached" in models.fetches.statuses[0].error.sentence


def test_a_draft_that_comes_alone_is_what_has_come(folder: Path, make_models: MakeModels) -> None:
    fetches = make(make_models, Source())
    fetches.add(Item("Small", (file("small.gguf", "draft"),)), folder)
    until(lambda: states(fetches) == [State.DONE])
    assert pair_in(fetches.statuses[0]) == Pair(folder / "small.gguf")
