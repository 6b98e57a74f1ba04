"""Models off the disk: out of the models folder alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import FolderNotWritable, NotOurs
from engine.models import local
from engine.models.local import LocalModel
from engine.models.remembered import Remembered
from engine.models.removing import remove
from engine.models.stores import Origin, Place
from tests.support.ggufs import write_gguf, write_parts


def lying(folder: Path, origin: Origin = Origin.OURS) -> LocalModel:
    (model,) = local.scan([Place(origin, folder)], memory=Remembered()).models
    return model


def test_all_parts_go_and_nothing_else(tmp_path: Path):
    write_parts(tmp_path)
    (tmp_path / "notes.txt").write_text("keep")
    remove(lying(tmp_path), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_damaged_file_can_go(tmp_path: Path):
    (tmp_path / "page.gguf").write_text("<html>")
    remove(lying(tmp_path), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("origin", [Origin.ADDED, Origin.HUB, Origin.LM_STUDIO, Origin.OLLAMA])
def test_what_lies_elsewhere_stays(tmp_path: Path, origin: Origin):
    store = tmp_path / "store"
    if origin is Origin.HUB:
        path = write_gguf(store / "models--a--b" / "snapshots" / "1" / "m.gguf")
    elif origin is Origin.OLLAMA:
        path = write_gguf(store / "m.gguf")
        model = LocalModel(path, (path,), "m:latest", origin, 1, None)
    else:
        path = write_gguf(store / "m.gguf")
    model = lying(store, origin) if origin is not Origin.OLLAMA else model
    with pytest.raises(NotOurs, match="is not Foreword's to remove"):
        remove(model, tmp_path / "models")
    assert path.exists()


def test_files_behind_a_link_out_of_the_folder_stay_and_a_link_goes(tmp_path: Path):
    elsewhere = write_gguf(tmp_path / "elsewhere" / "m.gguf")
    models = tmp_path / "models"
    models.mkdir()
    (models / "linked").symlink_to(elsewhere.parent)
    with pytest.raises(NotOurs):
        remove(lying(models), models)
    (models / "linked").unlink()
    (models / "m.gguf").symlink_to(elsewhere)
    remove(lying(models), models)
    assert list(models.iterdir()) == []
    assert elsewhere.exists()


def test_a_disk_that_refuses_is_said(tmp_path: Path, monkeypatch):
    write_gguf(tmp_path / "m.gguf")

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(FolderNotWritable, match="Read-only file system"):
        remove(lying(tmp_path), tmp_path)
