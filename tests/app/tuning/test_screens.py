"""γ in the window, over a fake engine in a process of its own, and once over the real one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.actions import plain_title
from app.chat.figures import figures_line
from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.theme import Theme
from app.tuning.tuner import Stage
from app.window import Window
from tests.app.windows import delete_now, until, until_phase
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny
from tests.support.tuned import RECORD

OpenWindow = Callable[..., Window]

REAL = (
    "import dataclasses, math\n"
    "from engine import tune, worker\n"
    "quick = dataclasses.replace(tune.QUICK, seconds=1.0, tokens=(8, 12), sweeps=(2, 3))\n"
    "tune.QUICK = quick\n"
    "tune.SPREAD = tune.ALARM = tune.CROWDED = math.inf\n"
    "worker.main()\n"
)
"""The worker itself; but passes of a tiny model take too little time to be timed well."""


@pytest.fixture(name="pair")
def model_files(own_folders: Path) -> Pair:
    folder = own_folders / "models"
    folder.mkdir(parents=True, exist_ok=True)
    target = write_tiny(folder / "target.gguf", Tiny(always=80))
    return Pair(target, write_tiny(folder / "draft.gguf", Tiny(always=80, noise=0.2)))


@pytest.fixture(name="open_window")
def windows(qapp: QApplication, installed: Theme, pair: Pair) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def open_window(*options: str, command: Sequence[str] = ()) -> Window:
        window = Window(Parts.assemble(command or fake(*options)))
        opened.append(window)
        window.resize(1280, 900)
        window.show()
        window.opener.load(pair)
        until(lambda: window.parts.session.phase is Phase.READY, 60)
        return window

    yield open_window
    for window in opened:
        window.close()
        window.deleteLater()
    delete_now()


def trigger(window: Window, command: str) -> None:
    action = window.actions_[command]
    assert action.isEnabled(), command
    action.trigger()


def test_a_pair_is_tuned_from_the_keyboard_and_goes_by_what_was_found(
    open_window: OpenWindow,
) -> None:
    window = open_window("--gamma", "9", "--tune", "0.2")
    assert window.topbar.gamma.text() == "γ 9 guess"
    assert window.topbar.auto.text() == "Tune"
    trigger(window, "gamma.tune")
    assert window.parts.session.phase is Phase.TUNING
    assert not window.chat.composer.button.isEnabled()
    assert not window.actions_["gamma.tune"].isEnabled()
    until_phase(window, Phase.READY)
    assert window.topbar.gamma.text() == f"γ {RECORD.gamma} best"
    assert window.topbar.auto.text() == "Auto"
    assert window.tuning.section.curve.isVisibleTo(window.panel)


def test_escape_ends_a_tuning(open_window: OpenWindow) -> None:
    window = open_window("--tune", "30")
    trigger(window, "gamma.tune-quick")
    until(lambda: window.tuning.tuner.fraction > 0 or window.tuning.tuner.what)
    window.activateWindow()
    window.chat.composer.focus()
    QTest.keyClick(window.chat.composer.box, Qt.Key.Key_Escape)
    until_phase(window, Phase.READY)
    assert window.tuning.tuner.stage is Stage.IDLE
    assert not window.actions_["gamma.stop-tuning"].isEnabled()


def test_a_busy_machine_is_said_where_the_button_is(open_window: OpenWindow) -> None:
    window = open_window("--fail-tune", "MachineBusy")
    trigger(window, "gamma.tune")
    until(lambda: window.tuning.tuner.stage is Stage.FAILED)
    assert "something else is computing" in window.tuning.section.box.sentence.text()
    assert window.tuning.section.box.again.isEnabled()
    assert window.chat.cards.card is None


def test_where_the_panel_is_hidden_the_page_shows_the_tuning(open_window: OpenWindow) -> None:
    window = open_window("--tune", "0.3")
    window.panes.want(window.panel, False)
    trigger(window, "gamma.tune")
    assert window.stack.currentWidget() is window.pages
    assert window.tuning.page is not None
    assert window.tuning.page.box.bar.isVisible()
    until_phase(window, Phase.READY)


def test_the_curve_is_a_page_that_the_keys_move_gamma_on(open_window: OpenWindow) -> None:
    window = open_window("--tuned")
    trigger(window, "gamma.curve")
    page = window.tuning.page
    assert page is not None
    QTest.keyClick(page.curve, Qt.Key.Key_Right)
    assert window.parts.session.gamma == RECORD.gamma + 1
    assert window.topbar.gamma.text() == f"γ {RECORD.gamma + 1}"
    trigger(window, "view.back")
    assert window.stack.currentWidget() is window.chat


def test_the_curve_is_saved_where_a_person_says(
    open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("--tuned")
    trigger(window, "gamma.curve")
    page = window.tuning.page
    assert page is not None
    monkeypatch.setattr(QFileDialog, "open", lambda _self: None)
    for button, name in ((page.png, "curve.png"), (page.csv, "curve.csv")):
        button.click()
        dialog = window.findChildren(QFileDialog)[-1]
        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
        dialog.fileSelected.emit(str(tmp_path / name))
        dialog.done(0)
        delete_now()
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "curve.csv").read_text().startswith("kind,")
    page.csv.click()
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.fileSelected.emit(str(tmp_path / "no folder" / "curve.csv"))
    dialog.done(0)
    card = window.chat.cards.card
    assert card is not None
    assert "cannot be written" in card.sentence


def test_auto_is_switched_beside_gamma(open_window: OpenWindow) -> None:
    window = open_window("--tuned")
    window.topbar.auto.click()
    assert window.parts.choices.engine.auto_gamma
    assert window.topbar.auto.isChecked()
    assert window.actions_["gamma.each"].isChecked()
    assert window.topbar.gamma.text() == f"γ {RECORD.gamma} auto"
    assert "as measured" in window.topbar.auto.toolTip()
    window.topbar.gamma.stepUp()
    assert not window.topbar.auto.isChecked()


def test_auto_cannot_be_switched_on_before_a_tuning(open_window: OpenWindow) -> None:
    window = open_window()
    assert not window.actions_["gamma.each"].isEnabled()
    window.parts.choices.choose("auto_gamma", True)  # as the last pair had it
    assert window.topbar.auto.isEnabled()
    assert window.topbar.gamma.text() == "γ 3 guess"
    assert "waits until this pair is tuned" in window.topbar.auto.toolTip()
    window.topbar.auto.click()
    assert not window.parts.choices.engine.auto_gamma


def test_under_a_reply_stands_the_gamma_that_auto_chose(open_window: OpenWindow) -> None:
    window = open_window("--tuned")
    trigger(window, "gamma.each")
    window.chat.composer.set_draft("Hello")
    window.chat.composer.submit()
    until_phase(window, Phase.READY)
    figures = window.parts.session.views()[-1].figures
    assert f"γ\u00a0{RECORD.gamma}, chosen by Auto" in figures_line(figures)


def test_another_pair_may_be_loaded_in_the_middle_of_a_tuning(
    open_window: OpenWindow, pair: Pair
) -> None:
    window = open_window("--tune", "30")
    trigger(window, "gamma.tune")
    until(lambda: window.tuning.tuner.what)
    window.opener.load(Pair(pair.target))
    until_phase(window, Phase.READY)
    assert window.tuning.tuner.stage is Stage.IDLE
    assert not window.parts.session.can_speculate


def test_the_window_closes_in_the_middle_of_a_tuning(open_window: OpenWindow) -> None:
    window = open_window("--tune", "30")
    trigger(window, "gamma.tune")
    until(lambda: window.tuning.tuner.what)
    window.close()
    assert window.parts.bridge.pid is None


def test_everything_about_gamma_is_in_the_palette(open_window: OpenWindow) -> None:
    window = open_window("--tuned")
    titles = {plain_title(action) for row, action in window.actions_ if row.id.startswith("gamma.")}
    assert {"Tune γ for this computer", "Tune γ quickly", "Curve of γ"} <= titles


@pytest.mark.small
def test_the_real_engine_is_tuned_and_its_curve_shown(open_window: OpenWindow) -> None:
    window = open_window(command=[sys.executable, "-P", "-c", REAL])
    assert window.topbar.gamma.text().endswith("guess")
    trigger(window, "gamma.tune-quick")
    tuner = window.tuning.tuner
    until(lambda: window.parts.session.phase is Phase.READY, 120)
    assert tuner.stage is Stage.IDLE, tuner.failure
    record = tuner.record
    assert record is not None
    assert record.is_quick
    trigger(window, "gamma.curve")
    page = window.tuning.page
    assert page is not None
    assert page.curve.reading is not None
    page.grab()
    window.chat.composer.set_draft("hello there")
    window.parts.choices.choose("max_tokens", 24)
    window.show_chat()
    window.chat.composer.submit()
    until(lambda: window.parts.session.phase is Phase.READY, 60)
    window.opener.reload()
    until(lambda: window.parts.session.phase is Phase.READY, 60)
    assert tuner.record is not None  # kept, and found again
    assert tuner.record.at == record.at
