"""What somebody means who asks for a model: a name of the catalogue, or a place on the Hub."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from engine.errors import AmbiguousModel, NotFetchable

if TYPE_CHECKING:
    from engine.models.catalogue import CatalogueModel, CataloguePair

USUAL = "Q4_K_M"
"""The quantisation that is meant where none is named: small, and hardly worse than the whole."""

_PART = r"[\w.-]+"
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/", re.IGNORECASE)
_PLACE = re.compile(
    rf"(?P<repo>{_PART}/{_PART})"
    rf"(?:/(?:resolve|blob|tree)/(?P<revision>{_PART}))?"
    r"(?:/(?P<path>[^:?#]+\.gguf)|:(?P<quantisation>[^/:?#]+))?"
    r"(?:/|[?#].*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OnHub:
    """A place on the Hub: ``variant`` is a quantisation or a file; "" the usual quantisation."""

    repo: str
    revision: str = ""
    variant: str = ""


def on_hub(what: str) -> OnHub | None:
    """The place that ``what`` names, if any.

    "owner/repository", with ":Q4_K_M" or "/file.gguf" after it, or the address of one of these.
    """
    rest, is_address = _ADDRESS.subn("", what.strip(), count=1)
    found = _PLACE.fullmatch(rest)
    if found is None:
        return None
    variant = found["path"] or found["quantisation"] or ""
    if is_address:
        variant = unquote(variant)
    return OnHub(found["repo"], found["revision"] or "", variant)


def in_catalogue(what: str, pairs: Iterable[CataloguePair]) -> CatalogueModel:
    """The one model of the catalogue whose key is ``what``, or begins with it.

    Raises:
        NotFetchable: There is none.
        AmbiguousModel: There are several.
    """
    models = in_order(pairs)
    wanted = what.strip().casefold()
    if exact := models.get(wanted):
        return exact
    begun = [model for key, model in models.items() if wanted and key.startswith(wanted)]
    if not begun:
        raise NotFetchable(what=what or "Nothing")
    if len(begun) > 1:
        raise AmbiguousModel(name=what, candidates=", ".join(model.key for model in begun))
    return begun[0]


def matching(words: str, pairs: Iterable[CataloguePair]) -> list[CatalogueModel]:
    """The models of the catalogue whose key or title has each of ``words`` in it."""
    wanted = words.casefold().split()
    return [
        model
        for model in in_order(pairs).values()
        if all(word in f"{model.key} {model.title}".casefold() for word in wanted)
    ]


def in_order(pairs: Iterable[CataloguePair]) -> dict[str, CatalogueModel]:
    """Every model of ``pairs`` once, by key, as they come: a target, then its draft."""
    return {model.key: model for pair in pairs for model in (pair.target, pair.draft)}
