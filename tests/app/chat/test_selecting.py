"""A selection goes on from one segment into the next."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QTextEdit

TEXT = "First words.\n\n```\ncode here\n```\n\nLast words."


@pytest.fixture
def reply(shown):
    transcript = shown(("assistant", TEXT))
    return transcript._rows[0].widget


def mouse(kind: QEvent.Type, view: QTextEdit, at: QPoint) -> None:
    """A mouse event of a drag that began in ``view``, at a place of its viewport."""
    pressed = Qt.MouseButton.LeftButton
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else pressed
    place = QPointF(at)
    there = QPointF(view.viewport().mapToGlobal(at))
    event = QMouseEvent(kind, place, there, button, pressed, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.viewport(), event)


def drag(begin: QTextEdit, end: QTextEdit, to: QPoint) -> None:
    start = QPoint(1, 5) if begin.y() <= end.y() else QPoint(300, 5)
    mouse(QEvent.Type.MouseButtonPress, begin, start)
    target = begin.viewport().mapFromGlobal(end.viewport().mapToGlobal(to))
    mouse(QEvent.Type.MouseMove, begin, target)
    mouse(QEvent.Type.MouseButtonRelease, begin, target)


def test_dragging_down_selects_all_that_is_passed(qtbot, reply) -> None:
    first, _code, last = reply.editors()
    drag(first, last, QPoint(2_000, 5))
    assert reply.selected() == "First words.\n\ncode here\n\nLast words."


def test_a_selection_of_several_is_copied_as_one(qtbot, reply) -> None:
    first, code, _last = reply.editors()
    drag(first, code, QPoint(2_000, 5))
    with qtbot.waitSignal(reply.copied) as told:
        qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert told.args == ["First words.\n\ncode here"]


def test_a_new_press_begins_anew(qtbot, reply) -> None:
    first, code, last = reply.editors()
    drag(first, last, QPoint(2_000, 5))
    qtbot.mouseClick(code.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 5))
    assert reply.selected() == ""


def test_coming_back_gives_up_what_was_passed(qtbot, reply) -> None:
    first, code, _last = reply.editors()
    mouse(QEvent.Type.MouseButtonPress, first, QPoint(1, 5))
    outside = first.viewport().mapFromGlobal(code.viewport().mapToGlobal(QPoint(2_000, 5)))
    mouse(QEvent.Type.MouseMove, first, outside)
    assert "code here" in reply.selected()
    mouse(QEvent.Type.MouseMove, first, QPoint(30, 5))
    assert "code here" not in reply.selected()
    mouse(QEvent.Type.MouseButtonRelease, first, QPoint(30, 5))
