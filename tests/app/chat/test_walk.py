"""Going through a tinted reply by keyboard, token by token."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolTip

from app.chat.model import EntryView, Span
from app.chat.tint import explained
from app.chat.transcript import Transcript
from app.theme import Role, Theme

Focused = Callable[..., Transcript]

TEXT = "Hello **world**\n\n```python\nx = 1\n```\n\nBye"
SPANS = [
    Span(0, 5, "accepted", 0.5, 0.6),
    Span(5, 15, "corrected", 0.1, 0.9),
    Span(15, 28, "bonus", 0.7, None),
    Span(28, 33, "accepted", 0.5, 0.6),
    Span(33, len(TEXT), "plain", 0.8, None),
]


@pytest.fixture(name="focused")
def focused_reply(qtbot, shown, installed: Theme) -> Focused:
    """A transcript whose last reply has the keyboard and is tinted."""

    def show(text: str = TEXT, spans: list[Span] = SPANS, *, tint: bool = True) -> Transcript:
        transcript = shown(("user", "Hi"), EntryView(2, "assistant", text, sources=spans))
        transcript.set_tint(tint)
        transcript.activateWindow()
        qtbot.waitUntil(transcript.isActiveWindow)
        transcript.focus_last()
        return transcript

    return show


def reply(transcript: Transcript):
    return transcript._rows[-1].widget


def marked(transcript: Transcript, theme: Theme) -> str:
    """The text that is marked."""
    color, found = theme.color(Role.ACCENT), ""
    for editor in reply(transcript).editors():
        block = editor.document().begin()
        while block.isValid():
            for each in block.layout().formats():
                if each.format.background().color() == color:
                    found += block.text()[each.start : each.start + each.length]
            block = block.next()
    return found


def test_each_token_says_what_decided_about_it(qtbot, focused: Focused, installed: Theme) -> None:
    transcript = focused()
    told: list[str] = []
    transcript.told.connect(told.append)
    seen = []
    for span in SPANS:
        qtbot.keyClick(reply(transcript), Qt.Key.Key_Right)
        assert QToolTip.text() == explained(span)
        seen.append(marked(transcript, installed).strip())
    assert seen == ["Hello", "world", "x", "= 1", "Bye"]
    assert told[0] == f"Hello – {explained(SPANS[0])}"
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Right)
    assert len(told) == len(SPANS)
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    assert QToolTip.text() == explained(SPANS[-2])
    assert "q = 0.6" in QToolTip.text()


def test_the_first_step_back_is_to_the_last_token(
    qtbot, focused: Focused, installed: Theme
) -> None:
    transcript = focused()
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    assert marked(transcript, installed) == "Bye"


def test_the_mark_goes_with_the_keyboard_and_with_the_tint(
    qtbot, focused: Focused, installed: Theme
) -> None:
    transcript = focused()
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Right)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    assert marked(transcript, installed) == ""
    transcript.focus_last()
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Right)
    assert marked(transcript, installed).strip() == "world"
    transcript.set_tint(False)
    assert marked(transcript, installed) == ""


def test_without_the_tint_the_keys_do_nothing(qtbot, focused: Focused) -> None:
    transcript = focused(tint=False)
    transcript.told.connect(lambda _said: pytest.fail("told of a token"))
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Right)
    assert reply(transcript)._walk is None


def test_tokens_come_into_view(qtbot, focused: Focused) -> None:
    words = [f"word{n}\n\n" for n in range(80)]
    ends = [sum(map(len, words[: n + 1])) for n in range(80)]
    spans = [
        Span(end - len(word), end, "accepted", 0.5, 0.6)
        for word, end in zip(words, ends, strict=True)
    ]
    transcript = focused("".join(words), spans)
    bar = transcript._area.verticalScrollBar()
    bar.setValue(0)
    for key, value in ((Qt.Key.Key_Left, bar.maximum()), (Qt.Key.Key_Right, bar.maximum())):
        qtbot.keyClick(reply(transcript), key)
        assert bar.value() > value // 2
    for _step in range(80):
        qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    top = reply(transcript).mapTo(transcript, QPoint(0, 0)).y()
    assert top >= -reply(transcript).height() // 20


def test_a_token_far_to_the_right_in_code_comes_into_view(qtbot, focused: Focused) -> None:
    line = "x = " + "y + " * 100 + "z"
    text = f"```python\n{line}\n```"
    at = text.index("z\n")
    transcript = focused(
        text, [Span(10, 11, "accepted", 0.5, 0.6), Span(at, at + 1, "bonus", 1, None)]
    )
    bar = reply(transcript).editors()[0].horizontalScrollBar()
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    assert bar.value() > bar.maximum() - 60
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    assert bar.value() == 0


def test_where_lines_are_read_from_the_right_the_keys_are_too(
    qtbot, focused: Focused, installed: Theme
) -> None:
    transcript = focused()
    reply(transcript).setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.keyClick(reply(transcript), Qt.Key.Key_Left)
    assert marked(transcript, installed) == "Hello"
