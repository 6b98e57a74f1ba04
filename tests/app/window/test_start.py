"""What the window shows when it comes up, and what it does by itself then."""

from __future__ import annotations

from pathlib import Path

from app.engine_life import Life
from app.pairs import Pair
from app.phases import Phase
from engine.models import starter
from tests.app.window.conftest import damage_history
from tests.app.windows import OpenWindow, ask, said, until, until_phase


def test_without_models_it_offers_some(open_window: OpenWindow) -> None:
    window = open_window()
    window.start()
    assert window.chat.stack.currentWidget() is window.chat.first
    assert not window.chat.composer.isVisible()
    assert window.parts.bridge.pid is None
    window.grab()


def test_a_file_dropped_on_the_first_page_that_is_no_model_is_told_as_one(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window()
    window.start()
    path = tmp_path / "model.safetensors"
    header = b'{"weight":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}'
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    window.open_files([path])
    until(lambda: window.chat.cards.card is not None)
    assert "it is a safetensors file" in window.chat.cards.card.sentence
    assert window.chat.cards.isVisible()


def test_text_dropped_on_the_first_page_waits_for_the_first_message(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    window = open_window()
    window.start()
    notes = tmp_path / "notes.txt"
    notes.write_text("milk")
    window.open_files([notes])
    assert window.chat.cards.card.sentence.startswith("notes.txt goes with your first message")
    assert [each.name for each in window.chat.composer.attachments] == ["notes.txt"]


def test_the_pair_used_last_is_loaded_by_itself(open_window: OpenWindow, pair: Pair) -> None:
    open_window(pair=pair).close()
    window = open_window()
    window.start()
    assert window.parts.life.life is Life.LOADING
    until_phase(window, Phase.READY)
    assert window.topbar.pair.target == "Target 1.5B"
    assert window.chat.stack.currentWidget() is window.chat.transcript


def test_a_model_that_went_away_is_said_and_the_starter_pair_taken(
    open_window: OpenWindow, own_folders: Path
) -> None:
    folder = own_folders / "models"
    folder.mkdir(parents=True)
    for file in starter.STARTER_PAIR:
        with open(folder / file.name, "wb") as sparse:
            sparse.truncate(file.size)
    window = open_window()
    window.parts.choices.choose("target", folder / "gone.gguf")
    window.start()
    until_phase(window, Phase.READY)
    card = window.chat.cards.card
    assert card is not None
    assert "gone.gguf" in card.sentence


def test_a_damaged_database_is_set_aside_and_said(
    open_window: OpenWindow, own_folders: Path, pair: Pair
) -> None:
    damage_history(own_folders)
    window = open_window()
    window.start()
    card = window.chat.cards.card
    assert card is not None
    assert "set aside" in card.sentence
    window.opener.load(pair)
    until_phase(window, Phase.READY)
    ask(window)
    assert len(said(window)) == 2


def test_settings_with_nonsense_are_said_and_the_rest_holds(
    open_window: OpenWindow, own_folders: Path
) -> None:
    config = own_folders / "config"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text('n_ctx = "many"\nthreads = 3\n')
    window = open_window()
    window.start()
    card = window.chat.cards.card
    assert card is not None
    assert "n_ctx" in card.sentence
    assert window.parts.choices.engine.threads == 3
