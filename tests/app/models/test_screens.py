"""The screens of models in the window, over a fake engine in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.cards import Offer
from app.models.page import ModelsPage
from app.pairs import Pair
from app.parts import Parts
from app.phases import Phase
from app.theme import Theme
from app.window import Window
from engine.models.downloads import State
from engine.models.item import Item
from tests.app.models.conftest import words
from tests.app.models.test_fetches import TWO, Source, file
from tests.app.models.test_page import press, row
from tests.app.windows import delete_now, until, until_phase
from tests.support.fake_engine import fake
from tests.support.tiny_models import Tiny, write_tiny

Files = tuple[Path, Path]
OpenWindow = Callable[..., Window]


@pytest.fixture(name="source")
def slow_or_quick() -> Source:
    return Source()


@pytest.fixture(name="open_window")
def windows(installed: Theme, english: None, source: Source) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def open_window(*options: str, pair: Pair | None = None) -> Window:
        parts = Parts.assemble(fake(*options), sources=lambda _item: [source])
        window = Window(parts)
        opened.append(window)
        window.show()
        if pair is not None:
            window.opener.load(pair)
            until_phase(window, Phase.READY)
        return window

    yield open_window
    for window in opened:
        window.close()
        window.deleteLater()
    delete_now()
    assert [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()] == []


def page_of(window: Window, part: str = "here") -> ModelsPage:
    window.models.show_page(part)
    assert window.models.page is not None
    until(lambda: not window.parts.models.library.is_looking)
    return window.models.page


def test_the_pair_button_opens_the_chooser_and_another_draft_is_loaded(
    open_window: OpenWindow, pair: Files
) -> None:
    write_tiny(pair[0].parent / "other.gguf", Tiny(seed=5))
    window = open_window(pair=Pair(*pair))
    window.topbar.pair.click()
    chooser = window.models.chooser
    until(lambda: len(chooser.drafts.choices) == 3)
    chooser.drafts.choices[0].click()
    chooser.load.click()
    until(lambda: window.parts.life.pair == Pair(pair[0]))
    until_phase(window, Phase.READY)
    assert window.topbar.badge.text() == "No draft"
    assert window.parts.choices.engine.draft is None


def test_a_draft_that_fails_leaves_the_target_and_is_a_badge(
    open_window: OpenWindow, pair: Files
) -> None:
    window = open_window("--refuse", "the target is SentencePiece, the draft BPE", pair=Pair(*pair))
    assert window.parts.life.ready is not None
    assert window.topbar.badge.isVisible()
    assert "SentencePiece" in window.topbar.badge.toolTip()
    assert window.parts.session.phase is Phase.READY


def test_a_model_is_used_with_its_best_draft_from_the_page(
    open_window: OpenWindow, pair: Files
) -> None:
    window = open_window()
    press(row(page_of(window), "target"), "Use")
    until_phase(window, Phase.READY)
    assert window.parts.life.pair == Pair(*pair)
    assert window.stack.currentWidget() is window.chat


def test_what_is_fetched_is_loaded_where_nothing_is(open_window: OpenWindow, folder: Path) -> None:
    window = open_window()
    window.start()
    window.models.fetch(TWO)
    until(lambda: window.parts.life.pair == Pair(folder / "two.gguf", folder / "small.gguf"))
    until_phase(window, Phase.READY)


def test_what_is_fetched_waits_where_another_pair_is_in_use(
    open_window: OpenWindow, pair: Files
) -> None:
    window = open_window(pair=Pair(*pair))
    window.models.fetch(TWO)
    until(lambda: [s.state for s in window.parts.models.fetches.statuses] == [State.DONE])
    assert window.parts.life.pair == Pair(*pair)
    window.models.show_downloads()
    assert "Use it" in words(window.models.tray)


def test_a_draft_that_was_fetched_for_the_target_in_use_drafts_for_it(
    open_window: OpenWindow, pair: Files, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.models import offers
    from engine.models.catalogue import catalogue
    from engine.models.local import check_file

    window = open_window(pair=Pair(pair[0]))
    small = Item("Small", (file("small.gguf", "draft"),))
    monkeypatch.setattr(offers, "model_item", lambda _model, _role: small)
    window.models.chooser.fetched.emit(catalogue()[0].draft, check_file(pair[0]))
    until(lambda: window.parts.life.pair == Pair(pair[0], folder / "small.gguf"))


def test_downloads_go_on_from_where_an_earlier_window_stopped(
    open_window: OpenWindow, source: Source, folder: Path
) -> None:
    source.endless = True
    first = open_window()
    first.models.fetch(TWO)
    until((folder / "two.gguf.part").exists)
    first.close()
    source.endless = False
    second = open_window()
    second.start()
    until(second.models.button.isVisible)
    statuses = second.parts.models.fetches.statuses
    assert [status.state for status in statuses] == [State.PAUSED]
    second.models.show_downloads()
    buttons = second.models.tray.findChildren(QAbstractButton)
    next(each for each in buttons if each.text() == "Go on").click()
    until(lambda: second.parts.models.fetches.statuses[0].state is State.DONE)


def test_a_dropped_folder_is_listed_from_then_on(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window()
    other = tmp_path / "other"
    other.mkdir()
    write_tiny(other / "mine.gguf", Tiny())
    window.open_files([other])
    until(lambda: "mine" in words(page_of(window)))
    assert window.parts.choices.engine.more_folders == (other,)
    assert window.parts.life.pair is None


def test_a_dropped_model_comes_with_the_draft_that_helps_it(
    open_window: OpenWindow, pair: Files, tmp_path: Path
) -> None:
    window = open_window()
    away = write_tiny(tmp_path / "away.gguf", Tiny(width=256, layers=6))
    window.open_files([away])
    until_phase(window, Phase.READY)
    assert window.parts.life.pair == Pair(away, pair[1])


def test_a_dropped_projector_is_said_and_what_is_loaded_stays(
    open_window: OpenWindow, pair: Files, tmp_path: Path
) -> None:
    from tests.support.ggufs import write_gguf

    window = open_window(pair=Pair(*pair))
    window.open_files([write_gguf(tmp_path / "mmproj.gguf", "clip", general__type="mmproj")])
    until(lambda: window.chat.cards.card is not None)
    assert "projector" in window.chat.cards.card.sentence
    assert Offer.OPEN in window.chat.cards.card.offers
    assert window.parts.session.phase is Phase.READY


def test_another_folder_for_downloads_keeps_the_first_one_listed(
    open_window: OpenWindow, pair: Files, tmp_path: Path
) -> None:
    window = open_window()
    page_of(window)
    other = tmp_path / "other"
    other.mkdir()
    window.models.tray.list.moved.emit(other)
    engine = window.parts.choices.engine
    assert engine.models_folder == other
    assert engine.more_folders == (pair[0].parent,)
    until(lambda: len(window.parts.models.library.models) == 2)


@pytest.mark.parametrize("command", ["models.page", "models.suiting", "models.search"])
def test_every_part_has_a_command_and_escape_leads_back(
    open_window: OpenWindow, command: str
) -> None:
    window = open_window()
    window.actions_[command].trigger()
    assert window.stack.currentWidget() is window.pages
    assert window.pages.currentWidget() is window.models.page
    window.actions_["view.back"].trigger()
    assert window.stack.currentWidget() is window.chat


def test_a_deleted_model_is_had_back_with_the_usual_command(
    open_window: OpenWindow, pair: Files
) -> None:
    window = open_window()
    undo = window.actions_["edit.undo-delete"]
    press(row(page_of(window), "draft"), "Delete")
    assert undo.isEnabled()
    undo.trigger()
    assert row(page_of(window), "draft")
    assert not undo.isEnabled()


def test_closing_ends_the_wait_for_an_undo(open_window: OpenWindow, pair: Files) -> None:
    window = open_window()
    press(row(page_of(window), "draft"), "Delete")
    assert pair[1].exists()
    window.close()
    assert not pair[1].exists()


def test_closing_in_mid_download_keeps_what_came(
    open_window: OpenWindow, source: Source, folder: Path
) -> None:
    source.endless = True
    window = open_window()
    window.models.fetch(TWO)
    part = folder / "two.gguf.part"
    until(lambda: part.exists() and part.stat().st_size > 0)
    window.close()
    assert part.stat().st_size > 0
    assert len(list(folder.glob("two.gguf*.part.json"))) == 1
