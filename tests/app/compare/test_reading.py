"""A lane's text: shown as the chat shows it, followed, and marked where the replies part."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QFontMetricsF

from app.chat.code import CodeBlock
from app.compare.reading import Reading
from app.theme import Theme
from engine.protocol import Piece

TEXT = "Adds **two** numbers:\n\n```python\ndef add(a, b):\n    return a + b\n```\n\nThat is [all](https://example.org)."


@pytest.fixture
def reading(qtbot, theme: Theme) -> Reading:
    reading = Reading(theme, "Plain")
    qtbot.addWidget(reading)
    reading.resize(400, 300)
    reading.show()
    return reading


def written(reading: Reading, text: str = TEXT) -> Reading:
    reading.write([Piece(text, 0)], [])
    reading.end()
    return reading


def test_markdown_is_shown_as_the_chat_shows_it(reading: Reading) -> None:
    prose, code, link = written(reading)._reply.views
    assert prose.editor.toPlainText() == "Adds two numbers:"
    assert isinstance(code, CodeBlock)
    assert code.editor.toPlainText() == "def add(a, b):\n    return a + b"
    metrics = QFontMetricsF(code.editor.document().defaultFont())
    assert metrics.horizontalAdvance("i") == metrics.horizontalAdvance("m")
    assert link.editor.toPlainText() == "That is all."


def test_a_fence_that_is_still_open_is_code_already(reading: Reading) -> None:
    reading.write([Piece(TEXT[:50], 0)], [])
    reading.flush()
    assert isinstance(reading._reply.views[-1], CodeBlock)


@pytest.mark.parametrize("marked", ["two", "return", "all"])
def test_a_token_is_marked_in_prose_and_in_code(reading: Reading, marked: str) -> None:
    start = TEXT.index(marked)
    written(reading).mark(start, start + len(marked))
    assert reading.marked == marked


def test_for_a_token_that_is_not_shown_the_one_before_is_marked(reading: Reading) -> None:
    start = TEXT.index("```python")
    written(reading).mark(start, start + 3)
    assert reading.marked.endswith(":")


def test_a_mark_in_the_reasoning_opens_it(reading: Reading) -> None:
    text = "<think>\nFirst add.\n</think>\n\nThree."
    written(reading, text)
    assert reading._reply.views[0].editor.toPlainText() == "Three."
    start = text.index("add")
    reading.mark(start, start + 3)
    assert reading.marked == "add"


def test_the_mark_is_in_view(reading: Reading) -> None:
    text = "\n\n".join(f"Line {n}" for n in range(200))
    start = text.index("Line 100")
    written(reading, text).mark(start, start + 8)
    bar = reading.verticalScrollBar()
    assert 0.4 < bar.value() / bar.maximum() < 0.6


def test_a_mark_outlives_another_theme(reading: Reading, theme: Theme) -> None:
    written(reading).mark(7, 10)
    theme.mode = "dark"
    assert reading.marked == "two"
    theme.mode = "light"


def test_links_are_told_and_never_followed(reading: Reading, qtbot) -> None:
    *_, last = written(reading)._reply.views
    with qtbot.waitSignal(reading.link) as told:
        last.anchorClicked.emit(QUrl("https://example.org"))
    assert told.args == ["https://example.org"]


def test_the_keyboard_copies_and_scrolls(reading: Reading, qtbot) -> None:
    written(reading, "<think>\nhm\n</think>\n\n" + "word\n\n" * 60)
    with qtbot.waitSignal(reading.copied) as told:
        qtbot.keyClick(reading, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0].startswith("word")
    reading.verticalScrollBar().setValue(0)
    qtbot.keyClick(reading, Qt.Key.Key_PageDown)
    assert reading.verticalScrollBar().value() > 0


def test_the_next_comparison_begins_empty(reading: Reading) -> None:
    written(reading).mark(7, 10)
    reading.clear()
    assert reading.text == reading.marked == ""
    assert reading._reply.views == []
