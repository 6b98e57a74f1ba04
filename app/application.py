"""Qt's application, which macOS tells of files to open: a start there names none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Keeps the files that the system asks to be opened until there is a window for them."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self._early: list[Path] = []
        self._take: Callable[[list[Path]], None] = self._early.extend

    def hand_over(self, take: Callable[[list[Path]], None]) -> list[Path]:
        """The files of before. Those from now on go to ``take``."""
        self._take = take
        early, self._early = self._early, []
        return early

    def event(self, event: QEvent) -> bool:
        """Hear of a double-clicked file."""
        if event.type() != QEvent.Type.FileOpen:
            return super().event(event)
        if named := cast(QFileOpenEvent, event).file():  # none: the address of a page
            self._take([Path(named)])
        return True
