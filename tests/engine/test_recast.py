"""A draft recast into the format this processor computes fastest."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from engine import recast, tunings
from engine.children import REQUANTISE, child_command, child_environment
from engine.costs import Costs
from engine.engine import Engine, Reply, ReplyOptions, tuning_versions
from engine.errors import BrokenCopy, LoadCancelled
from engine.llama.context import StopFlag
from engine.llama.requantise import requantise
from engine.loading import LoadOptions, load_draft
from engine.models import local
from engine.models.header import read_header
from engine.models.measured import Tuned
from engine.protocol import Chat, Done, Failed, Load, Message, Options, Ready, Unload
from engine.recast import Recaster, pays
from engine.sampling import Sampling
from engine.service import Service
from tests.support.tiny_models import Tiny, write_tiny
from tests.support.tuned import RECORD

Q4_0 = 2
OPTIONS = LoadOptions(n_ctx=512, threads=1, gpu_layers=0)


def going() -> bool:
    return True


def left_in(cache: Path) -> list[Path]:
    """What lies there but for the lock."""
    return [path for path in cache.iterdir() if path.suffix != ".lock"]


@pytest.fixture(autouse=True)
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recast, "_SMALLEST", 0)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOREWORD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "recast"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "target.gguf", Tiny(storage="Q8_0"))


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "draft.gguf", Tiny(storage="F32"))


@pytest.fixture
def load(target: Path, draft: Path) -> Iterator[Callable[..., Engine]]:
    loaded: list[Engine] = []

    def load(options: LoadOptions = OPTIONS) -> Engine:
        loaded.append(Engine.load(target, draft, options))
        return loaded[-1]

    yield load
    for engine in loaded:
        engine.free()


def with_costs(monkeypatch: pytest.MonkeyPatch, *, draft_step: float, recast_step: float) -> None:
    """As if passes took this long: those of tiny models say nothing."""

    def measure(lane: object, _widths: object) -> Costs:
        quick = lane.draft.model.is_recast  # type: ignore[attr-defined]
        return Costs(recast_step if quick else draft_step, {1: 1.0, 4: 2.0, 8: 4.0})

    monkeypatch.setattr("engine.costs.measure", measure)


# What pays ---------------------------------------------------------------------------------------


def test_a_draft_that_gets_much_faster_pays() -> None:
    passes = {1: 1.0, 4: 2.0, 8: 4.0}
    assert pays(Costs(0.6, passes), Costs(0.3, passes))


def test_a_busy_moment_of_the_targets_passes_does_not_decide() -> None:
    passes, busy = {1: 1.0, 4: 2.0, 8: 4.0}, {1: 1.0, 4: 2.6, 8: 6.0}
    assert pays(Costs(0.6, passes), Costs(0.3, busy))
    assert not pays(Costs(0.06, busy), Costs(0.06, passes))


def test_a_draft_that_costs_little_beside_its_target_is_better_left_as_it_is() -> None:
    passes = {1: 1.0, 4: 2.0, 8: 4.0}
    assert not pays(Costs(0.06, passes), Costs(0.05, passes))


# The copies --------------------------------------------------------------------------------------


def test_every_matrix_of_a_recast_draft_is_in_the_quick_format(
    draft: Path, target: Path, cache: Path
) -> None:
    copy = Recaster().untried(draft, target, going)
    assert copy is not None
    assert copy.parent == cache
    matrices = [t for t in read_header(copy).tensors if len(t.shape) >= 2]
    assert {tensor.type for tensor in matrices} == {Q4_0}
    assert read_header(copy).vocabulary() == read_header(draft).vocabulary()


def test_a_draft_is_recast_once(draft: Path, target: Path, tmp_path: Path) -> None:
    recaster = Recaster(tmp_path / "cache")
    first = recaster.untried(draft, target, going)
    assert first is not None
    made = first.stat().st_ino
    recaster.settle(draft, target, paid=True)
    assert recaster.settled(draft, target) == first
    assert recaster.untried(draft, target, going) == first
    assert first.stat().st_ino == made


def test_a_copy_that_is_gone_is_made_again(draft: Path, target: Path, tmp_path: Path) -> None:
    recaster = Recaster(tmp_path / "cache")
    first = recaster.untried(draft, target, going)
    assert first is not None
    recaster.settle(draft, target, paid=True)
    first.unlink()
    assert recaster.settled(draft, target) is None
    assert recaster.untried(draft, target, going) == first


def test_another_file_of_the_same_name_gets_a_copy_of_its_own(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    recaster = Recaster(tmp_path / "cache")
    first = recaster.untried(draft, target, going)
    recaster.settle(draft, target, paid=True)
    write_tiny(draft, Tiny(storage="F32", seed=2, layers=3))
    assert recaster.settled(draft, target) is None
    assert recaster.untried(draft, target, going) not in (None, first)


def test_one_that_gains_nothing_is_not_tried_again_with_this_target(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    recaster = Recaster(tmp_path / "cache")
    assert recaster.untried(draft, target, going) is not None
    recaster.settle(draft, target, paid=False)
    assert recaster.untried(draft, target, going) is None
    other = write_tiny(tmp_path / "other.gguf", Tiny(seed=5))
    assert recaster.untried(draft, other, going) is not None


@pytest.mark.parametrize("tiny", [Tiny(storage="Q4_0"), Tiny(storage="F32")])
def test_one_that_is_quick_or_small_already_is_left_alone(
    tiny: Tiny, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = write_tiny(tmp_path / "quick.gguf", tiny)
    if tiny.storage == "F32":
        monkeypatch.setattr(recast, "_SMALLEST", draft.stat().st_size + 1)
    assert Recaster(tmp_path / "cache").untried(draft, target, going) is None


def test_a_load_that_is_cancelled_meanwhile_leaves_nothing(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    with pytest.raises(LoadCancelled):
        Recaster(tmp_path / "cache").untried(draft, target, lambda: False)
    assert left_in(tmp_path / "cache") == []


def test_what_a_killed_one_left_is_cleared_away(draft: Path, target: Path, tmp_path: Path) -> None:
    left = tmp_path / "cache" / "making-of-another"
    left.mkdir(parents=True)
    (left / "half.gguf").write_bytes(b"GGUF")
    assert Recaster(tmp_path / "cache").untried(draft, target, going) is not None
    assert not left.exists()


def test_two_that_want_the_same_copy_make_it_once(
    draft: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, made = threading.Event(), []

    def slowly(source: Path, to: Path, _going: Callable[[], bool]) -> None:
        begun.set()
        time.sleep(0.2)
        made.append(requantise(source, to, 1))

    monkeypatch.setattr(recast, "_requantise", slowly)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(Recaster(tmp_path / "cache").untried, draft, target, going)
        assert begun.wait(10)
        assert Recaster(tmp_path / "cache").untried(draft, target, going) == first.result()
    assert made == [""]


def test_waiting_for_another_to_make_it_can_be_cancelled(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    with FileLock(tmp_path / "cache" / "making.lock"), pytest.raises(LoadCancelled):
        Recaster(tmp_path / "cache").untried(draft, target, lambda: False)


@pytest.mark.skipif(os.name == "nt", reason="named pipes are others there")
def test_it_ends_with_the_process_that_asked_for_it(tmp_path: Path) -> None:
    source = tmp_path / "pipe"
    os.mkfifo(source)  # which it waits at, as at a long piece of work
    command = [*child_command(REQUANTISE), str(source), str(tmp_path / "to.gguf")]
    with subprocess.Popen(command, env=child_environment(), stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 1


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"pa"])
def test_a_damaged_ruling_is_none(damage: bytes, draft: Path, target: Path, tmp_path: Path) -> None:
    recaster = Recaster(tmp_path / "cache")
    copy = recaster.untried(draft, target, going)
    recaster.settle(draft, target, paid=False)
    (ruling,) = (tmp_path / "cache").glob("*.txt")
    ruling.write_bytes(damage)
    assert recaster.settled(draft, target) is None
    assert recaster.untried(draft, target, going) == copy


def test_a_distrusted_copy_is_made_anew(draft: Path, target: Path, tmp_path: Path) -> None:
    recaster = Recaster(tmp_path / "cache")
    copy = recaster.untried(draft, target, going)
    assert copy is not None
    whole = copy.read_bytes()
    copy.write_bytes(b"GGUF")
    recaster.settle(draft, target, paid=True)
    recaster.distrust(draft, target)
    assert recaster.settled(draft, target) is None
    assert recaster.untried(draft, target, going) == copy
    assert copy.read_bytes() == whole


def test_a_cache_folder_that_cannot_be_made_leaves_the_draft_as_it_is(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    recaster = Recaster(tmp_path / "cache")
    assert recaster.untried(draft, target, going) is None
    recaster.settle(draft, target, paid=True)
    assert recaster.settled(draft, target) is None


def test_what_llama_cpp_cannot_recast_is_said_and_leaves_the_draft_as_it_is(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    whole = draft.read_bytes()
    draft.write_bytes(whole.replace(b"general.architecture", b"general.architecturx"))
    assert Recaster(tmp_path / "cache").untried(draft, target, going) is None
    assert requantise(draft, tmp_path / "to.gguf", 1) != ""


def test_a_name_as_long_as_can_be_is_no_hindrance(
    draft: Path, target: Path, tmp_path: Path
) -> None:
    long = draft.rename(draft.with_name("n" * 250 + ".gguf"))
    assert Recaster(tmp_path / "cache").untried(long, target, going) is not None


def test_folders_of_any_name_serve(draft: Path, target: Path, odd_folder: Path) -> None:
    assert tempfile.gettempdir() == str(odd_folder)
    draft = draft.rename(odd_folder / "\u3000d\u017d.gguf")
    copy = Recaster(odd_folder / "cache").untried(draft, target, going)
    assert copy is not None
    model = load_draft(draft, OPTIONS, weights=copy)
    assert model.is_recast
    model.free()
    assert left_in(odd_folder / "cache") == [copy]
    assert {path.name for path in odd_folder.iterdir()} == {draft.name, "cache"}


def test_only_the_last_few_are_kept(target: Path, tmp_path: Path) -> None:
    recaster = Recaster(tmp_path / "cache")
    made: list[Path] = []
    for seed in range(6):
        path = write_tiny(tmp_path / f"draft-{seed}.gguf", Tiny(storage="F32", seed=seed))
        copy = recaster.untried(path, target, going)
        assert copy is not None
        os.utime(copy, (seed, seed))
        made.append(copy)
    assert sorted((tmp_path / "cache").glob("*.gguf")) == sorted(made[-4:])


# The engine --------------------------------------------------------------------------------------


def test_the_engine_keeps_to_a_copy_that_pays(
    load: Callable[..., Engine], draft: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)
    for _time in range(2):
        model = load().pair.draft
        assert model is not None
        assert model.is_recast
        assert model.weights.parent == cache
        assert model.path == draft
        assert model.description.endswith("recast")


def test_the_engine_leaves_a_draft_as_it_is_that_gains_nothing(
    load: Callable[..., Engine], draft: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.2, recast_step=0.2)
    for _time in range(2):
        engine = load()
        assert engine.pair.draft is not None
        assert engine.pair.draft.weights == draft
        assert engine.costs is not None
        assert engine.costs.draft_step == 0.2
    assert cache.is_dir()


@pytest.mark.parametrize("tuned", [True, False])
def test_a_tuning_holds_for_the_draft_as_it_was_rounded_then(
    load: Callable[..., Engine],
    target: Path,
    draft: Path,
    monkeypatch: pytest.MonkeyPatch,
    tuned: bool,
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)
    ways = {recast: replace(OPTIONS, recast=recast) for recast in (True, False)}
    first = load(ways[tuned])
    assert first.key is not None
    assert (first.key.recast, first.key.draft) == (tuned, tunings.identity(draft))
    versions = tuning_versions(first.pair)
    tunings.keep(replace(RECORD, key=first.key, versions=versions, gamma=7, threads=1))
    found = load(ways[tuned])
    assert found.tuning is not None
    assert found.gamma == 7
    other = load(ways[not tuned])
    assert other.tuning is None
    assert other.pair.notes == first.pair.notes
    worth = Tuned()(local.check_file(target), local.check_file(draft))
    assert worth is not None
    assert worth.gamma == 7


@pytest.mark.parametrize(
    "options", [replace(OPTIONS, recast=False), replace(OPTIONS, exact=True)], ids=["off", "exact"]
)
def test_nothing_is_recast_where_it_is_not_wanted(
    options: LoadOptions, load: Callable[..., Engine], draft: Path, cache: Path
) -> None:
    model = load(options).pair.draft
    assert model is not None
    assert model.weights == draft
    assert not cache.exists()


def test_a_damaged_copy_is_thrown_away_and_made_again(
    load: Callable[..., Engine], draft: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)
    first = load().pair.draft
    assert first is not None
    whole = first.weights.read_bytes()
    first.weights.write_bytes(b"GGUF" + bytes(64))
    again = load().pair.draft
    assert again is not None
    assert again.weights.read_bytes() == whole


def test_a_copy_that_cannot_be_read_is_not_said_to_pay(
    load: Callable[..., Engine], draft: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)

    def badly(_source: Path, to: Path, _going: Callable[[], bool]) -> None:
        to.write_bytes(b"GGUF")

    monkeypatch.setattr(recast, "_requantise", badly)
    assert load().pair.draft is not None
    monkeypatch.setattr(recast, "_requantise", lambda *_: pytest.fail("tried again"))
    model = load().pair.draft
    assert model is not None
    assert model.weights == draft
    assert list(cache.glob("*.gguf")) == []


@pytest.mark.skipif(os.name == "nt", reason="a folder there takes no such name")
def test_a_damaged_copy_that_cannot_be_thrown_away_leaves_the_draft_as_it_is(
    draft: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.gguf"
    copy.mkdir()
    model = load_draft(draft, OPTIONS, weights=copy)
    assert model.weights == draft
    model.free()


def test_a_copy_with_broken_numbers_is_named_and_made_anew(
    target: Path, draft: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)
    service = Service(StopFlag(), lambda _event: None)
    loading = Load(str(target), str(draft), n_ctx=512, threads=1, gpu_layers=0, id=1)
    asking = Chat((Message("user", "hello"),), Options(gamma=3, max_tokens=9), id=2)
    assert isinstance(service.answer(loading), Ready)
    (copy,) = cache.glob("*.gguf")
    whole = copy.read_bytes()
    start = read_header(copy).data_offset
    copy.write_bytes(whole[:start] + b"\xff" * (len(whole) - start))
    service.answer(loading)
    failed = service.answer(asking)
    assert isinstance(failed, Failed)
    assert failed.code == BrokenCopy.code
    assert str(draft) in failed.sentence
    service.answer(loading)
    assert copy.read_bytes() == whole
    assert isinstance(service.answer(asking), Done)
    service.answer(Unload(id=3))


def test_a_greedy_reply_is_the_targets_own_whatever_the_draft_was_rounded_to(
    load: Callable[..., Engine], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_costs(monkeypatch, draft_step=0.6, recast_step=0.2)
    assert not cache.exists()
    engine = load()
    texts = set()
    for gamma in (0, 1, 3, 5):
        options = ReplyOptions(gamma=gamma, sampling=Sampling(temperature=0), max_tokens=40)
        *_steps, reply = engine.reply([Message("user", "hello")], options)
        assert isinstance(reply, Reply)
        texts.add(reply.text)
    assert len(texts) == 1
