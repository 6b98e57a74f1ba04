"""Takes a model off the disk: out of the models folder, and out of no other place."""

from __future__ import annotations

from pathlib import Path

from engine.errors import NotOurs
from engine.models.arriving import disk_errors
from engine.models.local import LocalModel
from engine.models.stores import Origin


def check_ours(model: LocalModel, folder: Path) -> None:
    """Raise NotOurs unless every file of ``model`` lies in ``folder`` itself.

    A file below a link that leads out of the folder lies elsewhere; a link in it is ours.
    """
    for file in model.files:
        inside = file.parent.resolve().is_relative_to(folder.resolve())
        if model.origin is not Origin.OURS or not inside:
            place = file.parent if model.origin in (Origin.OURS, Origin.NAMED) else model.origin
            raise NotOurs(path=file, place=place)


def remove(model: LocalModel, folder: Path) -> None:
    """Delete the files of ``model``; a file that has gone already is no error.

    Raises:
        NotOurs: Some file lies outside ``folder``; none was deleted.
        FolderNotWritable: The disk refused.
    """
    check_ours(model, folder)
    with disk_errors(folder):
        for file in model.files:
            file.unlink(missing_ok=True)
