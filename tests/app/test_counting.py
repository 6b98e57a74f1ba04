"""How full the context is, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app import counting
from app.chat.model import Attachment
from app.counting import Counting
from engine.errors import Busy
from engine.protocol import Count, Counted
from tests.app.windows import Desk, until


@pytest.fixture(name="desk")
def loaded_desk(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    monkeypatch.setattr(counting, "_REST", 5)
    desk = Desk.make(tmp_path)
    yield desk
    desk.conversations.close()


@pytest.fixture(name="told")
def counts(desk: Desk) -> list[tuple[int, int, int]]:
    told: list[tuple[int, int, int]] = []
    desk.counting = Counting(desk.session)  # type: ignore[attr-defined]
    desk.counting.counted.connect(lambda *counted: told.append(counted))  # type: ignore[attr-defined]
    desk.load()
    until(lambda: told)
    told.clear()
    return told


def type_in(desk: Desk, text: str, *attachments: Attachment) -> Count:
    before = len(desk.bridge.of(Count))
    desk.counting.typed(text, attachments)  # type: ignore[attr-defined]
    until(lambda: len(desk.bridge.of(Count)) > before)
    return desk.bridge.of(Count)[-1]


def test_what_is_typed_in_a_new_chat_is_counted(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    asked = type_in(desk, "Hello there", Attachment("a.txt", "milk"))
    assert [m.role for m in asked.messages] == ["user"]
    assert "milk" in asked.messages[0].content
    desk.bridge.tell(Counted(12, 4096))
    assert told == [(12, 0, 4096)]


def test_the_conversation_is_counted_without_what_is_typed_and_with_it(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    desk.say("One", "First.")
    asked = type_in(desk, "Two")
    assert [m.content for m in asked.messages] == ["One", "First."]
    desk.bridge.tell(Counted(30, 4096))
    assert [m.content for m in desk.bridge.last.messages] == ["One", "First.", "Two"]
    desk.bridge.tell(Counted(37, 4096))
    assert told[-1] == (7, 30, 4096)


def test_sending_does_not_wait_for_a_count(desk: Desk, told: list[tuple[int, int, int]]) -> None:
    asked = type_in(desk, "Hello")
    assert desk.session.send("Hello")
    assert desk.bridge.stopped == [asked.id]
    desk.bridge.told.emit(Counted(5, 4096, id=asked.id))
    assert told == []


def test_what_was_sent_is_not_counted_as_typed_while_it_is_answered(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    desk.say("One", "First.")
    type_in(desk, "Two")
    desk.bridge.tell(Counted(30, 4096))
    desk.bridge.tell(Counted(37, 4096))
    assert desk.session.send("Two")
    desk.counting.typed("")  # type: ignore[attr-defined]
    assert told[-1] == (0, 30, 4096)


def test_a_count_of_what_was_taken_out_again_is_not_told(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    type_in(desk, "Hello")
    desk.counting.typed("")  # type: ignore[attr-defined]
    desk.bridge.tell(Counted(12, 4096))
    assert told == [(0, 0, 0)]


def test_a_count_that_is_refused_is_nobodys_business(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    type_in(desk, "Hello")
    desk.bridge.fail(Busy())
    assert desk.card is None
    assert told == []


def test_nothing_is_counted_while_a_reply_is_written(
    desk: Desk, told: list[tuple[int, int, int]], qtbot
) -> None:
    desk.session.send("Hello")
    counted = len(desk.bridge.of(Count))
    desk.counting.typed("More")  # type: ignore[attr-defined]
    qtbot.wait(30)
    assert len(desk.bridge.of(Count)) == counted


def test_a_huge_conversation_is_told_by_its_last_reply(
    desk: Desk, told: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_MOST_CHARACTERS", 3)
    desk.say("One", "First.")
    until(lambda: told)
    assert told[-1] == (0, 40, 4096)
    assert desk.bridge.of(Count) == []


def test_what_is_typed_in_a_huge_conversation_is_counted_alone(
    desk: Desk, told: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_MOST_CHARACTERS", 3)
    desk.say("One", "First.")
    asked = type_in(desk, "Two")
    assert [m.content for m in asked.messages] == ["Two"]
    desk.bridge.tell(Counted(9, 4096))
    assert told[-1] == (9, 40, 4096)


def test_a_huge_conversation_without_figures_is_not_told_by_another(
    desk: Desk, told: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.say("One", "First.")
    until(lambda: desk.bridge.of(Count))
    desk.bridge.tell(Counted(30, 4096))
    assert told[-1] == (0, 30, 4096)
    monkeypatch.setattr(counting, "_MOST_CHARACTERS", 3)
    other = desk.conversations.store.create()
    desk.conversations.store.add(other.id, "user", "A long story")
    desk.conversations.open(other.id)
    until(lambda: told[-1] != (0, 30, 4096))
    assert told[-1] == (0, 0, 0)


@pytest.mark.parametrize(
    "count", ["many", None, -1, 10**400, 2.5], ids=["word", "nothing", "less", "huge", "part"]
)
def test_figures_that_make_no_sense_tell_nothing_of_a_huge_conversation(
    desk: Desk,
    told: list[tuple[int, int, int]],
    monkeypatch: pytest.MonkeyPatch,
    count: object,
) -> None:
    monkeypatch.setattr(counting, "_MOST_CHARACTERS", 3)
    made = desk.conversations.store.create()
    figures = {"prompt_tokens": count, "tokens": 40}
    desk.conversations.store.add(made.id, "assistant", "A story", figures=figures)
    desk.conversations.open(made.id)
    until(lambda: told)
    assert told[-1] == (0, 40, 4096)


def test_nothing_is_known_once_the_engine_is_gone(
    desk: Desk, told: list[tuple[int, int, int]]
) -> None:
    desk.session.send("Hello")
    desk.bridge.die()
    assert told[-1] == (0, 0, 0)
