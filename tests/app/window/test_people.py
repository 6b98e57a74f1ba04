"""The window for those who hear it, enlarge it, or read from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QLineEdit,
    QTextEdit,
    QWidget,
)

from app.pairs import Pair
from tests.app.windows import OpenWindow, ask, trigger


def test_screen_readers_hear_of_finished_replies_and_errors_only(
    open_window: OpenWindow, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: heard.append(event.message())
    )
    window = open_window(pair=pair)
    ask(window)
    assert heard == ["The reply is finished"]
    window.parts.session.show(None)
    window.opener.open_chat(Path("/no/such/file.json"))
    assert len(heard) == 2
    assert "/no/such/file.json" in heard[1]


@pytest.mark.parametrize(
    "page", ["", "mode.compare", "chat.settings", "app.settings", "help.shortcuts", "help.network"]
)
def test_every_control_has_a_name(open_window: OpenWindow, pair: Pair, page: str) -> None:
    window = open_window(pair=pair)
    ask(window)
    if page:
        trigger(window, page)
    if page == "mode.compare":
        ask(window)
    kinds = (QAbstractButton, QLineEdit, QAbstractSpinBox, QTextEdit, QAbstractItemView)
    controls = [each for kind in kinds for each in window.findChildren(kind) if each.isVisible()]
    nameless = [
        f"{type(each).__name__} in {type(each.parentWidget()).__name__}"
        for each in controls
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus and not (_is_part(each) or _name(each))
    ]
    assert len(controls) > 10
    assert nameless == []


def _is_part(widget: QWidget) -> bool:
    """Words that are read, and the inside of a number field: their parents have the names."""
    is_words = isinstance(widget, QTextEdit) and widget.isReadOnly()
    return is_words or isinstance(widget.parentWidget(), QAbstractSpinBox)


def _name(widget: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found is not None else ""


@pytest.mark.parametrize("scale", [80, 200])
def test_it_can_be_used_in_small_and_in_large_letters(
    open_window: OpenWindow, pair: Pair, scale: int
) -> None:
    window = open_window(pair=pair)
    window.parts.choices.choose("text_size", scale)
    window.resize(1280, 800)
    ask(window)
    QTest.qWait(20)
    assert window.chat.composer.geometry().bottom() <= window.chat.height()
    assert window.topbar.modes.geometry().right() <= window.topbar.width()
    window.grab()


def test_it_reads_from_right_to_left(open_window: OpenWindow, pair: Pair, qapp) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        window = open_window("--reply", "שלום לך", pair=pair)
        window.resize(1280, 800)
        ask(window, "מה שלומך?")
        window.grab()
        assert window.sidebar.x() > window.sheet.x() > window.panel.x()
        assert window.topbar.pair.x() > window.topbar.modes.x()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
