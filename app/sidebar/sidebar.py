"""The pane at the left: find a chat, open it, begin one."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.actions import Actions, shown
from app.controls import IconButton, Text, margins
from app.conversations import Conversations
from app.icons import icon
from app.sidebar.painting import RowPainter
from app.sidebar.rows import ROW, Kind, Row, Rows, rows_by_day, rows_of_hits
from app.theme import Role, Theme, Type

_MORE = (
    "view.palette", None,
    "chat.settings", "chat.import", "chat.export-markdown", "chat.export-json", None,
    "view.tint", "view.larger", "view.smaller", None,
    "help.shortcuts", "help.network", "help.about", None,
    "app.quit",
)  # fmt: skip
_SEARCH_AFTER = 120  # milliseconds of rest in the search box


class ChatList(QListView):
    """The list itself: Return opens, Del deletes, F2 renames; Backspace does nothing.

    Signals:
        opened: The Row that a person wants to see.
        deleted: The Row that a person wants gone.
    """

    opened = Signal(object)
    deleted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setItemDelegate(RowPainter(theme, self))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)

    @property
    def is_renaming(self) -> bool:
        """Whether a person is changing a title: its box would go with a change of the rows."""
        return self.state() is QAbstractItemView.State.EditingState

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Delete is undone easily; Backspace is pressed too easily."""
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and index.isValid():
            self.deleted.emit(index.data(ROW))
            return
        super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.data(ROW))


class Sidebar(QWidget):
    """The conversations by day, a search over all of them, and the way to the settings.

    Signals:
        opened: The conversation and the entry (or None) that a person wants to see.
        deleted: The conversation that a person wants gone.
    """

    opened = Signal(int, object)
    deleted = Signal(int)

    def __init__(
        self,
        theme: Theme,
        actions: Actions,
        conversations: Conversations,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions = actions
        self._conversations = conversations
        self._busy: int | None = None
        self._rows = Rows(self)
        self._build()
        self._lay_out()
        conversations.listed.connect(self.refresh)
        conversations.opened.connect(self._mark_open)
        theme.changed.connect(self._lay_out)
        self.refresh()

    def refresh(self) -> None:
        """Show the list, or what the search finds, as it is now; if a title is being changed, once
        that is done."""
        if self.list.is_renaming:
            return
        sought = self.search.text().strip()
        if sought:
            rows = rows_of_hits(self._conversations.search(sought))
            empty = self.tr("Nothing found for “{text}”.").format(text=sought)
        else:
            rows = self._by_day()
            empty = self.tr("Your chats will be listed here. They stay on this computer.")
        self._rows.show(rows)
        self._empty.setText(empty)
        self._stack.setCurrentIndex(0 if rows else 1)
        self._mark_open()

    def set_busy(self, conversation: int | None) -> None:
        """Mark the conversation in which a reply is being written."""
        if conversation != self._busy:
            self._busy = conversation
            self.refresh()

    def go_to_search(self) -> None:
        """Go to the search box."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def rename(self, conversation: int) -> None:
        """Let a person change a title, in its row."""
        self.search.clear()
        self.refresh()
        index = self._rows.index_of(conversation)
        if index.isValid():
            self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.list.setCurrentIndex(index)
            self.list.edit(index)

    @property
    def chosen(self) -> int | None:
        """The conversation of the row that the keyboard is on."""
        row = self.list.currentIndex().data(ROW) if self.list.hasFocus() else None
        return None if row is None or row.kind is Kind.HEAD else row.conversation

    def neighbour(self, step: int) -> int | None:
        """The conversation ``step`` rows below the open one, the last following the first."""
        ids = [each.id for each in self._conversations.store.conversations()]
        current = self._conversations.current
        if not ids:
            return None
        if current is None or current.id not in ids:
            return ids[0 if step > 0 else -1]
        return ids[(ids.index(current.id) + step) % len(ids)]

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme
        self._hide = self._button("panel-left", "view.sidebar", self.tr("Hide the chats"))
        self._new = self._button("new-chat", "chat.new", self.tr("New chat"))
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setAccessibleName(self.tr("Search chats"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            icon(theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self._rest = QTimer(self, singleShot=True, interval=_SEARCH_AFTER)
        self._rest.timeout.connect(self.refresh)
        self.search.textChanged.connect(self._wait)
        self.search.returnPressed.connect(self._go_to_list)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search, self._leave_search)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        self._build_list()
        self._settings = QPushButton(self.tr("Settings"), self)
        self._settings.setProperty("look", "quiet")
        self._settings.setIcon(icon(theme, "settings", Role.SECONDARY))
        self._settings.clicked.connect(self._actions["app.settings"].trigger)
        self._more = IconButton(theme, "more", self.tr("More"), parent=self)
        self._more.clicked.connect(self._show_more)

    def _build_list(self) -> None:
        self.list = ChatList(self._theme, self)
        self.list.setAccessibleName(self.tr("Chats"))
        self.list.setModel(self._rows)
        self.list.opened.connect(lambda row: self.opened.emit(row.conversation, row.entry))
        self.list.deleted.connect(lambda row: self.deleted.emit(row.conversation))
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.itemDelegate().commitData.connect(self._rename)
        self.list.itemDelegate().closeEditor.connect(self.refresh)
        self._empty = Text(self._theme, "", Type.SECONDARY, Role.FAINT, wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)

    def _button(self, drawing: str, action: str, name: str) -> IconButton:
        button = IconButton(self._theme, drawing, name, parent=self)
        button.set_name(name, shown(self._actions[action].shortcut()))
        button.clicked.connect(self._actions[action].trigger)
        return button

    def _lay_out(self) -> None:
        space = self._theme.space
        if self.layout() is None:
            QVBoxLayout(self)
            head = QHBoxLayout()
            head.addWidget(self._hide)
            head.addStretch()
            head.addWidget(self._new)
            self._stack = QStackedLayout()
            self._stack.addWidget(self.list)
            self._stack.addWidget(self._empty)
            column = self.layout()
            assert isinstance(column, QVBoxLayout)
            column.addLayout(head)
            column.addWidget(self.search)
            column.addLayout(self._stack, 1)
            foot = QHBoxLayout()
            foot.addWidget(self._settings)
            foot.addStretch()
            foot.addWidget(self._more)
            column.addLayout(foot)
        column = self.layout()
        assert column is not None
        column.setContentsMargins(margins(self, space(3), space(2.5), space(1), space(3)))
        # Its picture stands below those of the list's rows.
        self._settings.setFixedWidth(self._settings.sizeHint().width() - space(3))
        column.setSpacing(space(2))
        self._empty.setContentsMargins(space(2.5), space(3), space(2.5), 0)

    # Reacting ------------------------------------------------------------------------------------

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Nobody looks; and where the window has closed, nothing can be looked up."""
        super().hideEvent(event)
        self._rest.stop()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """What was sought meanwhile is found now."""
        super().showEvent(event)
        if self.search.text():
            self._rest.start()

    def _by_day(self) -> list[Row]:
        with self._conversations.telling():
            listed = self._conversations.store.conversations()
            return rows_by_day(listed, date.today(), self._busy)  # noqa: DTZ011 (the user's day)
        return []

    def _wait(self) -> None:
        self._rest.start()

    def _mark_open(self) -> None:
        if self.list.is_renaming:
            return
        if self.search.text().strip():
            return  # a chat may be found at many places, and the best ones are at the top
        current = self._conversations.current
        index = self._rows.index_of(current.id if current else None)
        self.list.setCurrentIndex(index)
        if not index.isValid():
            self.list.clearSelection()

    def _leave_search(self) -> None:
        if self.search.text():
            self.search.clear()
        else:
            self._actions["view.write"].trigger()

    def _go_to_list(self) -> None:
        self.refresh()
        first = next((i for i in range(self._rows.rowCount()) if self._is_choice(i)), None)
        if first is not None:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            self.list.setCurrentIndex(self._rows.index(first))

    def _is_choice(self, row: int) -> bool:
        kind: Kind = self._rows.index(row).data(ROW).kind
        return kind is not Kind.HEAD

    def _rename(self, editor: QWidget) -> None:
        row = self.list.currentIndex().data(ROW)
        if isinstance(editor, QLineEdit) and row is not None and editor.text() != row.text:
            self._conversations.rename(row.conversation, editor.text())

    def _show_more(self) -> None:
        """What has no button elsewhere, for those who look for it with the mouse."""
        menu = self._actions.menu(self, _MORE)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._more.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _show_menu(self, place: QPoint) -> None:
        index = self.list.indexAt(place)
        row = index.data(ROW) if index.isValid() else None
        if row is None or row.kind is Kind.HEAD:
            return
        self.opened.emit(row.conversation, row.entry)
        ids = ("chat.rename", "chat.settings", None, "chat.export-markdown", "chat.export-json")
        menu = self._actions.menu(self, (*ids, None, "chat.delete"))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(place))
