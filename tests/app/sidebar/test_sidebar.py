"""The pane of conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow

from app.actions import Actions
from app.conversations import Conversations
from app.drafts import Drafts
from app.history import Store
from app.sidebar import Sidebar
from app.sidebar.rows import ROW, Kind
from app.theme import Theme
from tests.app.windows import until


@pytest.fixture(name="conversations")
def opened(tmp_path: Path, qapp) -> Iterator[Conversations]:
    conversations = Conversations(
        Store(tmp_path / "conversations.db"), Drafts(tmp_path / "drafts.json")
    )
    for text in ("Parse ISO dates by hand", "Supper from eggs", "Why is the sky blue?"):
        number = conversations.store.create().id
        conversations.store.add(number, "user", text)
        conversations.store.add(number, "assistant", f"An answer about {text.split()[-1]} …")
    yield conversations
    conversations.close()


@pytest.fixture(name="sidebar")
def shown_sidebar(installed: Theme, conversations: Conversations, qtbot) -> Iterator[Sidebar]:
    window = QMainWindow()
    qtbot.addWidget(window)
    sidebar = Sidebar(installed, Actions(installed, window), conversations)
    window.setCentralWidget(sidebar)
    window.resize(260, 500)
    window.show()
    yield sidebar
    window.close()


def titles(sidebar: Sidebar) -> list[str]:
    model = sidebar.list.model()
    rows = [model.index(i, 0).data(ROW) for i in range(model.rowCount())]
    return [row.text for row in rows if row.kind is not Kind.HEAD]


def search(sidebar: Sidebar, text: str) -> None:
    sidebar.search.setText(text)
    until(lambda: not sidebar._rest.isActive())


def choose(sidebar: Sidebar, conversation: int) -> None:
    sidebar.list.setFocus()
    sidebar.list.setCurrentIndex(sidebar._rows.index_of(conversation))


def test_the_newest_conversation_is_first(sidebar: Sidebar) -> None:
    assert titles(sidebar) == [
        "Why is the sky blue?", "Supper from eggs", "Parse ISO dates by hand",
    ]  # fmt: skip


def test_where_there_are_none_a_line_says_what_will_be_there(
    installed: Theme, tmp_path: Path, qtbot
) -> None:
    conversations = Conversations(Store(tmp_path / "empty.db"), Drafts(tmp_path / "d.json"))
    window = QMainWindow()
    qtbot.addWidget(window)
    sidebar = Sidebar(installed, Actions(installed, window), conversations)
    assert sidebar._stack.currentWidget() is sidebar._empty
    assert "stay on this computer" in sidebar._empty.whole_text()
    conversations.close()


def test_a_search_shows_where_it_is_found(sidebar: Sidebar) -> None:
    search(sidebar, "eggs")
    assert set(titles(sidebar)) == {"Supper from eggs"}
    sidebar.grab()
    search(sidebar, "")
    assert len(titles(sidebar)) == 3


def test_a_search_that_finds_nothing_says_so(sidebar: Sidebar) -> None:
    search(sidebar, "xyzzy")
    assert "xyzzy" in sidebar._empty.whole_text()


def test_a_found_place_is_opened_with_its_message(sidebar: Sidebar, qtbot) -> None:
    search(sidebar, "answer hand")
    with qtbot.waitSignal(sidebar.opened) as opened:
        QTest.keyClick(sidebar.search, Qt.Key.Key_Return)
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert opened.args == [1, 2]


def test_return_opens_and_delete_deletes(sidebar: Sidebar, qtbot) -> None:
    choose(sidebar, 2)
    with qtbot.waitSignal(sidebar.opened, check_params_cb=lambda number, _entry: number == 2):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    with qtbot.waitSignal(sidebar.deleted, check_params_cb=lambda number: number == 2):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)


def test_backspace_in_the_list_does_nothing(sidebar: Sidebar, qtbot) -> None:
    choose(sidebar, 2)
    with qtbot.assertNotEmitted(sidebar.deleted):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Backspace)
    assert len(titles(sidebar)) == 3


def test_a_title_is_changed_in_its_row(sidebar: Sidebar, conversations: Conversations) -> None:
    sidebar.rename(2)
    editor = sidebar.list.findChild(QLineEdit)
    editor.setText("Omelette")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    until(lambda: conversations.store.conversation(2).title == "Omelette")
    assert "Omelette" in titles(sidebar)


def test_escape_leaves_a_title_as_it_was(sidebar: Sidebar, conversations: Conversations) -> None:
    sidebar.rename(2)
    editor = sidebar.list.findChild(QLineEdit)
    editor.setText("Omelette")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert conversations.store.conversation(2).title == "Supper from eggs"


def test_a_title_that_is_being_changed_is_left_alone_until_it_is_done(
    sidebar: Sidebar, conversations: Conversations
) -> None:
    sidebar.rename(2)
    editor = sidebar.list.findChild(QLineEdit)
    QTest.keyClicks(editor, "Omel")
    sidebar.set_busy(3)
    sidebar.set_busy(None)  # a reply ends
    conversations.rename(3, "Skies")
    conversations.open(3)
    assert editor.isVisible()
    QTest.keyClicks(editor, "ette")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    until(lambda: not sidebar.list.is_renaming)
    assert conversations.store.conversation(2).title == "Omelette"
    assert titles(sidebar)[:2] == ["Skies", "Omelette"]
    assert sidebar.list.currentIndex().data(ROW).conversation == 3


def test_what_happened_while_a_title_was_being_changed_is_listed_also_after_escape(
    sidebar: Sidebar, conversations: Conversations
) -> None:
    sidebar.rename(2)
    conversations.rename(3, "Skies")
    assert "Skies" not in titles(sidebar)
    QTest.keyClick(sidebar.list.findChild(QLineEdit), Qt.Key.Key_Escape)
    assert titles(sidebar)[:2] == ["Skies", "Supper from eggs"]


def test_the_open_conversation_is_marked(sidebar: Sidebar, conversations: Conversations) -> None:
    conversations.open(2)
    assert sidebar.list.currentIndex().data(ROW).conversation == 2
    conversations.begin()
    assert not sidebar.list.currentIndex().isValid()


def test_the_next_and_the_one_before_go_round(
    sidebar: Sidebar, conversations: Conversations
) -> None:
    conversations.open(3)
    assert sidebar.neighbour(1) == 2
    assert sidebar.neighbour(-1) == 1
    conversations.begin()
    assert (sidebar.neighbour(1), sidebar.neighbour(-1)) == (3, 1)


def test_escape_empties_the_search(sidebar: Sidebar) -> None:
    search(sidebar, "eggs")
    sidebar.go_to_search()
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert sidebar.search.text() == ""


def test_long_titles_and_other_scripts_are_drawn(
    sidebar: Sidebar, conversations: Conversations
) -> None:
    conversations.store.rename(1, "ערב טוב, מה שלומך היום בבוקר הזה ובכל יום אחר")
    conversations.store.rename(2, "🦜 A long title that cannot fit into a row of this width at all")
    conversations.store.add(2, "user", "🦜🦜 finds the needle in a haystack of signs")
    sidebar.set_busy(2)
    sidebar.grab()
    search(sidebar, "needle")
    sidebar.grab()
