"""What the list of conversations consists of: heads of days, chats, and what a search found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum, auto
from itertools import groupby
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.history import Conversation, Hit
from app.tips import plain_tip

translate = QCoreApplication.translate

ROW = Qt.ItemDataRole.UserRole
"""The `Row` behind an index."""

_Index = QModelIndex | QPersistentModelIndex


class Kind(Enum):
    """What a row is."""

    HEAD = auto()
    CHAT = auto()
    HIT = auto()


@dataclass(frozen=True)
class Row:
    """One row. ``marks``: ranges of ``snippet`` that match; ``entry``: None for a title's hit."""

    kind: Kind
    text: str
    conversation: int = 0
    entry: int | None = None
    snippet: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    is_busy: bool = False


class Rows(QAbstractListModel):
    """The rows of the list."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()

    def show(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's way)
        """How many there are."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What views and screen readers ask."""
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return " ".join(filter(None, (row.text, row.snippet)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(row.text) if row.kind is Kind.CHAT else None
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """A head can be neither chosen nor changed; a found place is not renamed."""
        kind = self._rows[index.row()].kind
        if kind is Kind.HEAD:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if kind is Kind.CHAT else flags

    def index_of(self, conversation: int | None) -> QModelIndex:
        """Where a conversation stands; an invalid index where it does not."""
        found = (
            i
            for i, row in enumerate(self._rows)
            if row.kind is not Kind.HEAD and row.conversation == conversation
        )
        return self.index(next(found, -1))


def rows_by_day(conversations: Iterable[Conversation], today: date, busy: int | None) -> list[Row]:
    """Every conversation under the head of its day, the newest first."""
    rows: list[Row] = []
    for head, members in groupby(conversations, lambda each: _day(each, today)):
        rows.append(Row(Kind.HEAD, head))
        rows += [_chat(each, is_busy=each.id == busy) for each in members]
    return rows


def rows_of_hits(hits: Sequence[Hit]) -> list[Row]:
    """What a search found, under one head."""
    head = translate("Sidebar", "{n} found").format(n=len(hits))
    return [Row(Kind.HEAD, _head(head)), *_hits(hits)] if hits else []


def _hits(hits: Iterable[Hit]) -> Iterator[Row]:
    for hit in hits:
        title = hit.title or translate("Sidebar", "New chat")
        if hit.entry is None:
            yield Row(Kind.HIT, title, hit.conversation, None, hit.snippet, hit.marks)
        else:
            yield Row(Kind.HIT, title, hit.conversation, hit.entry, hit.snippet, hit.marks)


def _chat(conversation: Conversation, *, is_busy: bool) -> Row:
    title = conversation.title or translate("Sidebar", "New chat")
    return Row(Kind.CHAT, title, conversation.id, is_busy=is_busy)


def _day(conversation: Conversation, today: date) -> str:
    day = datetime.fromtimestamp(conversation.updated).astimezone().date()
    if day >= today:
        return _head(translate("Sidebar", "Today"))
    if day == today - timedelta(days=1):
        return _head(translate("Sidebar", "Yesterday"))
    if day > today - timedelta(days=7):
        return _head(translate("Sidebar", "Last 7 days"))
    if day > today - timedelta(days=30):
        return _head(translate("Sidebar", "Last 30 days"))
    form = "MMMM" if day.year == today.year else "MMMM yyyy"
    return _head(QLocale().toString(day, form))  # type: ignore[call-overload]


def _head(text: str) -> str:
    return text.upper()
