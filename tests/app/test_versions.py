"""Paging between the versions of a reply: what is shown, and what the engine is asked then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.chat.model import EntryView, Version
from app.phases import Mode, Phase
from engine.errors import DecodeFailed, Stopped
from engine.protocol import PLAIN, SPECULATIVE, End
from tests.app.windows import Desk
from tests.support.stub_bridge import done


@pytest.fixture(name="desk")
def desk_with_two_versions(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    desk.load()
    desk.session.send("One")
    figures = done("").figures
    desk.bridge.finish("First.", tokens=(11, 12), figures=replace(figures, tokens=7))
    regenerate(desk)
    desk.bridge.finish("Second.", tokens=(21, 22, 23))
    yield desk
    desk.conversations.close()


def regenerate(desk: Desk) -> None:
    desk.edits.regenerate(desk.session.views()[-1].id)


def last(desk: Desk) -> EntryView:
    return desk.session.views()[-1]


def place(desk: Desk) -> tuple[int, int] | None:
    shown = desk.edits.versions.shown
    return None if shown is None else (shown.place, shown.count)


def test_another_version_is_shown_with_all_that_is_known_of_it(desk: Desk) -> None:
    told: list[tuple[int, EntryView]] = []
    desk.edits.versions.turned.connect(lambda old, view: told.append((old, view)))
    second = last(desk)
    desk.edits.versions.turn(-1)
    assert place(desk) == (1, 2)
    assert told == [(second.id, last(desk))]
    assert (last(desk).text, last(desk).state) == ("First.", "complete")
    assert [view.figures["tokens"] for view in (last(desk), second)] == [7, 40]
    desk.edits.versions.turn(1)
    assert last(desk) == second


@pytest.mark.parametrize("step", [1, 2, -2])
def test_there_is_nothing_beyond_the_ends(desk: Desk, step: int) -> None:
    desk.edits.versions.turn(step)
    assert last(desk).text == "Second."


def test_the_next_message_is_answered_on_the_chosen_version_and_its_tokens(desk: Desk) -> None:
    desk.edits.versions.turn(-1)
    desk.session.send("Two")
    sent = [(m.content, m.tokens) for m in desk.bridge.last.messages]
    assert sent == [("One", ()), ("First.", (11, 12)), ("Two", ())]
    assert place(desk) is None


def test_a_cut_version_is_gone_on_with_though_a_later_one_is_aside(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.write("Half")
    desk.bridge.finish("Half", why=End.STOPPED, tokens=(31,))
    regenerate(desk)
    desk.bridge.finish("Fourth.")
    desk.edits.versions.turn(-1)
    desk.edits.go_on(last(desk).id)
    asked = desk.bridge.last.messages[-1]
    assert (asked.content, asked.tokens) == ("Half", (31,))
    desk.bridge.finish(" whole.", tokens=(31, 32))
    assert last(desk).text == "Half whole."
    assert place(desk) == (3, 4)


def test_a_reply_of_which_there_is_one_has_no_versions(desk: Desk) -> None:
    desk.conversations.begin()
    assert place(desk) is None
    desk.say("Hello")
    assert place(desk) is None
    desk.edits.versions.turn(-1)
    assert last(desk).text == "A reply."


def test_there_is_no_paging_where_a_reply_is_written(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.write("Thi")
    assert place(desk) is None
    desk.bridge.finish("Third.")
    assert place(desk) == (3, 3)


def test_while_another_chat_is_written_in_the_versions_are_told_and_stay(desk: Desk) -> None:
    first = desk.conversations.current
    assert first is not None
    desk.conversations.begin()
    desk.session.send("Elsewhere")
    desk.conversations.open(first.id)
    assert desk.edits.versions.shown == Version(last(desk).id, 2, 2, is_free=False)
    desk.edits.versions.turn(-1)
    assert last(desk).text == "Second."
    desk.bridge.finish("Done.")
    desk.edits.versions.turn(-1)
    assert last(desk).text == "First."


def test_while_models_are_loaded_the_version_stays(desk: Desk) -> None:
    pair = desk.life.pair
    assert pair is not None
    desk.life.load(pair, desk.session.settings)
    assert desk.session.phase is Phase.LOADING
    desk.edits.versions.turn(-1)
    assert last(desk).text == "Second."


# A new version that comes to nothing -------------------------------------------------------------


def test_a_version_that_is_stopped_before_its_first_word_leaves_the_one_before(desk: Desk) -> None:
    desk.edits.versions.turn(-1)
    shown: list[str] = []
    desk.conversations.opened.connect(lambda: shown.append(last(desk).text))
    regenerate(desk)
    shown.clear()
    desk.session.stop()
    desk.bridge.finish("", why=End.STOPPED, tokens=())
    assert shown == ["First."]
    assert place(desk) == (1, 2)


@pytest.mark.parametrize("error", [Stopped(), DecodeFailed(status=-3)])
def test_a_version_that_fails_before_its_first_word_leaves_the_one_before(
    desk: Desk, error: Exception
) -> None:
    regenerate(desk)
    desk.bridge.fail(error)
    assert last(desk).text == "Second."
    assert place(desk) == (2, 2)


def test_a_version_that_died_with_the_engine_leaves_the_one_before(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.die()
    assert last(desk).text == "Second."
    assert desk.session.phase is Phase.LOST
    desk.edits.versions.turn(-1)
    assert last(desk).text == "First."


def test_a_version_that_fails_after_its_first_word_stays(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.write("Thi")
    desk.bridge.fail(DecodeFailed(status=-3))
    assert (last(desk).text, last(desk).state) == ("Thi", "lost")
    assert place(desk) == (3, 3)


def test_a_version_that_is_empty_by_the_models_will_stays(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.finish("", tokens=())
    assert last(desk).text == ""
    assert place(desk) == (3, 3)


def test_in_another_chat_the_version_before_counts_without_a_word(desk: Desk) -> None:
    first = desk.conversations.current
    assert first is not None
    regenerate(desk)
    desk.conversations.begin()
    opened: list[None] = []
    desk.conversations.opened.connect(lambda: opened.append(None))
    desk.bridge.fail(DecodeFailed(status=-3))
    assert opened == []
    desk.conversations.open(first.id)
    assert last(desk).text == "Second."


def test_a_comparison_that_comes_to_nothing_leaves_the_version_before(desk: Desk) -> None:
    desk.session.choose_mode(Mode.COMPARE)
    regenerate(desk)
    desk.bridge.fail(DecodeFailed(status=-3))
    assert [view.text for view in desk.session.views()] == ["One", "Second."]
    assert place(desk) == (2, 2)


@pytest.mark.parametrize("lane", [SPECULATIVE, PLAIN])
def test_a_comparison_that_has_begun_is_the_next_version(desk: Desk, lane: str) -> None:
    desk.session.choose_mode(Mode.COMPARE)
    regenerate(desk)
    desk.bridge.write("Thi", lane)
    desk.bridge.fail(DecodeFailed(status=-3))
    assert [view.text for view in desk.session.views()] == ["One", "Thi"]
    assert place(desk) == (3, 3)


def test_undoing_before_the_first_word_brings_back_what_was_there_alone(desk: Desk) -> None:
    regenerate(desk)
    desk.undo()
    desk.bridge.fail(Stopped())
    assert [view.text for view in desk.session.views()] == ["One", "Second."]
    assert place(desk) == (2, 2)


def test_undoing_after_nothing_came_changes_nothing(desk: Desk) -> None:
    regenerate(desk)
    desk.bridge.fail(Stopped())
    desk.undo()
    assert [view.text for view in desk.session.views()] == ["One", "Second."]
    assert place(desk) == (2, 2)
