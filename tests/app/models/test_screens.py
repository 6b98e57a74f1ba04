"""The screens of models in the window, over a fake engine in a process of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
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
from engine import settings
from engine.errors import RepoGated
from engine.models.downloads import State
from engine.models.item import Item, write_note
from engine.settings import Settings
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


@pytest.fixture
def chosen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The models folder, as the settings have it and not the environment."""
    monkeypatch.delenv("FOREWORD_MODELS")
    settings.save(Settings(models_folder=folder))
    return folder


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


def test_a_target_that_is_fetched_alone_is_used_with_the_draft_that_helps_it(
    open_window: OpenWindow, pair: Files, source: Source, tmp_path: Path
) -> None:
    content = write_tiny(tmp_path / "large.gguf", Tiny(width=256, layers=6)).read_bytes()
    large = replace(
        file("large.gguf"), size=len(content), sha256=hashlib.sha256(content).hexdigest()
    )
    source.pour = lambda _file, arriving: arriving.write(content)  # type: ignore[method-assign]
    window = open_window()
    window.models.fetch(Item("Large", (large,)))
    until_phase(window, Phase.READY)
    assert window.parts.life.pair == Pair(pair[0].parent / "large.gguf", pair[1])


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


def test_a_token_for_a_download_is_given_on_the_page(open_window: OpenWindow) -> None:
    window = open_window()
    refused = RepoGated(repo="some/repo", page="https://hub.example/some/repo")
    window.models.tray.list.token_wanted.emit("1", refused)
    page = window.models.page
    assert page is not None
    assert "accept them with your Hugging Face account" in words(page)
    assert page.hub.token.line.isVisible()


def test_another_models_folder_loses_no_download_under_way(
    open_window: OpenWindow, source: Source, chosen: Path, tmp_path: Path
) -> None:
    source.endless = True
    first = open_window()
    first.models.fetch(TWO)
    until((chosen / "two.gguf.part").exists)
    other = tmp_path / "other"
    other.mkdir()
    first.parts.choices.choose("models_folder", other)
    assert first.parts.choices.engine.more_folders == (chosen,)
    first.close()
    source.endless = False
    second = open_window()
    second.start()
    fetches = second.parts.models.fetches
    until(lambda: [status.state for status in fetches.statuses] == [State.PAUSED])
    fetches.resume(fetches.statuses[0].key)
    until(lambda: fetches.statuses[0].state is State.DONE)
    page = page_of(second)
    until(lambda: "two" in words(page).splitlines())


def test_another_models_folder_takes_the_place_of_one_that_nothing_comes_to(
    open_window: OpenWindow, chosen: Path, tmp_path: Path
) -> None:
    window = open_window()
    other = tmp_path / "other"
    write_note(TWO, other, 1.0)
    window.parts.choices.choose("models_folder", other)
    assert window.parts.choices.engine.more_folders == ()
    until(window.models.button.isVisible)  # what was left there
    assert window.parts.models.fetches.statuses[0].folder == other


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
