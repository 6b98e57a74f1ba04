"""The catalogue: pairs that are known to work together, and where their files lie on the Hub.

The facts are in assets/catalogue.toml, whose head says what each field means and how it was
checked. What the starter pair is stands in `engine.models.starter` alone.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine import paths
from engine.models import starter
from engine.models.needs import Needs, Plan, needs
from engine.models.shape import Layer, Shape, cache_of

_STARTERS = {"target": starter.TARGET, "draft": starter.DRAFT, "small": starter.SMALL}

_Q4_1, _Q8_0, _Q4_K, _Q6_K = 3, 8, 12, 14
_BYTES = {_Q4_1: 20 / 32, _Q8_0: 34 / 32, _Q4_K: 144 / 256, _Q6_K: 210 / 256}
_MIXTURES = {
    "Q4_K_M": ({_Q4_K: 0.8, _Q6_K: 0.2}, _Q4_K, _Q6_K),
    "Q8_0": ({_Q8_0: 1.0}, _Q8_0, _Q8_0),
    "Q4_1": ({_Q4_1: 1.0}, _Q4_1, _Q8_0),
}
"""Quantisation -> the share of each ggml type in a layer's bytes, the type of the token table, and
of the output table or of the one that serves as both."""

_SUPER_BLOCK = 256


class Purpose(StrEnum):
    """What a pair is best at."""

    CHAT = "chat"
    CODE = "code"
    REASONING = "reasoning"


@dataclass(frozen=True)
class CatalogueFile:
    """One file on the Hub: ``name`` in its repository; ``size`` in bytes; ``sha256``, or None.

    None where no two sources agreed: then the Hub's own record gives it when the file is fetched,
    and the download is checked against that.
    """

    name: str
    size: int
    sha256: str | None


@dataclass(frozen=True)
class CatalogueModel:
    """A model that can be fetched.

    Attributes:
        key: Its name in the catalogue ("qwen2.5-7b").
        title: Its name for a person.
        parameters: How many weights it has.
        repo: The Hub repository that holds it; ``revision``: of that repository, None the newest.
        files: Its file, or all shards in order.
        quantisation: How the weights are stored ("Q4_K_M").
        licence: Its name; an SPDX identifier where there is one.
        gated: Whether the Hub asks for an account and a consent first.
        context: The most tokens it was made to read at once.
        shape: What the memory estimate needs to know of it.
        sources: Public files that agree on the above.
    """

    key: str
    title: str
    parameters: int
    repo: str
    revision: str | None
    files: tuple[CatalogueFile, ...]
    quantisation: str
    licence: str
    gated: bool
    context: int
    shape: Shape
    sources: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    def needs(self, plan: Plan) -> Needs:
        """What it takes in memory alone, as a target without a draft."""
        return needs(self.shape, None, plan)


@dataclass(frozen=True)
class CataloguePair:
    """A target and the draft for it. ``expect``: what drafting brings, in plain words."""

    target: CatalogueModel
    draft: CatalogueModel
    purpose: Purpose
    expect: str

    @property
    def ratio(self) -> float:
        """Parameters of the target ÷ those of the draft."""
        return self.target.parameters / self.draft.parameters

    @property
    def size(self) -> int:
        """Bytes of all files of both."""
        return self.target.size + self.draft.size

    def needs(self, plan: Plan) -> Needs:
        """What both take in memory together."""
        return needs(self.target.shape, self.draft.shape, plan)


@functools.cache
def catalogue() -> tuple[CataloguePair, ...]:
    """The pairs, smallest target first, of one target the better draft last.

    Raises FileMissing where the installation lacks the catalogue.
    """
    content = tomllib.loads(paths.asset("catalogue.toml").read_text(encoding="utf-8"))
    sources: Mapping[str, str] = content["sources"]
    models = {row["key"]: _model(row, sources) for row in content["models"]}
    pairs = [_pair(row, models) for row in content["pairs"]]
    return tuple(sorted(pairs, key=lambda p: (p.target.parameters, p.draft.parameters)))


def _pair(row: Mapping[str, Any], models: Mapping[str, CatalogueModel]) -> CataloguePair:
    return CataloguePair(
        target=models[row["target"]],
        draft=models[row["draft"]],
        purpose=Purpose(row["purpose"]),
        expect=row["expect"],
    )


def _model(row: Mapping[str, Any], sources: Mapping[str, str]) -> CatalogueModel:
    facts = {**row, **_of_starter(row["starter"])} if "starter" in row else row
    files = tuple(
        CatalogueFile(file["name"], file["bytes"], file.get("sha256")) for file in facts["files"]
    )
    return CatalogueModel(
        key=facts["key"],
        title=facts["title"],
        parameters=facts["parameters"],
        repo=facts["repo"],
        revision=facts.get("revision"),
        files=files,
        quantisation=facts["quantisation"],
        licence=facts["licence"],
        gated=facts["gated"],
        context=facts["context"],
        shape=_shape(facts["body"], facts["quantisation"], sum(file.size for file in files)),
        sources=tuple(sources[key] for key in facts["sources"]),
    )


def _of_starter(which: str) -> dict[str, Any]:
    file = _STARTERS[which]
    return {
        "title": file.title,
        "repo": file.repo,
        "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256}],
        "licence": file.licence,
        "gated": False,
    }


def _shape(body: Mapping[str, Any], quantisation: str, size: int) -> Shape:
    """A shape whose layers are alike: the file's bytes, shared out as its quantisation does."""
    shares, table_type, output_type = _MIXTURES[quantisation]
    if body["width"] % _SUPER_BLOCK and _Q4_K in shares:
        shares = {}  # its rows do not divide into super-blocks: other types, which are not copied
    numbers = body["vocabulary"] * body["width"]
    table = int(numbers * _BYTES[table_type if body["output"] else output_type])
    output = int(numbers * _BYTES[output_type]) if body["output"] else 0
    weights = (size - table - output) // body["layers"]
    layer = Layer(
        weights=weights,
        matrices={kind: int(weights * share) for kind, share in shares.items()},
        cache=cache_of(body["kv_heads"], body["head"], body["head"]),
    )
    tables = (Layer(table), Layer(output, {output_type: output}))
    return Shape(
        layers=(layer,) * body["layers"],
        embedding=tables[0],
        output=tables[1],
        width=body["width"],
        feed_forward=body["feed_forward"],
        vocabulary=body["vocabulary"],
        windowed=body["windowed"],
    )
