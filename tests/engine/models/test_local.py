"""The models on this machine: each once, and what is wrong with those that cannot be used."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.models import architectures, header, kinds, local, walk
from engine.models.header import Header, read_header
from engine.models.kinds import Kind
from engine.models.local import LocalModel, Scan
from engine.models.remembered import Remembered
from engine.models.stores import Origin, Place
from engine.terminal import naming
from tests.support.disks import closed, read_only
from tests.support.ggufs import write_gguf, write_parts


def scan(*folders: Path, memory: Remembered | None = None) -> Scan:
    places = [Place(Origin.ADDED, folder, wanted=True) for folder in folders]
    return local.scan(places, memory=memory or Remembered())


def by_name(found: Scan) -> dict[str, LocalModel]:
    return {model.path.name: model for model in found.models}


def test_a_model_is_told_with_all_that_a_list_shows(tmp_path: Path):
    path = write_gguf(tmp_path / "my model-q4.gguf", general__name="Mine", general__file_type=2)
    (model,) = scan(tmp_path).models
    assert (model.path, model.files, model.name) == (path, (path,), "my model-q4")
    assert (model.title, model.origin, model.size) == ("Mine", Origin.ADDED, path.stat().st_size)
    assert model.ok
    assert not model.damaged
    assert model.about is not None
    assert model.about.quantisation == "Q4_0"


@pytest.mark.parametrize(
    "name", ["a b.gguf", "\u017deljko.gguf", "\u7530\u3000\u4e2d.gguf", "'\".gguf"]
)
def test_names_of_any_kind_are_read(tmp_path: Path, name: str):
    write_gguf(tmp_path / "\u3000 f" / name)
    (model,) = scan(tmp_path).models
    assert model.ok
    assert model.path.name == name


def test_a_name_that_is_no_text_is_read_too(tmp_path: Path):
    path = write_gguf(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.gguf")))
    for _time in range(2):
        (model,) = scan(tmp_path, memory=Remembered(tmp_path / "cache.json")).models
        assert model.ok
        assert model.path == path


# What is wrong -----------------------------------------------------------------------------------


def _truncated(path: Path) -> None:
    write_gguf(path)
    path.write_bytes(path.read_bytes()[:-40])


def _big_endian(path: Path) -> None:
    path.write_bytes(b"GGUF\0\0\0\3" + b"\0" * 100)


def _joined(path: Path) -> None:
    parts = write_parts(path.parent / "parts")
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    shutil.rmtree(path.parent / "parts")


BROKEN: list[tuple[Callable[[Path], object], str, str]] = [
    (lambda path: path.write_text("<!DOCTYPE html>\n<title>404</title>"), "not-gguf", "web page"),
    (lambda path: path.write_text('{"error": "gated"}'), "not-gguf", "JSON"),
    (lambda path: path.write_bytes(b""), "not-gguf", "it is empty"),
    (lambda path: path.write_bytes(b"\0" * 5000), "not-gguf", "begins with zeros"),
    (lambda path: path.write_bytes(b"tjgg" + b"\0" * 50), "not-gguf", "GGJT"),
    (_big_endian, "not-gguf", "big-endian"),
    (_truncated, "gguf-truncated", "is incomplete"),
    (_joined, "shards-joined", "one after the other"),
    (lambda path: path.mkdir(), "file-is-folder", "is a folder"),
    (lambda path: path.symlink_to(path.name), "file-unreadable", "cannot be read"),
    (lambda path: path.symlink_to("nothing"), "file-unreadable", "the link leads nowhere"),
    (os.mkfifo, "file-unreadable", "not a regular file"),
    (lambda path: write_gguf(path, architecture="clip"), "not-for-chat", "a projector"),
    (lambda path: write_gguf(path, architecture="bert"), "not-for-chat", "an embedding model"),
    (lambda path: write_gguf(path, architecture="new"), "gguf-unsupported", "newer llama.cpp"),
    (lambda path: write_gguf(path, llama__context_length=-1), "gguf-damaged", "context_length"),
]


@pytest.mark.parametrize(("make", "code", "said"), BROKEN, ids=[row[2] for row in BROKEN])
def test_what_cannot_be_used_is_listed_with_a_sentence_and_the_rest_works(
    tmp_path: Path, make: Callable[[Path], object], code: str, said: str
):
    write_gguf(tmp_path / "good.gguf")
    make(tmp_path / "bad.gguf")
    found = scan(tmp_path)
    good, bad = found.models
    assert good.ok
    assert not bad.ok
    assert (bad.code, bad.path.name) == (code, "bad.gguf")
    assert said in bad.problem
    assert bad.problem.endswith(".")
    assert bad.damaged == (code != "not-for-chat")
    assert str(tmp_path) not in bad.reason
    assert found.notes == ()


def test_a_file_that_may_not_be_read_is_read_once_it_may(tmp_path: Path, monkeypatch):
    write_gguf(tmp_path / "m.gguf")
    memory = Remembered()

    def refuse(*_arguments: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:  # root may read anything
        patch.setattr(header, "open", refuse, raising=False)
        (model,) = scan(tmp_path, memory=memory).models
        assert "cannot be read (Permission denied)" in model.problem
    (model,) = scan(tmp_path, memory=memory).models
    assert model.ok


def test_a_file_that_takes_all_memory_costs_no_other_and_is_looked_at_again(
    tmp_path: Path, monkeypatch
):
    write_gguf(tmp_path / "good.gguf")
    write_gguf(tmp_path / "huge.gguf")
    memory = Remembered(tmp_path / "cache.json")

    def read(path: Path) -> Header:
        if path.name == "huge.gguf":
            raise MemoryError
        return read_header(path)

    monkeypatch.setattr("engine.models.local.read_header", read)
    good, huge = scan(tmp_path, memory=memory).models
    assert good.ok
    assert (huge.code, huge.damaged) == ("header-too-large", True)
    monkeypatch.undo()
    assert all(model.ok for model in scan(tmp_path, memory=memory).models)


def test_models_in_a_folder_that_takes_nothing_can_be_used(tmp_path: Path):
    folder = tmp_path / "models"
    write_gguf(folder / "a.gguf")
    with read_only(folder):
        (model,) = scan(folder).models
    assert model.ok


def test_a_folder_that_is_gone_is_a_sentence(tmp_path: Path):
    write_gguf(tmp_path / "here" / "m.gguf")
    found = scan(tmp_path / "gone", tmp_path / "here")
    assert found.notes == (f"There is no folder at {tmp_path / 'gone'}.",)
    assert len(found.models) == 1


@pytest.mark.parametrize("why", [errno.EACCES, errno.ESTALE])
@pytest.mark.parametrize("listed", [True, False])
def test_a_folder_that_may_not_be_entered_is_a_sentence_and_costs_no_other(
    tmp_path: Path, why: int, listed: bool
):
    for name in ("shut", "open"):
        write_gguf(tmp_path / name / f"{name}.gguf")
    with closed(tmp_path / "shut", why, listed=listed):
        found = scan(tmp_path / "shut", tmp_path / "open")
    assert [model.name for model in found.models] == ["open"]
    (note,) = found.notes
    assert note == f"The folder {tmp_path / 'shut'} cannot be read ({os.strerror(why)})."


@pytest.mark.parametrize("name", ["m.gguf", "m-00001-of-00002.gguf"])
def test_a_file_in_a_folder_that_may_not_be_entered_is_a_sentence(tmp_path: Path, name: str):
    write_gguf(tmp_path / "shut" / name)
    with closed(tmp_path / "shut"):
        (dropped,) = local.look_at([tmp_path / "shut" / name]).models
        named = local.check_file(tmp_path / "shut" / name)
    assert "cannot be read (Permission denied)" in dropped.problem
    assert named.problem == dropped.problem


# Split models ------------------------------------------------------------------------------------


def test_parts_are_one_model(tmp_path: Path):
    parts = write_parts(tmp_path)
    (model,) = scan(tmp_path).models
    assert model.ok
    assert (model.path, model.files) == (parts[0], tuple(parts))
    assert (model.name, model.title) == ("big", "Big")
    assert model.size == sum(part.stat().st_size for part in parts)


def test_a_part_that_lies_there_twice_counts_once(tmp_path: Path):
    parts = write_parts(tmp_path)
    (before,) = scan(tmp_path).models
    shutil.copy(parts[1], parts[1].with_suffix(".GGUF"))
    (model,) = scan(tmp_path).models
    assert model.ok
    assert model.files == tuple(parts)
    assert model.about == before.about


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_missing_part_is_named(tmp_path: Path, number: int):
    write_parts(tmp_path)[number - 1].unlink()
    (model,) = scan(tmp_path).models
    assert model.code == "shard-missing"
    assert f"part {number} of 3 is not there" in model.problem


def test_a_damaged_part_spoils_the_whole(tmp_path: Path):
    second = write_parts(tmp_path)[1]
    second.write_bytes(second.read_bytes()[:-40])
    (model,) = scan(tmp_path).models
    assert model.code == "gguf-truncated"
    assert str(second) in model.problem


def test_a_part_under_a_name_of_its_own_does_not_find_the_others(tmp_path: Path):
    parts = write_parts(tmp_path)
    parts[0].rename(tmp_path / "mine.gguf")
    models = by_name(scan(tmp_path))
    assert models["mine.gguf"].code == "shard-misnamed"
    assert "is part 1 of 3" in models["mine.gguf"].problem


def test_parts_in_the_wrong_order_are_noticed(tmp_path: Path):
    one, two, _three = write_parts(tmp_path)
    spare = one.rename(tmp_path / "spare")
    two.rename(one)
    spare.rename(two)
    (model,) = scan(tmp_path).models
    assert model.code == "shard-misnamed"


def test_whole_files_that_were_only_named_as_parts_are_no_split_model(tmp_path: Path):
    for number in (1, 2):
        write_gguf(tmp_path / f"m-{number:05d}-of-00002.gguf")
    (model,) = scan(tmp_path).models
    assert model.code == "shard-misnamed"


def test_a_model_of_two_folders_is_two_models(tmp_path: Path):
    write_parts(tmp_path / "a")
    write_parts(tmp_path / "b")
    assert len(scan(tmp_path).models) == 2


# Each once ---------------------------------------------------------------------------------------


def test_a_file_that_lies_in_two_places_is_listed_where_it_comes_first(tmp_path: Path):
    path = write_gguf(tmp_path / "ours" / "m.gguf")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "link.gguf").symlink_to(path)
    os.link(path, tmp_path / "store" / "hard.gguf")
    write_gguf(tmp_path / "store" / "other.gguf")
    found = scan(tmp_path / "ours", tmp_path / "store")
    assert [model.path.name for model in found.models] == ["m.gguf", "other.gguf"]


def test_files_that_their_disk_does_not_number_are_each_listed(tmp_path: Path, monkeypatch):
    def unnumbered(path: Path) -> SimpleNamespace:
        told = os.stat(path)
        numbers = {"st_ino": 0, "st_dev": told.st_dev, "st_mtime_ns": told.st_mtime_ns}
        return SimpleNamespace(**numbers, st_size=told.st_size)

    write_gguf(tmp_path / "a.gguf")
    write_gguf(tmp_path / "inner" / "b.gguf")
    (tmp_path / "inner" / "circle").symlink_to(tmp_path)
    there = SimpleNamespace(stat=unnumbered, scandir=os.scandir, path=os.path)
    for module in (local, walk):
        monkeypatch.setattr(module, "os", there)
    one, two = scan(tmp_path, tmp_path / "inner").models
    assert (one.name, two.name) == ("a", "b")
    assert naming.model(str(two.path), (one, two)) == two


def test_usable_models_come_before_the_others(tmp_path: Path):
    (tmp_path / "a.gguf").write_bytes(b"")
    write_gguf(tmp_path / "b.gguf", architecture="clip")
    write_gguf(tmp_path / "c.gguf")
    assert list(by_name(scan(tmp_path))) == ["c.gguf", "b.gguf", "a.gguf"]


# Dropped and named files -------------------------------------------------------------------------


def test_dropped_files_and_folders_are_looked_at(tmp_path: Path):
    one = write_gguf(tmp_path / "one.gguf")
    blob = write_gguf(tmp_path / "sha256-abc")  # whatever it is called
    write_gguf(tmp_path / "folder" / "two.gguf")
    found = local.look_at([one, blob, tmp_path / "folder", one])
    assert list(by_name(found)) == ["one.gguf", "sha256-abc", "two.gguf"]
    assert all(model.ok for model in found.models)
    assert {model.origin for model in found.models} == {Origin.NAMED}


def test_any_part_stands_for_the_whole(tmp_path: Path):
    parts = write_parts(tmp_path)
    (model,) = local.look_at([parts[1]]).models
    assert model.files == tuple(parts)
    assert local.check_file(parts[2]).files == tuple(parts)
    parts[0].unlink()
    assert "part 1 of 3" in local.check_file(parts[2]).problem


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path):
    assert "There is no file" in local.check_file(tmp_path / "no.gguf").problem
    assert "is a folder" in local.check_file(tmp_path).problem


# Memory ------------------------------------------------------------------------------------------


def test_a_second_scan_reads_only_what_changed(tmp_path: Path, monkeypatch):
    for name in ("a", "b", "c"):
        write_gguf(tmp_path / "m" / f"{name}.gguf", general__name=name)
    (tmp_path / "m" / "d.gguf").write_text("<html>")
    first = scan(tmp_path / "m", memory=Remembered(tmp_path / "cache.json"))
    write_gguf(tmp_path / "m" / "b.gguf", general__name="another name")
    read: list[str] = []

    def spy(path: Path) -> header.Header:
        read.append(path.name)
        return header.read_header(path)

    monkeypatch.setattr(local, "read_header", spy)
    second = scan(tmp_path / "m", memory=Remembered(tmp_path / "cache.json"))
    assert read == ["b.gguf"]
    assert by_name(second)["b.gguf"].title == "another name"
    for name in ("a.gguf", "c.gguf", "d.gguf"):
        assert by_name(second)[name] == by_name(first)[name]


def test_what_other_rules_found_is_looked_at_anew(tmp_path: Path, monkeypatch):
    cache = tmp_path / "cache.json"
    write_gguf(tmp_path / "m" / "a.gguf")
    (model,) = scan(tmp_path / "m", memory=Remembered(cache)).models
    assert model.ok
    changed = tmp_path / "kinds.py"
    changed.write_text(Path(kinds.__file__).read_text() + "# a rule more")
    monkeypatch.setattr(kinds, "__file__", str(changed))
    monkeypatch.setattr("engine.models.about.kind_of", lambda _header: (Kind.OTHER, "it is new"))
    (model,) = scan(tmp_path / "m", memory=Remembered(cache)).models
    assert "it is new" in model.problem


def test_what_an_older_llama_cpp_could_not_read_is_looked_at_anew_by_another(
    tmp_path: Path, monkeypatch
):
    cache = tmp_path / "cache.json"
    write_gguf(tmp_path / "m" / "a.gguf", architecture="new")
    monkeypatch.setattr(architectures, "version", lambda _name: architectures.BINDING)
    (model,) = scan(tmp_path / "m", memory=Remembered(cache)).models
    assert model.code == "gguf-unsupported"
    monkeypatch.setattr(architectures, "version", lambda _name: "9.9.9")
    (model,) = scan(tmp_path / "m", memory=Remembered(cache)).models
    assert model.ok


def test_500_models_are_listed_in_two_seconds_the_second_time(tmp_path: Path):
    first = write_gguf(tmp_path / "m" / "0.gguf", words=[f"w{i}" for i in range(30_000)])
    for number in range(1, 500):
        shutil.copy(first, tmp_path / "m" / f"{number}.gguf")
    scan(tmp_path / "m", memory=Remembered(tmp_path / "cache.json"))
    began = time.perf_counter()
    found = scan(tmp_path / "m", memory=Remembered(tmp_path / "cache.json"))
    assert time.perf_counter() - began < 2
    assert len(found.models) == 500
    assert (tmp_path / "cache.json").stat().st_size < 1_000_000


def test_10_000_files_are_listed(tmp_path: Path):
    for number in range(100):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        for each in range(100):
            (folder / f"{each}.gguf").write_bytes(b"")
    write_gguf(tmp_path / "99" / "good.gguf")
    found = scan(tmp_path)
    assert len(found.models) == 10_001
    assert found.models[0].name == "good"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"rules": 1', "\0", '{"rules": "0"}'])
def test_a_memory_that_makes_no_sense_is_made_again(tmp_path: Path, content: str):
    write_gguf(tmp_path / "m" / "a.gguf")
    cache = tmp_path / "cache.json"
    cache.write_text(content)
    assert len(scan(tmp_path / "m", memory=Remembered(cache)).models) == 1
    assert "a.gguf" in cache.read_text()


def test_a_memory_that_cannot_be_kept_costs_no_model(tmp_path: Path):
    write_gguf(tmp_path / "m" / "a.gguf")
    (tmp_path / "file").write_text("in the way")
    found = scan(tmp_path / "m", memory=Remembered(tmp_path / "file" / "cache.json"))
    assert len(found.models) == 1


def test_what_is_gone_is_forgotten(tmp_path: Path):
    write_gguf(tmp_path / "m" / "a.gguf")
    write_gguf(tmp_path / "m" / "b.gguf")
    cache = tmp_path / "cache.json"
    scan(tmp_path / "m", memory=Remembered(cache))
    (tmp_path / "m" / "a.gguf").unlink()
    write_gguf(tmp_path / "m" / "c.gguf")
    scan(tmp_path / "m", memory=Remembered(cache))
    assert "a.gguf" not in cache.read_text()
    assert "b.gguf" in cache.read_text()


def test_what_cannot_be_reached_any_more_ends_no_scan(tmp_path: Path):
    cache = tmp_path / "cache.json"
    write_gguf(tmp_path / "shut" / "a.gguf")
    scan(tmp_path / "shut", memory=Remembered(cache))
    write_gguf(tmp_path / "open" / "b.gguf")
    with closed(tmp_path / "shut"):
        found = scan(tmp_path / "shut", tmp_path / "open", memory=Remembered(cache))
    assert [model.name for model in found.models] == ["b"]
    assert "b.gguf" in cache.read_text()


def test_what_a_scan_read_before_ctrl_c_is_remembered(tmp_path: Path):
    for name in ("a", "b"):
        write_gguf(tmp_path / "m" / f"{name}.gguf")

    def interrupt(done: int, _name: str) -> None:
        if done:
            raise KeyboardInterrupt

    cache = tmp_path / "cache.json"
    with pytest.raises(KeyboardInterrupt):
        local.scan(
            [Place(Origin.ADDED, tmp_path / "m")], memory=Remembered(cache), progress=interrupt
        )
    assert "a.gguf" in cache.read_text()


def test_a_scan_tells_how_far_it_is_and_stops_when_asked(tmp_path: Path):
    for name in ("a", "b", "c"):
        write_gguf(tmp_path / f"{name}.gguf")
    told: list[tuple[int, str]] = []
    place = Place(Origin.ADDED, tmp_path)
    found = local.scan(
        [place],
        memory=Remembered(),
        progress=lambda done, name: told.append((done, name)),
        cancelled=lambda: len(told) >= 2,
    )
    assert told == [(0, "a.gguf"), (1, "b.gguf")]
    assert len(found.models) == 2
