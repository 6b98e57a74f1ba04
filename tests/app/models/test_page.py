"""The page of models."""

from __future__ import annotations

import shutil
import struct
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.models.offers import pair_item, starter_pair
from app.models.page import HERE, HUB, SUITING, ModelsPage
from app.models.room import Models
from app.models.row import Row
from app.pairs import Pair
from app.theme import Theme
from engine.errors import FolderNotWritable, LoadFailed
from engine.machine import Machine
from engine.models.arriving import ModelFile
from engine.models.catalogue import catalogue
from engine.models.downloads import State
from engine.models.hub import Hub
from engine.models.item import Item, write_note
from engine.models.listing import Found
from engine.models.local import LocalModel
from tests.app.models.conftest import looked, lying_in, standing, words
from tests.app.windows import until
from tests.support.fake_hub import FakeHub
from tests.support.ggufs import write_parts
from tests.support.tiny_models import Tiny, write_tiny

Files = tuple[Path, Path]


@pytest.fixture
def page(installed: Theme, models: Models, window: QWidget) -> ModelsPage:
    made = ModelsPage(installed, models, window)
    made.resize(window.size())
    made.show()
    return made


def row(page: QWidget, title: str) -> Row:
    """The row of that title, once it is there: lists are made anew when more is known."""

    def found() -> list[Row]:
        return [each for each in shown(page) if each.title.whole_text() == title]

    QCoreApplication.processEvents()
    until(found)
    return found()[0]


def shown(page: QWidget) -> list[Row]:
    return [each for each in page.findChildren(Row) if each.isVisible()]


def show_settled(page: ModelsPage, models: Models) -> None:
    """Show what is recommended, once all is known: a row may be made anew before that."""
    page.show_part(SUITING)
    until(lambda: models.surveyor.is_done and page.suiting._job is None)
    assert "drafted by" in words(page)


def press(place: QWidget, text: str) -> None:
    """Press a button by its words, or by its name where it is a picture."""
    QCoreApplication.processEvents()
    buttons = [each for each in place.findChildren(QAbstractButton) if each.isVisible()]
    found = [b for b in buttons if text in (b.text(), b.accessibleName().partition(":")[0])]
    assert found, [b.text() or b.accessibleName() for b in buttons]
    assert found[0].isEnabled()
    found[0].click()


# Installed ---------------------------------------------------------------------------------------


def test_what_is_here_is_listed_with_what_is_wrong(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    (pair[0].parent / "page.gguf").write_bytes(b"<!DOCTYPE html>")
    looked(models)
    said = words(page)
    assert "2 MODELS" in said
    assert "Q8_0" in row(page, "target").facts.text()
    assert "models folder" in row(page, "target").facts.text()
    assert "web page" in row(page, "page").note.text()
    assert str(pair[0].parent) in said


def test_a_model_is_used_on_a_press(page: ModelsPage, models: Models, pair: Files) -> None:
    used: list[LocalModel] = []
    page.used.connect(used.append)
    looked(models)
    press(row(page, "target"), "Use")
    assert [model.name for model in used] == ["target"]


def test_a_deleted_model_can_be_had_back(page: ModelsPage, models: Models, pair: Files) -> None:
    looked(models)
    press(row(page, "draft"), "Delete")
    assert page.undo_bar.isVisible()
    assert "draft" not in [model.name for model in models.library.models]
    page.undo_bar.button.click()
    assert row(page, "draft")
    assert pair[1].exists()


def test_a_deleted_model_that_nobody_wants_back_goes(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    looked(models)
    press(row(page, "draft"), "Delete")
    page._time.setInterval(1)
    page._time.start()
    until(lambda: not pair[1].exists())
    assert not page.undo_bar.isVisible()


def test_deleting_another_ends_the_wait_for_the_first(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    looked(models)
    press(row(page, "draft"), "Delete")
    press(row(page, "target"), "Delete")
    assert not pair[1].exists()
    assert pair[0].exists()


def test_what_is_in_use_is_not_deleted(page: ModelsPage, models: Models, pair: Files) -> None:
    models.life.load(Pair(*pair), models.choices.engine)
    models.life._bridge.be_ready()  # type: ignore[attr-defined]
    looked(models)
    buttons = row(page, "target").findChildren(QAbstractButton)
    enabled = {each.accessibleName().partition(":")[0]: each.isEnabled() for each in buttons}
    assert enabled == {"Open its folder": True, "Delete": False, "Target in use": False}
    assert row(page, "draft").findChildren(QAbstractButton)[-1].text() == "Draft in use"


def test_what_is_being_loaded_is_not_deleted(page: ModelsPage, models: Models, pair: Files) -> None:
    models.life.load(Pair(*pair), models.choices.engine)
    looked(models)
    for title, use in (("target", "Target in use"), ("draft", "Draft in use")):
        buttons = row(page, title).findChildren(QAbstractButton)
        enabled = {each.accessibleName().partition(":")[0]: each.isEnabled() for each in buttons}
        assert enabled == {"Open its folder": True, "Delete": False, use: False}


def test_what_is_loaded_stays_while_another_takes_its_place(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    models.life.load(Pair(pair[0]), models.choices.engine)
    models.life._bridge.be_ready()  # type: ignore[attr-defined]
    models.life.load(Pair(pair[1]), models.choices.engine)
    looked(models)
    for title in ("target", "draft"):
        assert row(page, title).findChildren(QAbstractButton)[-1].text() == "Target in use"


def test_what_could_not_be_loaded_may_be_deleted(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    models.life.load(Pair(*pair), models.choices.engine)
    models.life._bridge.fail(LoadFailed(path=pair[0], reason="x"))  # type: ignore[attr-defined]
    looked(models)
    press(row(page, "target"), "Delete")


def test_what_is_loaded_before_the_undo_is_over_stays(
    page: ModelsPage, models: Models, pair: Files
) -> None:
    looked(models)
    press(row(page, "target"), "Delete")
    models.life.load(Pair(*pair), models.choices.engine)
    page.finish_deleting()
    assert pair[0].exists()
    assert row(page, "target")
    assert "target is in use and was not deleted." in words(page)


def test_a_model_with_a_number_beyond_all_measure_is_listed_as_damaged(
    page: ModelsPage, models: Models, folder: Path
) -> None:
    wild = write_tiny(folder / "wild.gguf", Tiny())
    content, key = wild.read_bytes(), b"llama.context_length"
    at = content.index(key) + len(key)
    u64 = struct.pack("<IQ", 10, 2**64 - 1)
    wild.write_bytes(content[:at] + u64 + content[at + 8 :])
    looked(models)
    assert "damaged" in row(page, "wild").note.text()


def test_what_a_download_needs_is_not_deleted(
    page: ModelsPage, models: Models, folder: Path
) -> None:
    parts = write_parts(folder)
    parts[1].unlink()
    files = [ModelFile(p.name, p.name, "", 9, "0" * 64, "MIT", "some/repo") for p in parts]
    write_note(Item("Big", tuple(files)), folder, 1.0)
    looked(models)
    assert "part 2 of 3 is still to come" in words(page)
    buttons = row(page, "big").findChildren(QAbstractButton)
    (delete,) = (each for each in buttons if each.accessibleName().startswith("Delete"))
    assert not delete.isEnabled()


def test_models_of_other_places_are_never_deleted(
    page: ModelsPage, models: Models, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_tiny(other / "mine.gguf", Tiny())
    page.here.add_folder(other)
    looked(models)
    names = [each.accessibleName() for each in row(page, "mine").findChildren(QAbstractButton)]
    assert not any("Delete" in name for name in names)
    press(row(page, str(other)), "List it no more")
    until(lambda: not models.library.models)
    assert (other / "mine.gguf").exists()


def test_models_are_found_by_their_words(page: ModelsPage, models: Models, pair: Files) -> None:
    looked(models)
    page.here.search.setText("tar q8")
    assert row(page, "target")
    assert "draft" not in words(page)
    page.here.search.setText("nothing like it")
    assert "No model is called that." in words(page)


def test_a_folder_is_opened_where_it_lies(
    page: ModelsPage, models: Models, pair: Files, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    looked(models)
    press(row(page, "target"), "Open its folder")
    assert [Path(url.toLocalFile()) for url in opened] == [pair[0].parent]


def test_a_thousand_models_are_shown_as_they_are_wanted(
    page: ModelsPage, models: Models, folder: Path
) -> None:
    one = write_tiny(folder / "model 000.gguf", Tiny())
    for number in range(1, 70):
        shutil.copy(one, folder / f"model {number:03}.gguf")
    looked(models)
    assert len(page.here.findChildren(Row)) < 70
    press(page.here, "Show 30 more")
    assert row(page, "model 069")


# Recommended -------------------------------------------------------------------------------------


def test_pairs_that_suit_this_machine_come_first_with_what_to_expect(page: ModelsPage) -> None:
    page.show_part(SUITING)
    until(lambda: "drafted by" in words(page))
    said = words(page)
    assert "that can be had" in said
    assert "Download" in said
    assert "GB" in said


def test_a_pair_is_fetched_on_a_press_and_only_then(
    page: ModelsPage, models: Models, hub: FakeHub
) -> None:
    wanted: list[Item] = []
    page.fetched.connect(wanted.append)
    show_settled(page, models)
    assert hub.requests == []
    press(page.suiting, "Download")
    assert len(wanted) == 1
    assert {file.role for file in wanted[0].files} == {"target", "draft"}


def test_a_pair_that_is_here_is_used_with_its_draft(
    page: ModelsPage, models: Models, folder: Path
) -> None:
    (pair,) = (p for p in catalogue() if p.draft.key == "smollm2-135m")
    for model in (pair.target, pair.draft):
        with open(folder / model.files[0].name, "wb") as file:
            file.truncate(model.size)
    used: list[Pair] = []
    page.pair_used.connect(used.append)
    show_settled(page, models)
    press(row(page, f"{pair.target.title} drafted by {pair.draft.title}"), "Use")
    assert used == [Pair(*(folder / m.files[0].name for m in (pair.target, pair.draft)))]


def test_a_pair_that_is_found_meanwhile_can_be_used(page: ModelsPage, models: Models) -> None:
    pair = starter_pair()
    show_settled(page, models)
    title = f"{pair.target.title} drafted by {pair.draft.title}"
    press(row(page, title), "Download")
    models.library._found = tuple(lying_in(Path("/theirs"), pair))
    models.library.changed.emit()
    used: list[Pair] = []
    page.pair_used.connect(used.append)
    until(lambda: "Use" in words(row(page, title)))
    press(row(page, title), "Use")
    assert used == [Pair(*(each.path for each in models.library.models))]


def test_what_was_cancelled_out_of_sight_can_be_fetched(page: ModelsPage, models: Models) -> None:
    pair = starter_pair()
    title = f"{pair.target.title} drafted by {pair.draft.title}"
    models.fetches._hear(standing(pair_item(pair), State.RUNNING))
    show_settled(page, models)
    assert "In the downloads" in words(row(page, title))
    page.show_part(HERE)
    models.fetches._hear(standing(pair_item(pair), State.GONE))
    show_settled(page, models)
    press(row(page, title), "Download")


def test_asking_anew_makes_no_row_anew_where_the_answer_is_the_same(
    page: ModelsPage, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_settled(page, models)
    before = shown(page.suiting)
    asked: list[Path] = []
    look = models.surveyor.machine

    def machine(folder: Path) -> Machine:
        asked.append(folder)
        return look(folder)

    monkeypatch.setattr(models.surveyor, "machine", machine)
    models.surveyor.done.emit()
    until(lambda: asked and page.suiting._job is None)
    words(page)
    assert before
    assert shown(page.suiting) == before


def test_no_list_waits_for_the_disk(page: ModelsPage, hub: FakeHub, monkeypatch) -> None:
    def off_the_windows_thread(folder: Path) -> list[ModelFile]:
        assert threading.current_thread() is not threading.main_thread()
        return []

    monkeypatch.setattr("engine.models.item.coming", off_the_windows_thread)
    page.show_part(SUITING)
    until(lambda: "drafted by" in words(page))
    page.suiting.refresh()
    page.show_part(HUB)
    page.hub.open("some/Model-GGUF")
    until(lambda: "model-Q4_K_M" in words(page))


def test_pairs_can_be_had_by_purpose(page: ModelsPage) -> None:
    page.show_part(SUITING)
    until(lambda: "drafted by" in words(page))
    page.suiting.purpose.setCurrentIndex(2)
    titles = [each.title.whole_text() for each in page.suiting.findChildren(Row)]
    shown = [title for title in titles if "drafted by" in title]
    assert shown
    assert all("Coder" in title for title in shown if title in words(page))


# The Hub -----------------------------------------------------------------------------------------


def test_nothing_is_asked_before_a_press(page: ModelsPage, hub: FakeHub) -> None:
    page.show_part(HUB)
    page.hub.line.setText("model")
    assert hub.requests == []
    assert "at no other time" in words(page)


def test_one_download_and_one_like_are_one(page: ModelsPage) -> None:
    page.show_part(HUB)
    found = Found("new/Model-GGUF", 1, 1, False, "", "", "", None, None, "https://hub.example")
    page.hub._show_found([found])
    facts = row(page, "new/Model-GGUF").facts.text()
    assert "1 download ·" in facts
    assert facts.endswith("1 like")


def test_what_is_tried_again_is_the_last_question(
    page: ModelsPage, hub: FakeHub, monkeypatch
) -> None:
    page.show_part(HUB)
    page.hub.open("some/Model-GGUF")
    until(lambda: "model-Q4_K_M" in words(page))
    address = hub.address
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    page.hub.line.setText("model")
    page.hub.go.click()
    until(lambda: "cannot be reached" in words(page), 4)
    monkeypatch.setenv("HF_ENDPOINT", address)
    press(page.hub, "Try again")
    until(lambda: "closed/Model-GGUF" in words(page))


def test_a_token_is_tried_on_the_repository_that_wants_it(page: ModelsPage, hub: FakeHub) -> None:
    page.show_part(HUB)
    page.hub.open("some/Model-GGUF")
    until(lambda: "model-Q4_K_M" in words(page))
    page.hub.open("no/Such-GGUF")
    until(page.hub.token.isVisible)
    hub.requests.clear()
    page.hub.token.given.emit()
    until(lambda: bool(hub.requests) and not page.hub.finding.is_asking)
    assert all("no/Such-GGUF" in request.path for request in hub.requests)


def test_repositories_are_found_and_their_files_grouped(page: ModelsPage, hub: FakeHub) -> None:
    wanted: list[Item] = []
    page.fetched.connect(wanted.append)
    page.show_part(HUB)
    page.hub.line.setText("model")
    page.hub.go.click()
    until(lambda: "some/Model-GGUF" in words(page))
    facts = row(page, "some/Model-GGUF").facts.text()
    assert "1,234 downloads" in facts
    assert "56 likes" in facts
    assert "account and consent" in row(page, "closed/Model-GGUF").facts.text()
    press(row(page, "some/Model-GGUF"), "Files")
    until(lambda: "Q8_0" in words(page).splitlines())
    assert "fits" in row(page, "model-Q4_K_M").facts.text()
    press(row(page, "model-Q4_K_M"), "Download")
    assert [item.title for item in wanted] == ["model-Q4_K_M"]


def test_the_name_of_a_repository_opens_it(page: ModelsPage, hub: FakeHub) -> None:
    page.show_part(HUB)
    page.hub.line.setText("https://huggingface.co/some/Model-GGUF")
    page.hub.line.returnPressed.emit()
    until(lambda: "model-Q4_K_M" in words(page))


def test_a_gated_repository_is_explained_with_its_page_and_a_field(
    page: ModelsPage, hub: FakeHub, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    page.show_part(HUB)
    page.hub.open("closed/Model-GGUF")
    until(page.hub.token.isVisible)
    assert "accepted its terms" in words(page)
    press(page.hub.token, "Open the page")
    assert opened[0].toString().endswith("/closed/Model-GGUF")


def test_a_token_is_kept_and_shown_nowhere(page: ModelsPage, hub: FakeHub) -> None:
    from engine.models import token
    from engine.models.hub import Hub

    page.show_part(HUB)
    page.hub.open("closed/Model-GGUF")
    until(page.hub.token.isVisible)
    page.hub.token.line.setText("hf_secret123")
    page.hub.token.keep.click()
    until(lambda: token.find(Hub().host) is not None)
    until(lambda: not page.hub.finding.is_asking and page.hub.token.isVisible())
    assert page.hub.token.line.text() == ""
    assert "hf_secret123" not in words(page)
    until(page.hub.token.forget.isVisible)
    page.hub.token.forget.click()
    until(lambda: token.find(Hub().host) is None)


def test_what_is_no_token_is_said(page: ModelsPage, hub: FakeHub) -> None:
    page.show_part(HUB)
    page.hub.open("closed/Model-GGUF")
    until(page.hub.token.isVisible)
    page.hub.token.line.setText("two words here")
    page.hub.token.keep.click()
    until(lambda: "no access token" in words(page))


def test_a_download_that_is_refused_takes_a_token_and_goes_on(
    page: ModelsPage, models: Models, hub: FakeHub, folder: Path, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    hub.tokens = {"hf_secret123": {"closed/Model-GGUF"}, "hf_withdrawn": set()}
    item = Hub().repository("closed/Model-GGUF").variants[0].item
    models.fetches.add(item, folder)
    until(lambda: models.fetches.statuses[0].state is State.FAILED)
    press(page.fetches, "Open its page")
    assert opened[0].toString().endswith("/closed/Model-GGUF")
    for text, state in (("hf_withdrawn", State.FAILED), ("hf_secret123", State.DONE)):
        before = len(hub.requests)
        press(page.fetches, "Access token…")
        until(page.hub.token.line.isVisible)
        page.hub.token.line.setText(text)
        page.hub.token.keep.click()
        until(lambda then=before: len(hub.requests) > then)
        until(lambda wanted=state: models.fetches.statuses[0].state is wanted)


def test_offline_is_said_and_can_be_tried_again(
    page: ModelsPage, hub: FakeHub, monkeypatch
) -> None:
    address = hub.address
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    page.show_part(HUB)
    page.hub.line.setText("model")
    page.hub.go.click()
    until(lambda: "cannot be reached" in words(page), 4)
    monkeypatch.setenv("HF_ENDPOINT", address)
    press(page.hub, "Try again")
    until(lambda: "some/Model-GGUF" in words(page))


def test_a_question_can_be_given_up(page: ModelsPage, hub: FakeHub) -> None:
    hub.silent = True
    page.show_part(HUB)
    page.hub.line.setText("model")
    page.hub.go.click()
    press(page.hub, "Stop asking")
    assert not page.hub.finding.is_asking
    assert "at no other time" in words(page)


def test_a_disk_that_does_not_answer_is_told_and_can_be_asked_again(
    page: ModelsPage, models: Models, hub: FakeHub, monkeypatch
) -> None:
    def broken(_folder: Path) -> Machine:
        raise FolderNotWritable(folder="/gone", reason="the drive is gone")

    page.show_part(HUB)
    with monkeypatch.context() as patch:
        patch.setattr(models.surveyor, "machine", broken)
        page.hub.open("some/Model-GGUF")
        until(lambda: "the drive is gone" in words(page))
    press(page.hub, "Try again")
    until(lambda: "model-Q4_K_M" in words(page))


def test_a_repository_that_was_given_up_does_not_come_back(
    page: ModelsPage, models: Models, hub: FakeHub, monkeypatch
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    machine = models.surveyor.machine

    def slow(folder: Path) -> Machine:
        asked.set()
        go_on.wait(10)
        return machine(folder)

    page.show_part(HUB)
    monkeypatch.setattr(models.surveyor, "machine", slow)
    page.hub.open("some/Model-GGUF")
    until(asked.is_set)
    press(page.hub, "Stop asking")
    go_on.set()
    page.hub._show_again()  # as a download that arrives has it
    QTest.qWait(50)
    assert "at no other time" in words(page)


def test_a_search_that_finds_nothing_says_so(page: ModelsPage, hub: FakeHub) -> None:
    page.show_part(HUB)
    page.hub.line.setText("qqqq")
    page.hub.go.click()
    until(lambda: "no GGUF models" in words(page))


# All of it ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [HERE, SUITING, HUB])
def test_every_control_has_a_name(
    page: ModelsPage, models: Models, pair: Files, hub: FakeHub, part: str
) -> None:
    looked(models)
    page.show_part(part)
    if part == SUITING:
        until(lambda: "drafted by" in words(page))
    for button in page.findChildren(QAbstractButton):
        if button.isVisible() and not isinstance(button.parent(), QLineEdit):
            assert button.text() or button.accessibleName(), button


@pytest.mark.parametrize("scale", [0.8, 2.0])
def test_it_can_be_read_in_small_and_in_large_letters(
    page: ModelsPage, models: Models, installed: Theme, pair: Files, scale: float
) -> None:
    looked(models)
    installed.scale = scale
    first = row(page, "draft")
    use = next(each for each in first.findChildren(QAbstractButton) if each.text() == "Use")
    until(lambda: use.height() >= use.sizeHint().height())
    assert first.rect().contains(use.geometry())
    assert first.facts.height() >= first.facts.heightForWidth(first.facts.width())
