"""The downloads in the head of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from app.models.room import Models
from app.models.tray import Tray
from app.models.tray_button import TrayButton
from app.pairs import Pair
from app.theme import Theme
from engine.errors import ForewordError
from engine.models.downloads import State
from tests.app.models.conftest import MakeModels, words
from tests.app.models.test_fetches import ONE, TWO, Source, has_most
from tests.app.windows import until


@pytest.fixture
def source() -> Source:
    return Source(endless=True)


@pytest.fixture
def slow(make_models: MakeModels, source: Source) -> Models:
    return make_models(sources=lambda _item: [source])


@pytest.fixture
def button(installed: Theme, slow: Models, window: QWidget) -> TrayButton:
    return TrayButton(installed, slow.fetches, window)


@pytest.fixture
def tray(installed: Theme, slow: Models, window: QWidget, button: TrayButton) -> Tray:
    return Tray(installed, slow.fetches, window)


def press(tray: Tray, text: str, row: int = 0) -> None:
    buttons = list(tray.list.rows.values())[row].findChildren(QPushButton)
    next(each for each in buttons if each.isVisible() and each.text() == text).click()


def start(slow: Models, folder: Path) -> None:
    slow.fetches.add(ONE, folder)
    slow.fetches.add(TWO, folder)
    until(lambda: has_most(folder))


def test_the_button_is_there_while_there_are_downloads(
    button: TrayButton, slow: Models, folder: Path, source: Source
) -> None:
    assert not button.isVisible()
    start(slow, folder)
    assert button.isVisible()
    assert "%" in button.toolTip()
    source.endless = False
    until(lambda: "finished" in button.toolTip())
    button.grab()


def test_each_is_shown_with_amounts_and_can_be_paused_and_go_on(
    tray: Tray, button: TrayButton, slow: Models, folder: Path, source: Source
) -> None:
    start(slow, folder)
    tray.open_below(button)
    assert "of 50 kB" in words(tray)
    assert "waits for its turn" in words(tray)
    press(tray, "Pause")
    until(lambda: "paused" in words(tray))
    source.endless = False
    press(tray, "Go on")
    until(lambda: words(tray).count("finished") >= 2)


def test_what_has_come_is_used_on_a_press_and_then_cleared(
    tray: Tray, button: TrayButton, slow: Models, folder: Path, source: Source
) -> None:
    used: list[Pair] = []
    tray.list.used.connect(used.append)
    source.endless = False
    start_ = slow.fetches
    start_.add(TWO, folder)
    until(lambda: [s.state for s in start_.statuses] == [State.DONE])
    tray.open_below(button)
    press(tray, "Use it")
    assert used == [Pair(folder / "two.gguf", folder / "small.gguf")]
    tray.open_below(button)
    tray.clear.click()
    until(lambda: not button.isVisible())
    assert not tray.isVisible()
    assert (folder / "two.gguf").exists()


def test_a_cancelled_one_goes_from_the_list(
    tray: Tray, button: TrayButton, slow: Models, folder: Path, hasty: None
) -> None:
    start(slow, folder)
    tray.open_below(button)
    next(iter(tray.list.rows.values())).canceller.click()
    until(lambda: len(tray.list.rows) == 1)
    assert "Two" in words(tray)
    until(lambda: not list(folder.glob("one*")))


def test_a_slip_on_cancel_is_undone_where_it_was_made(
    tray: Tray, button: TrayButton, slow: Models, folder: Path, source: Source
) -> None:
    start(slow, folder)
    tray.open_below(button)
    row = next(iter(tray.list.rows.values()))
    assert "Pause" in words(tray)  # it is laid out by then
    row.canceller.setFocus()
    place = row.canceller.mapTo(tray, row.canceller.rect().center())
    for _twice in range(2):
        QTest.mouseClick(tray.childAt(place), Qt.MouseButton.LeftButton)
    until(lambda: "cancelled; what came is about to be removed" in words(tray))
    assert QApplication.focusWidget() is row.undoer
    assert not row.canceller.isEnabled()
    assert not row.goer.isVisible()
    press(tray, "Undo")
    until(row.pauser.isVisible)
    assert "cancelled" not in words(tray)
    source.endless = False
    until((folder / "one.gguf").exists)


def test_a_folder_that_takes_nothing_is_said_with_a_way_to_another(
    tray: Tray, button: TrayButton, slow: Models, tmp_path: Path, source: Source
) -> None:
    source.endless = False
    in_the_way, another = tmp_path / "file", tmp_path / "another"
    in_the_way.touch()
    another.touch()
    moved: list[Path] = []
    tray.list.moved.connect(moved.append)
    slow.fetches.add(ONE, in_the_way)
    until(lambda: [s.state for s in slow.fetches.statuses] == [State.FAILED])
    tray.open_below(button)
    assert str(in_the_way) in words(tray)
    failed: list[ForewordError] = []
    tray.list.failed.connect(failed.append)
    tray.list.move_to(slow.fetches.statuses[0].key, another)
    until(lambda: bool(failed))
    assert moved == []
    press(tray, "Choose another folder…")
    dialog = tray.window().findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "other"))
    dialog.reject()
    until((tmp_path / "other" / "one.gguf").exists)
    until(lambda: bool(moved))
    assert moved == [tmp_path / "other"]
