"""``foreword models``: list, check, pair and remove, as a program and as a person see them."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from engine import cli, paths, settings
from engine.models import starter
from engine.models.arriving import Arriving, ModelFile
from engine.models.download import SourceFailed
from engine.models.item import Item, write_note
from engine.settings import Settings
from engine.terminal import getting, removing
from engine.terminal.screen import open_screen
from tests.engine.conftest import TinyPath
from tests.support.ggufs import WORDS, write_gguf, write_parts

BIG = {"output.weight": (300, 64), "blk.0.x": (64, 64)}
SMALL = {"output.weight": (300, 8)}


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Foreword = Callable[..., Ran]


@pytest.fixture
def foreword(monkeypatch, capsys) -> Foreword:
    """Runs ``foreword models`` where nobody can be asked, or answers what ``stdin`` says."""

    def run(*argv: object, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.main(["models", *map(str, argv)])
        taken = capsys.readouterr()
        return Ran(code, taken.out, taken.err)

    return run


@pytest.fixture
def folder() -> Path:
    """The models folder with a pair in it, and a file that is no model."""
    folder = paths.models_folder()
    write_gguf(folder / "big-7b.gguf", tensors=BIG, general__name="Big 7B")
    write_gguf(folder / "small-1b.gguf", tensors=SMALL)
    (folder / "page.gguf").write_text("<!DOCTYPE html>")
    return folder


# list --------------------------------------------------------------------------------------------


def listed(ran: Ran) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in ran.json["models"] if not row["role"]}


def test_every_model_is_listed_with_what_it_is_and_what_is_wrong(foreword, folder):
    rows = listed(foreword("list", "--json"))
    assert list(rows) == ["big-7b.gguf", "small-1b.gguf", "page.gguf"]
    assert rows["big-7b.gguf"]["title"] == "Big 7B"
    assert rows["big-7b.gguf"]["ok"]
    assert (rows["page.gguf"]["ok"], rows["page.gguf"]["code"]) == (False, "not-gguf")
    assert "web page" in rows["page.gguf"]["reason"]
    shown = foreword("list").out
    assert "Big 7B" in shown
    assert "web page" in shown


def test_models_of_other_places_are_listed_too(foreword, folder, tmp_path: Path):
    added = tmp_path / "added"
    write_gguf(added / "mine.gguf")
    settings.save(Settings(more_folders=(added, tmp_path / "gone")))
    studio = Path.home() / ".lmstudio" / "models" / "someone" / "theirs"
    write_gguf(studio / "theirs.gguf")
    store = Path.home() / ".ollama" / "models"
    write_gguf(store / "blobs" / ("sha256-" + "a" * 64))
    manifest = store / "manifests" / "registry.ollama.ai" / "library" / "llama3.2" / "1b"
    manifest.parent.mkdir(parents=True)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:" + "a" * 64}
    manifest.write_text(json.dumps({"layers": [layer]}))
    ran = foreword("list", "--json")
    rows = listed(ran)
    assert rows["mine.gguf"]["origin"] == "your folder"
    assert rows["theirs.gguf"]["origin"] == "LM Studio"
    assert rows["llama3.2:1b"]["origin"] == "Ollama"
    assert ran.json["notes"] == [f"There is no folder at {tmp_path / 'gone'}."]
    assert "There is no folder at" in ran.err
    settings.save(Settings(more_folders=(added,), other_apps=False))
    assert {row["origin"] for row in listed(foreword("--json")).values()} == {
        "models folder",
        "your folder",
    }


def test_a_hostile_name_is_shown_harmlessly(foreword):
    write_gguf(paths.models_folder() / "[red]\x1b[31m.gguf", general__name="\x1b]0;owned\x07")
    shown = foreword("list").out
    assert "\x1b" not in shown
    assert "[red]" in shown


# check -------------------------------------------------------------------------------------------


def test_each_file_is_checked_and_all_whole_ones_exit_with_0(foreword, folder):
    ran = foreword("check", folder / "big-7b.gguf", folder / "small-1b.gguf", "--json")
    assert ran.code == 0
    assert [(row["path"], row["ok"]) for row in ran.json] == [
        (str(folder / "big-7b.gguf"), True),
        (str(folder / "small-1b.gguf"), True),
    ]


def test_a_name_that_is_no_text_reaches_a_program_whole(tmp_path: Path):
    odd = write_gguf(tmp_path / "plain.gguf").rename(tmp_path / os.fsdecode(b"odd \xff.gguf"))
    command = [sys.executable, "-m", "engine", "models", "check", os.fsencode(odd), "--json"]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    assert b"odd \\udcff.gguf" in out
    assert os.path.exists(json.loads(out)[0]["path"])


def test_a_file_that_cannot_be_used_has_a_reason_and_exits_with_2(foreword, folder, tmp_path):
    parts = write_parts(tmp_path)
    parts[1].unlink()
    files = [folder / "big-7b.gguf", folder / "page.gguf", tmp_path / "none.gguf", folder, parts[2]]
    ran = foreword("check", *files, "--json")
    assert ran.code == 2
    assert [row["path"] for row in ran.json] == [str(file) for file in files]
    assert [row["code"] for row in ran.json] == [
        "",
        "not-gguf",
        "file-missing",
        "file-is-folder",
        "shard-missing",
    ]
    lines = foreword("check", *files)
    assert lines.code == 2
    assert len(lines.out.splitlines()) == len(files)
    assert "big-7b.gguf is ok: llama, " in lines.out
    assert "part 2 of 3 is not there" in lines.out


def test_a_file_in_a_folder_that_cannot_be_reached_is_a_sentence(foreword, folder):
    ran = foreword("check", folder / "page.gguf" / "inside.gguf", "a\0b.gguf", "--json")
    assert [row["code"] for row in ran.json] == ["file-missing", "file-missing"]


def test_a_model_here_is_checked_by_its_name(foreword, folder):
    ran = foreword("check", "big", "small-1b", "--json")
    assert ran.code == 0
    assert [row["path"] for row in ran.json] == [
        str(folder / "big-7b.gguf"),
        str(folder / "small-1b.gguf"),
    ]


def test_a_name_of_no_model_or_of_several_costs_no_other_its_check(foreword, folder):
    write_gguf(folder / "big-70b.gguf")
    ran = foreword("check", "unheard-of", "big-7", "small-1b", "--json")
    assert ran.code == 2
    small = str(folder / "small-1b.gguf")
    assert [row["path"] for row in ran.json] == ["unheard-of", "big-7", small]
    assert [row["code"] for row in ran.json] == ["no-such-model", "ambiguous-model", ""]
    lines = foreword("check", "unheard-of", "small-1b").out.splitlines()
    assert "No model here is called unheard-of." in lines[0]
    assert "is ok" in lines[1]


# pair --------------------------------------------------------------------------------------------


def test_every_model_is_listed_as_a_draft_those_that_fit_first(foreword, folder):
    write_gguf(folder / "other.gguf", words=[*WORDS[:139], "b", *WORDS[140:]])
    ran = foreword("pair", "big", "--json")
    assert ran.code == 0
    assert ran.json["target"]["title"] == "Big 7B"
    drafts = {row["name"]: row for row in ran.json["drafts"]}
    assert next(iter(drafts)) == "small-1b.gguf"
    assert drafts["small-1b.gguf"]["fits"]
    assert drafts["small-1b.gguf"]["worth"]["speed_up"] > 1
    assert drafts["small-1b.gguf"]["worth"]["measured"] is False
    assert drafts["big-7b.gguf"]["why_not"]["code"] == "itself"
    assert 'token 139 reads "t139"' in drafts["other.gguf"]["why_not"]["reason"]
    shown = foreword("pair", "big").out
    assert "a guess from sizes" in shown
    assert "it is the target itself" in shown


def test_a_target_may_lie_anywhere(foreword, folder, tmp_path: Path):
    elsewhere = write_gguf(tmp_path / "elsewhere.gguf", tensors=BIG)
    drafts = foreword("pair", elsewhere, "--json").json["drafts"]
    assert drafts[0]["name"] == "small-1b.gguf"
    assert drafts[0]["fits"]


def test_a_folder_of_the_same_name_hides_no_model(foreword, folder, tmp_path: Path, monkeypatch):
    (tmp_path / "big").mkdir()
    monkeypatch.chdir(tmp_path)
    assert foreword("pair", "big", "--json").json["target"]["title"] == "Big 7B"
    assert foreword("check", "big").code == 0
    (tmp_path / "empty").mkdir()
    assert "is a folder" in foreword("pair", "empty").err
    assert "is a folder" in foreword("check", "empty").out


def test_models_of_one_name_are_told_apart_by_what_is_shown(foreword, folder):
    write_gguf(folder / "other publisher" / "big-7b.gguf", tensors=BIG, general__name="Other 7B")
    for shown in (foreword("list"), foreword("pair", "small-1b")):
        assert f"{folder.name}/big-7b" in shown.out
        assert "other publisher/big-7b" in " ".join(shown.out.split())
    target = foreword("pair", "other publisher/big-7b", "--json").json["target"]
    assert target["title"] == "Other 7B"


def test_where_nothing_fits_it_is_said(foreword, folder):
    ran = foreword("pair", "small")
    assert ran.code == 0
    assert "None of the models here fits." in ran.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "No model here is called nothing."),
        ("page", "is not a GGUF model: it looks like a web page"),
        ("", "No model here is called"),
    ],
)
def test_a_target_that_cannot_be_is_one_sentence(foreword, folder, name: str, said: str):
    ran = foreword("pair", name)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) == 1


# remove ------------------------------------------------------------------------------------------


def test_a_model_is_removed_when_told_so(foreword, folder):
    ran = foreword("remove", "small", "--yes")
    assert ran.code == 0
    assert f"Deleted {folder / 'small-1b.gguf'}" in ran.err
    assert sorted(path.name for path in folder.iterdir()) == ["big-7b.gguf", "page.gguf"]


def test_a_program_is_told_what_was_removed(foreword, folder):
    assert foreword("remove", "small", "--yes", "--json").json == {
        "name": "small-1b.gguf",
        "deleted": True,
        "files": [str(folder / "small-1b.gguf")],
    }


def test_nothing_is_removed_unasked(foreword, folder):
    ran = foreword("remove", "small", stdin="y\n")
    assert ran.code == 2
    assert "nobody is here to ask" in ran.err
    assert (folder / "small-1b.gguf").exists()


def test_a_hostile_name_is_asked_about_harmlessly(folder, monkeypatch, capsys):
    hostile = write_gguf(folder / "\x1b]0;owned\x07.gguf")
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    screen = replace(open_screen(), interactive=True)
    assert removing.take_away(screen, str(hostile), Settings(), None, sure=False) == 1
    asked = "".join(capsys.readouterr().err.splitlines())
    assert "\\x1b]0;owned\\x07.gguf" in asked
    assert not {"\x1b", "\x07"}.intersection(asked)
    assert hostile.exists()


def test_what_lies_elsewhere_is_never_removed(foreword, folder, tmp_path: Path):
    added = write_gguf(tmp_path / "added" / "mine.gguf")
    settings.save(Settings(more_folders=(added.parent,)))
    outside = write_gguf(tmp_path / "outside.gguf")
    for name in ("mine", outside):
        ran = foreword("remove", name, "--yes")
        assert ran.code == 2
        assert "is not Foreword's to remove" in ran.err
    assert added.exists()
    assert outside.exists()


# What downloads left ------------------------------------------------------------------------------

COMING = ModelFile("huge-9b.gguf", "Huge 9B", "", 1000, "0" * 64, "MIT", "some/Huge-GGUF")


def leave(folder: Path, *files: ModelFile) -> Path:
    """What a cut download leaves: a note, and a quarter of its first file."""
    write_note(Item(files[0].title, files), folder, 1.0)
    part = folder / f"{files[0].name}.part"
    part.write_bytes(b"x" * (files[0].size // 4))
    return part


def test_what_a_download_left_is_listed_with_how_to_go_on_and_to_be_rid_of_it(foreword, folder):
    leave(folder, COMING)
    assert foreword("--json").json["unfinished"] == [
        {
            "title": "Huge 9B",
            "folder": str(folder),
            "files": ["huge-9b.gguf"],
            "size": 1000,
            "here": 250,
        }
    ]
    said = " ".join(foreword().out.split())
    assert "Not finished: Huge 9B, 250 bytes of 1.0 kB came." in said
    assert "`foreword models fetch some/Huge-GGUF/huge-9b.gguf` goes on" in said
    assert "`foreword models remove huge-9b.gguf.part` takes it away" in said


@pytest.mark.parametrize("name", ["Huge 9B", "huge", "huge-9b.gguf", "huge-9b.gguf.part", ""])
def test_what_a_download_left_is_removed(foreword, folder, name: str):
    before = set(folder.iterdir())
    part = leave(folder, COMING)
    ran = foreword("remove", name or part, "--yes", "--json")
    assert ran.json == {"name": "huge-9b.gguf", "deleted": True, "files": [str(part)]}
    assert set(folder.iterdir()) == before


def test_what_a_download_left_is_not_removed_unasked(foreword, folder):
    part = leave(folder, COMING)
    assert foreword("remove", "huge").code == 2
    assert part.exists()


def test_what_another_download_wants_too_stays(foreword, folder):
    part = leave(folder, COMING)
    leave(folder, replace(COMING, name="tiny.gguf", title="Tiny"), COMING)
    assert foreword("remove", "Tiny", "--yes").code == 0
    assert part.exists()
    assert not (folder / "tiny.gguf.part").exists()


def test_what_is_being_fetched_is_not_said_to_be_removed(foreword, folder):
    part = leave(folder, COMING)
    with FileLock(folder / "huge-9b.gguf.lock"):
        ran = foreword("remove", "huge", "--yes")
    assert ran.code == 2
    assert "Stop the download of it that is under way" in ran.err
    assert part.exists()


def test_whole_shards_stay_while_another_is_being_fetched(foreword, folder):
    parts = write_parts(folder)
    files = [replace(COMING, name=part.name, size=part.stat().st_size) for part in parts]
    parts[1].rename(f"{parts[1]}.part")
    write_note(Item("Huge 9B", tuple(files)), folder, 1.0)
    before = set(folder.iterdir())
    with FileLock(f"{parts[1]}.lock"):
        assert foreword("remove", "huge", "--yes").code == 2
    assert before <= set(folder.iterdir())


def cut_pair(folder: Path) -> tuple[Path, Path]:
    """A pair whose target is here whole when the line is cut; the target, and the draft's part."""
    target = write_gguf(folder / "whole-9b.gguf", tensors=BIG)
    whole = replace(COMING, name=target.name, title="Whole 9B", size=target.stat().st_size)
    write_note(Item("Whole 9B + Huge 9B", (whole, COMING)), folder, 1.0)
    part = folder / "huge-9b.gguf.part"
    part.write_bytes(b"x" * 250)
    return target, part


def test_what_the_list_says_takes_a_pair_s_rest_away_and_not_what_is_whole(foreword, folder):
    target, part = cut_pair(folder)
    said = " ".join(foreword().out.split())
    named = said.partition("`foreword models remove ")[2].partition("`")[0]
    ran = foreword("remove", named, "--yes")
    assert ran.code == 0
    assert "(250 bytes)" in ran.err
    assert target.exists()
    assert not part.exists()


def test_a_part_s_path_means_that_part_alone(foreword, folder):
    whole = write_gguf(folder / "huge-9b.gguf", tensors=SMALL)
    part = leave(folder / "some Huge-GGUF", COMING)
    assert foreword("remove", folder / "elsewhere" / part.name, "--yes").code == 2
    assert part.exists()
    assert foreword("remove", part, "--yes").code == 0
    assert not part.exists()
    assert whole.exists()


def test_no_name_means_nothing(foreword, folder):
    part = leave(folder, COMING)
    for name in ("", ".part"):
        assert foreword("remove", name, "--yes").code == 2
    assert part.exists()


def test_a_model_of_which_parts_are_coming_is_said_to_come_and_goes_whole(foreword, folder):
    before = set(folder.iterdir())
    parts = write_parts(folder)
    files = [replace(COMING, name=part.name, size=part.stat().st_size) for part in parts]
    contents = {part: part.read_bytes() for part in (parts[0], parts[2])}
    for part in parts:
        part.unlink()
    leave(folder, *files)
    for part, content in contents.items():
        part.write_bytes(content)
    row = listed(foreword("--json"))[parts[0].name]
    assert (row["code"], row["ok"]) == ("shard-coming", False)
    assert "part 2 of 3 is still to come" in row["reason"]
    assert foreword("remove", "big-0", "--yes").code == 0
    assert set(folder.iterdir()) == before


def test_parts_that_were_here_before_stay_when_the_fetch_of_the_others_goes(foreword, folder):
    parts = write_parts(folder)
    files = [replace(COMING, name=part.name, size=part.stat().st_size) for part in parts]
    parts[1].unlink()
    before = set(folder.iterdir())
    assert "part 2 of 3 is not there" in listed(foreword("--json"))[parts[0].name]["reason"]
    write_note(Item("Huge 9B", tuple(files)), folder, 1.0)
    (folder / f"{parts[1].name}.part").write_bytes(b"x" * 9)
    assert "(9 bytes)" in foreword("remove", "big-0", "--yes").err
    assert set(folder.iterdir()) == before


def test_the_next_list_knows_of_a_fetch_of_the_starter_pair_that_was_cut(
    foreword, folder, monkeypatch
):
    class Cut:
        name = "a test"

        def spare(self, _file: ModelFile) -> int:
            return 0

        def pour(self, _file: ModelFile, arriving: Arriving) -> None:
            arriving.write(b"x" * 9)
            raise SourceFailed("the line was cut")

    files = (COMING, replace(COMING, name="tiny.gguf", title="Tiny"))
    monkeypatch.setattr(starter, "default_sources", lambda: (Cut(),))
    monkeypatch.setitem(getting.SETS, "starter", files)
    assert foreword("fetch", "--yes").code == 1
    (left,) = foreword("--json").json["unfinished"]
    assert (left["title"], left["here"]) == ("Huge 9B + Tiny", 9)


def test_a_fetch_that_goes_on_leaves_no_note_of_the_one_that_was_cut(foreword, folder, monkeypatch):
    content = {"one.gguf": b"1" * 90, "two.gguf": b"2" * 80}
    files = tuple(
        replace(COMING, name=name, title=name, size=len(it), sha256=sha256(it).hexdigest())
        for name, it in content.items()
    )

    class Source:
        name = "a test"
        whole = 1

        def spare(self, _file: ModelFile) -> int:
            return 0

        def pour(self, file: ModelFile, arriving: Arriving) -> None:
            if not self.whole:
                raise SourceFailed("the line was cut")
            self.whole -= 1
            arriving.write(content[file.name])

    source = Source()
    monkeypatch.setattr(starter, "default_sources", lambda: (source,))
    monkeypatch.setitem(getting.SETS, "starter", files)
    assert foreword("fetch", "--yes").code == 1
    assert (folder / "one.gguf").exists()
    source.whole = 1
    assert foreword("fetch", "--yes").code == 0
    assert not [path.name for path in folder.iterdir() if path.suffix == ".json"]


def test_a_fetch_leaves_another_file_of_the_name_alone_and_says_so(foreword, folder, monkeypatch):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    files = (COMING, replace(COMING, name="big-7b.gguf"))
    monkeypatch.setitem(getting.SETS, "starter", files)
    ran = foreword("fetch", "--yes")
    assert ran.code == 1
    assert f"{folder / 'big-7b.gguf'} is another file than the one to fetch" in ran.err
    assert "To fetch" not in ran.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_fetch_leaves_another_download_of_the_name_alone(foreword, folder, monkeypatch):
    part = leave(folder, COMING)
    files = (replace(COMING, sha256="1" * 64),)
    monkeypatch.setitem(getting.SETS, "starter", files)
    ran = foreword("fetch", "--yes")
    assert ran.code == 2
    assert f"`foreword models remove {part.name}` takes it away" in ran.err
    assert part.stat().st_size == 250


def test_another_file_of_the_starter_pair_s_name_is_listed_as_what_it_is(foreword, folder):
    write_gguf(folder / starter.TARGET.name, general__name="Another")
    rows = foreword("--json").json["models"]
    (known,) = (row for row in rows if row["role"] == "target")
    assert (known["ok"], known["here"]) == (False, 0)
    assert "another file has its name" in known["reason"]
    (other,) = (row for row in rows if row["title"] == "Another")
    assert (other["ok"], other["path"]) == (True, known["path"])


def test_a_file_of_the_starter_pair_that_was_damaged_since_is_listed_so(
    foreword, folder, monkeypatch
):
    monkeypatch.setitem(getting.SETS, "starter", (starter.TARGET,))
    with open(folder / starter.TARGET.name, "wb") as file:
        file.truncate(starter.TARGET.size)
    rows = [row for row in foreword("--json").json["models"] if row["name"] == starter.TARGET.name]
    assert [(row["role"], row["ok"]) for row in rows] == [("target", False)]
    assert "begins with zeros" in rows[0]["reason"]
    remedy = f"`foreword models remove {rows[0]['path']}` takes it away"
    assert remedy in foreword("fetch", "starter", "--yes").err


# Names instead of paths --------------------------------------------------------------------------


@pytest.fixture
def tiny_folder(tiny_path: TinyPath) -> Path:
    folder = paths.models_folder()
    folder.mkdir(parents=True)
    shutil.copy(tiny_path(), folder / "tiny-large.gguf")
    shutil.copy(tiny_path(seed=1, layers=1), folder / "tiny-small.gguf")
    return folder


def test_a_pair_is_named_by_the_beginnings_of_its_names(tiny_folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    named = ("--target", "tiny-l", "--draft", "TINY-SMALL", "--gamma", "2", "--json")
    assert cli.main(["chat", *named, "Hi"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"]["drafted"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tiny", "tiny may be any of these: tiny-large, tiny-small."),
        ("huge", "No model here is called huge."),
        ("huge.gguf", "There is no file at huge.gguf."),
        ("some/where", "There is no file at some/where."),
    ],
)
def test_a_name_that_is_not_clear_is_one_sentence(tiny_folder, capsys, name: str, said: str):
    assert cli.main(["chat", "--target", name, "Hi"]) == 2
    assert said in capsys.readouterr().err
