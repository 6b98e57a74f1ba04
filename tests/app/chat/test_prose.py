"""Prose: Markdown in our look, and nothing of it is ever run, loaded or followed by itself."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QFont, QHelpEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QApplication, QToolTip

from app.chat.model import Span
from app.chat.prose import Prose, Table
from app.chat.segments import Kind, Segment
from app.chat.tint import Tint
from app.theme import Theme

_Mode = QTextCursor.MoveMode


def prose(qtbot, theme: Theme, text: str, kind: Kind = Kind.PROSE) -> Prose:
    view = (Table if kind is Kind.TABLE else Prose)(theme)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.show_segment(Segment(kind, 0, len(text), text))
    view.resize(400, view.height_for(400))
    return view


@pytest.mark.parametrize(
    "text",
    [
        "<this could be HTML>",
        "<script>alert(1)</script>",
        "<style>body { color: red",
        "a<b and c>d",
        "<think>\nfoo",
        "half a <div",
        '<img src="http://example.org/x.png">',
        "<b>bold</b>",
    ],
)
@pytest.mark.parametrize("kind", [Kind.PROSE, Kind.TEXT])
def test_html_is_shown_as_it_is_written(qtbot, theme, text: str, kind: Kind) -> None:
    """Row E1: nothing disappears, nothing is executed."""
    shown = prose(qtbot, theme, text, kind).toPlainText()
    assert shown.replace("\u2028", "\n") == text


def test_no_message_loads_anything(qtbot, theme, tmp_path, monkeypatch) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"x")
    asked = []
    monkeypatch.setattr(
        Prose, "loadResource", lambda _self, _kind, name: asked.append(QUrl(name).toString())
    )
    for address in (secret.as_uri(), "http://example.org/x.png", str(secret)):
        view = prose(qtbot, theme, f"![a cat]({address})")
        assert view.toPlainText() == "a cat"
        assert view.grab().width()
    assert asked == []  # pictures are links: Qt has nothing to ask for


def test_loading_gives_nothing_even_when_asked(qtbot, theme) -> None:
    view = prose(qtbot, theme, "x")
    assert view.loadResource(2, QUrl("file:///etc/passwd")) is None


@pytest.mark.parametrize("address", ["http://a.b/c", "https://a.b/c?d=e%20f"])
def test_a_pressed_link_is_told(qtbot, theme, address: str) -> None:
    view = prose(qtbot, theme, f"[here]({address})")
    with qtbot.waitSignal(view.link) as told:
        press(qtbot, view)
    assert told.args == [address]
    assert view.toPlainText() == "here"  # and not followed


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "ftp://a.b", "x"])
def test_no_other_address_is_told(qtbot, theme, address: str) -> None:
    view = prose(qtbot, theme, f"[here]({address})")
    told = []
    view.link.connect(told.append)
    press(qtbot, view)
    assert told == []
    assert view.toPlainText() == "here"


def press(qtbot, view: Prose) -> None:
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))


def test_a_link_says_where_it_leads(qtbot, theme) -> None:
    view = prose(qtbot, theme, "[here](http://a.b/c)")
    assert hovered(view, QPoint(8, 8)) == "http://a.b/c"


def hovered(view: Prose, at: QPoint) -> str:
    """What the tool tip says there. Qt hides one with a delay: the text may outlive it."""
    QToolTip.showText(QPoint(), "nothing")
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    return QToolTip.text().replace("nothing", "")


def test_headings_code_and_links_are_in_our_type(qtbot, theme) -> None:
    view = prose(qtbot, theme, "# Head\n\ntext `code` [link](http://a)")
    sizes = {}
    block = view.document().begin()
    while block.isValid():
        at = block.begin()
        while not at.atEnd():
            format_ = at.fragment().charFormat()
            sizes[at.fragment().text()] = format_
            at += 1
        block = block.next()
    assert sizes["Head"].property(QTextFormat.Property.FontPixelSize) == 20
    assert sizes["Head"].fontWeight() == QFont.Weight.DemiBold
    assert sizes["code"].background().color() != sizes["text "].background().color()
    assert sizes["link"].fontUnderline()


def test_right_to_left_paragraphs_run_right_to_left(qtbot, theme) -> None:
    view = prose(qtbot, theme, "שלום עולם\n\nHello")
    first = view.document().begin()
    assert first.textDirection() == Qt.LayoutDirection.RightToLeft
    assert first.next().textDirection() == Qt.LayoutDirection.LeftToRight


@pytest.mark.parametrize("backwards", [False, True])
def test_what_is_selected_stays_so_while_the_text_grows(qtbot, theme, backwards: bool) -> None:
    view = prose(qtbot, theme, "\U0001f600 **one** two")
    cursor = view.textCursor()
    places = (6, 3) if backwards else (3, 6)
    for place, mode in zip(places, (_Mode.MoveAnchor, _Mode.KeepAnchor), strict=True):
        cursor.setPosition(place, mode)
    view.setTextCursor(cursor)
    view.show_segment(Segment(Kind.PROSE, 0, 21, "\U0001f600 **one** two three"))
    assert view.toPlainText() == "\U0001f600 one two three"
    assert view.textCursor().selectedText() == "one"
    assert view.textCursor().position() == places[1]


def test_what_was_selected_and_is_other_text_now_is_so_no_more(qtbot, theme) -> None:
    view = prose(qtbot, theme, "one two")
    view.selectAll()
    view.show_segment(Segment(Kind.PROSE, 0, 9, "two three"))
    assert not view.textCursor().hasSelection()


def test_the_same_text_is_not_parsed_again(qtbot, theme, monkeypatch) -> None:
    view = prose(qtbot, theme, "one")
    written = []
    monkeypatch.setattr(view, "_write", written.append)
    view.show_segment(Segment(Kind.PROSE, 0, 3, "one", open=False))
    assert written == []


def test_a_wide_table_scrolls_sideways_and_a_narrow_one_does_not(qtbot, theme) -> None:
    rows = "| a | b |\n|---|---|\n| 1 | 2 |"
    narrow = prose(qtbot, theme, rows, Kind.TABLE)
    assert narrow.horizontalScrollBar().maximum() == 0
    wide = prose(qtbot, theme, rows.replace("1", "w" * 200), Kind.TABLE)
    assert wide.horizontalScrollBar().maximum() > 0
    assert wide.verticalScrollBar().maximum() == 0


def test_a_table_that_is_wider_by_a_rounding_has_no_bar_over_its_last_line(qtbot, theme) -> None:
    view = prose(qtbot, theme, f"| a | b |\n|---|---|\n| {'w' * 80} | 2 |", Kind.TABLE)
    whole = math.ceil(view.document().size().width())
    assert whole > 400
    for width, has_bar in ((whole - 1, False), (whole - 20, True)):
        view.resize(width, view.height_for(width))
        assert (view.viewport().height() < view.height()) == has_bar
        assert view.viewport().height() >= math.floor(view.document().size().height())


def test_a_table_is_laid_out_as_often_however_many_cells_it_has(qtbot, theme) -> None:
    counts = []
    for rows in (2, 20):
        view = prose(qtbot, theme, "| a | b |\n|---|---|", Kind.TABLE)
        laid_out: list[object] = []
        layout = view.document().documentLayout()
        layout.documentSizeChanged.connect(laid_out.append)
        table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * rows
        view.show_segment(Segment(Kind.TABLE, 0, len(table), table))
        counts.append(len(laid_out))
    assert counts[0] == counts[1]


def test_a_screen_reader_hears_what_a_view_is(qtbot, theme) -> None:
    assert prose(qtbot, theme, "Words").accessibleName() == "Text"
    assert prose(qtbot, theme, "| a |\n|---|", Kind.TABLE).accessibleName() == "Table"


def test_hovering_a_tinted_word_says_what_decided(qtbot, theme) -> None:
    view = prose(qtbot, theme, "word word")
    assert hovered(view, QPoint(8, 8)) == ""
    spans = [Span(0, 4, "accepted", 0.62, 0.91), Span(4, 9, "bonus", 0.5, None)]
    view.set_tint(Tint(theme, "word word", spans))
    said = hovered(view, QPoint(8, 8))
    assert "q = 0.91" in said
    assert "p = 0.62" in said
    view.set_tint(None)
    assert hovered(view, QPoint(8, 8)) == ""
