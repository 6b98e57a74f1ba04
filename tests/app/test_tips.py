"""Tool tips show foreign words letter by letter: no HTML, no picture from the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QMainWindow, QToolTip, QWidget

from app.actions import Actions
from app.chat.chips import Chip
from app.chat.controls import IconButton as ChatButton
from app.chat.controls import Pictures
from app.chat.model import Attachment
from app.chat.prose import Prose
from app.chat.segments import Kind, Segment
from app.controls import IconButton, Text
from app.models.choice import Choice, Offer
from app.sidebar import rows
from app.theme import Theme
from app.tips import plain_tip, tip
from app.topbar import TopBar
from app.topbar.pair_button import PairButton
from engine.protocol import Verdict
from tests.app.windows import Desk

FOREIGN = 'a <img src="file:///p.png"> b'
LINK = "http://a.example/<b>c"


def title_in_the_list(_theme: Theme) -> str:
    listed = rows.Rows()
    listed.show([rows.Row(rows.Kind.CHAT, FOREIGN, 1)])
    return str(listed.data(listed.index(0), Qt.ItemDataRole.ToolTipRole))


def words_that_are_cut(theme: Theme) -> QWidget:
    text = Text(theme, FOREIGN, elided=True)
    text.resize(20, 20)
    text.setText(FOREIGN)
    return text


def pair(theme: Theme) -> QWidget:
    button = PairButton(theme)
    button.tell(FOREIGN, "drafted by 0.5B", "CPU")
    return button


def chat_button(theme: Theme) -> QWidget:
    around = QWidget()
    ChatButton(theme, Pictures(theme).get("copy"), FOREIGN, around)
    return around


PLACES: dict[str, Callable[[Theme], QWidget | str]] = {
    "a title in the list": title_in_the_list,
    "words that are cut": words_that_are_cut,
    "a button": lambda theme: IconButton(theme, "copy", FOREIGN),
    "a button with its keys": lambda theme: _named(IconButton(theme, "copy", "")),
    "a button of the chat": chat_button,
    "an attachment": lambda theme: Chip(
        theme, Pictures(theme), Attachment(FOREIGN, "x"), removable=True
    ),
    "the pair": pair,
    "why a model cannot be chosen": lambda theme: Choice(theme, Offer("a", "b", FOREIGN)),
}


def _named(button: IconButton) -> IconButton:
    button.set_name(FOREIGN, "Ctrl+C")
    return button


def tips_in(place: QWidget | str) -> list[str]:
    if isinstance(place, str):
        return [place]
    return [each.toolTip() for each in (place, *place.findChildren(QWidget))]


def is_harmless(shown: str) -> bool:
    """Whether Qt shows it as it stands, or as HTML in which nothing foreign is markup."""
    return not GuiQt.mightBeRichText(shown) or not ("<img" in shown or "<b>" in shown)


def tells_all(shown: str, words: str = FOREIGN) -> bool:
    return (escape(words) if GuiQt.mightBeRichText(shown) else words) in shown


@pytest.mark.parametrize("name", PLACES)
def test_no_place_takes_foreign_words_for_html(theme: Theme, qtbot, name: str) -> None:
    place = PLACES[name](theme)
    if isinstance(place, QWidget):
        qtbot.addWidget(place)
    found = tips_in(place)
    assert all(map(is_harmless, found))
    assert any(map(tells_all, found))


@pytest.fixture(name="desk")
def _desk(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    yield desk
    desk.conversations.close()


def test_why_nothing_is_drafted_is_no_html_either(desk: Desk, installed: Theme, qtbot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = TopBar(installed, Actions(installed, window), desk.session)
    window.setCentralWidget(bar)
    desk.load()
    desk.life.reload()
    desk.bridge.be_ready(verdict=Verdict(ok=False, code="kind", reason=FOREIGN), draft=None)
    assert is_harmless(bar.badge.toolTip())
    assert tells_all(bar.badge.toolTip())


def test_nor_is_the_address_of_a_link(theme: Theme, qtbot) -> None:
    view = Prose(theme)
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    text = f"[a link to rest on]({LINK})"
    view.show_segment(Segment(Kind.PROSE, 0, len(text), text))
    at = QPoint(15, 10)
    assert view.anchorAt(at) == LINK
    place = view.viewport().mapToGlobal(at)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, place))
    assert is_harmless(QToolTip.text())
    assert tells_all(QToolTip.text(), LINK)
    QToolTip.hideText()


def test_a_tip_wraps_and_keeps_its_lines_and_nothing_is_no_tip() -> None:
    assert tip("a < b\nc") == "<qt>a &lt; b<br>c</qt>"
    assert plain_tip("a < b\nc") == "a < b\nc"
    assert plain_tip("a <b>\nc") == "<qt>a &lt;b&gt;<br>c</qt>"
    assert tip("") == plain_tip("") == ""
