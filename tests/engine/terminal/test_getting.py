"""``foreword models search`` and ``fetch``, against a Hub on the loopback interface."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import cli, machine, paths
from engine.devices import Device
from engine.models import hub_source
from engine.models.catalogue import CatalogueFile, catalogue
from engine.models.hub import Hub
from engine.models.wanted import on_hub
from engine.terminal import getting, searching
from tests.support.fake_hub import FakeHub

Run = Callable[..., tuple[int, str, str]]

REPO = "someone/Tiny-GGUF"
SMALL = b"small" * 100
LARGE = b"large" * 1000
PARTS = [b"one" * 100, b"two" * 100]
FILES = {
    (REPO, "tiny-q4_k_m.gguf"): SMALL,
    (REPO, "tiny-q8_0.gguf"): LARGE,
    (REPO, "mmproj-tiny-f16.gguf"): b"projector",
    (REPO, "README.md"): b"words",
    ("someone/Split-GGUF", "s-Q4_K_M-00001-of-00002.gguf"): PARTS[0],
    ("someone/Split-GGUF", "s-Q4_K_M-00002-of-00002.gguf"): PARTS[1],
    ("someone/Half-GGUF", "h-Q4_K_M-00001-of-00002.gguf"): PARTS[0],
    ("someone/Closed-GGUF", "c-Q4_K_M.gguf"): SMALL,
    ("someone/Only-GGUF", "only.gguf"): SMALL,
}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with FakeHub(dict(FILES), gated={"someone/Closed-GGUF"}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield hub


@pytest.fixture(autouse=True)
def without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is started to look for one."""
    alone = lambda _screen, folder: machine.this_machine(folder)  # noqa: E731
    monkeypatch.setattr(searching, "surveyed", alone)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``foreword models`` where nobody can be asked."""

    def run(*argv: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        code = cli.main(["models", *map(str, argv)])
        taken = capsys.readouterr()
        return code, taken.out, taken.err

    return run


def told(ran: tuple[int, str, str]) -> Any:
    assert ran[0] == 0, ran[2]
    return json.loads(ran[1])


# search ------------------------------------------------------------------------------------------


def test_the_hub_is_searched(hub: FakeHub, models: Run):
    found = told(models("search", "tiny", "--json"))["hub"]
    assert [each["repo"] for each in found] == [REPO]
    assert found[0]["parameters"] == 1_500_000_000
    code, out, _err = models("search", "tiny")
    assert code == 0
    assert REPO in out
    assert "1,234" in out


def test_a_repository_without_models_says_so(hub: FakeHub, models: Run):
    hub.files["someone/Words", "README.md"] = b"words"
    code, out, _err = models("search", "someone/Words")
    assert (code, "no model in the GGUF format" in out) == (0, True)


def test_a_repository_is_listed_by_quantisation(hub: FakeHub, models: Run):
    there = told(models("search", REPO, "--json"))
    assert [(each["quantisation"], each["size"]) for each in there["variants"]] == [
        ("Q4_K_M", len(SMALL)),
        ("Q8_0", len(LARGE)),
    ]
    _code, out, _err = models("search", "someone/Half-GGUF")
    assert "some parts are missing" in out


def test_the_catalogue_is_searched_before_the_hub_and_without_it(
    monkeypatch: pytest.MonkeyPatch, models: Run
):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    model = catalogue()[0].target
    code, out, err = models("search", *model.title.split())
    assert code == 1
    assert model.key in out
    assert "cannot be reached" in err
    code, out, err = models("search", model.title, "--json")
    assert code == 1
    assert model.key in [each["key"] for each in json.loads(out)["catalogue"]]
    assert "cannot be reached" in json.loads(out)["problem"]


@pytest.mark.parametrize("words", ["tiny", REPO])
def test_ctrl_c_ends_a_search_without_a_word_of_downloads(
    hub: FakeHub, models: Run, monkeypatch: pytest.MonkeyPatch, words: str
):
    def leave(_hub: Hub, *_arguments: object, check: Callable[[], None], **_options: object):
        signal.raise_signal(signal.SIGINT)
        check()

    monkeypatch.setattr(Hub, "search", leave)
    monkeypatch.setattr(Hub, "repository", leave)
    code, _out, err = models("search", words)
    assert (code, err) == (130, "")


@pytest.mark.parametrize("argv", [("search", "tiny"), ("fetch", f"{REPO}:Q8_0")])
def test_an_endpoint_that_is_no_address_is_said(argv: tuple[str, ...]):
    # In a process of its own: the Hub's library looks at it once, as it is imported.
    ran = subprocess.run(
        [sys.executable, "-m", "engine", "models", *argv],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "HF_ENDPOINT": "http://[::1"},
        check=False,
    )
    assert ran.returncode == 1
    assert "http://[::1 cannot be reached (that is no address of the web)." in ran.stderr
    assert "HF_ENDPOINT" in ran.stderr


def test_the_catalogue_alone_is_listed_without_asking_anyone(hub: FakeHub, models: Run):
    told_now = told(models("search", "--json"))
    keys = {model.key for pair in catalogue() for model in (pair.target, pair.draft)}
    assert {each["key"] for each in told_now["catalogue"]} == keys
    assert hub.requests == []


def test_what_fits_this_computer_is_said(hub: FakeHub, models: Run, monkeypatch):
    monkeypatch.setattr(machine, "memory", lambda: (8 * 10**9, 6 * 10**9))
    fits = {each["key"]: each["fits"] for each in told(models("search", "--json"))["catalogue"]}
    assert fits["qwen2.5-coder-0.5b"]
    assert not fits["qwen2.5-coder-32b"]
    there = told(models("search", REPO, "--json"))
    assert all(each["fits"] for each in there["variants"])


def test_the_memory_of_a_graphics_processor_counts(hub: FakeHub, models: Run, monkeypatch):
    gpu = Device("CUDA0", "A card", "gpu", 10**10, 10**10)
    here = machine.Machine(8 * 10**9, 6 * 10**9, 8, 10**12, (gpu,))
    monkeypatch.setattr(searching, "surveyed", lambda _screen, _folder: here)
    fits = {each["key"]: each["fits"] for each in told(models("search", "--json"))["catalogue"]}
    assert fits["gemma-3-12b"]
    assert fits["qwen2.5-14b"]  # some of its layers stay with the processor
    assert not fits["gemma-3-27b"]
    for size, is_room in ((11 * 10**9, True), (13 * 10**9, False)):  # its caches need some too
        monkeypatch.setattr(hub, "claimed_size", size)
        there = told(models("search", REPO, "--json"))
        assert {each["fits"] for each in there["variants"]} == {is_room}


def test_what_nobody_has_is_said(hub: FakeHub, models: Run):
    code, out, _err = models("search", "no such model anywhere")
    assert code == 0
    assert "has nothing by these words" in out


# fetch -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "name", "content"),
    [
        (REPO, "tiny-q4_k_m.gguf", SMALL),
        (f"{REPO}:q8_0", "tiny-q8_0.gguf", LARGE),
        (f"{REPO}/tiny-q8_0.gguf", "tiny-q8_0.gguf", LARGE),
        (f"https://huggingface.co/{REPO}:Q4_K_M", "tiny-q4_k_m.gguf", SMALL),
        ("someone/Only-GGUF", "only.gguf", SMALL),
    ],
)
def test_a_place_on_the_hub_is_fetched_and_said_first(
    hub: FakeHub, models: Run, what: str, name: str, content: bytes
):
    code, _out, err = models("fetch", what)
    assert code == 0
    assert (paths.models_folder() / name).read_bytes() == content
    assert "To fetch: " in err
    place = on_hub(what)
    assert place is not None
    assert f"from {place.repo} on the Hugging Face Hub. It goes to {paths.models_folder()}." in err
    code, _out, err = models("fetch", what)
    assert code == 0
    assert "To fetch" not in err
    assert f"is here: {paths.models_folder() / name}" in err


def test_a_program_is_told_what_was_fetched(hub: FakeHub, models: Run):
    for _again in range(2):
        code, out, _err = models("fetch", f"{REPO}:Q8_0", "--json")
        (told,) = json.loads(out)["files"]
        assert code == 0
        assert told["ok"]
        assert os.path.getsize(told["path"]) == told["size"]


def test_all_parts_are_fetched(hub: FakeHub, models: Run):
    code, _out, err = models("fetch", "someone/Split-GGUF")
    assert code == 0
    assert "600 bytes, 2 files" in err
    names = [f"s-Q4_K_M-0000{number}-of-00002.gguf" for number in (1, 2)]
    assert [(paths.models_folder() / name).read_bytes() for name in names] == PARTS


@pytest.mark.parametrize(
    ("what", "code", "said"),
    [
        ("everything", 2, "everything is nothing that can be fetched"),
        ("no/where", 2, "repository no/where"),
        (f"{REPO}:Q2_K", 2, "has no Q2_K. It has: Q4_K_M, Q8_0."),
        ("someone/Half-GGUF", 2, "lacks some parts of"),
        ("someone/Closed-GGUF", 1, "someone/Closed-GGUF"),
    ],
)
def test_what_cannot_be_fetched_is_one_sentence(
    hub: FakeHub, models: Run, what: str, code: int, said: str
):
    ran = models("fetch", what)
    assert ran[0] == code
    assert said in ran[2]
    assert not [path for path in _files(paths.models_folder()) if path.suffix == ".gguf"]


def test_a_fetch_that_was_refused_leaves_nothing_and_says_nothing_of_it(hub: FakeHub, models: Run):
    err = models("fetch", "someone/Closed-GGUF")[2]
    assert "is kept" not in err
    assert told(models("list", "--json"))["unfinished"] == []
    assert _files(paths.models_folder()) == []


def test_where_a_terminal_takes_a_token_from_is_said(hub: FakeHub, models: Run):
    err = models("fetch", "someone/Closed-GGUF")[2]
    assert "give Foreword an access token" in err
    assert "The token goes into HF_TOKEN" in err


def test_a_fetch_that_was_cut_goes_on(hub: FakeHub, models: Run):
    hub.drop_after = [1000] * 50
    hub.status = None
    assert models("fetch", f"{REPO}:Q8_0")[0] == 0
    assert (paths.models_folder() / "tiny-q8_0.gguf").read_bytes() == LARGE
    assert hub.starts[:2] == [None, 1000]


def test_what_came_of_a_fetch_that_the_hub_ended_is_said_to_be_kept(
    hub: FakeHub, models: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hub_source, "_TRIES", 0)
    hub.drop_after = [1000] * 50
    code, _out, err = models("fetch", f"{REPO}:Q8_0")
    assert code == 1
    assert "What came so far is kept." in err
    assert [path for path in _files(paths.models_folder()) if path.name.endswith(".part")]


def test_a_model_of_the_catalogue_is_fetched_by_its_name(
    hub: FakeHub, models: Run, monkeypatch: pytest.MonkeyPatch
):
    pair = catalogue()[0]
    file = CatalogueFile("tiny-q8_0.gguf", len(LARGE), hashlib.sha256(LARGE).hexdigest())
    tiny = replace(pair.target, key="tiny-1b", title="Tiny 1B", repo=REPO, files=(file,))
    monkeypatch.setattr(getting, "catalogue", lambda: (replace(pair, target=tiny),))
    code, _out, err = models("fetch", "tiny")
    assert code == 0
    assert "To fetch: Tiny 1B (5.0 kB, licence" in err
    assert (paths.models_folder() / "tiny-q8_0.gguf").read_bytes() == LARGE


def test_other_bytes_than_the_catalogues_are_never_kept(
    hub: FakeHub, models: Run, monkeypatch: pytest.MonkeyPatch
):
    pair = catalogue()[0]
    file = CatalogueFile("tiny-q8_0.gguf", len(LARGE), hashlib.sha256(b"others").hexdigest())
    tiny = replace(pair.target, key="tiny-1b", repo=REPO, files=(file,))
    monkeypatch.setattr(getting, "catalogue", lambda: (replace(pair, target=tiny),))
    code, _out, err = models("fetch", "tiny-1b")
    assert code == 1
    assert f"search the Hub for {REPO}" in err
    assert not (paths.models_folder() / "tiny-q8_0.gguf").exists()


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []
