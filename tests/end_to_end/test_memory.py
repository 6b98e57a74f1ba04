"""The memory that the real pair takes, against what was estimated from its headers (Linux)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.client import Client
from engine.models import starter
from engine.models.arriving import ModelFile
from engine.models.catalogue import catalogue
from engine.models.needs import Plan, copied_types, needs
from engine.models.shape import shape_at
from engine.protocol import Chat, Load, Message, Options, Ready, Survey, Surveyed
from engine.recast import Recaster
from tests.end_to_end.conftest import fetched
from tests.support.workers import final

pytestmark = pytest.mark.real

TELLS = Path("/proc/self/smaps_rollup").exists()
TALK = (Message("user", "Name three rivers."),)


@pytest.fixture
def pair(starter_folder: Path) -> tuple[Path, Path]:
    target, draft = (starter.installed(file, starter_folder) for file in starter.STARTER_PAIR)
    assert target is not None
    assert draft is not None
    return target, draft


@pytest.mark.skipif(not TELLS, reason="this system does not tell a process's memory so exactly")
@pytest.mark.parametrize("n_ctx", [2048, 8192])
def test_a_load_takes_what_was_estimated(pair: tuple[Path, Path], n_ctx: int) -> None:
    target, draft = pair
    with Client() as worker:
        surveyed = final(worker.request(Survey()))
        ready = final(worker.request(Load(str(target), str(draft), n_ctx=n_ctx)))
        assert isinstance(ready, Ready)
        final(worker.request(Chat(TALK, Options(gamma=16, max_tokens=4))))
        held, resident = _memory(worker.pid)
    assert isinstance(surveyed, Surveyed)
    plan = Plan(n_ctx, copied=copied_types(surveyed.features))
    used = Recaster().settled(draft, target) or draft
    found = needs(shape_at(target), shape_at(used), plan)
    assert found.held == pytest.approx(held, rel=0.1)
    assert found.resident == pytest.approx(resident, rel=0.1)
    assert ready.memory is not None
    taken = ready.memory.weights + ready.memory.caches + ready.memory.buffers
    assert found.host.total == pytest.approx(taken, rel=0.02)


@pytest.mark.skipif(not TELLS, reason="this system does not tell a process's memory so exactly")
@pytest.mark.parametrize("file", [starter.SMALL, starter.DRAFT], ids=["135M", "0.5B"])
@pytest.mark.parametrize("n_ctx", [512, 4096, 8192])
def test_a_small_model_alone_takes_what_was_estimated(file: ModelFile, n_ctx: int) -> None:
    path = fetched(file)
    with Client() as worker:
        surveyed = final(worker.request(Survey()))
        final(worker.request(Load(str(path), None, n_ctx=n_ctx)))
        final(worker.request(Chat(TALK, Options(max_tokens=4))))
        held, resident = _memory(worker.pid)
    assert isinstance(surveyed, Surveyed)
    found = needs(shape_at(path), None, Plan(n_ctx, copied=copied_types(surveyed.features)))
    assert found.held == pytest.approx(held, rel=0.1)
    assert found.resident == pytest.approx(resident, rel=0.1)


def test_the_catalogue_knows_what_the_headers_say(pair: tuple[Path, Path]) -> None:
    known = next(p for p in catalogue() if p.target.files[0].name == starter.TARGET.name)
    plan = Plan(4096, copied=copied_types(("AVX2", "REPACK")))
    told, read = known.needs(plan), needs(*map(shape_at, pair), plan)
    assert told.memory == pytest.approx(read.memory, rel=0.02)
    assert told.held == pytest.approx(read.held, rel=0.05)
    assert told.host.caches == read.host.caches


def _memory(pid: int) -> tuple[int, int]:
    """(anonymous, resident) bytes of a process."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {
        name: int(rest.split()[0]) * 1024 for name, _, rest in (x.partition(":") for x in lines)
    }
    return sizes["Anonymous"], sizes["Rss"]
