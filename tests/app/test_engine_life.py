"""Loading, being ready, dying."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.engine_life import EngineLife, Life
from app.pairs import Pair
from engine.errors import LoadCancelled, LoadFailed, NotGguf, Stopped
from engine.protocol import Failed, Load, Loading, Unloaded
from engine.settings import Settings
from tests.support.stub_bridge import StubBridge, ready

PAIR = Pair(Path("/models/target.gguf"), Path("/models/draft.gguf"))
OTHER = Pair(Path("/models/other.gguf"))


@pytest.fixture(name="bridge")
def stub_bridge(qapp: QApplication) -> StubBridge:
    return StubBridge()


@pytest.fixture(name="life")
def engine_life(bridge: StubBridge) -> EngineLife:
    return EngineLife(bridge)  # type: ignore[arg-type]


def test_a_load_has_the_users_context_threads_and_layers(
    life: EngineLife, bridge: StubBridge
) -> None:
    life.load(PAIR, Settings(n_ctx=2048, threads=3, gpu_layers=7))
    assert bridge.last == Load(
        "/models/target.gguf", "/models/draft.gguf", 2048, 3, 7, id=bridge.last.id
    )


def test_a_load_tells_how_far_it_is_and_ends_ready(life: EngineLife, bridge: StubBridge) -> None:
    heard: list[tuple[float, str]] = []
    life.loading.connect(lambda fraction, what: heard.append((fraction, what)))
    life.load(PAIR, Settings())
    bridge.tell(Loading(0.5, "Loading target.gguf"))
    assert heard == [(0.5, "Loading target.gguf")]
    bridge.be_ready()
    assert life.life is Life.READY
    assert life.name == "Qwen2.5 Coder 1.5B"


def test_before_anything_is_known_the_file_names_the_model(life: EngineLife) -> None:
    life.load(PAIR, Settings())
    assert life.name == "target"


def test_a_cancelled_load_is_no_failure(life: EngineLife, bridge: StubBridge) -> None:
    failures: list[object] = []
    life.load_failed.connect(failures.append)
    life.load(PAIR, Settings())
    life.cancel_load()
    assert bridge.stopped == [bridge.last.id]
    bridge.fail(LoadCancelled(), unloaded=True)
    assert (life.life, failures) == (Life.EMPTY, [])


def test_a_load_that_is_cancelled_before_its_turn_is_no_failure(
    life: EngineLife, bridge: StubBridge
) -> None:
    failures: list[object] = []
    life.load_failed.connect(failures.append)
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.load(OTHER, Settings())
    life.cancel_load()
    bridge.fail(Stopped())
    assert (life.life, life.pair, failures) == (Life.READY, PAIR, [])


def test_a_failed_load_is_told(life: EngineLife, bridge: StubBridge) -> None:
    failures: list[object] = []
    life.load_failed.connect(failures.append)
    life.load(PAIR, Settings())
    bridge.fail(NotGguf(path="/models/target.gguf", reason="it is a web page"))
    assert life.life is Life.EMPTY
    assert len(failures) == 1


def test_another_load_takes_the_place_of_one_that_is_under_way(
    life: EngineLife, bridge: StubBridge
) -> None:
    life.load(PAIR, Settings())
    first = bridge.last.id
    life.load(Pair(Path("/models/other.gguf")), Settings())
    assert bridge.stopped == [first]
    bridge.told.emit(Loading(0.9, "Loading target.gguf", id=first))
    bridge.be_ready()
    assert life.ready is not None
    assert life.ready.target.path == "/models/other.gguf"


def test_a_load_that_fails_at_once_leaves_what_was_loaded(
    life: EngineLife, bridge: StubBridge
) -> None:
    failures: list[object] = []
    life.load_failed.connect(failures.append)
    life.load(PAIR, Settings(n_ctx=2048))
    ready = bridge.be_ready()
    life.load(OTHER, Settings(n_ctx=512))
    bridge.fail(NotGguf(path="/models/other.gguf", reason="it is a web page"))
    assert (life.life, life.pair, life.ready) == (Life.READY, PAIR, ready)
    assert len(failures) == 1
    life.reload()
    assert (bridge.last.target, bridge.last.n_ctx) == ("/models/target.gguf", 2048)


def test_a_load_that_fails_late_leaves_nothing(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.load(OTHER, Settings())
    bridge.fail(LoadFailed(path="/models/other.gguf", reason="it is odd"), unloaded=True)
    assert (life.life, life.pair, life.ready) == (Life.EMPTY, OTHER, None)


def test_what_a_replaced_load_left_is_what_is_loaded(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.load(OTHER, Settings())
    second = bridge.last.id
    life.load(Pair(Path("/models/no.gguf")), Settings())
    bridge.told.emit(replace(ready("/models/other.gguf", None), id=second))
    assert life.life is Life.LOADING
    bridge.fail(NotGguf(path="/models/no.gguf", reason="it is a web page"))
    assert (life.life, life.pair) == (Life.READY, OTHER)
    assert life.ready is not None
    assert life.ready.target.path == "/models/other.gguf"


def test_what_a_replaced_load_took_away_is_gone(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.load(OTHER, Settings())
    second = bridge.last.id
    life.load(Pair(Path("/models/no.gguf")), Settings())
    bridge.told.emit(replace(Failed.of(LoadCancelled(), second), unloaded=True))
    bridge.fail(NotGguf(path="/models/no.gguf", reason="it is a web page"), unloaded=True)
    assert (life.life, life.ready) == (Life.EMPTY, None)


def test_unloading_leaves_nothing(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.unload()
    bridge.tell(Unloaded())
    assert (life.life, life.ready) == (Life.EMPTY, None)


def test_death_while_loading_is_not_mended_by_itself(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    bridge.die()
    assert life.life is Life.LOST
    assert len(bridge.of(Load)) == 1


def test_a_reload_allows_one_more_restart(life: EngineLife, bridge: StubBridge) -> None:
    life.load(PAIR, Settings())
    for _ in range(2):
        bridge.be_ready()
        bridge.die()
    assert life.life is Life.LOST
    life.reload(Settings(n_ctx=512))
    assert bridge.last.n_ctx == 512
    bridge.be_ready()
    bridge.die()
    assert life.life is Life.LOADING


def test_a_stop_that_is_not_obeyed_offers_force(
    life: EngineLife, bridge: StubBridge, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    life._overdue.setInterval(20)
    life.load(PAIR, Settings())
    bridge.be_ready()
    life.send(Load("/models/x.gguf"))
    with qtbot.waitSignal(life.force_offered, check_params_cb=lambda offered: offered):
        life.stop()
    with qtbot.waitSignal(life.force_offered, check_params_cb=lambda offered: not offered):
        life.over()


def test_a_silent_worker_offers_force(life: EngineLife, bridge: StubBridge, qtbot) -> None:
    with qtbot.waitSignal(life.force_offered, check_params_cb=lambda offered: offered):
        bridge.silent.emit(True)
