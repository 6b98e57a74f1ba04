"""A block of code."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QTextOption
from PySide6.QtWidgets import QTextEdit

from app.chat.code import CodeBlock
from app.chat.model import Span
from app.chat.segments import Kind, Segment
from app.chat.tint import Tint
from app.theme import Role


@pytest.fixture
def block(qtbot, theme) -> CodeBlock:
    block = CodeBlock(theme)
    qtbot.addWidget(block)
    block.resize(400, 100)
    block.show()
    return block


def show(block: CodeBlock, text: str, language: str = "python", *, is_open: bool = False) -> None:
    block.show_segment(Segment(Kind.CODE, 0, len(text), text, language, open=is_open))
    block.resize(400, block.height_for(400))


def colours(block: CodeBlock) -> set[str]:
    found = set()
    at = block.text.document().begin()
    while at.isValid():
        found |= {each.format.foreground().color().name() for each in at.layout().formats()}
        at = at.next()
    return found


def test_it_says_its_language_and_copies_its_text(qtbot, block) -> None:
    show(block, "x = 1\ny = 2")
    with qtbot.waitSignal(block.copied) as told:
        block.copy_button.click()
    assert told.args == ["x = 1\ny = 2"]
    assert block.copy_button.text() == "Copied"
    assert block.text.accessibleName() == "Code, python"


def test_growing_code_is_only_added_to(block, monkeypatch) -> None:
    """Row E3: an open fence costs what is new of it."""
    replaced, added = [], []
    monkeypatch.setattr(block.text, "_replace", replaced.append)
    original = block.text._append
    monkeypatch.setattr(block.text, "_append", lambda text: (added.append(text), original(text)))
    text = "".join(f"line {n}\n" for n in range(100))
    for end in range(7, len(text), 7):
        show(block, text[:end], is_open=True)
    assert replaced == [text[:7]]
    assert all(len(each) == 7 for each in added)


def test_closed_code_is_coloured_at_once(block, theme) -> None:
    show(block, "def f(): return 1")
    assert theme.color(Role.CODE_KEYWORD).name() in colours(block)


def test_open_code_is_coloured_a_moment_later(qtbot, block, theme) -> None:
    show(block, "def f(): ret", is_open=True)
    assert not colours(block)
    qtbot.waitUntil(lambda: theme.color(Role.CODE_KEYWORD).name() in colours(block), timeout=2_000)


def test_a_letter_beyond_the_sixteen_bit_plane_shifts_no_colour(block) -> None:
    show(block, "s = '👩' # c")
    ranges = block.text.document().begin().layout().formats()
    comment = max(ranges, key=lambda each: each.start)
    assert (comment.start, comment.length) == (9, 3)


def test_long_lines_scroll_sideways_within_it(block) -> None:
    show(block, "x" * 500)
    assert block.text.horizontalScrollBar().maximum() > 0
    assert block.text.verticalScrollBar().maximum() == 0
    assert block.text.lineWrapMode() is QTextEdit.LineWrapMode.NoWrap
    assert block.text.document().defaultTextOption().wrapMode() is QTextOption.WrapMode.NoWrap


def test_arrows_stay_two_letters(block) -> None:
    font = block.text.document().defaultFont()
    assert font.isFeatureSet(QFont.Tag("liga"))
    assert font.featureValue(QFont.Tag("liga")) == 0


def test_the_tint_lies_over_the_colours(block, theme) -> None:
    text = "def f(): return 1"
    show(block, text)
    block.set_tint(Tint(theme, text, [Span(0, 3, "corrected", 0.1, 0.9)]))
    formats = block.text.document().begin().layout().formats()
    tints = {each.format.background().color().name() for each in formats}
    assert theme.color(Role.CORRECTED_TINT).name() in tints
    assert theme.color(Role.CODE_KEYWORD).name() in colours(block)
    block.set_tint(None)
    formats = block.text.document().begin().layout().formats()
    assert all(not each.format.fontUnderline() for each in formats)
