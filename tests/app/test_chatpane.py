"""The chat in the window: its box, its bar, what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.cards import Card, Offer
from app.chat.model import Attachment
from app.chatpane import ChatPane
from app.drafts import Drafts
from app.jobs import Jobs
from app.models.room import Models
from app.phases import MOST_EXACT_GAMMA, Mode
from app.theme import Theme
from engine.errors import DecodeFailed, PromptTooLong, Stopped
from engine.protocol import End
from tests.app.windows import Desk

DEATH = Card("The engine stopped.", "signal 9", (Offer.RELOAD,), code="worker-died")
NOTES = Attachment("notes.txt", "milk")


@pytest.fixture(name="pane")
def chat_pane(desk: Desk, installed: Theme, qtbot) -> Iterator[ChatPane]:
    jobs = Jobs()
    models = Models.assemble(jobs, desk.session.choices, desk.life)
    pane = ChatPane(installed, desk.session, desk.edits, models)
    qtbot.addWidget(pane)
    pane.resize(900, 700)
    pane.show()
    yield pane
    pane.counting.stop()
    models.fetches.close()
    jobs.close()


@pytest.fixture(name="heard")
def announced(pane: ChatPane) -> list[str]:
    heard: list[str] = []
    pane.announced.connect(heard.append)
    return heard


def write(pane: ChatPane, text: str) -> None:
    """Type a message and press Enter."""
    pane.composer.box.setPlainText(text)
    QTest.keyClick(pane.composer.box, Qt.Key.Key_Return)


def said(pane: ChatPane) -> list[str]:
    pane.transcript.flush()
    return [row.text for row in pane.transcript._rows]


def compare(desk: Desk) -> None:
    desk.session.choose_mode(Mode.COMPARE)
    assert desk.session.send("Hello")


# The box -----------------------------------------------------------------------------------------


def test_a_message_that_is_too_long_comes_back_before_what_was_typed_since(
    desk: Desk, pane: ChatPane
) -> None:
    pane.composer.attach(NOTES)
    write(pane, "A novel")
    pane.composer.box.setPlainText("and more")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert pane.composer.text == "A novel\n\nand more"
    assert pane.composer.attachments == [NOTES]
    assert said(pane) == []


def test_a_message_that_is_too_long_waits_in_its_own_chat(desk: Desk, pane: ChatPane) -> None:
    pane.composer.attach(NOTES)
    write(pane, "A novel")
    first = desk.conversations.current
    assert first is not None
    desk.conversations.begin()
    pane.composer.box.setPlainText("an idea")
    desk.bridge.fail(PromptTooLong(tokens=9000, limit=4096))
    assert (pane.composer.text, pane.composer.attachments) == ("an idea", [])
    desk.conversations.open(first.id)
    assert (pane.composer.text, pane.composer.attachments) == ("A novel", [NOTES])
    desk.conversations.begin()
    assert (pane.composer.text, pane.composer.attachments) == ("an idea", [])


def test_what_is_typed_in_a_new_chat_stays_with_it_once_it_has_settings(
    desk: Desk, pane: ChatPane
) -> None:
    pane.composer.attach(NOTES)
    pane.composer.box.setPlainText("an idea")
    desk.conversations.set_system("Be brief.")
    first = desk.conversations.current
    assert first is not None
    desk.conversations.opened.emit()
    assert (pane.composer.text, pane.composer.attachments) == ("an idea", [NOTES])
    desk.conversations.begin()
    assert (pane.composer.text, pane.composer.attachments) == ("", [])
    desk.conversations.open(first.id)
    assert (pane.composer.text, pane.composer.attachments) == ("an idea", [NOTES])


def test_what_was_sent_is_no_draft_any_more(desk: Desk, pane: ChatPane) -> None:
    pane.composer.attach(NOTES)
    pane._keep_attachments()
    write(pane, "What is this?")
    current = desk.conversations.current
    assert current is not None
    assert desk.conversations.drafts.attachments(current.id) == []
    assert desk.conversations.drafts.attachments(None) == []
    assert desk.conversations.draft == ""


def test_a_message_that_cannot_be_asked_with_the_chats_settings_stays_in_the_box(
    desk: Desk, pane: ChatPane
) -> None:
    desk.say("Hello")
    desk.conversations.set_settings({"temperature": "hot"})
    write(pane, "Once more")
    assert pane.composer.text == "Once more"
    assert said(pane) == ["Hello", "A reply."]


def test_a_half_changed_message_is_there_at_the_next_start(
    desk: Desk, pane: ChatPane, installed: Theme, qtbot
) -> None:
    desk.say("Hello")
    desk.say("More")
    current, question = desk.conversations.current, desk.session.views()[2].id
    assert current is not None
    pane.edit_message(question)
    pane.transcript._rows[2].widget.words._editor.box.setPlainText("More of")
    desk.conversations.begin()
    drafts = Drafts(desk.conversations.drafts._path)
    assert drafts.edits(current.id) == {question: "More of"}
    jobs = Jobs()
    models = Models.assemble(jobs, desk.session.choices, desk.life)
    again = ChatPane(installed, desk.session, desk.edits, models)
    qtbot.addWidget(again)
    desk.conversations.open(current.id)
    assert [row.draft for row in again.transcript._rows] == [None, None, "More of", None]
    again.counting.stop()
    models.fetches.close()
    jobs.close()


def test_what_is_changed_after_all_is_half_changed_no_more(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello")
    current = desk.conversations.current
    assert current is not None
    pane.edit_message(desk.session.views()[0].id)
    desk.conversations.begin()
    desk.conversations.open(current.id)
    assert [row.draft for row in pane.transcript._rows] == ["Hello", None]
    pane.transcript._rows[0].widget.words.stop_editing()
    desk.conversations.begin()
    assert desk.conversations.drafts.edits(current.id) == {}


def test_a_half_changed_message_outlives_a_crash(desk: Desk, pane: ChatPane, qtbot) -> None:
    desk.say("Hello")
    current, question = desk.conversations.current, desk.session.views()[0].id
    assert current is not None

    def kept() -> dict[int, str]:
        return Drafts(desk.conversations.drafts._path).edits(current.id)

    pane._edits_rest.setInterval(5)
    pane.edit_message(question)
    words = pane.transcript._rows[0].widget.words
    words._editor.box.setPlainText("Hello you")
    qtbot.waitUntil(lambda: kept() == {question: "Hello you"})
    words.stop_editing()
    qtbot.waitUntil(lambda: kept() == {})


def test_a_changed_message_that_is_not_taken_stays_in_its_editor(
    desk: Desk, pane: ChatPane
) -> None:
    desk.say("Hello")
    desk.conversations.set_settings({"temperature": "hot"})
    pane.edit_message(desk.session.views()[0].id)
    box = pane.transcript._rows[0].widget.words._editor.box
    box.setPlainText("Hello you")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert desk.card is not None
    assert "temperature" in desk.card.sentence
    assert [row.draft for row in pane.transcript._rows] == ["Hello you", None]
    assert said(pane) == ["Hello", "A reply."]


def test_a_reply_whose_message_is_gone_is_not_offered_to_be_written_anew(
    desk: Desk, pane: ChatPane
) -> None:
    desk.say("Hello")
    reply = pane.transcript._rows[1].widget
    assert "regenerate" in reply._actions()
    desk.edits.delete(desk.session.views()[0].id)
    assert reply._actions() == ["copy", "delete"]
    assert list(reply.footer.buttons) == ["copy", "delete"]
    pane.undo_bar.take_back()
    assert "regenerate" in pane.transcript._rows[1].widget._actions()


# Versions ----------------------------------------------------------------------------------------


def anew(desk: Desk, text: str) -> None:
    desk.edits.regenerate(desk.session.views()[-1].id)
    desk.bridge.write(text)
    desk.bridge.finish(text)


def number(pane: ChatPane) -> str | None:
    """What the pager under the last message says."""
    widget = pane.transcript._rows[-1].widget
    assert widget is not None
    return widget.footer.pager.number.text() if widget.footer.pager is not None else None


def test_versions_are_paged_through_where_they_stand(
    desk: Desk, pane: ChatPane, heard: list[str]
) -> None:
    desk.say("Hello", "First.")
    assert number(pane) is None
    anew(desk, "Second.")
    assert (said(pane), number(pane)) == (["Hello", "Second."], "2 of 2")
    widget = pane.transcript._rows[-1].widget
    widget.footer.pager.buttons["earlier"].click()
    assert (said(pane), number(pane)) == (["Hello", "First."], "1 of 2")
    assert pane.transcript._rows[-1].widget is widget
    assert heard[-1] == "Version 1 of 2"


def test_the_pager_is_away_while_a_reply_is_written(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello", "First.")
    anew(desk, "Second.")
    desk.edits.regenerate(desk.session.views()[-1].id)
    desk.bridge.write("Thi")
    assert (said(pane), number(pane)) == (["Hello", "Thi"], None)
    desk.bridge.finish("Thi")
    assert (said(pane), number(pane)) == (["Hello", "Thi"], "3 of 3")


def test_what_was_stopped_before_its_first_word_gives_the_place_back(
    desk: Desk, pane: ChatPane
) -> None:
    desk.say("Hello", "First.")
    anew(desk, "Second.")
    desk.edits.regenerate(desk.session.views()[-1].id)
    desk.bridge.fail(Stopped())
    assert (said(pane), number(pane)) == (["Hello", "Second."], "2 of 2")


def test_the_pager_comes_back_when_what_followed_is_deleted(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello", "First.")
    anew(desk, "Second.")
    desk.say("More", "Well.")
    assert number(pane) is None
    for view in desk.session.views()[2:]:
        desk.edits.delete(view.id)
    assert (said(pane), number(pane)) == (["Hello", "Second."], "2 of 2")


def test_a_deleted_version_makes_room_for_another_in_its_place(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello", "First.")
    anew(desk, "Second.")
    pane.transcript.delete.emit(desk.session.views()[-1].id)
    assert (said(pane), number(pane)) == (["Hello", "First."], None)
    pane.undo_bar.take_back()
    assert (said(pane), number(pane)) == (["Hello", "Second."], "2 of 2")


# The undo ----------------------------------------------------------------------------------------


def test_a_message_ends_the_chance_to_undo_what_was_before_it(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello")
    desk.edits.regenerate(desk.session.views()[-1].id)
    desk.bridge.finish("Another.")
    assert pane.undo_bar.undo is not None
    write(pane, "Next")
    assert pane.undo_bar.undo is None
    assert not pane.undo_bar.isVisible()


def test_a_message_in_one_chat_leaves_what_can_be_undone_in_another(
    desk: Desk, pane: ChatPane
) -> None:
    desk.say("Hello")
    desk.edits.regenerate(desk.session.views()[-1].id)
    desk.bridge.finish("Another.")
    desk.conversations.begin()
    write(pane, "Elsewhere")
    assert pane.undo_bar.undo is not None


def test_going_on_ends_the_chance_to_undo_what_it_goes_on_from(desk: Desk, pane: ChatPane) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Half")
    desk.bridge.finish("Half", why=End.STOPPED)
    reply = desk.session.views()[-1].id
    desk.edits.edit(reply, "My half")
    assert pane.undo_bar.undo is not None
    desk.edits.go_on(reply)
    assert pane.undo_bar.undo is None


def test_the_undo_bar_lies_over_no_card(desk: Desk, pane: ChatPane, qtbot) -> None:
    desk.say("Hello")
    desk.edits.delete(desk.session.views()[-1].id)
    assert pane.undo_bar.isVisible()
    desk.session.card.emit(DEATH)
    qtbot.waitUntil(lambda: pane.cards.height() > 20 and pane.cards.y() > 0)
    assert not pane.undo_bar.geometry().intersects(pane.cards.geometry())
    desk.session.card.emit(None)
    assert 0 < pane.composer.y() - pane.undo_bar.geometry().bottom() < pane.undo_bar.height()


def test_a_card_is_read_whole_in_a_low_window_with_large_letters(
    desk: Desk, pane: ChatPane, qtbot
) -> None:
    desk.say("Hello")
    pane._theme.scale = 2.0
    pane.transcript.set_tint(True)
    pane.resize(pane.composer.minimumSizeHint().width() + 400, 560)
    desk.session.card.emit(replace(DEATH, sentence="It ended, and this is all about it. " * 4))
    words = pane.cards._words
    qtbot.waitUntil(lambda: words.height() >= words.heightForWidth(words.width()) > 100)
    legend = pane.transcript._legend
    assert legend.height() >= legend.minimumSizeHint().height()
    pane.resize(pane.width(), pane.height() - pane.stack.height() + 40)
    qtbot.waitUntil(lambda: pane.stack.height() == 40)
    assert words.height() >= words.heightForWidth(words.width())


def test_a_card_that_is_closed_is_not_told_with_the_next_one(desk: Desk, pane: ChatPane) -> None:
    desk.session.show(DEATH)
    pane.cards.close_button.click()
    desk.session.board.show_also(Card("Good to know."))
    assert desk.card == Card("Good to know.")


def test_an_undone_comparison_gives_the_chat_back(desk: Desk, pane: ChatPane) -> None:
    desk.say("Hello")
    desk.edits.compare_last()
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert pane.stack.currentWidget() is pane.compare
    pane.undo_bar.take_back()
    assert pane.stack.currentWidget() is pane.transcript
    assert said(pane) == ["Hello", "A reply."]


# On the page of a comparison ---------------------------------------------------------------------


def test_going_on_with_a_comparisons_reply_shows_it(desk: Desk, pane: ChatPane) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Half", "Slow", End.STOPPED)
    desk.edits.go_on(desk.session.views()[-1].id)
    assert pane.stack.currentWidget() is pane.transcript
    desk.bridge.write(" whole")
    assert said(pane) == ["Hello", "Half whole"]


def test_a_message_is_edited_where_it_can_be_seen(desk: Desk, pane: ChatPane) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    pane.edit_message(desk.session.views()[0].id)
    assert pane.stack.currentWidget() is pane.transcript
    assert [row.draft for row in pane.transcript._rows] == ["Hello", None]


def test_a_comparison_cannot_be_run_again_without_a_draft(desk: Desk, pane: ChatPane) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    run = pane.compare.controls.run
    assert (run.isEnabled(), run.toolTip()) == (True, "")
    desk.load(draft=None)
    assert not run.isEnabled()
    assert "no draft is chosen" in run.toolTip()
    assert run.accessibleDescription() in run.toolTip()
    desk.life.reload()
    assert "are being loaded" in run.toolTip()
    desk.load()
    assert (run.isEnabled(), run.toolTip()) == (True, "")
    run.click()
    assert (run.text(), run.isEnabled(), run.toolTip()) == ("Stop", True, "")
    run.click()
    assert not run.isEnabled()


def test_an_empty_chat_says_what_a_comparison_will_show(desk: Desk, pane: ChatPane) -> None:
    assert "Ask anything" in pane.transcript._empty.text()
    desk.session.choose_mode(Mode.COMPARE)
    assert "One column drafts" in pane.transcript._empty.text()
    assert pane.transcript._empty.isVisible()
    desk.load(draft=None)
    assert "Ask anything" in pane.transcript._empty.text()


def test_exact_arithmetic_stays_on_for_the_next_message(desk: Desk, pane: ChatPane) -> None:
    desk.session.choose_gamma(8)
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert not desk.bridge.last.exact
    for on, gamma in ((True, MOST_EXACT_GAMMA), (False, 8)):
        pane.compare.controls.exact.setChecked(on)
        write(pane, "More")
        assert (desk.bridge.last.exact, desk.bridge.last.options.gamma) == (on, gamma)
        assert pane.compare.exact is on
        desk.bridge.finish_comparison("Fast.", "Slow.")


# What a screen reader hears ----------------------------------------------------------------------


@pytest.mark.parametrize("why", [End.END, End.STOP, End.LENGTH])
def test_a_reply_that_ended_by_itself_is_told(
    desk: Desk, heard: list[str], pane: ChatPane, why: End
) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.bridge.finish("Good day.", why=why)
    assert heard == ["The reply is finished"]


def test_a_reply_that_was_stopped_is_not_told_as_finished(
    desk: Desk, heard: list[str], pane: ChatPane
) -> None:
    desk.session.send("Hello")
    desk.bridge.write("Good ")
    desk.session.stop()
    desk.bridge.finish("Good ", why=End.STOPPED)
    assert heard == []


def test_a_reply_that_failed_is_told_once_by_its_card(
    desk: Desk, heard: list[str], pane: ChatPane
) -> None:
    desk.session.send("Hello")
    desk.bridge.fail(DecodeFailed(status=-3))
    assert len(heard) == 1
    assert "code -3" in heard[0]


def test_a_comparison_that_ended_by_itself_is_told_once(
    desk: Desk, heard: list[str], pane: ChatPane
) -> None:
    compare(desk)
    desk.bridge.finish_comparison("Fast.", "Slow.")
    assert heard == ["The comparison is finished"]


def test_a_comparison_that_was_stopped_is_not_told_as_finished(
    desk: Desk, heard: list[str], pane: ChatPane
) -> None:
    compare(desk)
    desk.session.stop()
    desk.bridge.finish_comparison("Fast", "Slow", End.STOPPED)
    assert heard == []
