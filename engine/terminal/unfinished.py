"""What downloads left here that did not come to their end: how far each is, and taking it away."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.errors import AmbiguousModel
from engine.models import item, starter
from engine.models.arriving import size_in_words
from engine.models.download import discard, discardable, installed, is_growing, missing
from engine.models.item import Item, Unfinished
from engine.terminal.failures import BadInput

PART = ".part"
"""What the name of a file that still grows ends in."""


def left(folder: Path) -> list[Unfinished]:
    """What is still to come to the models folder."""
    return [
        each
        for each in item.unfinished(folder)
        if not all(installed(file, each.folder) for file in each.item.files)
    ]


def as_json(each: Unfinished) -> dict[str, Any]:
    """One, for a program."""
    return {
        "title": each.item.title,
        "folder": str(each.folder),
        "files": list(each.item.names),
        "size": each.item.size,
        "here": _here(each),
    }


def in_words(each: Unfinished) -> str:
    """One, with how to go on with it and how to be rid of it."""
    total = size_in_words(each.item.size) if each.item.size else "an unknown size"
    told = f"Not finished: {each.item.title}, {size_in_words(_here(each))} of {total} came."
    again = _again(each.item)
    goes_on = f"`foreword models fetch {again}` goes on" if again else "The window goes on"
    # The file that is to come next: a whole one of the same download is a model already.
    coming = next(file.name for file in each.item.files if not installed(file, each.folder))
    return f"{told} {goes_on}; `foreword models remove {coming}{PART}` takes it away."


def called(name: str, found: Sequence[Unfinished]) -> Unfinished | None:
    """The one that ``name`` means: a part's path, a title, a file that is to come, or how one
    begins.

    Raises AmbiguousModel.
    """
    path = Path(os.path.expanduser(name)).absolute()
    if of_path := next((each for each in found if path in _parts(each)), None):
        return of_path
    wanted = name.casefold().removesuffix(PART)
    if not wanted:
        return None
    whole = [each for each in found if wanted in _names(each)]
    begun = [each for each in found if any(known.startswith(wanted) for known in _names(each))]
    fitting = whole or begun
    if len(fitting) > 1:
        titles = ", ".join(each.item.title for each in fitting)
        raise AmbiguousModel(name=name, candidates=titles)
    return fitting[0] if fitting else None


def size_of(each: Unfinished) -> str:
    """How much of it would go: the parts, and shards that are no model without the others."""
    return size_in_words(sum(path.stat().st_size for path in discardable(each.item, each.folder)))


def take_away(each: Unfinished, others: Sequence[Unfinished]) -> list[Path]:
    """Remove what came of it, less what is to come of ``others`` too; the files that went.

    Raises BadInput where something of it stays.
    """
    kept = {
        name
        for other in others
        if other != each and other.folder == each.folder
        for name in other.item.names
    }
    for file in each.item.files:  # before anything goes: whole shards, the note are held by nobody
        if is_growing(file, each.folder):
            raise _held(each.folder / f"{file.name}{PART}")
    before = discardable(each.item, each.folder)
    discard(each.item, each.folder, kept=kept)
    for path in before:
        if path.exists() and path.suffix == PART and path.stem not in kept:
            raise _held(path)
    return [path for path in before if not path.exists()]


def _held(path: Path) -> BadInput:
    return BadInput(
        f"{path} cannot be removed. Stop the download of it that is under way, or make its folder "
        "writable, and try again."
    )


def _parts(each: Unfinished) -> list[Path]:
    return [(each.folder / f"{name}{PART}").absolute() for name in each.item.names]


def _here(each: Unfinished) -> int:
    return sum(file.size - missing(file, each.folder) for file in each.item.files)


def _names(each: Unfinished) -> set[str]:
    coming = [file.name for file in each.item.files if not installed(file, each.folder)]
    return {name.casefold() for name in (each.item.title, *coming)}


def _again(wanted: Item) -> str:
    """What ``models fetch`` takes for the same; "" for a pair that only the window offers."""
    if wanted.names == tuple(file.name for file in starter.STARTER_PAIR):
        return "starter"
    if len(wanted.files) > 1 and not wanted.is_sharded:
        return ""
    first = wanted.files[0]
    return f"{first.repo}/{first.path or first.name}"
