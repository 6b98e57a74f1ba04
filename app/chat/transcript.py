"""The transcript: a conversation as it is read, and as its reply is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.chat.area import MessageArea
from app.chat.controls import Caption, Pictures, ink, page_width, put_on_clipboard
from app.chat.footer import CONTINUE, COPY, DELETE, REGENERATE
from app.chat.frames import Arrived, Frames
from app.chat.message import MessageWidget
from app.chat.model import EntryView, Version
from app.chat.pager import STEPS
from app.chat.rows import Row
from app.chat.tint import Legend
from app.theme import Role, Theme, Type
from engine.protocol import Piece, Token


class Transcript(QWidget):
    """Shows a conversation. Messages are told apart by the ids of their entries.

    Signals:
        copy_requested: This text is on the clipboard now.
        regenerate: The reply of this entry is to be written again.
        edit: This entry is to say this instead, and to be sent again.
        edits_changed: What stands in the editors of its messages is other than before.
        continue_: The reply of this entry is to go on.
        turn: The version of the last reply so many places on is to be shown.
        delete: This entry is to go.
        told: A sentence for screen readers that a person asked for.
        link_activated: A person pressed this http or https address.
        focus_left: The focus is to go on to the text box: there is nothing below.
    """

    copy_requested = Signal(str)
    regenerate = Signal(int)
    edit = Signal(int, str)
    edits_changed = Signal()
    continue_ = Signal(int)
    turn = Signal(int)
    delete = Signal(int)
    told = Signal(str)
    link_activated = Signal(str)
    focus_left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = Pictures(theme)
        self._rows: list[Row] = []
        self._is_tinted = False
        self._is_idle = True
        self._current: Row | None = None  # the one that the tab key goes into
        self._drafts: dict[int, str] = {}  # of messages in other conversations, being edited
        self._frames = Frames(self._grow, self)
        self._area = MessageArea(theme, self._make, self)
        self._area.setAccessibleName(self.tr("Conversation"))
        self._legend = Legend(theme, self)
        self._jump = QPushButton(self.tr("Jump to latest"), self)
        self._empty = Caption(theme, "", self, type_=Type.BODY, role=Role.FAINT)
        self._lay_out()
        self._style()
        self.set_placeholder()
        theme.changed.connect(self._restyle)
        self._watch_focus()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._legend)
        layout.addWidget(self._area, 1)
        self._area.setMinimumHeight(1)  # where there is little room the legend stays whole
        self._legend.hide()
        self._jump.hide()
        self._jump.clicked.connect(self.go_to_latest)
        self._area.followed.connect(lambda following: self._jump.setVisible(not following))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)

    # The conversation --------------------------------------------------------------------------

    def show_entries(self, entries: Sequence[EntryView]) -> None:
        """Show this conversation and no other, from its end."""
        self._frames.forget()
        self._current = None
        self._drafts |= self.edits
        self._rows = [Row(entry, draft=self._drafts.pop(entry.id, None)) for entry in entries]
        self._mark_last()
        self._area.show_rows(self._rows)
        self._show_whether_empty()

    @property
    def edits(self) -> dict[int, str]:
        """What stands in the editors of its messages, by their entries."""
        return {row.entry.id: row.draft for row in self._rows if row.draft is not None}

    def take_up_edits(self, edits: Mapping[int, str]) -> None:
        """Have messages that are shown next edited again, with what stood in their editors."""
        self._drafts |= edits

    def edit_entry(self, entry_id: int, text: str | None = None) -> None:
        """Have a person change what a message says; ``text``: what stands in its editor, where that
        is another one."""
        self.show_entry(entry_id)
        row = self._row(entry_id)
        if row is not None and row.widget is not None:
            row.widget.edit(row.text if text is None else text)

    def append(self, entry: EntryView) -> None:
        """Add a message at the end and go there."""
        self._rows.append(Row(entry))
        self._show_whether_empty()
        self._changed(len(self._rows) - 1)
        self._area.go_to_bottom()

    def show_version(self, old: int, entry: EntryView) -> None:
        """Show another version where the reply ``old`` stands; the keyboard stays where it is."""
        if (row := self._row(old)) is not None:
            row.become(entry)
            self._refresh(row)

    def set_version(self, version: Version | None) -> None:
        """Offer the other versions of this reply, and of no other."""
        for row in self._rows:
            its = version if version is not None and row.entry.id == version.entry else None
            if row.version != its:
                row.version, row.width = its, 0
                if row.widget is not None:
                    row.widget.refresh_footer()
                self._area.arrange()

    def remove(self, ids: int | Iterable[int]) -> None:
        """Take messages away."""
        gone = {ids} if isinstance(ids, int) else set(ids)
        for row in self._rows:
            if row.entry.id in gone:
                self._drop(row)
        self._rows[:] = [row for row in self._rows if row.entry.id not in gone]
        self._show_whether_empty()
        self._changed(0)

    def text(self, entry_id: int) -> str:
        """What a message says, as far as it is written."""
        row = self._row(entry_id)
        return row.text if row is not None else ""

    # A reply -----------------------------------------------------------------------------------

    def begin_reply(self, entry_id: int) -> None:
        """The reply of this entry is written from now on; what it says already is gone on with."""
        if (row := self._row(entry_id)) is not None:
            row.begin()
            self._refresh(row)
            self._area.go_to_bottom()

    def set_status(self, entry_id: int, words: str) -> None:
        """Say this under a reply while it is written, until its first word comes."""
        if (row := self._row(entry_id)) is not None:
            row.status = words
            if row.widget is not None:
                row.widget.refresh_footer()

    def write(self, entry_id: int, pieces: Sequence[Piece], tokens: Sequence[Token]) -> None:
        """Take in more of a reply. It is shown with the next frame."""
        self._frames.take(entry_id, pieces, tokens)

    def flush(self) -> None:
        """Show what has arrived without waiting for the next frame."""
        self._frames.flush()

    def finish(
        self, entry_id: int, state: str, figures_line: str = "", notes: Sequence[str] = ()
    ) -> None:
        """The reply is over, in one of the states of `EntryView`."""
        self._frames.flush()
        if (row := self._row(entry_id)) is not None:
            is_used = row.widget is not None and bool(row.widget.selected())
            row.end(state, figures_line, notes, in_use=is_used)
            self._refresh(row)

    def _grow(self, arrived: Mapping[int, Arrived]) -> None:
        for entry_id, more in arrived.items():
            row = self._row(entry_id)
            first = row.grow(more.pieces, more.tokens) if row is not None else None
            if row is not None and first is not None:
                row.width = 0
                if row.widget is not None:
                    row.widget.show_from(first)
                    row.widget.refresh_footer()
        self._area.arrange()

    # How it is shown ---------------------------------------------------------------------------

    def set_tint(self, is_on: bool) -> None:
        """Tint the words of replies by where their tokens came from."""
        self._is_tinted = is_on
        self._legend.setVisible(is_on)
        for widget in self._widgets():
            widget.set_tint(is_on)

    def set_idle(self, is_idle: bool) -> None:
        """Whether the engine is free: whether a reply may be asked for."""
        self._is_idle = is_idle
        for widget in self._widgets():
            widget.set_idle(is_idle)

    def set_follow(self, follows: bool) -> None:
        """Whether the end stays in view while a reply is written."""
        self._area.follows = follows

    def set_placeholder(self, words: str = "") -> None:
        """What stands where there are no messages yet; "": that there may be any."""
        self._empty.setText(words or self.tr("Ask anything. It stays on this computer."))

    def go_to_latest(self) -> None:
        """Show the end, and stay there while a reply is written."""
        self._area.go_to_bottom()

    def show_entry(self, entry_id: int) -> None:
        """Bring a message into view and give it the focus."""
        if (index := self._find(entry_id)) is not None:
            self._step_to(index)

    def focus_last(self) -> None:
        """Give the last message the focus."""
        self._step_to(len(self._rows) - 1)

    # Rows --------------------------------------------------------------------------------------

    def _find(self, entry_id: int) -> int | None:
        """The place of an entry; most that are asked for are at the end."""
        places = range(len(self._rows) - 1, -1, -1)
        return next((i for i in places if self._rows[i].entry.id == entry_id), None)

    def _row(self, entry_id: int) -> Row | None:
        index = self._find(entry_id)
        return self._rows[index] if index is not None else None

    def _widgets(self) -> list[MessageWidget]:
        return [row.widget for row in self._rows if row.widget is not None]

    def _drop(self, row: Row) -> None:
        self._area.drop(row)
        self._frames.forget(row.entry.id)
        self._current = None if row is self._current else self._current

    def _show_whether_empty(self) -> None:
        is_empty = not self._rows
        self._empty.setVisible(is_empty)
        self._let_in(not is_empty and self._current is None)

    def _changed(self, first: int) -> None:
        self._mark_last()
        self._area.rows_changed(first)

    def _mark_last(self) -> None:
        """Tell the last row that it is, the one that was that it is no more, and each whether there
        is anything that it could answer."""
        has_question = False
        for index, row in enumerate(self._rows):
            is_last = index == len(self._rows) - 1
            if (row.is_last, row.has_question) != (is_last, has_question):
                row.is_last, row.has_question = is_last, has_question
                if row.widget is not None:
                    row.widget.refresh_footer()
            has_question = has_question or row.is_typed

    def _refresh(self, row: Row) -> None:
        row.width = 0
        if row.widget is not None:
            row.widget.refresh()
        self._area.arrange()

    def _resize(self, row: Row) -> None:
        row.width = 0
        self._area.stay()  # what a person opens must not push itself out of view
        self._area.arrange()

    def _make(self, row: Row, parent: QWidget) -> MessageWidget:
        message = MessageWidget(self._theme, self._pictures, row, parent)
        if self._is_tinted:
            message.set_tint(True)
        message.set_idle(self._is_idle)
        message.acted.connect(lambda action: self._act(row, action))
        message.resent.connect(lambda text: self.edit.emit(row.entry.id, text))
        message.drafted.connect(self.edits_changed)
        message.resized.connect(lambda: self._resize(row))
        message.link.connect(self.link_activated)
        message.copied.connect(self._copy)
        message.stepped.connect(lambda step: self._step_to(self._rows.index(row) + step))
        message.walked.connect(
            lambda top, height: self._area.bring(self._rows.index(row), (top, height))
        )
        message.told.connect(self.told)
        return message

    def _act(self, row: Row, action: str) -> None:
        if action == COPY:
            self._copy(row.answer())
        elif action in STEPS:
            self.turn.emit(STEPS[action])
        else:
            wanted = {REGENERATE: self.regenerate, CONTINUE: self.continue_, DELETE: self.delete}
            wanted[action].emit(row.entry.id)

    def _copy(self, text: str) -> None:
        put_on_clipboard(text)
        self.copy_requested.emit(text)

    # The keyboard ------------------------------------------------------------------------------

    def _watch_focus(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._note_focus)

    def _step_to(self, index: int) -> None:
        if index >= len(self._rows):
            self.focus_left.emit()
        elif index >= 0:
            self._area.bring(index)
            widget = self._rows[index].widget
            if widget is not None:
                widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _note_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Keep one message on the tab key's way, and this widget only while none has the focus."""
        row = self._row_around(new)
        self._let_in(bool(self._rows) and row is None)
        if row is self._current:
            return
        if self._current is not None and self._current.widget is not None:
            self._current.widget.set_current(False)
        self._current = row
        if row is not None and row.widget is not None:
            QWidget.setTabOrder(self, row.widget)
            row.widget.set_current(True)

    def _let_in(self, is_wanted: bool) -> None:
        """Be on the tab key's way, to lead to the last message."""
        policy = Qt.FocusPolicy.TabFocus if is_wanted else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)

    def _row_around(self, widget: QWidget | None) -> Row | None:
        """The row whose message holds ``widget``."""
        while widget is not None and not isinstance(widget, MessageWidget):
            widget = widget.parentWidget()
        return widget.row if widget is not None and self.isAncestorOf(widget) else None

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        super().focusInEvent(event)
        self.focus_last()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Home:
            self._step_to(0)
        elif event.key() == Qt.Key.Key_End:
            self.go_to_latest()
            self.focus_last()
        elif event.key() == Qt.Key.Key_Escape:
            self.focus_left.emit()
        else:
            super().keyPressEvent(event)

    # Look --------------------------------------------------------------------------------------

    def _restyle(self) -> None:
        self._pictures = Pictures(self._theme)
        self._style()
        self._legend.restyle()
        self._area.rebuild()
        self._place()

    def _style(self) -> None:
        space = self._theme.space
        self._jump.setIcon(self._pictures.get("jump-down", Role.TEXT))
        self._jump.setIconSize(QSize(space(4), space(4)))
        self._jump.setFont(self._theme.font(Type.SECONDARY))
        self._empty.setFont(self._theme.font(Type.BODY))
        ink(self._empty, self._theme, Role.FAINT)

    def _place(self) -> None:
        """Put in their places what lies over the messages."""
        hint = self._jump.sizeHint()
        left = (self.width() - hint.width()) // 2
        top = self.height() - hint.height() - self._theme.space(3)
        self._jump.setGeometry(left, top, hint.width(), hint.height())
        width = page_width(self._theme, self.width())
        self._empty.setGeometry((self.width() - width) // 2, 0, width, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place()
