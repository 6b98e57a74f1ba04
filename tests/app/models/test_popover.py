"""A card that hangs below a button."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget
from shiboken6 import delete

from app.models.popover import Popover


def test_it_closes_though_who_had_the_keyboard_is_gone(qtbot, theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    button, before = QPushButton(window), QLineEdit(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    before.setFocus()
    qtbot.waitUntil(before.hasFocus)
    popover = Popover(theme, window, "A card", 40)
    popover.open_below(button)
    assert popover.isVisible()
    delete(before)
    popover.close_quietly()
    assert not popover.isVisible()
