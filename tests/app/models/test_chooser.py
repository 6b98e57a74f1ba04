"""The pair is chosen: a target, then a draft for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.actions import Actions
from app.models.choice import Offer
from app.models.choices_list import ChoiceList
from app.models.chooser import Chooser
from app.models.room import Models
from app.models.row import Row
from app.pairs import Pair
from app.theme import Theme
from tests.app.models.conftest import words
from tests.app.models.test_library import large_target
from tests.app.windows import until
from tests.support.stub_bridge import StubBridge
from tests.support.tiny_models import Tiny, write_tiny

Files = tuple[Path, Path]


@pytest.fixture(name="button")
def anchor(window: QWidget) -> QPushButton:
    made = QPushButton("pair", window)
    made.setGeometry(20, 10, 200, 40)
    made.show()
    return made


@pytest.fixture
def chooser(installed: Theme, models: Models, actions: Actions, window: QWidget) -> Chooser:
    return Chooser(installed, models.library, models.life, actions, window)


def open_it(chooser: Chooser, button: QPushButton) -> None:
    chooser.open_below(button)
    until(lambda: chooser.drafts.choices and chooser._job is None)


def titles(chooser: Chooser) -> tuple[list[str], list[str]]:
    return (
        [choice.offer.title for choice in chooser.targets.choices.values()],
        [choice.offer.title for choice in chooser.drafts.choices.values()],
    )


def test_every_model_is_a_target_and_every_other_one_a_draft(
    chooser: Chooser, button: QPushButton, pair: Files
) -> None:
    write_tiny(pair[0].parent / "other.gguf", Tiny(tokenizer="llama"))
    (pair[0].parent / "page.gguf").write_bytes(b"<!DOCTYPE html>")
    open_it(chooser, button)
    chooser.targets.choices[2].click()
    until(lambda: chooser._job is None)
    targets, drafts = titles(chooser)
    assert targets == ["draft", "other", "target", "page"]
    assert drafts == ["No draft", "draft", "other", "page"]
    reasons = {c.offer.title: c.offer.reason for c in chooser.drafts.choices.values()}
    assert "SentencePiece" in reasons["other"]
    assert "web page" in reasons["page"]
    assert reasons["draft"] == ""
    assert "a guess" in chooser.drafts.choices[1].offer.worth


def test_models_of_one_name_are_told_apart(
    chooser: Chooser, button: QPushButton, pair: Files
) -> None:
    folder = pair[0].parent
    (folder / "other").mkdir()
    write_tiny(folder / "other" / "draft.gguf", Tiny(seed=3))
    open_it(chooser, button)
    chooser.targets.choices[titles(chooser)[0].index("target")].click()
    until(lambda: chooser._job is None)
    named = {f"{folder.name}/draft", "other/draft"}
    assert named <= set(titles(chooser)[0])
    assert named <= set(titles(chooser)[1])


def test_where_no_draft_fits_each_is_listed_with_its_reason(
    chooser: Chooser, button: QPushButton, folder: Path
) -> None:
    write_tiny(folder / "target.gguf", Tiny(width=128, layers=6))
    write_tiny(folder / "kind.gguf", Tiny(tokenizer="llama"))
    write_tiny(folder / "padded.gguf", Tiny(padding=129))
    write_tiny(folder / "renamed.gguf", Tiny(renamed=((139, "other"),)))
    open_it(chooser, button)
    target = titles(chooser)[0].index("target")
    chooser.targets.choices[target].click()
    until(lambda: chooser._job is None)
    drafts = {each.offer.title: each for each in chooser.drafts.choices.values()}
    assert list(drafts) == ["No draft", "kind", "padded", "renamed"]
    assert [each.can_be_chosen for each in drafts.values()] == [True, False, False, False]
    assert "SentencePiece" in drafts["kind"].offer.reason
    assert "129 apart" in drafts["padded"].offer.reason
    assert "Token 139 reads" in drafts["renamed"].offer.reason
    assert chooser.load.text() == "Use it without a draft"


def test_the_best_draft_is_chosen_with_the_target_and_one_press_loads_both(
    chooser: Chooser, button: QPushButton, pair: Files
) -> None:
    chosen: list[Pair] = []
    chooser.chosen.connect(chosen.append)
    open_it(chooser, button)
    chooser.targets.choices[1].click()
    until(lambda: chooser._job is None)
    chooser.load.click()
    assert chosen == [Pair(*pair)]
    assert not chooser.isVisible()


def test_what_is_in_use_is_shown_and_another_draft_can_be_had(
    chooser: Chooser, button: QPushButton, pair: Files, models: Models
) -> None:
    models.life.load(Pair(*pair), models.choices.engine)
    bridge = models.life._bridge
    assert isinstance(bridge, StubBridge)
    bridge.be_ready()
    open_it(chooser, button)
    assert chooser.pair == Pair(*pair)
    assert chooser.load.text() == "In use"
    assert not chooser.load.isEnabled()
    chooser.drafts.choices[0].click()
    assert chooser.pair == Pair(pair[0])
    assert chooser.load.isEnabled()
    assert "without a draft" in chooser.load.text()


def test_what_cannot_be_chosen_is_not(chooser: Chooser, button: QPushButton, pair: Files) -> None:
    (pair[0].parent / "page.gguf").write_bytes(b"<!DOCTYPE html>")
    open_it(chooser, button)
    page = list(chooser.targets.choices.values())[-1]
    before = chooser.target
    QTest.mouseClick(page, Qt.MouseButton.LeftButton)
    QTest.keyClick(page, Qt.Key.Key_Return)
    assert chooser.target == before
    assert chooser.isVisible()
    assert "web page" in page.accessibleDescription()


def test_arrows_go_through_the_list_and_return_loads(
    chooser: Chooser, button: QPushButton, pair: Files
) -> None:
    chosen: list[Pair] = []
    chooser.chosen.connect(chosen.append)
    open_it(chooser, button)
    first, second = chooser.targets.choices.values()
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is second
    QTest.keyClick(second, Qt.Key.Key_Return)  # before it is known who may draft for it
    until(lambda: chosen)
    assert chosen == [Pair(*pair)]


def test_escape_and_a_click_elsewhere_close_it(
    chooser: Chooser, button: QPushButton, pair: Files, window: QWidget
) -> None:
    open_it(chooser, button)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not chooser.isVisible()
    open_it(chooser, button)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=window.rect().bottomRight())
    assert not chooser.isVisible()


def test_without_models_it_says_so(chooser: Chooser, button: QPushButton) -> None:
    chooser.open_below(button)
    until(lambda: "There is no model here yet." in words(chooser))
    assert not chooser.load.isEnabled()


def test_the_draft_that_goes_with_a_target_is_fetched_on_a_press(
    chooser: Chooser, button: QPushButton, folder: Path
) -> None:
    large_target(folder)
    asked: list[tuple[str, str]] = []
    chooser.fetched.connect(lambda model, target: asked.append((model.key, target.name)))
    open_it(chooser, button)
    assert "Qwen2.5 0.5B Instruct" in words(chooser)
    row = chooser.findChild(Row)
    next(each for each in row.findChildren(QPushButton) if "Fetch it" in each.text()).click()
    assert asked == [("qwen2.5-0.5b", "qwen2.5-7b-instruct-q4_k_m")]


def test_many_models_can_be_filtered(chooser: Chooser, button: QPushButton, folder: Path) -> None:
    for number in range(9):
        write_tiny(folder / f"model {number}.gguf", Tiny())
    open_it(chooser, button)
    assert chooser.search.isVisible()
    chooser.search.setText("3")
    shown = [c.offer.title for c in chooser.targets.choices.values() if c.isVisible()]
    assert shown == ["model 3"]


@pytest.mark.parametrize("width", [420, 1000])
def test_nothing_is_cut_off_where_there_is_little_room(
    chooser: Chooser, button: QPushButton, pair: Files, window: QWidget, width: int
) -> None:
    window.resize(width, 700)
    open_it(chooser, button)
    inside = window.rect().contains(chooser.geometry())
    assert inside
    choices = (*chooser.targets.choices.values(), *chooser.drafts.choices.values())
    until(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in choices))


def test_a_thousand_models_are_shown_as_they_are_wanted(installed: Theme, window: QWidget) -> None:
    titles = [f"model {number}" for number in range(1000)]
    shown = ChoiceList(installed, "Target", "TARGET", window)
    shown.offer(titles, lambda number: Offer(titles[number], "1B"), 900)
    assert len(shown.choices) == 61  # and the one that is chosen
    assert shown.choices[900].isChecked()
    shown.more.click()
    assert len(shown.choices) == 301
    shown.filter("model 77")
    assert sorted(shown.choices) == [77, *range(770, 780)]
    assert shown.held == 900
    shown.choices[77].click()
    assert shown.held == 77


def test_exactly_the_chosen_one_is_ticked_whatever_was_before(
    installed: Theme, window: QWidget
) -> None:
    titles = ["one", "two", "three"]

    def make(number: int) -> Offer:
        return Offer(titles[number], "1B")

    shown = ChoiceList(installed, "Target", "TARGET", window)
    shown.offer(titles, make, 2)
    for number in (1, 0, 2, 2, 0):
        shown.choices[number].click()
        assert [n for n, each in shown.choices.items() if each.isChecked()] == [number]
        shown.offer(titles, make, shown.held)
        assert [n for n, each in shown.choices.items() if each.isChecked()] == [number]
    shown.offer(titles, make, None)
    assert not any(each.isChecked() for each in shown.choices.values())


def test_models_put_there_by_hand_are_offered_as_the_pair_that_suits(
    chooser: Chooser, button: QPushButton, pair: Files
) -> None:
    write_tiny(pair[0].parent / "a stranger.gguf", Tiny(tokenizer="llama"))
    open_it(chooser, button)
    assert chooser.pair == Pair(*pair)


def test_opened_again_it_shows_the_pair_in_use_and_not_one_that_was_left(
    chooser: Chooser, button: QPushButton, pair: Files, models: Models
) -> None:
    models.life.load(Pair(*pair), models.choices.engine)
    open_it(chooser, button)
    chooser.targets.choices[0].click()
    until(lambda: chooser._job is None)
    assert chooser.pair == Pair(pair[1])
    chooser.close_quietly()
    open_it(chooser, button)
    until(lambda: not models.library.is_looking and chooser._job is None)
    assert chooser.pair == Pair(*pair)
