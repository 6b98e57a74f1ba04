"""Selecting across the segments of a message: they are widgets of their own, but read as one text.

Within a segment Qt selects. When the mouse leaves the one where the button went down, this goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit

_Move = QTextCursor.MoveOperation
_Keep = QTextCursor.MoveMode.KeepAnchor


class Selecting(QObject):
    """Watches the text views of one message.

    Signals:
        copied: What is selected is to be put on the clipboard.
    """

    copied = Signal(str)

    def __init__(
        self, views: Callable[[], Sequence[QTextEdit]], parent: QObject | None = None
    ) -> None:
        """``views``: those of the message at any time, from the top."""
        super().__init__(parent)
        self._views = views
        self._watched: set[QTextEdit] = set()
        self._origin: QTextEdit | None = None

    def watch(self) -> None:
        """Look at views that are new."""
        views = set(self._views())
        for view in views - self._watched:
            view.installEventFilter(self)
            view.viewport().installEventFilter(self)
        self._watched = views

    def text(self) -> str:
        """What is selected."""
        parts = (view.textCursor().selection().toPlainText() for view in self._views())
        return "\n\n".join(filter(None, parts))

    def clear(self, but: QTextEdit | None = None) -> None:
        """Select nothing, except in one view."""
        for view in self._views():
            cursor = view.textCursor()
            if view is not but and cursor.hasSelection():
                cursor.clearSelection()
                view.setTextCursor(cursor)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        kind = event.type()
        if isinstance(event, QMouseEvent):
            view = next((v for v in self._views() if v.viewport() is watched), None)
            if view is not None and kind == QEvent.Type.MouseButtonPress:
                self._begin(view, event)
            elif view is not None and kind == QEvent.Type.MouseMove and view is self._origin:
                return self._drag(view, event)
            elif kind == QEvent.Type.MouseButtonRelease:
                self._origin = None
        elif isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress:
            return self._copies(event)
        return False

    def _begin(self, view: QTextEdit, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._origin = view
            self.clear(but=view)

    def _drag(self, origin: QTextEdit, event: QMouseEvent) -> bool:
        """Extend the selection to the mouse; True where Qt has nothing left to do."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        at = event.globalPosition().toPoint()
        inside = origin.viewport().mapFromGlobal(at).y()
        if 0 <= inside < origin.viewport().height():
            self.clear(but=origin)
            return False
        down = inside > 0
        views = list(self._views()) if down else list(reversed(self._views()))
        index = views.index(origin)
        _select_to_end(origin, down=down)
        for view in views[index + 1 :]:
            _select_towards(view, at, down=down)
        return True

    def _copies(self, event: QKeyEvent) -> bool:
        """Copy all of the selection, where Qt would copy one view's part of it."""
        chosen = self.text()
        if chosen and event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit(chosen)
            return True
        return False


def _select_to_end(view: QTextEdit, *, down: bool) -> None:
    cursor = view.textCursor()
    cursor.movePosition(_Move.End if down else _Move.Start, _Keep)
    view.setTextCursor(cursor)


def _select_towards(view: QTextEdit, at: QPoint, *, down: bool) -> None:
    """Select a view as far as the mouse has come: all, a part or nothing of it."""
    point = view.viewport().mapFromGlobal(at)
    beyond = point.y() >= view.viewport().height() if down else point.y() < 0
    before = point.y() < 0 if down else point.y() >= view.viewport().height()
    cursor = view.textCursor()
    cursor.movePosition(_Move.Start if down else _Move.End)
    if beyond:
        cursor.movePosition(_Move.End if down else _Move.Start, _Keep)
    elif not before:
        cursor.setPosition(view.cursorForPosition(point).position(), _Keep)
    view.setTextCursor(cursor)
