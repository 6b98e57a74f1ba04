"""The command palette, by keyboard alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QListView, QMainWindow
from shiboken6 import delete

from app.actions import Actions, Fact
from app.palette import Entry, Palette, of_actions


@pytest.fixture
def window(installed, qtbot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    window.resize(900, 640)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window.centralWidget().setFocus()
    return window


@pytest.fixture
def palette(installed, window: QMainWindow) -> Palette:
    return Palette(installed, window)


def entries(*titles: str, ran: list[str] | None = None) -> list[Entry]:
    return [Entry(title, lambda title=title: (ran or []).append(title)) for title in titles]


def field(palette: Palette) -> QLineEdit:
    return palette.findChild(QLineEdit)


def rows(palette: Palette) -> list[str]:
    model = palette.findChild(QListView).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_it_opens_with_everything_and_the_keyboard(palette: Palette) -> None:
    palette.open(entries("New chat", "Settings"))
    assert palette.isVisible()
    assert field(palette).hasFocus()
    assert rows(palette) == ["New chat", "Settings"]


def test_letters_narrow_and_return_runs(palette: Palette, qtbot) -> None:
    ran: list[str] = []
    palette.open([Entry(t, lambda t=t: ran.append(t)) for t in ("New chat", "Settings")])
    qtbot.keyClicks(field(palette), "set")
    assert rows(palette) == ["Settings"]
    qtbot.keyClick(field(palette), Qt.Key.Key_Return)
    assert ran == ["Settings"]
    assert not palette.isVisible()


def test_down_and_up_go_round(palette: Palette, qtbot) -> None:
    ran: list[str] = []
    palette.open([Entry(t, lambda t=t: ran.append(t)) for t in ("One", "Two", "Three")])
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(field(palette), key)
    qtbot.keyClick(field(palette), Qt.Key.Key_Return)
    assert ran == ["Two"]


def test_escape_gives_the_keyboard_back(palette: Palette, window, qtbot) -> None:
    palette.open(entries("One"))
    qtbot.keyClick(field(palette), Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.centralWidget().hasFocus()


def test_opened_twice_it_still_knows_who_had_the_keyboard(palette: Palette, window, qtbot) -> None:
    palette.open(entries("One"))
    palette.open(entries("One"))
    qtbot.keyClick(field(palette), Qt.Key.Key_Escape)
    assert window.centralWidget().hasFocus()


def test_escape_after_who_had_the_keyboard_went_away(palette: Palette, window, qtbot) -> None:
    palette.open(entries("One"))
    delete(window.takeCentralWidget())
    qtbot.keyClick(field(palette), Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_escape_reaches_no_shortcut(palette: Palette, window, qtbot) -> None:
    stopped: list[bool] = []
    stop = QAction("Stop", window)
    stop.setShortcut("Esc")
    stop.triggered.connect(stopped.append)
    window.addAction(stop)
    palette.open(entries("One"))
    qtbot.keyClick(field(palette), Qt.Key.Key_Escape)
    assert stopped == []
    assert not palette.isVisible()


def test_nothing_found_says_so(palette: Palette, qtbot) -> None:
    palette.open(entries("One"))
    qtbot.keyClicks(field(palette), "zzz")
    assert rows(palette) == []
    assert not palette.findChild(QListView).isVisible()
    qtbot.keyClick(field(palette), Qt.Key.Key_Return)
    assert palette.isVisible()


def test_it_fits_a_small_window(palette: Palette, window) -> None:
    palette.open(entries(*(f"Command {n}" for n in range(60))))
    window.resize(420, 320)
    palette._measure()
    assert window.rect().contains(palette.geometry())


def test_actions_that_cannot_be_done_are_not_offered(installed, window) -> None:
    actions = Actions(installed, window)
    actions.set_facts({Fact.CHAT_SHOWN})
    titles = [entry.title for entry in of_actions(actions)]
    assert "New chat" in titles
    assert "Stop the reply" not in titles
    assert "Command palette" not in titles


def test_readers_hear_the_whole_line(palette: Palette) -> None:
    palette.open([Entry("New chat", lambda: None, "Chat", "Ctrl+N")])
    index = palette.findChild(QListView).model().index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "New chat, Chat, Ctrl+N"


def test_titles_come_before_what_only_belongs_there(palette: Palette, qtbot) -> None:
    palette.open(
        [Entry("Full screen", lambda: None, "View"), Entry("Preview", lambda: None, "Chat")]
    )
    qtbot.keyClicks(field(palette), "view")
    assert rows(palette) == ["Preview", "Full screen"]


@pytest.mark.parametrize("sought", ["tint", "colour", "color"])
def test_other_words_for_a_command_find_it_first(
    installed, window: QMainWindow, palette: Palette, english: None, qtbot, sought: str
) -> None:
    actions = Actions(installed, window)
    actions.set_facts(list(Fact))
    palette.open(of_actions(actions))
    qtbot.keyClicks(field(palette), sought)
    assert rows(palette)[0] == "Show where words came from"
