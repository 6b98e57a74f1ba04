"""The scrolling part of the transcript. Only messages in or near view exist as widgets.

The others are heights: guessed first, then as measured. What a person looks at stays where it is
while heights above it become known; at the bottom, the bottom stays.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from app.chat.controls import PAGE_COLUMNS, once, page_width
from app.chat.message import MessageWidget
from app.chat.rows import Row, guessed_height, tops
from app.theme import Theme, Type

_NEAR_BOTTOM = 4  # pixels that still count as the bottom
_KEEP_SCREENS = 3  # messages this far out of view are given up
_MOST_PASSES = 12

Make = Callable[[Row, QWidget], MessageWidget]


class MessageArea(QScrollArea):
    """Shows rows, from the bottom up.

    Signals:
        followed: Whether it is at the bottom and stays there.
    """

    followed = Signal(bool)

    def __init__(self, theme: Theme, make: Make, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._make = make
        self._rows: list[Row] = []
        self._tops: list[int] = [0]
        self._is_following = True
        self._anchor = (0, 0)  # the row at the top edge, and how much of it is above
        self._is_arranging = False
        self._is_jumping = False
        self._page = 0
        self.follows = True
        """Whether the bottom stays in view as the text grows."""
        self._sheet = QWidget()
        self._sheet.setAutoFillBackground(True)
        self._ahead = once(self, 0, self._make_ahead)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._sheet)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    # What it shows -----------------------------------------------------------------------------

    @property
    def is_following(self) -> bool:
        """Whether it is at the bottom and stays there as the text grows."""
        return self._is_following

    def show_rows(self, rows: list[Row]) -> None:
        """Show these rows, the last one at the bottom."""
        for row in self._rows:
            _give_up(row)
        self._rows = rows
        self._guess(0)
        self.go_to_bottom()

    def rows_changed(self, first: int) -> None:
        """Rows were added or taken away, from place ``first`` on."""
        self._guess(first)
        self.arrange()

    def drop(self, row: Row) -> None:
        """A row is about to go."""
        _give_up(row)

    def rebuild(self) -> None:
        """Make every widget anew: the theme is another."""
        self._sheet.setFont(self._theme.font(Type.BODY))
        for row in self._rows:
            _give_up(row)
            row.width = 0
        self._guess(0)
        self.arrange()

    def go_to_bottom(self) -> None:
        """Show the end, and stay there."""
        self._follow(True)
        self._is_jumping = True
        self.arrange()

    def stay(self) -> None:
        """Keep what is at the top edge where it is with the next change, even at the bottom."""
        self._follow(False)

    def bring(self, index: int, part: tuple[int, int] | None = None) -> None:
        """Bring the row at ``index`` into view and make its widget; ``part``: or as much of it,
        from so many pixels below its top on."""
        if not self._can_measure:
            return
        row = self._rows[index]
        self._measure(row)
        top, height = part or (0, row.height)
        value = self._value_for(self._tops[index] + top, height)
        if value != self.verticalScrollBar().value():
            self._follow(False)
            self._anchor_at(value)
        self.arrange()

    def _value_for(self, top: int, height: int) -> int:
        """Where the scroll bar must be to show this stretch, as near as possible to where it is."""
        value, view = self.verticalScrollBar().value(), self.viewport().height()
        if height > view:  # a good part of it is enough
            seen = min(top + height, value + view) - max(top, value)
            return value if seen > view // 3 else top
        return max(min(value, top), top + height - view)

    # Arranging ---------------------------------------------------------------------------------

    @property
    def _can_measure(self) -> bool:
        """Qt lays out nothing that is hidden. While this is being shown, the messages still are."""
        return self._sheet.isVisible()

    def arrange(self) -> None:
        """Make what is in view, measure it, and put everything in its place."""
        if self._is_arranging or not self._can_measure:
            return
        self._is_arranging = True
        try:
            self._arrange()
        finally:  # one message that cannot be shown must not keep the next ones away
            self._is_arranging = self._is_jumping = False
        self._note_bottom()
        self._ahead.start()

    def _arrange(self) -> None:
        self._page = page_width(self._theme, self.width())
        for _pass in range(_MOST_PASSES):
            self._tops = tops(self._rows, self._theme.space(6))
            top = self._wanted_top()
            if not self._measure_all(top, top + self.viewport().height()):
                break
        self._place(top)

    def _measure_all(self, top: int, bottom: int) -> bool:
        """Make and measure the rows in a stretch; whether a height is other than was thought."""
        changed = False
        for row in self._rows_within(top, bottom):
            changed |= self._measure(row)
        return changed

    def _measure(self, row: Row) -> bool:
        if row.widget is None:
            row.widget = self._make(row, self._sheet)
            row.width = 0
        if row.width == self._page:
            return False
        was, row.width = row.height, self._page
        row.widget.show()  # before it is measured: Qt lays out nothing that is hidden
        row.height = row.widget.arrange(row.width)
        return row.height != was

    def _place(self, top: int) -> None:
        width = self.viewport().width()
        for row, at in zip(self._rows, self._tops, strict=False):
            if row.widget is not None:  # in the middle whether there is a scroll bar or not
                place = QPoint((self.width() - row.widget.width()) // 2, at)
                if row.widget.pos() != place:
                    row.widget.move(place)
        height = max(self._content_height(), self.viewport().height())
        if self._sheet.size() != QSize(width, height):
            self._sheet.resize(width, height)
        self.verticalScrollBar().setValue(top)
        self._anchor_at(top)

    def _wanted_top(self) -> int:
        lowest = max(0, self._content_height() - self.viewport().height())
        if self._is_following and (self.follows or self._is_jumping):
            return lowest
        index, above = self._anchor
        return max(0, min(lowest, self._tops[min(index, len(self._rows))] + above))

    def _content_height(self) -> int:
        return self._tops[-1] + self._theme.space(4)

    def _rows_within(self, top: int, bottom: int) -> Sequence[Row]:
        first = max(0, bisect_right(self._tops, top) - 1)
        last = bisect_right(self._tops, bottom)
        return self._rows[first:last]

    def _guess(self, first: int) -> None:
        line = self._sheet.fontMetrics().lineSpacing()
        for row in self._rows[first:]:
            if row.width == 0:
                row.height = guessed_height(row, PAGE_COLUMNS, line)

    def _make_ahead(self) -> None:
        """Make one more message near the view while there is nothing else to do."""
        if not self._can_measure:
            return
        view = self.viewport().height()
        top = self.verticalScrollBar().value()
        for row in reversed(self._rows_within(top - view, top + 2 * view)):
            if row.widget is None or row.width != self._page:
                self._measure(row)
                self.arrange()
                return
        self._give_up_far(top - _KEEP_SCREENS * view, top + (_KEEP_SCREENS + 1) * view)

    def _give_up_far(self, top: int, bottom: int) -> None:
        near = set(map(id, self._rows_within(top, bottom)))
        for row in self._rows:
            if row.widget is not None and id(row) not in near and not _is_in_use(row):
                _give_up(row)

    # Scrolling ---------------------------------------------------------------------------------

    def _scrolled(self, value: int) -> None:
        if self._is_arranging:
            return
        self._anchor_at(value)
        self._note_bottom()
        self.arrange()

    def _anchor_at(self, value: int) -> None:
        index = max(0, bisect_right(self._tops, value) - 1)
        self._anchor = (index, value - self._tops[index])

    def _note_bottom(self) -> None:
        bar = self.verticalScrollBar()
        at_bottom = bar.value() >= bar.maximum() - _NEAR_BOTTOM
        if not self._is_arranging and at_bottom != self._is_following:
            self._follow(at_bottom)

    def _follow(self, is_following: bool) -> None:
        if not is_following:
            self._anchor_at(self.verticalScrollBar().value())
        if is_following != self._is_following:
            self._is_following = is_following
            self.followed.emit(is_following)

    # Qt ----------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        self._is_arranging = True  # where the scroll bar goes now is nobody's wish
        super().resizeEvent(event)
        self._is_arranging = False
        self.arrange()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._sheet.setFont(self._theme.font(Type.BODY))
        self.arrange()


def _give_up(row: Row) -> None:
    """Let go of a row's widget; its height is remembered."""
    if row.widget is not None:
        row.had_focus = _has_focus(row.widget)
        row.widget.hide()
        row.widget.deleteLater()
        row.widget = None


def _is_in_use(row: Row) -> bool:
    """Whether a person has the focus or an editor in it."""
    has_focus = row.widget is not None and _has_focus(row.widget)
    return has_focus or row.draft is not None


def _has_focus(widget: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and (widget is focus or widget.isAncestorOf(focus))
