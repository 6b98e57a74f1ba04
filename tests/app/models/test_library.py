"""What lies here, who may draft for whom, and what happens to what is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.models.library import Drafts, Opened
from app.models.room import Models
from app.pairs import Pair
from engine.errors import ForewordError, NotOurs
from engine.models.stores import Origin
from tests.app.models.conftest import looked
from tests.app.windows import until
from tests.support.ggufs import write_parts
from tests.support.sparse_models import Sparse, write_sparse
from tests.support.tiny_models import Tiny, write_tiny

Files = tuple[Path, Path]


def names(models: Models) -> list[str]:
    return [model.name for model in models.library.models]


def judged(models: Models, name: str) -> Drafts:
    found: list[Drafts] = []
    target = next(model for model in models.library.models if model.name == name)
    models.library.drafts(target, found.append)
    until(lambda: found)
    return found[0]


def opened(models: Models, path: Path) -> Opened:
    found: list[Opened] = []
    models.library.open(path, found.append, lambda error: pytest.fail(str(error)))
    until(lambda: found)
    return found[0]


def large_target(folder: Path) -> Path:
    """As many weights as a real one of 7B has, in a file that takes no room."""
    like = Sparse("qwen2", 28, 3584, 18944, 28, 4, 128, 300)
    return write_sparse(folder / "qwen2.5-7b-instruct-q4_k_m.gguf", like)


def test_a_look_finds_models_and_says_what_is_wrong(models: Models, pair: Files) -> None:
    (pair[0].parent / "page.gguf").write_bytes(b"<!DOCTYPE html>")
    looked(models)
    assert names(models) == ["draft", "target", "page"]
    assert "web page" in models.library.models[-1].problem
    assert models.library.machine is not None


def test_a_folder_that_is_added_is_looked_into_at_once(
    models: Models, pair: Files, tmp_path: Path
) -> None:
    looked(models)
    other = tmp_path / "other"
    other.mkdir()
    write_tiny(other / "more.gguf", Tiny())
    models.choices.choose("more_folders", (other,))
    until(lambda: "more" in names(models))


def test_a_folder_that_is_gone_is_said(models: Models, tmp_path: Path) -> None:
    models.choices.choose("more_folders", (tmp_path / "gone",))
    looked(models)
    assert str(tmp_path / "gone") in models.library.notes[0]


def test_settings_are_followed_only_once_somebody_looked(models: Models, tmp_path: Path) -> None:
    models.choices.choose("more_folders", (tmp_path,))
    assert not models.library.is_looking


def test_the_pair_in_use_is_listed_wherever_it_lies(
    models: Models, pair: Files, tmp_path: Path
) -> None:
    away = write_tiny(tmp_path / "away.gguf", Tiny())
    models.choices.choose("target", away)
    looked(models)
    found = next(model for model in models.library.models if model.name == "away")
    assert found.origin is Origin.NAMED


def test_a_pair_in_use_whose_path_the_system_refuses_hides_nothing(
    models: Models, pair: Files
) -> None:
    models.choices.choose("target", pair[0].parent / ("x" * 300))
    looked(models)
    assert names(models) == ["draft", "target"]
    assert models.library.notes == ()


def test_every_other_model_is_judged_and_the_best_is_first(models: Models, pair: Files) -> None:
    write_tiny(pair[0].parent / "other.gguf", Tiny(tokenizer="llama"))
    drafts = judged(looked(models), "target")
    assert [(each.model.name, each.ok) for each in drafts.partners] == [
        ("draft", True),
        ("other", False),
    ]
    assert drafts.best is not None
    assert drafts.best.name == "draft"


def test_a_draft_that_is_too_large_to_help_is_not_the_best(models: Models, pair: Files) -> None:
    drafts = judged(looked(models), "draft")
    assert drafts.best is None
    assert [each.verdict.code for each in drafts.partners] == ["too-large"]


def test_the_draft_that_goes_with_a_target_is_recommended_until_it_is_here(
    models: Models, folder: Path
) -> None:
    large_target(folder)
    wanted = judged(looked(models), "qwen2.5-7b-instruct-q4_k_m").recommended
    assert wanted is not None
    assert wanted.title == "Qwen2.5 0.5B Instruct"
    for file in wanted.files:
        (folder / file.name).write_bytes(b"")
    assert judged(looked(models), "qwen2.5-7b-instruct-q4_k_m").recommended is None


def test_an_opened_file_comes_with_the_draft_that_helps_it_most(
    models: Models, pair: Files, tmp_path: Path
) -> None:
    away = write_tiny(tmp_path / "away.gguf", Tiny(width=256, layers=6))
    assert opened(models, away).pair == Pair(away, pair[1])


def test_an_opened_file_that_no_draft_helps_comes_alone(models: Models, pair: Files) -> None:
    assert opened(models, pair[1]).pair == Pair(pair[1])


def test_an_opened_part_stands_for_the_whole_model(models: Models, folder: Path) -> None:
    parts = write_parts(folder)
    assert opened(models, parts[1]).pair == Pair(parts[0])


def test_an_opened_file_that_is_none_is_told_as_it_is(models: Models, tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_bytes(b"<!DOCTYPE html>")
    found = opened(models, page)
    assert found.pair is None
    assert found.model.code == "not-gguf"


# Deleting ----------------------------------------------------------------------------------------


def test_what_is_hidden_is_on_the_disk_until_it_is_deleted(models: Models, pair: Files) -> None:
    library = looked(models).library
    model = next(each for each in library.models if each.name == "draft")
    library.hide(model)
    assert names(models) == ["target"]
    assert pair[1].exists()
    library.show(model)
    assert names(models) == ["draft", "target"]
    library.hide(model)
    library.delete(model)
    assert not pair[1].exists()
    assert names(models) == ["target"]


def test_what_is_not_ours_stays(models: Models, pair: Files, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    path = write_tiny(other / "more.gguf", Tiny())
    models.choices.choose("more_folders", (other,))
    library = looked(models).library
    model = next(each for each in library.models if each.name == "more")
    with pytest.raises(NotOurs):
        library.hide(model)
    assert path.exists()
    assert "more" in names(models)


def test_what_cannot_be_deleted_is_listed_again(models: Models, pair: Files, monkeypatch) -> None:
    library = looked(models).library
    model = next(each for each in library.models if each.name == "draft")
    library.hide(model)

    def refuse(*_args: object, **_how: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(ForewordError, match="Permission denied"):
        library.delete(model)
    assert "draft" in names(models)
