"""Models by short names: what ``--target qwen2.5-7b`` means on this machine."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from engine.errors import NoSuchModel
from engine.models import local, stores
from engine.models.called import called
from engine.models.local import LocalModel
from engine.settings import Settings
from engine.terminal.options import MODELS


def resolve(given: argparse.Namespace, settings: Settings) -> None:
    """Put the file in the place of a name among ``--target`` and ``--draft``.

    Raises NoSuchModel and AmbiguousModel.
    """
    for option in MODELS:
        named: Path | None = getattr(given, option, None)
        if named is not None:
            setattr(given, option, file(named, settings))


def model(name: str, models: tuple[LocalModel, ...]) -> LocalModel:
    """The one of ``models`` that ``name`` means, or the file it is the path of.

    Raises NoSuchModel and AmbiguousModel.
    """
    path = Path(os.path.expanduser(name))  # Path's own raises for unknown users
    if name and _exists(path) and not os.path.isdir(path):
        opened = local.check_file(path)
        return next((known for known in models if _are_the_same(known, opened)), opened)
    try:
        return called(name, models)
    except NoSuchModel:
        if name and _exists(path):
            return local.check_file(path)  # a folder, which it says
        raise


def file(named: Path, settings: Settings) -> Path:
    """The file that ``named`` is the path of, or the one of the model here that is called that.

    Raises NoSuchModel and AmbiguousModel.
    """
    if named.is_absolute() or (_exists(named) and not os.path.isdir(named)):
        return named
    try:
        return called(str(named), local.scan(stores.places(settings)).models).path
    except NoSuchModel:
        if len(named.parts) == 1 and named.suffix.lower() != ".gguf" and not _exists(named):
            raise
        return named  # a path to nothing: it is said later, as of any file


def _are_the_same(known: LocalModel, opened: LocalModel) -> bool:
    return known.files == opened.files or bool(known.identity & opened.identity)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
