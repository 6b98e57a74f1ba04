"""Which pair is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pairs import Pair, candidates, last_pair, look_at
from engine.errors import ForewordError
from engine.models import starter
from engine.settings import Settings
from tests.support.tiny_models import Tiny, write_tiny


@pytest.fixture(name="folder")
def models_folder(own_folders: Path) -> Path:
    folder = own_folders / "models"
    folder.mkdir(parents=True)
    return folder


def test_the_pair_used_last_is_loaded(folder: Path) -> None:
    target = write_tiny(folder / "target.gguf", Tiny())
    draft = folder / "gone.gguf"
    assert last_pair(Settings(target=target, draft=draft)) == Pair(target, draft)


def test_where_there_is_nothing_nothing_is_loaded(folder: Path) -> None:
    assert last_pair(Settings()) is None
    assert last_pair(Settings(target=folder / "gone.gguf")) is None


def test_the_starter_pair_is_found(folder: Path) -> None:
    for file in starter.STARTER_PAIR:
        with open(folder / file.name, "wb") as sparse:
            sparse.truncate(file.size)
    pair = last_pair(Settings())
    assert pair == Pair(folder / starter.TARGET.name, folder / starter.DRAFT.name)


def test_an_opened_file_is_loaded_with_the_draft_that_fits(folder: Path) -> None:
    target = write_tiny(folder / "target.gguf", Tiny())
    draft = write_tiny(folder / "draft.gguf", Tiny(seed=2))
    assert look_at(target, Settings(draft=draft)) == Pair(target, draft)


def test_an_opened_file_is_loaded_alone_where_the_draft_does_not_fit(folder: Path) -> None:
    target = write_tiny(folder / "target.gguf", Tiny())
    draft = write_tiny(folder / "draft.gguf", Tiny(tokenizer="llama"))
    assert look_at(target, Settings(draft=draft)) == Pair(target)
    assert look_at(draft, Settings(draft=draft)) == Pair(draft)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!DOCTYPE html><html>", "web page"),
        (b"", "empty"),
        (b"GGUF\x03\x00\x00\x00", "damaged"),
    ],
)
def test_a_file_that_is_no_model_is_said(folder: Path, content: bytes, said: str) -> None:
    path = folder / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ForewordError, match=said):
        look_at(path, Settings())


def test_every_model_is_listed_with_the_reason_why_it_cannot_serve(folder: Path) -> None:
    target = write_tiny(folder / "a-target.gguf", Tiny())
    write_tiny(folder / "b-fits.gguf", Tiny(seed=2))
    write_tiny(folder / "c-other.gguf", Tiny(tokenizer="llama"))
    (folder / "d-page.gguf").write_bytes(b"<!DOCTYPE html>")
    (folder / "notes.txt").write_text("no model")
    targets, drafts = candidates(folder, target)
    assert [each.path.name for each in targets] == [
        "a-target.gguf", "b-fits.gguf", "c-other.gguf", "d-page.gguf",
    ]  # fmt: skip
    assert [each.ok for each in targets] == [True, True, True, False]
    assert [(each.path.name, each.ok) for each in drafts] == [
        ("b-fits.gguf", True), ("c-other.gguf", False), ("d-page.gguf", False),
    ]  # fmt: skip
    assert "SentencePiece" in drafts[1].reason
    assert "web page" in drafts[2].reason


def test_a_folder_that_is_not_there_lists_nothing(tmp_path: Path) -> None:
    assert candidates(tmp_path / "gone", None) == ([], [])
