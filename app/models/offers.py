"""What of the catalogue can be fetched for this machine, as things to download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.pairs import Pair
from engine.machine import Machine
from engine.models import starter
from engine.models.arriving import ModelFile
from engine.models.catalogue import CatalogueModel, CataloguePair, catalogue
from engine.models.download import installed
from engine.models.item import Item, catalogue_item, place
from engine.models.local import LocalModel
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


def offers(
    machine: Machine, folder: Path, n_ctx: int, models: Sequence[LocalModel] = ()
) -> list[Recommendation]:
    """Every pair of the catalogue, the best for this machine first. Looks at the disk.

    ``models``: what was found here, wherever it lies: a pair among it need not be fetched.
    """
    pairs = pairs_here(folder, models)
    here = {model.key: _is_here(model, folder) for model in _models()}
    return recommendations(
        catalogue(),
        machine,
        n_ctx=n_ctx,
        here=lambda pair, model: here[model.key] or (pair.target.key, pair.draft.key) in pairs,
    )


def pairs_here(folder: Path, models: Sequence[LocalModel] = ()) -> dict[tuple[str, str], Pair]:
    """The pairs that lie in ``folder`` already or among ``models``, by target's and draft's key."""
    known = _by_file(models)
    here = {}
    for pair in catalogue():
        item = pair_item(pair)
        where = place(item, folder)
        target, draft = known.get(_file(pair.target)), known.get(_file(pair.draft))
        if all(installed(file, where) for file in item.files):
            first = {file.role: where / file.name for file in reversed(item.files)}
            here[pair.target.key, pair.draft.key] = Pair(first["target"], first["draft"])
        elif target is not None and draft is not None:
            here[pair.target.key, pair.draft.key] = Pair(target, draft)
    return here


_Files = dict[tuple[str, int], Path]
"""The file to load, by its name and the bytes of the whole model."""


def _by_file(models: Sequence[LocalModel]) -> _Files:
    return {(model.path.name, model.size): model.path for model in models if model.ok}


def _file(model: CatalogueModel) -> tuple[str, int]:
    return model.files[0].name.rpartition("/")[2], model.size


def _is_here(model: CatalogueModel, folder: Path) -> bool:
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
