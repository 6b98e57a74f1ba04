"""The comparison as its window uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication

from app.compare.view import CompareView
from app.phases import MOST_EXACT_GAMMA, MOST_GAMMA
from app.theme import Theme
from engine.protocol import (
    PLAIN,
    SPECULATIVE,
    Compared,
    Done,
    Emitted,
    Figures,
    Parting,
    Piece,
)
from tests.app.panel.events import reply

PROMPT = "Parse an ISO-8601 date\nwithout libraries."
SAME = Compared(1.64, 5.6, 11.0, 60, None)
PARTING = Parting(20, (5, 6), (" month", " day"), (0.41, 0.39), 0.05, at_the_edge=False)


@pytest.fixture
def view(qtbot, theme: Theme) -> CompareView:
    view = CompareView(theme, interval=5)
    qtbot.addWidget(view)
    view.resize(820, 680)
    view.show()
    return view


def feed(view: CompareView, events: Sequence[Emitted | Done]) -> None:
    for event in events:
        view.lane_done(event) if isinstance(event, Done) else view.emitted(event)


def lanes(count: int = 60) -> Iterator[Emitted | Done]:
    yield from reply(3, count, lane=SPECULATIVE)
    yield from reply(0, count, lane=PLAIN)


def run(view: CompareView, result: Compared, *, exact: bool = False) -> None:
    """A whole comparison."""
    view.begin(PROMPT, 3, exact)
    feed(view, list(lanes()))
    view.result(result)


def text(view: CompareView, lane: str) -> str:
    return view.columns[lane].reading.text


def test_both_columns_stream_at_once_with_their_own_figures(view: CompareView, qtbot) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(reply(3, 60, lane=SPECULATIVE))[:8])
    feed(view, list(reply(0, 60, lane=PLAIN))[:9])
    qtbot.waitUntil(lambda: bool(text(view, SPECULATIVE)) and bool(text(view, PLAIN)))
    qtbot.waitUntil(lambda: view.columns[PLAIN]._speed.text.startswith("14."))
    assert view.columns[PLAIN]._tokens.text == "9 tokens"
    assert view.columns[PLAIN]._clock.text.endswith("s")
    assert "take turns" in view.result_card.note.text()
    assert not view.columns[PLAIN].keep.isVisible()


def test_reading_the_prompt_is_shown_for_each_lane(view: CompareView, qtbot) -> None:
    view.begin(PROMPT, 3, exact=False)
    view.prompt(PLAIN, 30, 120)
    qtbot.waitUntil(lambda: view.columns[PLAIN]._speed.text == "25\u00a0% of the prompt read")


def test_loading_for_exact_arithmetic_is_told(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=True)
    view.loading(0.4)
    assert "40\u00a0%" in view.result_card.note.text()


def test_the_result_says_who_was_faster_and_that_the_words_are_the_same(view: CompareView) -> None:
    run(view, SAME)
    card = view.result_card
    speculative, plain = (column.lane for column in view.columns.values())
    speed_up = speculative.figures.tokens_per_second / plain.figures.tokens_per_second
    apart = plain.clock - speculative.clock  # as both columns show
    assert card.verdict.text() == f"Drafting pays here: {speed_up:.2f}× faster."
    assert card.saved.text().startswith(f"Saved {apart:.1f}\u00a0s, prompt included. Breaks even")
    assert card.saved.text().endswith("tokens of reply.")
    assert card.same.text() == "Both lanes wrote the same 60 tokens."
    assert not card.button.isVisible()
    assert view.columns[PLAIN].reading.marked == ""


def test_what_is_to_be_known_of_the_replies_is_said_once(view: CompareView) -> None:
    note = "The template is a plain one."
    view.begin(PROMPT, 3, exact=False)
    feed(view, [replace(e, notes=(note,)) if isinstance(e, Done) else e for e in lanes()])
    view.result(SAME)
    assert view.result_card.note.text() == note


def test_why_it_cannot_be_run_again_is_on_its_buttons(view: CompareView) -> None:
    run(view, Compared(1.64, 5.6, 11.0, 20, PARTING))
    for button in (view.controls.run, view.result_card.button):
        view.hinder("No draft.")
        assert (button.isEnabled(), button.toolTip()) == (False, "<qt>No draft.</qt>")
        view.hinder("")
        assert (button.isEnabled(), button.toolTip()) == (True, "")


def test_the_first_differing_token_is_marked_in_both(view: CompareView) -> None:
    run(view, Compared(1.64, 5.6, 11.0, 20, PARTING))
    for column in view.columns.values():
        start, end = column.lane.span(20)
        assert column.reading.marked == column.lane.text[start:end] != ""
    assert "token 21" in view.result_card.same.text()


def test_marks_stand_right_behind_characters_that_qt_counts_twice(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    for lane in (SPECULATIVE, PLAIN):
        pieces = [Piece("👩‍🚀 ", 0), Piece("flew\n", 1), Piece("home", 2)]
        view.emitted(Emitted(lane, pieces, [], [], Figures(tokens=3)))
        view.lane_done(Done(lane, "end", "", (1, 2, 3), Figures(tokens=3), 1))
    view.result(
        Compared(1.0, 0.0, None, 2, Parting(2, (1, 2), ("home", "off"), (0.5, 0.4), 0, False))
    )
    assert view.columns[PLAIN].reading.marked == "home"


def test_a_reply_that_ended_earlier_is_marked_at_its_end(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    view.emitted(Emitted(PLAIN, [Piece("Yes", 0)], [], [], Figures(tokens=2)))
    view.lane_done(Done(PLAIN, "end", "Yes", (1, 2), Figures(tokens=2), 1))
    view.columns[PLAIN].mark(1)
    assert view.columns[PLAIN].reading.marked == "s"


def test_words_that_part_offer_exact_arithmetic(view: CompareView, qtbot) -> None:
    run(view, Compared(1.64, 5.6, 11.0, 20, PARTING))
    with qtbot.waitSignal(view.again) as told:
        qtbot.mouseClick(view.result_card.button, Qt.MouseButton.LeftButton)
    assert told.args == [3, True]
    assert view.exact


def test_another_gamma_is_run_without_retyping(view: CompareView, qtbot) -> None:
    run(view, SAME)
    view.controls.gamma.setValue(5)
    assert view.controls.run.text() == "Run again with γ 5"
    with qtbot.waitSignal(view.again) as told:
        qtbot.mouseClick(view.controls.run, Qt.MouseButton.LeftButton)
    assert told.args == [5, False]
    view.begin(PROMPT, 5, exact=False)
    assert text(view, PLAIN) == ""
    assert view.result_card.verdict.text() == ""


def test_exact_arithmetic_bounds_gamma(view: CompareView) -> None:
    run(view, SAME)
    view.controls.gamma.setValue(12)
    view.controls.exact.setChecked(True)
    assert view.controls.gamma.value() == MOST_EXACT_GAMMA
    view.controls.exact.setChecked(False)
    assert view.controls.gamma.maximum() == MOST_GAMMA


@pytest.mark.parametrize("lane", [SPECULATIVE, PLAIN])
def test_either_reply_can_be_kept(view: CompareView, qtbot, lane: str) -> None:
    run(view, SAME)
    with qtbot.waitSignal(view.keep) as told:
        qtbot.mouseClick(view.columns[lane].keep, Qt.MouseButton.LeftButton)
    assert told.args == [lane]


def test_stop_is_acknowledged_at_once(view: CompareView, qtbot) -> None:
    view.begin(PROMPT, 3, exact=False)
    with qtbot.waitSignal(view.stop):
        qtbot.mouseClick(view.controls.run, Qt.MouseButton.LeftButton)
    assert view.controls.run.text() == "Stopping …"
    assert not view.controls.run.isEnabled()
    view.result(Compared(0.0, 0.0, None, 0, None))
    assert view.controls.run.text() == "Run again"
    assert view.result_card.verdict.text() == "It was stopped before a word was written."
    assert view.result_card.same.text() == view.result_card.why.text() == ""


def test_a_comparison_that_was_stopped_in_one_lanes_first_turn_claims_nothing(
    view: CompareView,
) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(reply(3, 60, lane=SPECULATIVE))[:3])
    view.result(Compared(0.0, 0.0, None, 0, None))
    assert "stopped before both lanes wrote" in view.result_card.verdict.text()
    assert view.result_card.same.text() == ""


@pytest.mark.parametrize(("count", "is_judged"), [(23, False), (24, True)])
def test_a_short_comparison_is_not_judged(view: CompareView, count: int, is_judged: bool) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(lanes(count)))
    view.result(Compared(1.64, 5.6, 11.0, count, None))
    card = view.result_card
    said = "Too short to judge drafting by: that takes 24 tokens in each lane."
    assert (card.verdict.text() == said) is not is_judged
    assert bool(card.saved.text()) is bool(card._speed_up.text) is is_judged
    assert card.same.text() == f"Both lanes wrote the same {count} tokens."


def test_a_prompt_that_only_the_plain_lane_read_is_not_called_a_saving(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    drafted = Figures(tokens=30, rounds=12, drafted=36, seconds=3.0, prompt_evaluated=4)
    plain = Figures(tokens=30, rounds=30, seconds=3.3, prompt_evaluated=900, prompt_seconds=9.0)
    view.lane_done(Done(SPECULATIVE, "end", "", (1,) * 30, drafted, 1))
    view.lane_done(Done(PLAIN, "end", "", (1,) * 30, plain, 1))
    view.result(Compared(1.1, 0.3, 0.0, 30, None))
    assert view.result_card.saved.text().startswith("Saved 300\u00a0ms")
    assert "that is not counted as saved" in view.result_card.saved.text()


def test_replies_of_different_length_are_counted_alike(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(reply(3, 60, lane=SPECULATIVE)))
    feed(view, list(reply(0, 40, lane=PLAIN)))
    view.result(Compared(1.64, 5.6, 11.0, 40, None))
    assert "Both are counted for 60 tokens." in view.result_card.saved.text()


def test_a_failure_says_what_happened_and_what_stays(view: CompareView, qtbot) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(lanes())[:8])
    view.failed("The engine stopped. Reload the pair.")
    assert view.result_card.verdict.text() == "The engine stopped. Reload the pair."
    assert "stays" in view.result_card.saved.text()
    assert text(view, SPECULATIVE)
    assert view.columns[SPECULATIVE].keep.isVisible()
    assert not view.columns[PLAIN].keep.isVisible()  # it has written nothing
    with qtbot.waitSignal(view.again) as told:
        qtbot.mouseClick(view.result_card.button, Qt.MouseButton.LeftButton)
    assert told.args == [3, False]


def test_a_failure_before_the_first_word_claims_nothing(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    view.failed("The prompt is too long.")
    assert view.result_card.saved.text() == ""


def test_events_of_a_chat_are_passed_over(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    feed(view, list(reply(3, 10)))
    assert not any(column.lane.text for column in view.columns.values())


def test_a_reader_who_scrolled_up_is_left_alone(view: CompareView) -> None:
    view.begin(PROMPT, 3, exact=False)
    column = view.columns[PLAIN]
    column.reading.write([Piece("line\n\n" * 100, 0)], [])
    column.reading.flush()
    bar = column.reading.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(10)
    column.reading.write([Piece("more\n\n" * 50, 1)], [])
    column.reading.flush()
    assert bar.value() == 10


def test_everything_is_text_for_a_screen_reader(view: CompareView) -> None:
    run(view, SAME)
    clocks = view.result_card._clocks
    assert clocks.accessibleDescription().startswith("Speculative: ")
    assert "Plain: " in clocks.accessibleDescription()
    column = view.columns[PLAIN]
    assert column._speed.accessibleDescription().startswith("14.")
    assert column.reading.accessibleName() == "Plain"
    assert column.keep.accessibleName() == "Keep the reply: Plain"
    assert view.controls.gamma.accessibleName()


def test_the_prompt_stands_above_in_one_line(view: CompareView) -> None:
    run(view, SAME)
    assert view.controls.prompt.whole_text() == "Parse an ISO-8601 date without libraries."


def test_a_changed_theme_is_followed(view: CompareView, theme: Theme) -> None:
    run(view, Compared(1.64, 5.6, 11.0, 20, PARTING))
    before = view.grab().toImage()
    theme.mode = "dark"
    assert view.grab().toImage() != before
    theme.mode = "light"


@pytest.mark.parametrize("width", [600, 900, 1500])
def test_in_a_narrow_window_no_control_is_cut_in_large_letters(
    qtbot, view: CompareView, installed: Theme, width: int
) -> None:
    installed.scale = 2.0
    view.resize(width, 700)
    run(view, SAME)
    controls = (view.controls.exact, view.controls.gamma, view.controls.run)
    qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in controls))
    assert view.width() == width
    places = [QRect(each.mapTo(view, QPoint()), each.size()) for each in controls]
    assert all(view.rect().contains(place) for place in places)
    assert not any(one.intersects(other) for one, other in combinations(places, 2))


def test_in_a_low_window_it_scrolls_and_nothing_is_squeezed(view: CompareView) -> None:
    run(view, Compared(1.64, 5.6, 11.0, 20, PARTING))
    view.resize(600, 320)
    QApplication.processEvents()
    for widget in (*view.columns.values(), view.result_card, view.controls):
        assert widget.height() >= widget.minimumSizeHint().height()
    card = view.result_card
    for words in (card.verdict, card.saved, card.same, card.why):
        assert words.height() >= words.heightForWidth(words.width())
