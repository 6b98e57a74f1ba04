"""Under the last reply: which of its versions is shown, and the way to the others."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.actions import shown as shown_keys
from app.chat.footer import Footer
from app.chat.model import EntryView, Version
from app.chat.transcript import Transcript
from app.theme import Theme

FIGURES = {"tokens_per_second": 40.0, "tokens": 12}
THOUGHTFUL = "<think>\nHm.\n</think>\n\nSecond"


@pytest.fixture
def paged(shown):
    """A reply, the second of three versions."""

    def show(text: str = "Second", version: Version | None = None) -> Transcript:
        reply = EntryView(2, "assistant", text, figures=FIGURES)
        transcript = shown(("user", "Hi"), reply)
        transcript.set_version(version or Version(2, 2, 3))
        return transcript

    return show


def footer(transcript: Transcript, index: int = -1) -> Footer:
    widget = transcript._rows[index].widget
    assert widget is not None
    return widget.footer


def enabled(transcript: Transcript) -> set[str]:
    pager = footer(transcript).pager
    assert pager is not None
    return {name for name, button in pager.buttons.items() if button.isEnabled()}


def turn_to(transcript: Transcript, entry: EntryView, version: Version) -> None:
    """What the window does where another version is chosen."""
    transcript.show_version(transcript._rows[-1].entry.id, entry)
    transcript.set_version(version)


def test_the_place_among_the_versions_is_told_to_eyes_and_ears(paged) -> None:
    pager = footer(paged()).pager
    assert pager.isVisible()
    assert pager.number.text() == "2 of 3"
    assert pager.number.accessibleName() == "Version 2 of 3"
    names = [button.accessibleName() for button in pager.buttons.values()]
    assert names == ["Earlier version", "Later version"]
    keys = [shown_keys("Alt+,"), shown_keys("Alt+.")]
    tips = [button.toolTip() for button in pager.buttons.values()]
    assert tips == [f"{name}  ·  {key}" for name, key in zip(names, keys, strict=True)]
    assert pager.buttons["later"].accessibleDescription() == "Version 2 of 3"


def test_the_message_says_which_version_it_is(paged) -> None:
    message = paged()._rows[-1].widget
    assert message.accessibleDescription().endswith("Version 2 of 3")


def test_a_reply_of_one_version_has_no_pager(paged) -> None:
    transcript = paged()
    assert footer(transcript, 0).pager is None
    transcript.set_version(None)
    assert footer(transcript).pager is None


def test_the_buttons_ask_for_the_versions_beside(qtbot, paged) -> None:
    transcript = paged()
    for name, step in (("earlier", -1), ("later", 1)):
        with qtbot.waitSignal(transcript.turn) as told:
            footer(transcript).pager.buttons[name].click()
        assert told.args == [step]


@pytest.mark.parametrize(
    ("version", "wanted"),
    [
        (Version(2, 1, 3), {"later"}),
        (Version(2, 2, 3), {"earlier", "later"}),
        (Version(2, 3, 3), {"earlier"}),
        (Version(2, 2, 3, is_free=False), set()),
    ],
)
def test_what_leads_nowhere_is_disabled(paged, version: Version, wanted: set[str]) -> None:
    assert enabled(paged(version=version)) == wanted


def test_only_the_last_reply_has_a_pager_and_not_while_it_is_written(shown, say) -> None:
    transcript = shown(("user", "Hi"), ("assistant", "Hello"))
    transcript.set_version(Version(2, 2, 2))
    transcript.append(EntryView(3, "user", "More"))
    assert footer(transcript, 1).pager is None
    transcript.remove(3)
    assert footer(transcript).pager is not None
    transcript.begin_reply(2)
    assert footer(transcript).pager is None
    transcript.finish(2, "complete")
    assert footer(transcript).pager is not None


def test_another_version_takes_the_place_with_its_words_and_figures(paged) -> None:
    transcript = paged()
    spans = [(0, 5, "accepted", 0.5, 0.5)]
    entry = EntryView(1_000, "assistant", "First", "stopped", {"tokens": 3}, spans)
    turn_to(transcript, entry, Version(1_000, 1, 3))
    message = transcript._rows[-1].widget
    assert [editor.toPlainText() for editor in message.editors()] == ["First"]
    assert footer(transcript).words == "Stopped  ·  3 tokens"
    assert footer(transcript).pager.number.text() == "1 of 3"
    assert transcript.text(1_000) == "First"
    assert transcript.text(2) == ""
    assert [span.source for span in message.row.spans] == ["accepted"]


def test_what_was_said_of_the_reply_that_was_just_written_goes_with_it(paged) -> None:
    transcript = paged()
    transcript.begin_reply(2)
    transcript.finish(2, "complete", "as measured", ["A note."])
    assert footer(transcript).words == "as measured"
    turn_to(transcript, EntryView(3, "assistant", "First", figures=FIGURES), Version(3, 1, 3))
    assert footer(transcript).words == "40.0 tokens/s  ·  12 tokens"
    assert transcript._rows[-1].widget._notes == []


def test_the_tint_is_that_of_the_version_that_is_shown(paged) -> None:
    transcript = paged()
    transcript.set_tint(True)
    spans = [(0, 5, "bonus", 0.5, None)]
    turn_to(transcript, EntryView(3, "assistant", "First", sources=spans), Version(3, 1, 3))
    assert "1 bonus" in transcript._rows[-1].widget.accessibleDescription()
    formats = [
        each.format.background().color()
        for editor in transcript._rows[-1].widget.editors()
        for each in editor.document().begin().layout().formats()
    ]
    assert len(formats) == 1


@pytest.mark.parametrize("texts", [(THOUGHTFUL, "First"), ("Second", THOUGHTFUL)])
def test_reasoning_comes_and_goes_with_its_version(paged, texts: tuple[str, str]) -> None:
    transcript = paged(texts[0])
    turn_to(transcript, EntryView(3, "assistant", texts[1]), Version(3, 1, 3))
    reply = transcript._rows[-1].widget.words
    assert (reply._reasoning is not None) == ("<think>" in texts[1])
    assert reply.arrange(500) > 0
    transcript.grab()


def test_the_keyboard_stays_on_the_pager_from_end_to_end(qtbot, paged) -> None:
    transcript = paged()
    transcript.activateWindow()
    qtbot.waitUntil(transcript.isActiveWindow)
    transcript.setFocus()
    buttons = footer(transcript).pager.buttons
    for _step in range(8):
        if QApplication.focusWidget() is buttons["earlier"]:
            break
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert buttons["earlier"].hasFocus()
    turn_to(transcript, EntryView(3, "assistant", "First"), Version(3, 1, 3))
    assert buttons["later"].hasFocus()
    assert not buttons["earlier"].isEnabled()
    turn_to(transcript, EntryView(4, "assistant", "Third"), Version(4, 3, 3))
    assert buttons["earlier"].hasFocus()
    assert not buttons["later"].isEnabled()


def test_a_pager_that_comes_under_the_message_with_the_focus_is_on_the_tab_keys_way(
    qtbot, shown
) -> None:
    transcript = shown(("user", "Hi"), ("assistant", "Hello"))
    transcript.activateWindow()
    qtbot.waitUntil(transcript.isActiveWindow)
    transcript.setFocus()
    transcript.set_version(Version(2, 2, 2))
    policies = {b.focusPolicy() for b in footer(transcript).pager.buttons.values()}
    assert policies == {Qt.FocusPolicy.StrongFocus}


def test_a_message_without_the_focus_keeps_the_tab_key_out_of_its_pager(paged) -> None:
    policies = {b.focusPolicy() for b in footer(paged()).pager.buttons.values()}
    assert policies == {Qt.FocusPolicy.ClickFocus}


def test_the_menu_leads_to_the_other_versions(qtbot, paged) -> None:
    transcript = paged(version=Version(2, 3, 3))
    menu = transcript._rows[-1].widget.menu()
    earlier, later = menu.actions()[:2]
    assert (earlier.text(), later.text()) == ("Earlier version", "Later version")
    assert not later.isEnabled()
    with qtbot.waitSignal(transcript.turn) as told:
        earlier.trigger()
    assert told.args == [-1]
    menu.deleteLater()


@pytest.mark.parametrize(("scale", "width"), [(0.8, 320), (1, 320), (1, 900), (2, 620), (2, 900)])
def test_nothing_in_the_line_overlaps_at_any_size(installed: Theme, paged, scale, width) -> None:
    transcript = paged()
    installed.scale = scale
    transcript.resize(QSize(width, 500))
    line = footer(transcript)
    line.show_buttons()
    parts = [line._line, line.pager, *line.buttons.values()]
    places = [part.geometry() for part in parts]
    assert all(place.isValid() for place in places)
    for index, place in enumerate(places):
        assert line.rect().contains(place)
        assert not any(place.intersects(other) for other in places[index + 1 :])
    assert line._line.width() >= line.width() // 3
    assert line._line.heightForWidth(line._line.width()) <= line._line.height()


def test_the_buttons_stay_where_they_are_as_the_number_changes(paged) -> None:
    transcript = paged(version=Version(2, 1, 10))
    places = []
    for place in (1, 10):
        transcript.set_version(Version(2, place, 10))
        line = footer(transcript)
        later = line.pager.buttons["later"]
        places.append(later.mapTo(line, QPoint()))
    assert places[0] == places[1]
