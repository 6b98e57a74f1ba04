"""The command palette: every command by a few letters of its name, without the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QIcon, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app import fuzzy, strokes
from app.actions import Actions, also, menu_title, plain_title, shown
from app.controls import Rule, Text
from app.icons import icon
from app.theme import Role, Theme, Type

_Index = QModelIndex | QPersistentModelIndex

_WIDEST = 140  # units of space
_ROWS = 9
_PLACE = 100.0
_ENTRY = Qt.ItemDataRole.UserRole
_Span = tuple[int, int]


@dataclass(frozen=True)
class Entry:
    """One line: what it is, where it belongs, its keys, what choosing it does.

    ``also``: other words by which it is found.
    """

    title: str
    run: Callable[[], object]
    place: str = ""
    keys: str = ""
    icon: QIcon = field(default_factory=QIcon)
    also: str = ""


def of_actions(actions: Actions) -> list[Entry]:
    """An entry for every action that can be done now, but the palette's own."""
    return [
        Entry(
            plain_title(action),
            action.trigger,
            menu_title(row.menu),
            shown(action.shortcut()),
            action.icon(),
            also(row),
        )
        for row, action in actions
        if action.isEnabled() and row.id != "view.palette"
    ]


def _score(text: str, entry: Entry) -> float | None:
    """How well an entry fits; where it belongs counts only if its other words do not.

    Of those only whole beginnings count: letters that happen to be in them tell nothing.
    """
    by_title = fuzzy.score(text, entry.title)
    sought, known = text.casefold().split(), entry.also.casefold().split()
    if sought and all(any(word.startswith(each) for word in known) for each in sought):
        by_other = fuzzy.score(text, entry.also)
        return max(score for score in (by_title, by_other) if score is not None)
    if by_title is not None:
        return by_title
    found = fuzzy.score(text, f"{entry.title} {entry.place}")
    return None if found is None else found - _PLACE


class _Found(QAbstractListModel):
    """The entries that match, best first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: Sequence[Entry] = ()
        self._found: list[Entry] = []

    def offer(self, entries: Iterable[Entry]) -> None:
        self._all = tuple(entries)
        self.look_for("")

    def look_for(self, text: str) -> None:
        scored = [(_score(text, entry), entry) for entry in self._all]
        hits = [(points, entry) for points, entry in scored if points is not None]
        if text.strip():
            hits.sort(key=lambda hit: -hit[0])
        self.beginResetModel()
        self._found = [entry for _points, entry in hits]
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 (Qt's name)
        return 0 if parent is not None and parent.isValid() else len(self._found)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self._found[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.title, entry.place, entry.keys) if part)
        return entry if role == _ENTRY else None


class _Line(QStyledItemDelegate):
    """Draws an entry: its icon and title, then quietly where it belongs, and its keys."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802
        return QSize(self._theme.space(50), self._theme.space(9))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme, entry = self._theme, index.data(_ENTRY)
        if option.state & QStyle.StateFlag.State_Selected:
            row = QRectF(option.rect)
            strokes.rounded(painter, row, theme.space(2), theme.color(Role.HOVER))
        left, right = option.rect.left() + theme.space(3), option.rect.right() - theme.space(3)
        side = theme.space(4.5)
        place = QRect(left, option.rect.top(), side, option.rect.height())
        entry.icon.paint(painter, QStyle.visualRect(option.direction, option.rect, place))
        left += side + theme.space(3)
        right -= self._keys(painter, option, (left, right), entry.keys)
        left += self._words(painter, option, (left, right), (entry.title, Type.BODY, Role.TEXT))
        left += theme.space(2)
        if self._width(entry.place, Type.SECONDARY) <= right - left:
            told = (entry.place, Type.SECONDARY, Role.FAINT)
            self._words(painter, option, (left, right), told)

    def _keys(self, painter: QPainter, option: QStyleOptionViewItem, span: _Span, keys: str) -> int:
        """Draw the keys at the end of the line; the room they take."""
        if not keys:
            return 0
        start = span[1] - self._width(keys, Type.SECONDARY)
        told = (keys, Type.SECONDARY, Role.FAINT)
        self._words(painter, option, (start, span[1]), told)
        return span[1] - start + self._theme.space(3)

    def _words(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        span: _Span,
        told: tuple[str, Type, Role],
    ) -> int:
        """Draw a text from the beginning of ``span``, mirrored where lines run so; its width."""
        text, type_, role = told
        width = min(self._width(text, type_), span[1] - span[0] + 1)
        place = QRect(span[0], option.rect.top(), width, option.rect.height())
        painter.setFont(self._theme.font(type_))
        painter.setPen(self._theme.color(role))
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        where = QStyle.visualRect(option.direction, option.rect, place)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, elided)
        return width

    def _width(self, text: str, type_: Type) -> int:
        return QFontMetrics(self._theme.font(type_)).horizontalAdvance(text) + 1


class Palette(QFrame):
    """A field and the commands that match, over the window until one is chosen or Esc is hit."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._over = theme, window
        self._before: QWidget | None = None
        self.setAccessibleName(self.tr("Command palette"))
        self._model = _Found(self)
        self._line = QLineEdit(self)
        self._list = QListView(self)
        self._nothing = Text(theme, self.tr("No command is called that."), role=Role.SECONDARY)
        self._lay_out()
        self._line.textChanged.connect(self._look)
        self._list.clicked.connect(self._choose)
        theme.changed.connect(self._measure)
        window.installEventFilter(self)
        self._line.installEventFilter(self)
        self.hide()

    def open(self, entries: Iterable[Entry]) -> None:
        """Show ``entries`` and wait for letters."""
        if not self.isVisible():  # else its keys were hit once more
            self._before = self.window().focusWidget()
        self._model.offer(entries)
        self._line.clear()
        self._look("")
        self.show()
        self.raise_()
        self._line.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Hide, and give the keyboard back to who had it."""
        self.hide()
        if self._before is not None and isValid(self._before):  # its message may be gone by now
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Keys of the field that belong to the list; the window's size; a click elsewhere."""
        if watched is self._line:
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
                self._claim(event)
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._press(Qt.Key(event.key()))
            if event.type() == QEvent.Type.FocusOut and self.isVisible():
                self.hide()
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._measure()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """A card over everything."""
        painter = QPainter(self)
        fill, line = self._theme.color(Role.RAISED), self._theme.color(Role.BORDER)
        strokes.rounded(painter, self.rect().toRectF(), self._theme.space(3), fill, line)
        painter.end()

    def _claim(self, event: QKeyEvent) -> None:
        """Esc is the palette's own here, not the reply's. What has Ctrl in it stays a shortcut."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.accept()

    def _press(self, key: Qt.Key) -> bool:
        moves = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: _ROWS,
            Qt.Key.Key_PageUp: -_ROWS,
            Qt.Key.Key_Tab: 1,
            Qt.Key.Key_Backtab: -1,
        }
        if key in moves:
            self._move(moves[key])
        elif key == Qt.Key.Key_Escape:
            self.close_quietly()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._list.currentIndex())
        else:
            return False
        return True

    def _move(self, rows: int) -> None:
        count = self._model.rowCount()
        if count:
            at = self._list.currentIndex().row() + rows
            at = at % count if abs(rows) == 1 else min(count - 1, max(0, at))
            self._list.setCurrentIndex(self._model.index(at, 0))

    def _choose(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if isinstance(entry, Entry):
            self.close_quietly()
            entry.run()

    def _look(self, text: str) -> None:
        self._model.look_for(text)
        self._list.setCurrentIndex(self._model.index(0, 0))
        found = self._model.rowCount() > 0
        self._list.setVisible(found)
        self._nothing.setVisible(not found)
        self._measure()

    def _lay_out(self) -> None:
        self._line.setPlaceholderText(self.tr("What do you want to do?"))
        self._line.setAccessibleName(self.tr("Search commands"))
        self._line.setFrame(False)
        self._line.addAction(
            icon(self._theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Line(self._theme, self))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName(self.tr("Commands"))
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._line)
        self._column.addWidget(Rule(self._theme))
        self._column.addWidget(self._nothing)
        self._column.addWidget(self._list)

    def _measure(self) -> None:
        """In the middle of the window's upper half, as wide and high as it may be."""
        space, window = self._theme.space, self._over
        self._column.setContentsMargins(*[space(2)] * 4)
        self._column.setSpacing(space(1))
        self._nothing.setContentsMargins(space(3), space(2), space(3), space(2))
        self._line.setFixedHeight(space(9))
        self._list.setFixedHeight(space(9) * min(_ROWS, max(1, self._model.rowCount())))
        self._column.activate()
        width = min(space(_WIDEST), window.width() - space(8))
        height = min(self.sizeHint().height(), window.height() - space(8))
        top = max(space(4), min(space(20), (window.height() - height) // 3))
        self.setGeometry((window.width() - width) // 2, top, width, height)
