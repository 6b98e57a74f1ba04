"""What of the catalogue can be fetched for this machine, as things to download."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.pairs import Pair
from engine.machine import Machine
from engine.models import starter
from engine.models.arriving import ModelFile
from engine.models.catalogue import CatalogueModel, CataloguePair, catalogue
from engine.models.download import installed
from engine.models.item import Item, catalogue_item, place
from engine.models.suits import Recommendation, recommendations

_PACKED = {file.name: file for file in (*starter.STARTER_PAIR, starter.SMALL)}
"""Files for which there is a second source beside the Hub."""


def pair_item(pair: CataloguePair) -> Item:
    """Both models of a pair as one thing to download."""
    target, draft = (
        model_item(model, role) for model, role in ((pair.target, "target"), (pair.draft, "draft"))
    )
    return Item(f"{target.title} + {draft.title}", (*target.files, *draft.files))


def model_item(model: CatalogueModel, role: str) -> Item:
    """One model, to be used as ``role``."""
    item = catalogue_item(model, role)
    return Item(item.title, tuple(_with_second_source(file) for file in item.files))


def offers(machine: Machine, folder: Path, n_ctx: int) -> list[Recommendation]:
    """Every pair of the catalogue, the best for this machine first. Looks at the disk."""
    here = {model.key: is_here(model, folder) for model in _models()}
    return recommendations(catalogue(), machine, n_ctx=n_ctx, here=lambda model: here[model.key])


def pairs_here(folder: Path) -> dict[tuple[str, str], Pair]:
    """The files of the pairs that lie in ``folder`` already, by the keys of target and draft."""
    here = {}
    for pair in catalogue():
        item = pair_item(pair)
        where = place(item, folder)
        if all(installed(file, where) for file in item.files):
            first = {file.role: where / file.name for file in reversed(item.files)}
            here[pair.target.key, pair.draft.key] = Pair(first["target"], first["draft"])
    return here


def is_here(model: CatalogueModel, folder: Path) -> bool:
    """Whether it lies in ``folder`` already."""
    item = catalogue_item(model)
    where = place(item, folder)
    return all(installed(file, where) for file in item.files)


def is_starter(pair: CataloguePair) -> bool:
    """Whether it is the pair that comes from a second source too."""
    names = tuple(file.name for file in pair_item(pair).files)
    return names == tuple(file.name for file in starter.STARTER_PAIR)


def starter_pair() -> CataloguePair:
    """The catalogue's entry for the starter pair."""
    return next(pair for pair in catalogue() if is_starter(pair))


def _models() -> list[CatalogueModel]:
    return [model for pair in catalogue() for model in (pair.target, pair.draft)]


def _with_second_source(file: ModelFile) -> ModelFile:
    """The same file for the same use, from packages too where these have it."""
    packed = _PACKED.get(file.name)
    if packed is None or packed.sha256 != file.sha256:
        return file
    return replace(file, packages=packed.packages, part_size=packed.part_size)
