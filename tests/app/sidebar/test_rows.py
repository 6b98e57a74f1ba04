"""The list by day, and what a search found."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import Qt

from app.history import Conversation, Hit
from app.sidebar.rows import ROW, Kind, Rows, rows_by_day, rows_of_hits

TODAY = date(2026, 7, 15)


def chat(number: int, days_ago: int, title: str = "A chat") -> Conversation:
    moment = datetime(2026, 7, 15, 12, 0) - timedelta(days=days_ago)  # noqa: DTZ001 (local time)
    return Conversation(number, title, moment.timestamp(), moment.timestamp())


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("days_ago", "head"),
    [
        (-1, "TODAY"),
        (0, "TODAY"),
        (1, "YESTERDAY"),
        (2, "LAST 7 DAYS"),
        (6, "LAST 7 DAYS"),
        (7, "LAST 30 DAYS"),
        (29, "LAST 30 DAYS"),
        (60, "MAY"),
        (400, "JUNE 2025"),
    ],
)
def test_a_conversation_stands_under_its_day(days_ago: int, head: str) -> None:
    rows = rows_by_day([chat(1, days_ago)], TODAY, None)
    assert [(row.kind, row.text) for row in rows] == [(Kind.HEAD, head), (Kind.CHAT, "A chat")]


def test_days_are_not_repeated() -> None:
    rows = rows_by_day([chat(1, 0), chat(2, 0), chat(3, 1)], TODAY, busy=2)
    assert [row.kind for row in rows] == [
        Kind.HEAD, Kind.CHAT, Kind.CHAT, Kind.HEAD, Kind.CHAT,
    ]  # fmt: skip
    assert [row.is_busy for row in rows] == [False, False, True, False, False]


def test_one_without_a_title_is_called_new() -> None:
    assert rows_by_day([chat(1, 0, "")], TODAY, None)[1].text == "New chat"


def test_hits_have_their_snippets_and_marks() -> None:
    rows = rows_of_hits([Hit(4, 9, "Dates", "the parser splits", ((4, 10),))])
    assert rows[0].text == "1 FOUND"
    assert (rows[1].conversation, rows[1].entry, rows[1].marks) == (4, 9, ((4, 10),))
    assert rows_of_hits([]) == []


def test_a_head_cannot_be_chosen_and_only_a_chat_be_renamed() -> None:
    rows = Rows()
    rows.show([*rows_by_day([chat(1, 0)], TODAY, None), *rows_of_hits([Hit(1, 2, "T", "s", ())])])
    flags = [rows.flags(rows.index(i)) for i in range(rows.rowCount())]
    assert flags[0] == Qt.ItemFlag.NoItemFlags
    assert flags[1] & Qt.ItemFlag.ItemIsEditable
    assert flags[3] & Qt.ItemFlag.ItemIsSelectable
    assert not flags[3] & Qt.ItemFlag.ItemIsEditable
    assert rows.index_of(1).data(ROW).kind is Kind.CHAT
    assert not rows.index_of(7).isValid()
