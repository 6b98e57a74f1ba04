"""What of the catalogue can be fetched for this machine, as things to download."""

from __future__ import annotations

from pathlib import Path

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
    packed = _PACKED.get(file.name)
    return packed if packed and packed.sha256 == file.sha256 else file
