"""The transcript: many messages, few widgets, and a reply that grows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QEnterEvent, QGuiApplication, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from app.actions import shown as shown_keys
from app.chat.model import Attachment, EntryView, Span
from app.chat.prose import Prose
from app.chat.tint import explained
from app.chat.transcript import Transcript
from engine.protocol import Piece, Source, Token

LONG = "word " * 300


def widgets(transcript: Transcript):
    return [row.widget for row in transcript._rows if row.widget is not None]


def message(transcript: Transcript, entry: int):
    return next(each for each in widgets(transcript) if each.row.entry.id == entry)


def bar(transcript: Transcript):
    return transcript._area.verticalScrollBar()


def scroll(transcript: Transcript, value: int) -> None:
    bar(transcript).setValue(value)


def at_bottom(transcript: Transcript) -> bool:
    return bar(transcript).value() == bar(transcript).maximum()


def conversation(count: int) -> list[tuple[str, str]]:
    return [("assistant" if n % 2 else "user", f"{n}: {LONG}") for n in range(count)]


# Many messages -------------------------------------------------------------------------------


def test_of_many_messages_only_those_in_view_are_made(shown) -> None:
    transcript = shown(*conversation(2_000))
    assert 0 < len(widgets(transcript)) < 10
    assert transcript._rows[-1].widget is not None
    assert at_bottom(transcript)


def test_more_are_made_when_there_is_time_and_given_up_far_away(qtbot, shown) -> None:
    transcript = shown(*[("user", f"{n}") for n in range(200)])
    few = len(widgets(transcript))
    qtbot.waitUntil(lambda: len(widgets(transcript)) > few)
    scroll(transcript, 0)
    qtbot.waitUntil(lambda: transcript._rows[-9].widget is None)
    assert transcript._rows[0].widget is not None


def test_what_is_looked_at_stays_while_heights_above_become_known(qtbot, shown) -> None:
    transcript = shown(*conversation(60))
    scroll(transcript, bar(transcript).maximum() // 2)
    first = min(widgets(transcript), key=lambda each: abs(position(transcript, each)))
    before = position(transcript, first)
    qtbot.wait(100)  # messages above are made and measured
    assert abs(position(transcript, first) - before) <= 1


def position(transcript: Transcript, widget) -> int:
    return widget.mapTo(transcript._area.viewport(), QPoint()).y()


def test_the_scroll_bar_reaches_both_ends(qtbot, shown) -> None:
    transcript = shown(*conversation(50))
    scroll(transcript, 0)
    qtbot.wait(50)
    assert position(transcript, message(transcript, 1)) >= 0
    scroll(transcript, bar(transcript).maximum())
    qtbot.wait(50)
    last = message(transcript, 50)
    assert last.geometry().bottom() <= transcript._area._sheet.height()
    assert at_bottom(transcript)


def test_a_resize_keeps_the_bottom(qtbot, shown) -> None:
    transcript = shown(*conversation(20))
    transcript.resize(400, 400)
    qtbot.wait(20)
    assert at_bottom(transcript)


def test_messages_that_a_page_covers_before_they_are_made_are_whole_afterwards(
    qtbot, shown
) -> None:
    transcript = shown(*[("user", f"{n}: some words") for n in range(30)])
    transcript.hide()
    transcript.show_entry(2)
    qtbot.wait(50)
    transcript.show()
    qtbot.wait(50)
    made = widgets(transcript)
    assert len(made) > 10
    for each in made:
        for editor in each.editors():
            assert editor.height() >= editor.document().size().height()


def test_a_chat_that_is_opened_behind_a_page_is_whole_when_it_is_shown(qtbot, shown) -> None:
    transcript = shown(*conversation(12))
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    page = QWidget()
    for each in (transcript, page):
        stack.addWidget(each)
    stack.resize(700, 500)
    stack.show()
    stack.setCurrentWidget(transcript)
    scroll(transcript, 900)
    for count in (3, 9, 30, 2):
        stack.setCurrentWidget(page)
        stack.resize(700 + 10 * count, 500)
        transcript.show_entries([EntryView(n, "user", LONG) for n in range(1, count)])
        stack.setCurrentWidget(transcript)
        assert widgets(transcript)
        for each in widgets(transcript):
            for editor in each.editors():
                assert editor.height() >= editor.document().size().height() > 0
    stack.hide()
    transcript.setParent(None)


def test_messages_never_overlap(qtbot, shown) -> None:
    transcript = shown(*conversation(20))
    qtbot.wait(100)
    made = sorted(widgets(transcript), key=lambda each: each.y())
    for above, below in pairwise(made):
        assert above.geometry().bottom() < below.y()


def test_an_empty_conversation_says_what_to_do(shown) -> None:
    transcript = shown()
    assert transcript._empty.isVisible()
    transcript.append(EntryView(1, "user", "Hello"))
    assert not transcript._empty.isVisible()


def test_messages_come_and_go(shown) -> None:
    transcript = shown(("user", "a"), ("assistant", "b"), ("user", "c"))
    transcript.remove([1, 3])
    assert [row.entry.id for row in transcript._rows] == [2]
    transcript.append(EntryView(4, "assistant", "d"))
    assert [row.text for row in transcript._rows] == ["b", "d"]
    assert [row.is_last for row in transcript._rows] == [False, True]
    transcript.remove(99)


# A reply that grows --------------------------------------------------------------------------


def test_a_reply_is_shown_as_it_is_written(shown, say) -> None:
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "", "writing"))
    transcript.begin_reply(2)
    assert message(transcript, 2).footer.words == "Reading the prompt…"
    say(transcript, 2, "Hello", " **wor")
    assert message(transcript, 2).editors()[0].toPlainText() == "Hello wor"
    assert message(transcript, 2).footer.words == "Writing…"
    say(transcript, 2, "ld**")
    transcript.finish(2, "stopped", "16.4 tokens/s", ["A note."])
    assert transcript.text(2) == "Hello **world**"
    assert message(transcript, 2).footer.words == "Stopped  ·  16.4 tokens/s"


def test_all_of_a_long_block_of_code_is_shown(shown, say) -> None:
    """Row E2: the display does not stick at the end of a block."""
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    lines = [f"value_{n} = {n}\n" for n in range(400)]
    say(transcript, 1, "```python\n", *lines, "```\n", "After.")
    code, after = message(transcript, 1).editors()
    assert code.toPlainText() == "".join(lines).rstrip()
    assert after.toPlainText() == "After."
    assert at_bottom(transcript)


def test_joined_characters_stay_whole(shown, say) -> None:
    """Rows C1 and C2: what comes in several pieces is the same in the end, shown and kept."""
    text = "<think>歪 👩‍👩‍👧</think>歪 👩‍👩‍👧 é"
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.set_tint(True)
    transcript.begin_reply(1)
    say(transcript, 1, *text)
    transcript.finish(1, "complete")
    assert transcript.text(1) == text
    assert [view.toPlainText() for view in message(transcript, 1).editors()] == ["歪 👩‍👩‍👧 é"]


def test_many_pieces_are_one_frame(qtbot, shown, monkeypatch) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    frames = []
    monkeypatch.setattr(transcript._frames, "_show", frames.append)
    for n in range(50):
        transcript.write(1, [Piece("a", n)], [Token(n, Source.PLAIN, 1.0)])
    assert frames == []
    qtbot.waitUntil(lambda: len(frames) == 1)
    assert len(frames[0][1].pieces) == 50


def test_a_long_chat_costs_a_growing_reply_nothing(shown, say, monkeypatch) -> None:
    """Row E7: with each frame one view is written, however long the chat is."""
    transcript = shown(*conversation(200), EntryView(201, "assistant", "", "writing"))
    transcript.begin_reply(201)
    say(transcript, 201, "First paragraph.\n\n" + LONG * 2 + "\n\n", "Second")
    written = []
    original = Prose._write
    monkeypatch.setattr(
        Prose, "_write", lambda self, segment: (written.append(segment), original(self, segment))
    )
    for n in range(20):
        say(transcript, 201, f" {n}")
    assert len(written) == 20
    assert {segment.start for segment in written} == {written[0].start}
    assert all(len(segment.text) < 100 for segment in written)


def test_the_bottom_is_followed_only_while_it_is_in_view(qtbot, shown, say) -> None:
    transcript = shown(*conversation(10), EntryView(11, "assistant", "", "writing"))
    transcript.begin_reply(11)
    for n in range(10):
        say(transcript, 11, f"line {n}\n\n")
        assert at_bottom(transcript)
    wheel(transcript, 240)
    assert not at_bottom(transcript)
    assert transcript._jump.isVisible()
    value = bar(transcript).value()
    for n in range(10):
        say(transcript, 11, f"line {n}\n\n")
    assert bar(transcript).value() == value
    transcript._jump.click()
    assert at_bottom(transcript)
    assert not transcript._jump.isVisible()
    say(transcript, 11, "more\n\n")
    assert at_bottom(transcript)


def wheel(transcript: Transcript, delta: int) -> None:
    viewport = transcript._area.viewport()
    at = QPointF(viewport.rect().center())
    event = QWheelEvent(
        at, viewport.mapToGlobal(at), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def test_following_can_be_switched_off(shown, say) -> None:
    transcript = shown(*conversation(10), EntryView(11, "assistant", "", "writing"))
    transcript.set_follow(False)
    transcript.begin_reply(11)
    value = bar(transcript).value()
    say(transcript, 11, "line\n\n" * 30)
    assert bar(transcript).value() == value
    assert transcript._jump.isVisible()


def test_what_comes_for_another_conversation_is_passed_over(shown, say) -> None:
    transcript = shown(("user", "a"))
    say(transcript, 99, "lost")
    transcript.finish(99, "complete")
    assert transcript.text(99) == ""


def test_a_reply_can_be_gone_on_with(shown, say) -> None:
    spans = [Span(0, 5, "accepted", 0.5, 0.6)]
    transcript = shown(EntryView(1, "assistant", "Hello", "stopped", sources=spans))
    transcript.begin_reply(1)
    say(transcript, 1, " world", source="bonus")
    transcript.finish(1, "complete")
    assert transcript.text(1) == "Hello world"
    assert [span.source for span in transcript._rows[0].spans] == ["accepted", "bonus"]


def test_a_finished_reply_is_one_text_to_select_in(shown, say) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    say(transcript, 1, *[f"Paragraph {n} {LONG}\n\n" for n in range(5)])
    assert len(message(transcript, 1).editors()) > 2
    transcript.finish(1, "complete")
    assert len(message(transcript, 1).editors()) == 1


@pytest.mark.parametrize("place", [0, 2, -1])
def test_a_reply_that_goes_on_and_ends_while_something_in_it_is_selected_is_all_there(
    shown, say, place: int
) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    say(transcript, 1, *[f"Paragraph {n} {LONG}\n\n" for n in range(5)])
    reply = message(transcript, 1)
    reply.editors()[place].selectAll()
    chosen = reply.selected()
    say(transcript, 1, "It is ", "all there.")
    transcript.finish(1, "complete")
    assert reply.selected() == chosen
    words = " ".join(editor.toPlainText() for editor in reply.editors())
    assert words.count("Paragraph") == 5
    assert words.endswith("It is all there.")
    for editor in reply.editors():
        assert editor.height() >= editor.document().size().height()


def test_reasoning_is_open_while_it_is_written_and_folds_when_the_answer_begins(shown, say) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    say(transcript, 1, "<think>", "Let me see. ")
    reasoning = message(transcript, 1).words._reasoning
    assert "3 words" in reasoning._head.text()
    assert [view.toPlainText() for view in message(transcript, 1).editors()] == ["Let me see."]
    say(transcript, 1, "</think>", "Answer")
    assert [view.toPlainText() for view in message(transcript, 1).editors()] == ["Answer"]
    reasoning._head.click()
    assert len(message(transcript, 1).editors()) == 2
    transcript.finish(1, "complete")
    assert len(message(transcript, 1).editors()) == 2  # as the person left it


# What can be done ----------------------------------------------------------------------------


def test_buttons_appear_when_a_message_is_pointed_at(shown) -> None:
    transcript = shown(("user", "Hi"), ("assistant", "Hello"))
    user, reply = message(transcript, 1), message(transcript, 2)
    assert not user.footer.buttons
    point_at(user)
    assert list(user.footer.buttons) == ["copy", "edit", "delete"]
    point_at(reply)
    assert list(reply.footer.buttons) == ["copy", "regenerate", "delete"]
    QApplication.sendEvent(user, QEvent(QEvent.Type.Leave))
    assert not user.footer.buttons


def point_at(widget) -> None:
    middle = QPointF(widget.rect().center())
    QApplication.sendEvent(widget, QEnterEvent(middle, middle, widget.mapToGlobal(middle)))


def test_the_buttons_say_which_keys_do_the_same(shown) -> None:
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "Hello", "length"))
    reply = message(transcript, 2)
    point_at(reply)
    tips = {name: button.toolTip() for name, button in reply.footer.buttons.items()}
    assert tips["copy"] == "Copy"
    assert tips["regenerate"].endswith(f"  ·  {shown_keys('Ctrl+R')}")
    assert tips["continue"].endswith(f"  ·  {shown_keys('Ctrl+Shift+Return')}")


def test_the_buttons_say_what_is_wanted(qtbot, shown) -> None:
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "Hello", "length"))
    reply = message(transcript, 2)
    point_at(reply)
    for name, signal in (
        ("regenerate", transcript.regenerate),
        ("continue", transcript.continue_),
        ("delete", transcript.delete),
    ):
        with qtbot.waitSignal(signal) as told:
            reply.footer.buttons[name].click()
        assert told.args == [2]


def test_only_the_last_reply_can_be_written_again_and_only_a_cut_one_gone_on_with(shown) -> None:
    transcript = shown(("assistant", "a"), ("user", "b"), ("assistant", "c"))
    for entry, offered in ((1, ["copy", "delete"]), (3, ["copy", "regenerate", "delete"])):
        point_at(message(transcript, entry))
        assert list(message(transcript, entry).footer.buttons) == offered


def test_while_the_engine_is_busy_only_copying_is_possible(shown) -> None:
    """Row E11: nothing is asked for again before it is idle."""
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "Hello", "stopped"))
    point_at(message(transcript, 2))
    transcript.set_idle(False)
    buttons = message(transcript, 2).footer.buttons
    assert {name for name, button in buttons.items() if button.isEnabled()} == {"copy"}
    point_at(message(transcript, 1))
    buttons = message(transcript, 1).footer.buttons
    assert {name for name, button in buttons.items() if button.isEnabled()} == {"copy"}
    transcript.set_idle(True)
    assert all(button.isEnabled() for button in buttons.values())


def test_a_copy_leaves_the_reasoning_out(qtbot, shown) -> None:
    transcript = shown(("assistant", "<think>\nHm.\n</think>\n\n**Answer**"))
    point_at(message(transcript, 1))
    with qtbot.waitSignal(transcript.copy_requested) as told:
        message(transcript, 1).footer.buttons["copy"].click()
    assert told.args == ["**Answer**"]
    assert QGuiApplication.clipboard().text() == "**Answer**"


def test_a_message_is_edited_in_its_place_and_sent_again(qtbot, shown) -> None:
    transcript = shown(("user", "Hi"), ("assistant", "Hello"))
    user = message(transcript, 1)
    point_at(user)
    user.footer.buttons["edit"].click()
    box = user.words._editor.box
    assert box.toPlainText() == "Hi"
    box.setPlainText("Hi there")
    with qtbot.waitSignal(transcript.edit) as told:
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert told.args == [1, "Hi there"]
    assert user.words._editor is None


def test_an_edit_that_cannot_be_sent_now_says_when_it_can(qtbot, shown) -> None:
    transcript = shown(("user", "Hi"))
    user = message(transcript, 1)
    user.edit("Hi there")
    transcript.set_idle(False)
    editor = user.words._editor
    with qtbot.assertNotEmitted(transcript.edit):
        qtbot.keyClick(editor.box, Qt.Key.Key_Return)
    assert "once a model is loaded" in editor.note.text()
    assert editor.note.isVisible()
    transcript.set_idle(True)
    with qtbot.waitSignal(transcript.edit):
        qtbot.keyClick(editor.box, Qt.Key.Key_Return)


def test_an_edit_can_be_given_up(qtbot, shown) -> None:
    transcript = shown(("user", "Hi"))
    user = message(transcript, 1)
    user.edit("Hi!")
    with qtbot.assertNotEmitted(transcript.edit):
        qtbot.keyClick(user.words._editor.box, Qt.Key.Key_Escape)
    assert user.words._editor is None
    assert user.editors()[0].isVisible()


def test_what_is_being_edited_outlives_a_change_of_theme(shown, installed) -> None:
    transcript = shown(("user", "Hi"))
    message(transcript, 1).edit("Hi")
    message(transcript, 1).words._editor.box.setPlainText("Hi there")
    installed.scale = 1.5
    assert message(transcript, 1).words._editor.box.toPlainText() == "Hi there"


def test_what_is_being_edited_waits_while_another_chat_is_looked_at(shown) -> None:
    first, second = EntryView(1, "user", "Hi"), EntryView(7, "user", "Elsewhere")
    transcript = shown(first)
    message(transcript, 1).edit("Hi")
    message(transcript, 1).words._editor.box.setPlainText("Hi there")
    transcript.show_entries([second])
    assert message(transcript, 7).words._editor is None
    transcript.show_entries([first])
    assert message(transcript, 1).words._editor.box.toPlainText() == "Hi there"
    message(transcript, 1).words.stop_editing()
    transcript.show_entries([second])
    transcript.show_entries([first])
    assert message(transcript, 1).words._editor is None


def test_an_editor_that_comes_back_into_view_takes_no_focus(focused) -> None:
    transcript = focused(*conversation(60))
    transcript._area.bring(0)
    message(transcript, 1).edit("Hi there")
    other = [row.entry for row in transcript._rows]
    transcript.show_entries([])
    transcript.show_entries(other)
    transcript.focus_last()
    transcript._area.bring(0)
    assert message(transcript, 1).words._editor is not None
    assert message(transcript, 60).hasFocus()


def test_an_editor_with_the_focus_keeps_it_when_the_theme_changes(focused, installed) -> None:
    transcript = focused(("user", "Hi"))
    message(transcript, 1).edit("Hi")
    installed.scale = 1.5
    assert message(transcript, 1).words._editor.box.hasFocus()


def paste(box, *, text: str = "", files: tuple[str, ...] = ()) -> None:
    data = QMimeData()
    data.setText(text)
    data.setUrls([QUrl.fromLocalFile(path) for path in files])
    box.insertFromMimeData(data)


def test_a_paste_that_would_freeze_the_editor_is_refused_in_words(shown) -> None:
    transcript = shown(("user", "Hi"))
    user = message(transcript, 1)
    user.edit("Hi")
    editor = user.words._editor
    editor.box.moveCursor(QTextCursor.MoveOperation.End)
    paste(editor.box, text="x" * 400_000)
    assert editor.box.toPlainText() == "Hi"
    assert "too long" in editor.note.text()
    assert editor.note.isVisible()
    assert editor.rect().contains(editor.note.geometry())
    paste(editor.box, text="\nline" * 300)  # long for a message, and no trouble
    assert editor.box.toPlainText() == "Hi" + "\nline" * 300
    assert not editor.note.isVisible()
    paste(editor.box, files=("/notes.txt",))
    assert "new message" in editor.note.text()


def test_a_message_too_long_for_the_editor_says_so(shown) -> None:
    transcript = shown(("user", "x" * 60_000))
    user = message(transcript, 1)
    tall = user.height()
    user.act("edit")
    assert user.words._editor is None
    assert "too long to be changed here" in user._notes[0].text()
    assert user.height() > tall


def test_one_message_that_cannot_be_shown_does_not_keep_the_others_away(shown, monkeypatch) -> None:
    transcript = shown(("user", "Hi"))
    make = transcript._area._make
    monkeypatch.setattr(transcript._area, "_make", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        transcript.show_entries([EntryView(2, "user", "Trouble")])
    monkeypatch.setattr(transcript._area, "_make", make)
    transcript.show_entries([EntryView(3, "user", "Hello")])
    assert message(transcript, 3).isVisible()


WILD = (
    {"attachments": ["a", 5, None, [], {"name": 5}]},
    {"figures": {"tokens": 10**400, "gamma": 1e308, "by_auto": True, "drafted": "x"}},
    {"sources": [[0, 2**31 - 1, "accepted", None, None], [1, 0, "plain", 5.0, -1.0]]},
)


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("role", ["user", "assistant", "system"])
def test_what_an_older_import_let_in_is_shown(shown, wild, role: str) -> None:
    transcript = shown(EntryView(1, role, "Hello", **wild), ("user", "After."))
    transcript.set_tint(True)
    for span in transcript._rows[0].spans:
        assert explained(span)
    assert message(transcript, 2).isVisible()


def test_a_book_that_was_pasted_is_shown_when_asked_for(shown) -> None:
    transcript = shown(("user", "x" * 60_000))
    user = message(transcript, 1)
    assert len(user.editors()[0].toPlainText()) == 20_000
    user.words._more.click()
    assert len(user.editors()[0].toPlainText()) == 60_000


def test_one_word_and_one_character_are_one(shown) -> None:
    note = {"name": "a", "text": "b"}
    transcript = shown(
        ("assistant", "<think>Hm.</think>Yes."), EntryView(2, "user", "Hi", attachments=[note])
    )
    assert message(transcript, 1).words._reasoning._head.text().endswith("1 word")
    chip = message(transcript, 2).words._chips.chips[0]
    assert chip.face.accessibleName() == "Attachment a, 1 character"


def test_attachments_stand_with_their_message(shown) -> None:
    stored = {"name": "notes.txt", "text": "a\nb\nc"}
    transcript = shown(EntryView(1, "user", "See.", attachments=[stored]))
    chips = message(transcript, 1).words._chips.chips
    assert [chip.attachment for chip in chips] == [Attachment("notes.txt", "a\nb\nc")]
    assert "3 lines" in chips[0].face.accessibleName()


def test_the_menu_offers_what_the_buttons_do(shown) -> None:
    transcript = shown(("user", "Hi"), ("assistant", "Hello"))
    menu = message(transcript, 2).menu()
    assert [action.text() for action in menu.actions()] == [
        "Copy", "Write this reply again", "Delete",
    ]  # fmt: skip
    menu.close()


def test_a_link_is_told(qtbot, shown) -> None:
    transcript = shown(("assistant", "[here](http://a.b)"))
    view = message(transcript, 1).editors()[0]
    with qtbot.waitSignal(transcript.link_activated) as told:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert told.args == ["http://a.b"]


# The keyboard --------------------------------------------------------------------------------


@pytest.fixture
def focused(qtbot, shown):
    """A transcript that can have the focus."""

    def show(*entries):
        transcript = shown(*entries)
        transcript.activateWindow()
        qtbot.waitUntil(transcript.isActiveWindow)
        transcript.setFocus()
        return transcript

    return show


def test_the_arrows_go_from_message_to_message(qtbot, focused) -> None:
    transcript = focused(*conversation(8))
    assert message(transcript, 8).hasFocus()
    for entry in (7, 6, 5):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
        assert message(transcript, entry).hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    assert message(transcript, 1).hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_End)
    assert message(transcript, 8).hasFocus()
    with qtbot.waitSignal(transcript.focus_left):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)


def test_the_tab_key_goes_through_what_is_in_the_message_and_out(qtbot, focused) -> None:
    transcript = focused(("user", "Hi"), ("assistant", "Hello\n\n```python\nx = 1\n```"))
    reply = message(transcript, 2)
    seen = []
    for _step in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        if focus in seen:
            break
        seen.append(focus)
    wanted = reply.controls()
    assert seen[: len(wanted)] == wanted
    assert {control.accessibleName() for control in wanted} >= {"Copy this code", "Copy", "Delete"}


def test_escape_leads_out_of_a_message_and_then_out_of_the_transcript(qtbot, focused) -> None:
    transcript = focused(("assistant", "Hello"))
    reply = message(transcript, 1)
    reply.editors()[0].setFocus()
    qtbot.keyClick(reply.editors()[0], Qt.Key.Key_Escape)
    assert reply.hasFocus()
    with qtbot.waitSignal(transcript.focus_left):
        qtbot.keyClick(reply, Qt.Key.Key_Escape)


def test_copying_by_keyboard_takes_the_message(qtbot, focused) -> None:
    transcript = focused(("assistant", "**Hello**"))
    with qtbot.waitSignal(transcript.copy_requested) as told:
        qtbot.keyClick(message(transcript, 1), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert told.args == ["**Hello**"]


def test_a_message_with_the_focus_is_not_given_up(qtbot, focused) -> None:
    transcript = focused(*conversation(60))
    last = message(transcript, 60)
    assert last.hasFocus()
    scroll(transcript, 0)
    qtbot.wait(100)
    assert transcript._rows[-1].widget is last


def test_a_message_says_who_speaks_and_how_it_went(shown) -> None:
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "Hello", "stopped"))
    assert message(transcript, 1).accessibleName() == "You"
    assert message(transcript, 2).accessibleName() == "Reply"
    assert message(transcript, 2).accessibleDescription() == "Stopped"


# The tint ------------------------------------------------------------------------------------


def tinted(transcript: Transcript, entry: int) -> set[str]:
    colours = set()
    for editor in message(transcript, entry).editors():
        block = editor.document().begin()
        while block.isValid():
            ranges = block.layout().formats()
            colours |= {each.format.background().color().name() for each in ranges}
            block = block.next()
    return colours


def test_the_tint_comes_and_goes(shown, installed) -> None:
    spans = [Span(0, 5, "accepted", 0.5, 0.6), Span(5, 11, "corrected", 0.1, 0.9)]
    transcript = shown(("user", "Hi"), EntryView(2, "assistant", "Hello world", sources=spans))
    assert tinted(transcript, 2) == set()
    transcript.set_tint(True)
    assert len(tinted(transcript, 2)) == 2
    assert tinted(transcript, 1) == set()
    assert transcript._legend.isVisible()
    assert "1 corrected" in message(transcript, 2).accessibleDescription()
    transcript.set_tint(False)
    assert tinted(transcript, 2) == set()
    assert not transcript._legend.isVisible()


@pytest.mark.parametrize(("width", "has_title"), [(600, False), (1200, True)])
def test_the_legend_is_whole_at_any_width(shown, installed, width: int, has_title: bool) -> None:
    transcript = shown(("user", "Hi"))
    installed.scale = 2.0
    transcript.resize(width, 500)
    transcript.set_tint(True)
    QApplication.processEvents()
    legend = transcript._legend
    assert legend._title.isVisible() is has_title
    for key in legend._keys:
        assert key.width() >= key.sizeHint().width()
        assert legend.rect().contains(key.geometry())


def test_a_growing_reply_is_tinted_as_it_grows(shown, say) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.set_tint(True)
    transcript.begin_reply(1)
    say(transcript, 1, "Hello")
    say(transcript, 1, " world", source="bonus")
    assert len(tinted(transcript, 1)) == 2
    transcript.finish(1, "complete")
    assert len(tinted(transcript, 1)) == 2


def test_the_tint_costs_nothing_while_it_is_off(shown, say, monkeypatch) -> None:
    transcript = shown(EntryView(1, "assistant", "", "writing"))
    transcript.begin_reply(1)
    for name in ("app.chat.tint.stretches", "app.chat.tint.verbatim_stretches"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("aligned for nothing"))
    say(transcript, 1, "Hello ", "`world`", "\n```\ncode\n```\n")
    transcript.finish(1, "complete")
