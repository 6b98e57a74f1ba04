"""The head of the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from app.actions import Actions
from app.pairs import Pair
from app.phases import Mode
from app.theme import Theme
from app.topbar import TopBar
from engine.errors import LoadCancelled
from engine.protocol import Loading, Verdict
from tests.app.windows import Desk


@pytest.fixture(name="desk")
def empty_desk(qapp, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    yield desk
    desk.conversations.close()


@pytest.fixture(name="bar")
def top_bar(desk: Desk, installed: Theme, qtbot) -> Iterator[TopBar]:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TopBar(installed, Actions(installed, window), desk.session)
    window.setCentralWidget(bar)
    window.resize(760, 60)
    window.show()
    yield bar
    window.close()


def test_before_anything_is_loaded_it_says_what_to_do(bar: TopBar) -> None:
    assert bar.pair.target == "Choose a model"
    assert not bar.modes.isVisible()
    assert not bar.gamma.isVisible()


def test_the_pair_is_told_with_where_it_runs(bar: TopBar, desk: Desk) -> None:
    desk.load()
    pair = bar.pair
    assert (pair.target, pair.draft) == ("Qwen2.5 Coder 1.5B", "drafted by 0.5B")
    assert pair.place == "CPU · 2 threads · 1.6\u00a0GB"
    assert "CPU" in pair.accessibleName()
    bar.grab()


def test_loading_is_shown_and_can_be_given_up(bar: TopBar, desk: Desk) -> None:
    desk.life.load(Pair(Path("/models/target.gguf")), desk.session.settings)
    assert bar.loading.isVisible()
    assert not bar.pair.isVisible()
    desk.bridge.tell(Loading(0.25, "Loading target.gguf"))
    assert bar.loading.bar.value() == 250
    bar.loading.cancel.click()
    assert desk.bridge.stopped == [desk.bridge.last.id]
    assert not bar.loading.cancel.isEnabled()
    desk.bridge.fail(LoadCancelled())
    assert bar.pair.isVisible()
    assert bar.pair.place == "Not loaded"


def test_gamma_is_stepped_and_says_when_it_is_chosen_for_the_user(bar: TopBar, desk: Desk) -> None:
    desk.load()
    assert bar.gamma.text() == "γ 3 guess"
    bar.gamma.stepUp()
    assert desk.session.settings.gamma == 4
    assert bar.gamma.text() == "γ 4"
    desk.session.choose_gamma(None)
    assert bar.gamma.text() == "γ 3 guess"


def test_the_mode_is_switched(bar: TopBar, desk: Desk) -> None:
    desk.load()
    bar.modes.button(Mode.PLAIN).click()
    assert desk.session.mode is Mode.PLAIN
    desk.session.choose_mode(Mode.COMPARE)
    assert bar.modes.choice() == Mode.COMPARE


def test_a_refused_draft_is_a_badge_with_its_reason(bar: TopBar, desk: Desk, qtbot) -> None:
    desk.load()
    verdict = Verdict(ok=False, code="kind", reason="the tokenizers differ")
    desk.life.reload()
    desk.bridge.be_ready(verdict=verdict, draft=None)
    assert bar.badge.isVisible()
    assert bar.badge.text() == "Speculation is off"
    assert "the tokenizers differ" in bar.badge.accessibleName()
    assert not bar.gamma.isVisible()
    assert not bar.modes.button(Mode.SPECULATIVE).isEnabled()
    assert bar.modes.choice() == Mode.PLAIN
    with qtbot.waitSignal(bar.refusal_wanted):
        bar.badge.click()


def test_no_draft_is_told_quietly(bar: TopBar, desk: Desk) -> None:
    desk.load(draft=None)
    assert bar.badge.text() == "No draft"


def test_a_dead_engine_is_told(bar: TopBar, desk: Desk) -> None:
    desk.load()
    desk.session.send("Hello")
    desk.bridge.die()
    assert (bar.pair.target, bar.pair.place) == ("Qwen2.5 Coder 1.5B", "The engine stopped")


@pytest.mark.parametrize("width", [460, 520, 640, 900, 1400])
@pytest.mark.parametrize("ways_back", [False, True])
def test_nothing_is_cut_at_any_width(bar: TopBar, desk: Desk, width: int, ways_back: bool) -> None:
    desk.load()
    bar.show_ways_back(sidebar=ways_back, panel=ways_back)
    bar.window().resize(width, 60)
    QTest.qWait(1)
    assert bar.pair.width() >= bar.pair.minimumSizeHint().width()
    assert bar.modes.width() == bar.modes.sizeHint().width()
    assert bar.minimumSizeHint().width() <= width
    shown = [each for each in (bar.pair, bar.gamma, bar.modes) if each.isVisible()]
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.geometry().left()
    assert bar.rect().contains(shown[-1].geometry())


@pytest.mark.parametrize("width", [460, 520, 640, 900])
def test_nothing_is_cut_while_another_pair_is_loaded(bar: TopBar, desk: Desk, width: int) -> None:
    desk.load()
    bar.show_ways_back(sidebar=True, panel=True)
    bar.window().resize(width, 60)
    desk.life.load(Pair(Path("/models/other.gguf")), desk.session.settings)
    QTest.qWait(1)
    parts = (bar.loading, bar.gamma, bar.auto, bar.modes, bar._show_panel)
    shown = [each for each in parts if each.isVisible()]
    for left, right in pairwise(shown):
        assert left.geometry().right() < right.geometry().left()
    assert bar.rect().contains(shown[-1].geometry())
    desk.bridge.be_ready()
    assert bar.modes.isVisible()


def test_hidden_panes_leave_their_buttons_behind(bar: TopBar) -> None:
    bar.show_ways_back(sidebar=True, panel=False)
    assert bar._show_sidebar.isVisible()
    assert bar._new_chat.isVisible()
    assert not bar._show_panel.isVisible()


def test_a_load_is_told_over_all_the_room_there_is(bar: TopBar, desk: Desk) -> None:
    bar.window().resize(1400, 60)
    desk.life.load(Pair(Path("/models/target.gguf")), desk.session.settings)
    QTest.qWait(1)
    assert bar.loading.width() > 1200
