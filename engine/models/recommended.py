"""Which draft of the catalogue goes with a target that lies here already."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.models.local import LocalModel
from engine.models.suits import LEAST_RATIO

if TYPE_CHECKING:
    from engine.models.catalogue import CatalogueModel, CataloguePair

_LEAST_RATIO = 2.0
"""Times that a target must be larger than its draft, for the draft to be worth fetching."""

_SIZE = re.compile(r"\d+(?:\.\d+)?[bm]")
_WORD = re.compile(rf"{_SIZE.pattern}(?![a-z])|[a-z]+|\d+(?:\.\d+)?")
_QUANTISATION = re.compile(
    r"[-._ ](?:ud[-_])?(?:i?q\d\w*|tq\d\w*|b?f16|fp16|f32|mxfp4\w*|nvfp4|imat|imatrix)(?=$|[-._ ])"
)
# What publishers add to a model's name that makes no other model of it.
_ADDED = frozenset({"instruct", "it", "chat", "meta", "gguf", "awq", "qat", "hf", "ud"})


def draft_for(target: LocalModel, pairs: Iterable[CataloguePair]) -> CatalogueModel | None:
    """The draft that ``pairs`` recommend for ``target``; None where they know no such model.

    Known by its file's name, else by the words of its name without sizes and quantisations: of a
    family, the pair whose target is nearest in size. A model that somebody trained further has
    more words in its name, and perhaps other tokens: for it nothing is recommended.
    """
    if target.about is None or not target.ok:
        return None
    known = list(pairs)
    parameters = target.about.parameters
    fitting = [pair for pair in known if _is_the_file(target, pair.target)]
    fitting = fitting or [pair for pair in known if _is_of_the_family(target, pair.target)]
    fitting = [p for p in fitting if parameters >= _LEAST_RATIO * p.draft.parameters]
    if not fitting:
        return None
    return min(fitting, key=lambda pair: _rank(pair, parameters)).draft


def _rank(pair: CataloguePair, parameters: int) -> tuple[float, bool, int]:
    """The nearest first and, of several drafts for one target, the one that `suits` prefers."""
    far = abs(math.log(pair.target.parameters / parameters))
    return far, pair.ratio < LEAST_RATIO, -pair.draft.parameters


def _is_the_file(local: LocalModel, model: CatalogueModel) -> bool:
    names = {file.name.rpartition("/")[2] for file in model.files}
    return local.path.name in names


def _is_of_the_family(local: LocalModel, model: CatalogueModel) -> bool:
    family = _words(model.title)
    return bool(family) and family in (_words(local.title), _words(local.name))


def _words(name: str) -> frozenset[str]:
    """The words that tell a family: "Qwen2.5-Coder 7B Instruct" → qwen, 2.5, coder."""
    bare = _QUANTISATION.sub(" ", name.lower().rpartition("/")[2])
    words = _WORD.findall(bare)
    return frozenset(word for word in words if not _SIZE.fullmatch(word)) - _ADDED
