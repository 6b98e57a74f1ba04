"""A card that hangs below a button of the head, over everything, until it is left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from app import strokes
from app.theme import Role, Theme


class Popover(QFrame):
    """Esc, a click elsewhere or the keyboard going elsewhere closes it.

    Signals:
        closed: It is out of sight.
    """

    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget, name: str, width: float) -> None:
        """``width``: in units of space, as far as there is room."""
        super().__init__(window)
        self.theme = theme
        self._over, self._width = window, width
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.setAccessibleName(name)
        self.column = QVBoxLayout(self)
        theme.changed.connect(self.place)
        self.hide()

    def open_below(self, anchor: QWidget) -> None:
        """Show it below ``anchor``; where it hangs there already, close it."""
        if self.isVisible():
            self.close_quietly()
            return
        self._anchor = anchor
        self._before = self.window().focusWidget()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.installEventFilter(self)
        application.focusChanged.connect(self._follow_focus)
        self.show()
        self.raise_()
        self.place()
        self.focus()

    def focus(self) -> None:
        """Give the keyboard to the first control."""
        first = next((w for w in self.findChildren(QWidget) if _can_have_focus(w)), None)
        (first or self).setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Hide, and give the keyboard back to who had it."""
        before, self._before = self._before, None
        if not self._leave() or before is None:
            return
        if isValid(before) and before.isVisible():  # its message may be gone by now
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def place(self) -> None:
        """As wide and high as there is room for, below what it hangs from."""
        if not self.isVisible() or self._anchor is None:
            return
        space, over = self.theme.space, self._over
        width = min(space(self._width), over.width() - space(4))
        self.setFixedWidth(width)
        top = self._anchor.mapTo(over, QPoint(0, self._anchor.height())).y() + space(1)
        height = min(self.wanted_height(width), over.height() - top - space(4))
        self.setFixedHeight(max(height, space(20)))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        corner = self._anchor.mapTo(over, QPoint(0, 0)).x()
        left = corner + self._anchor.width() - width if rtl else corner
        self.move(max(space(2), min(left, over.width() - width - space(2))), top)

    def wanted_height(self, width: int) -> int:
        """How high it would be, with all there is to show."""
        hint = self.column.heightForWidth(width) if self.column.hasHeightForWidth() else -1
        return hint if hint >= 0 else self.sizeHint().height()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """The card."""
        painter = QPainter(self)
        fill, line = self.theme.color(Role.RAISED), self.theme.color(Role.BORDER)
        strokes.rounded(painter, self.rect().toRectF(), self.theme.space(3), fill, line)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Esc, wherever the keyboard is; clicks elsewhere; the window's size."""
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self.place()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            return self._take_escape(event)
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._take_click(event.globalPosition().toPoint())
        return False

    def _take_escape(self, event: QKeyEvent) -> bool:
        if QApplication.activePopupWidget() is not None or not self._has_focus():
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self.close_quietly()
            return True
        return False

    def _take_click(self, place: QPoint) -> None:
        is_inside = self.rect().contains(self.mapFromGlobal(place))
        anchor = self._anchor
        is_anchor = anchor is not None and anchor.rect().contains(anchor.mapFromGlobal(place))
        if not is_inside and not is_anchor and QApplication.activePopupWidget() is None:
            self._leave()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """The keyboard goes on to another part of the window: it was left."""
        elsewhere = new is not None and new.window() is self.window()
        if elsewhere and new not in (self, self._anchor) and not self._holds(new):
            self._leave()

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and self.isAncestorOf(widget)

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is None or focus is self or self._holds(focus)

    def _leave(self) -> bool:
        if not self.isVisible():
            return False
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.removeEventFilter(self)
        application.focusChanged.disconnect(self._follow_focus)
        self.hide()
        self.closed.emit()
        return True


def _can_have_focus(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isVisible()
