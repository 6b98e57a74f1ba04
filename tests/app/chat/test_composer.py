"""The composer: what is typed is kept until it is sent, however large."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog

from app.actions import shown
from app.chat.composer import Composer, ComposerState
from app.chat.model import Attachment
from app.chat.textbox import MOST_CHARACTERS
from app.theme import Role

ENTER, ESCAPE, UP, DOWN = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down


def pasted(composer: Composer, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    composer.box.insertFromMimeData(data)


def test_enter_sends_and_empties_the_box(qtbot, composer) -> None:
    qtbot.keyClicks(composer.box, "Hello")
    with qtbot.waitSignal(composer.send) as sent:
        qtbot.keyClick(composer.box, ENTER)
    assert sent.args == ["Hello", []]
    assert composer.text == ""


def test_shift_and_enter_break_the_line(qtbot, composer) -> None:
    qtbot.keyClicks(composer.box, "a")
    qtbot.keyClick(composer.box, ENTER, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.box, "b")
    assert composer.text == "a\nb"


def test_with_nothing_to_take_back_in_the_box_the_keys_are_the_windows(qtbot, composer) -> None:
    shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), composer)
    with qtbot.waitActive(composer):
        composer.show()
        composer.activateWindow()
    composer.box.setFocus()
    with qtbot.waitSignal(shortcut.activated, timeout=1000):
        qtbot.keyClick(composer.box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(composer.box, "Hello")
    with qtbot.assertNotEmitted(shortcut.activated):
        qtbot.keyClick(composer.box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == ""


def test_nothing_is_not_sent(qtbot, composer) -> None:
    with qtbot.assertNotEmitted(composer.send):
        qtbot.keyClicks(composer.box, "   ")
        qtbot.keyClick(composer.box, ENTER)


@pytest.mark.parametrize(
    "state", [ComposerState.busy(), ComposerState.stopping(), ComposerState.disabled("No model.")]
)
def test_what_cannot_be_sent_now_is_kept_and_the_reason_is_said(qtbot, composer, state) -> None:
    """Row E9: a second message while the first is answered."""
    composer.set_state(state)
    qtbot.keyClicks(composer.box, "Hello")
    with qtbot.assertNotEmitted(composer.send):
        qtbot.keyClick(composer.box, ENTER)
    assert composer.text == "Hello"
    assert composer.hint


def test_escape_and_the_button_stop_a_reply_once(qtbot, composer) -> None:
    for press in (lambda: qtbot.keyClick(composer.box, ESCAPE), composer.button.click):
        composer.set_state(ComposerState.busy())
        assert composer.button.text() == "Stop"
        with qtbot.waitSignal(composer.stop):
            press()
        assert composer.button.text() == "Stopping…"
        with qtbot.assertNotEmitted(composer.stop):
            press()


def test_escape_does_nothing_where_nothing_is_written(qtbot, composer) -> None:
    with qtbot.assertNotEmitted(composer.stop):
        qtbot.keyClick(composer.box, ESCAPE)


def test_the_button_keeps_its_width(composer) -> None:
    widths = set()
    for state in (ComposerState.idle(), ComposerState.busy(), ComposerState.stopping()):
        composer.set_state(state)
        widths.add(composer.button.sizeHint().width() <= composer.button.minimumWidth())
    assert widths == {True}


def test_a_file_may_be_called_as_it_likes(composer) -> None:
    composer.attach(Attachment("R&D.txt", "x"))
    face = composer.chips.chips[0].face
    assert face.text().startswith("R&&D.txt")  # which is drawn as R&D.txt
    assert face.shortcut().isEmpty()


def test_the_button_for_files_says_its_keys(composer) -> None:
    assert composer.attach_button.toolTip() == f"Attach files  ·  {shown('Ctrl+U')}"


def test_up_in_an_empty_box_brings_back_what_was_sent(qtbot, composer) -> None:
    composer.set_recall(["first", "second"])
    for key, text in ((UP, "second"), (UP, "first"), (UP, "first"), (DOWN, "second"), (DOWN, "")):
        qtbot.keyClick(composer.box, key)
        assert composer.text == text


def test_up_passes_by_what_the_box_does_not_hold(qtbot, composer) -> None:
    composer.set_recall(["first", "x" * (MOST_CHARACTERS + 1), "third"])
    for text in ("third", "first"):
        qtbot.keyClick(composer.box, UP)
        assert composer.text == text


def test_a_draft_that_the_box_does_not_hold_goes_with_it(composer) -> None:
    text = "x" * (MOST_CHARACTERS + 1)
    composer.set_draft(text, [Attachment("a.txt", "a")])
    assert composer.text == ""
    assert composer.attachments == [Attachment("a.txt", "a"), Attachment("Pasted text", text)]
    composer.set_draft(text[1:])
    assert (composer.text, composer.attachments) == (text[1:], [])


def test_the_tab_key_goes_by_what_is_seen(qtbot, composer) -> None:
    composer.set_draft("", [Attachment("a.txt", "a"), Attachment("b.txt", "b")])
    with qtbot.waitActive(composer):
        composer.show()
        composer.activateWindow()
    composer.chips.chips[0].face.setFocus()
    reached = []
    for _ in range(6):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget())
    first, second = (chip.controls for chip in composer.chips.chips)
    assert reached == [first[1], *second, composer.box, composer.attach_button, composer.button]


def test_up_leaves_a_draft_alone(qtbot, composer) -> None:
    composer.set_recall(["first"])
    qtbot.keyClicks(composer.box, "draft")
    qtbot.keyClick(composer.box, UP)
    assert composer.text == "draft"


@pytest.mark.parametrize("text", ["x" * 200_000, "\n".join(f"line {n}" for n in range(20_000))])
def test_a_huge_paste_becomes_an_attachment(qtbot, composer, text: str) -> None:
    """Row E5: the box never holds it."""
    pasted(composer, text)
    assert composer.text == ""
    assert composer.attachments == [Attachment("Pasted text", text)]
    with qtbot.waitSignal(composer.send) as sent:
        qtbot.keyClick(composer.box, ENTER)
    assert sent.args == ["", [Attachment("Pasted text", text)]]
    assert composer.attachments == []


def test_pastes_have_names_of_their_own(composer) -> None:
    pasted(composer, "x" * 9_000)
    pasted(composer, "y" * 9_000)
    assert [each.name for each in composer.attachments] == ["Pasted text", "Pasted text 2"]


def test_an_ordinary_paste_is_typed(composer) -> None:
    pasted(composer, "a\r\nb")
    assert composer.text == "a\nb"


def test_rich_text_is_pasted_as_its_words(composer) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    composer.box.insertFromMimeData(data)
    assert composer.text == "bold"
    assert "<b>" not in composer.box.toHtml().split("<body")[1]


def test_files_are_attached_and_what_is_no_text_is_said(composer, tmp_path) -> None:
    (tmp_path / "notes.txt").write_text("a\r\nb", newline="")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in sorted(tmp_path.glob("*.*"))])
    composer.box.insertFromMimeData(data)
    assert composer.attachments == [Attachment("notes.txt", "a\nb")]
    assert composer.hint == "image.png is not a text file."


def test_files_are_chosen_without_holding_anything_up(
    composer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("a")
    monkeypatch.setattr(QFileDialog, "open", lambda _dialog: None)
    composer.attach_button.click()
    dialog = composer.window().findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFiles
    dialog.filesSelected.emit([str(tmp_path / "notes.txt")])
    assert composer.attachments == [Attachment("notes.txt", "a")]
    dialog.deleteLater()


def test_a_missing_file_is_said(composer, tmp_path) -> None:
    composer.attach_files([str(tmp_path / "gone.txt")])
    assert composer.hint == "gone.txt cannot be read."


def test_an_attachment_can_be_looked_into_and_taken_off(qtbot, composer) -> None:
    pasted(composer, "x" * 9_000 + "\n" * 30)
    chip = composer.chips.chips[0]
    preview = chip.preview()
    assert preview.isVisible()
    preview.close()
    chip.removed.emit()
    assert composer.attachments == []
    assert not composer.chips.isVisible()


def test_many_files_come_at_once_and_leave_room_for_the_message(
    qtbot, composer, tmp_path, monkeypatch
) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}.txt").write_text("a")
    shown_times: list[int] = []
    show = composer.chips.show_attachments
    monkeypatch.setattr(
        composer.chips,
        "show_attachments",
        lambda each: (shown_times.append(len(each)), show(each)),
    )
    composer.attach_files([str(path) for path in sorted(tmp_path.iterdir())])
    assert shown_times == [60]
    area = composer._chip_area
    assert area.height() < composer.chips.height()
    assert area.height() < 5 * composer.chips.chips[0].height()
    with qtbot.waitActive(composer):
        composer.activateWindow()
    composer.chips.chips[-2].controls[-1].setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    last = composer.chips.chips[-1]
    assert last.face.hasFocus()
    assert area.viewport().rect().contains(last.mapTo(area.viewport(), last.rect().center()))


def test_the_draft_is_told_a_moment_after_it_changed(qtbot, composer) -> None:
    with qtbot.waitSignal(composer.draft_changed) as told:
        qtbot.keyClicks(composer.box, "abc")
    assert told.args == ["abc"]


def test_a_draft_comes_back_with_its_attachments(composer) -> None:
    composer.set_draft("text", [Attachment("a", "x")])
    assert (composer.text, composer.attachments) == ("text", [Attachment("a", "x")])


def test_the_meter_says_how_full_the_context_would_be(composer) -> None:
    composer.set_counts(34, 812, 4096)
    assert composer.meter.words == "+34  ·  846 of 4,096 tokens"
    composer.set_counts(0, 812, 4096)
    assert composer.meter.words == "812 of 4,096 tokens"
    composer.set_counts(4_000, 812, 4096)
    assert composer.meter.words == "Too long: 4,812 of 4,096 tokens"
    composer.set_counts(0, 0, 0)
    assert not composer.meter.isVisible()


def test_the_box_grows_with_the_text_up_to_a_point(composer) -> None:
    heights = []
    for lines in (1, 3, 10, 60):
        composer.set_draft("\n".join(["line"] * lines))
        heights.append(composer.box.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_a_right_to_left_message_is_typed_right_to_left(composer) -> None:
    composer.set_draft("שלום עולם")
    assert composer.box.document().begin().textDirection() == Qt.LayoutDirection.RightToLeft


def test_it_follows_the_theme(composer, installed) -> None:
    before = composer.box.font().pixelSize()
    installed.scale = 2.0
    assert composer.box.font().pixelSize() == 2 * before
    installed.mode = "dark"


def test_everything_has_a_name(composer) -> None:
    pasted(composer, "x" * 9_000)
    for control in (composer.box, composer.attach_button, composer.button):
        assert control.accessibleName() or control.text()
    assert composer.chips.chips[0].face.accessibleName()


@pytest.mark.skipif(os.name == "nt", reason="pipes in folders are POSIX's")
def test_what_is_no_file_is_never_waited_for(composer, tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "pipe", tmp_path / "folder", Path("/dev/zero")):
        composer.attach_files([str(path)])
        assert composer.hint == f"{path.name} is not a file."
    assert composer.attachments == []


def test_many_pastes_become_an_attachment_before_they_fill_the_box(composer) -> None:
    for _ in range(6):
        pasted(composer, "x" * 7_000)
    assert len(composer.text) == 28_000
    assert [len(each.text) for each in composer.attachments] == [7_000, 7_000]


def test_the_line_around_it_tells_whether_the_text_has_the_keyboard(qtbot, composer, theme) -> None:
    def line() -> str:
        image = composer._frame.grab().toImage()
        return image.pixelColor(image.width() // 2, 1).name()

    composer.activateWindow()
    composer.box.setFocus()
    qtbot.waitUntil(composer.box.hasFocus)
    assert line() == theme.color(Role.FOCUS).name()
    composer.attach_button.setFocus(Qt.FocusReason.TabFocusReason)
    assert line() != theme.color(Role.FOCUS).name()
    composer.attach_button.clearFocus()
    assert line() != theme.color(Role.FOCUS).name()
