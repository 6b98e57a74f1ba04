"""The panel as its window uses it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.panel import panel as panel_module
from app.panel.explain import Key
from app.panel.panel import QUICK, SLOW, LivePanel, repaint_interval
from app.panel.run import State
from app.theme import Theme
from engine.protocol import PLAIN, SPECULATIVE, Done
from tests.app.panel.events import USUAL, Pace, ready, reply

STREAMING = 30
"""Rounds into a reply."""


@pytest.fixture
def panel(qtbot, theme: Theme) -> LivePanel:
    panel = LivePanel(theme, interval=5)
    qtbot.addWidget(panel)
    panel.resize(316, 800)
    panel.show()
    return panel


def feed(
    panel: LivePanel, gamma: int = 3, count: int = 200, pace: Pace = USUAL, *, rounds: int = 0
) -> None:
    """A reply, or its first ``rounds``."""
    panel.begin(gamma)
    for i, event in enumerate(reply(gamma, count, pace)):
        if rounds and i == rounds:
            break
        panel.finish(event) if isinstance(event, Done) else panel.emitted(event)


def shown(panel: LivePanel) -> str:
    """The text of every figure and label that can be seen."""
    labels = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    figures = [plate.text for plate in panel.charts.plates if hasattr(plate, "text")]
    return " | ".join([*labels, *figures])


def test_nothing_is_invented_before_anything_is_loaded(panel: LivePanel) -> None:
    assert panel.charts.card.sentence.text().startswith("Load a model")
    assert not any(plate.isVisible() for plate in panel.charts.plates)


def test_a_loaded_pair_says_what_to_do_next(panel: LivePanel) -> None:
    panel.ready(ready(gamma=5))
    assert panel.charts.card.sentence.text().startswith("Send a message")
    assert "γ 5" in panel.charts.card.sentence.text()
    assert "both caches 168\u00a0MB" in shown(panel)


def test_a_model_alone_has_one_cache_and_no_gamma(panel: LivePanel) -> None:
    panel.ready(ready(draft=False, reason="no draft is chosen"))
    assert "cache 168\u00a0MB" in shown(panel)
    assert "buffers 41\u00a0MB" in shown(panel)
    assert "both caches" not in shown(panel)
    assert "for γ" not in shown(panel)


def test_the_button_of_a_reply_in_mid_writing_says_from_when_on_it_counts(
    panel: LivePanel, qtbot
) -> None:
    panel.ready(ready())
    panel.set_plain_speed(60.0)
    feed(panel, rounds=STREAMING)
    panel._show_all()
    button = panel.charts.card.button
    assert button.text() == "Plain from the next reply on"
    with qtbot.waitSignal(panel.mode_chosen) as told:
        button.click()
    assert told.args == [PLAIN]


def test_reading_the_prompt_shows_how_far_it_is(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    panel.begin(3)
    panel.prompt(300, 1200)
    qtbot.waitUntil(lambda: "25\u00a0% of the prompt read" in shown(panel))


def test_a_reply_is_shown_as_it_comes(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    feed(panel, rounds=STREAMING)
    rate = f"{panel.facts.run.figures.tokens_per_second:.1f} tokens/s"
    qtbot.waitUntil(lambda: rate in shown(panel))
    assert "not measured yet" in shown(panel)
    assert "per round" in shown(panel)


def test_the_last_run_stays_after_the_reply(panel: LivePanel) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel)
    assert "1.67×" in shown(panel)
    assert "200 tokens" in shown(panel)
    assert "798 of 4,096 tokens" in shown(panel)
    panel.ready(ready())  # the same pair once more, as after a restart
    assert "1.67×" in shown(panel)


def test_another_pair_begins_without_figures(panel: LivePanel) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel)
    panel.ready(ready(draft=False, reason="no draft is chosen"))
    assert panel.facts.plain_speed is None
    assert panel.facts.run.state is State.EMPTY


def test_a_run_that_comes_to_nothing_gives_way_to_the_one_before(panel: LivePanel) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    panel.begin(3)
    panel.failed()
    assert panel.charts.card.sentence.text().startswith("Send a message")
    feed(panel)
    panel.begin(3)
    panel.prompt(300, 1200)
    panel.failed()
    assert "1.67×" in shown(panel)
    assert panel.charts.card.sentence.text() == "Drafting pays here: 1.67× faster."


def test_a_run_that_ends_in_an_error_keeps_its_figures(panel: LivePanel) -> None:
    panel.ready(ready())
    feed(panel, rounds=STREAMING)
    panel.failed()
    assert panel.facts.run.state is State.OVER
    assert panel.charts.card.button.isEnabled()
    assert "tokens/s" in shown(panel)


def test_an_exact_run_is_held_against_its_own_plain_lane(panel: LivePanel) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    panel.begin(3, exact=True)
    for event in reply(3, 200, lane=SPECULATIVE):
        panel.finish(event) if isinstance(event, Done) else panel.emitted(event)
    assert "not measured yet" in shown(panel)
    *_, plain = reply(0, 200, lane=PLAIN)
    assert isinstance(plain, Done)
    panel.finish(plain)
    speed_up = panel.facts.run.figures.tokens_per_second / plain.figures.tokens_per_second
    assert f"{speed_up:.2f}×" in shown(panel)
    assert panel.facts.plain_speed == 14.0


def test_painting_is_put_off_and_done_once_for_many_events(panel: LivePanel, monkeypatch) -> None:
    panel.ready(ready())
    painted = []
    monkeypatch.setattr(panel.charts, "show_facts", lambda *_known: painted.append(1))
    panel._timer.setInterval(60_000)
    feed(panel, rounds=STREAMING)
    assert len(painted) == 1  # at the beginning; the rest waits for the timer
    panel.repaint_now()
    assert len(painted) == 2


def test_a_hidden_panel_paints_nothing_and_catches_up(panel: LivePanel, qtbot) -> None:
    panel.hide()
    panel.ready(ready())
    feed(panel)
    assert "200 tokens" not in shown(panel)
    panel.show()
    assert "200 tokens" in shown(panel)


@pytest.mark.parametrize(("cores", "expected"), [(1, SLOW), (4, SLOW), (5, QUICK), (64, QUICK)])
def test_few_cores_repaint_less_often(monkeypatch, cores: int, expected: int) -> None:
    monkeypatch.setattr(
        panel_module.os, "sched_getaffinity", lambda _pid: set(range(cores)), raising=False
    )
    assert repaint_interval() == expected


def test_the_button_compares_where_nothing_is_measured(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    feed(panel, rounds=STREAMING)
    panel._show_all()
    button = panel.charts.card.button
    assert button.text() == "Compare once"
    assert not button.isEnabled()  # the engine is busy
    assert "needs the engine to itself" in button.toolTip()
    feed(panel)
    assert button.toolTip() == ""
    with qtbot.waitSignal(panel.compare_requested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_button_goes_plain_where_drafting_costs_time(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel, pace=Pace(alpha=0.3, per_token=0.04))
    with qtbot.waitSignal(panel.mode_chosen) as told:
        qtbot.mouseClick(panel.charts.card.button, Qt.MouseButton.LeftButton)
    assert told.args == ["plain"]


def test_the_button_lowers_gamma_where_that_would_pay(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel, gamma=7, pace=Pace(alpha=0.72, per_token=0.03))
    assert panel.charts.card.button.text() == "Try γ 3"
    with qtbot.waitSignal(panel.gamma_chosen) as told:
        qtbot.mouseClick(panel.charts.card.button, Qt.MouseButton.LeftButton)
    assert told.args == [3]


def test_the_button_drafts_again_after_a_plain_reply(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    feed(panel, gamma=0, count=60)
    assert not panel.charts.acceptance.isVisible()
    with qtbot.waitSignals([panel.gamma_chosen, panel.mode_chosen]):
        qtbot.mouseClick(panel.charts.card.button, Qt.MouseButton.LeftButton)


def test_a_lost_engine_leaves_the_figures(panel: LivePanel) -> None:
    panel.ready(ready())
    feed(panel, rounds=STREAMING)
    panel.lost()
    assert panel.charts.card.sentence.text().startswith("The engine stopped")
    assert "tokens/s" in shown(panel)
    panel.unloaded()
    assert "tokens/s" in shown(panel)


def test_everything_painted_is_text_for_a_screen_reader(panel: LivePanel) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel)
    for plate in panel.charts.plates:
        assert plate.accessibleName()
        said = plate.accessibleDescription()
        assert said.endswith(".")
        if plate.key is not Key.OVER_TIME:
            assert ". " in said, plate.key  # a value, then the sentence


def test_the_figures_are_reachable_as_a_table(panel: LivePanel, qtbot) -> None:
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    feed(panel)
    panel._switch.click()
    assert panel.table.isVisible()
    rows = dict(line.split("\t") for line in panel.table.as_text().splitlines())
    assert rows["Speed-up"] == "1.67×"
    assert rows["Tokens per round"] == "3.2"
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "Speed-up\t1.67×" in QGuiApplication.clipboard().text()


@pytest.mark.parametrize("scale", [0.8, 1.0, 2.0])
def test_nothing_is_cut_at_any_text_size(panel: LivePanel, theme: Theme, scale: float) -> None:
    theme.scale = scale
    panel.ready(ready())
    panel.set_plain_speed(14.0)
    panel.resize(round(316 * scale), round(800 * scale))
    feed(panel)
    panel.charts.layout().activate()
    for widget in panel.charts.findChildren(QWidget):
        if widget.isVisible() and isinstance(widget, QLabel | QPushButton):
            needed = widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else 0
            assert widget.height() >= needed


def test_a_changed_theme_is_followed(panel: LivePanel, theme: Theme) -> None:
    panel.ready(ready())
    feed(panel)
    before = panel.grab().toImage()
    theme.mode = "dark"
    assert panel.grab().toImage() != before
    theme.mode = "light"
