"""The catalogue: what it must have, and that its numbers agree with each other."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from engine import paths
from engine.models import starter
from engine.models.catalogue import CatalogueModel, CataloguePair, Purpose, catalogue
from engine.models.needs import Plan
from engine.pairing import MAX_SIZE_DIFFERENCE

PAIRS = catalogue()
MODELS = {model.key: model for pair in PAIRS for model in (pair.target, pair.draft)}
CONTENT: dict[str, Any] = tomllib.loads(paths.asset("catalogue.toml").read_text(encoding="utf-8"))

MODEL = {
    "key": str,
    "title": str,
    "parameters": int,
    "repo": str,
    "revision": str,
    "files": list,
    "quantisation": str,
    "licence": str,
    "gated": bool,
    "context": int,
    "starter": str,
    "body": dict,
    "sources": list,
}
BODY = {
    "layers": int,
    "width": int,
    "feed_forward": int,
    "kv_heads": int,
    "head": int,
    "vocabulary": int,
    "output": bool,
    "windowed": bool,
}
BITS = {"Q4_K_M": (4.7, 6.5), "Q8_0": (8.5, 8.8), "Q4_1": (4.9, 6.0)}
"""Bits that one weight takes in a file; the upper end where most of it is the table of tokens."""

each_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.target.key} {p.draft.key}")
each_row = pytest.mark.parametrize("row", CONTENT["models"], ids=lambda row: row["key"])


@each_row
def test_every_field_is_of_its_kind(row: dict[str, Any]) -> None:
    assert {key: type(value) for key, value in row.items()} == {key: MODEL[key] for key in row}
    assert {key: type(value) for key, value in row["body"].items()} == BODY
    told_elsewhere = {"title", "repo", "files", "licence", "gated"}
    missing = MODEL.keys() - row.keys() - {"revision"}
    assert missing == (told_elsewhere if "starter" in row else {"starter"})
    for file in row.get("files", ()):
        assert file.keys() - {"sha256"} == {"name", "bytes"}


def test_every_row_is_used_and_none_is_there_twice() -> None:
    keys = [row["key"] for row in CONTENT["models"]]
    assert sorted(keys) == sorted(MODELS)
    assert len({(pair.target.key, pair.draft.key) for pair in PAIRS}) == len(PAIRS)
    named = {key for row in CONTENT["models"] for key in row["sources"]}
    assert named == CONTENT["sources"].keys()


def test_there_are_pairs_of_many_families_and_sizes() -> None:
    assert len(PAIRS) >= 14
    families = ("qwen2.5-coder", "qwen2.5", "qwen3", "llama", "gemma", "smollm2", "deepseek")
    assert all(any(key.startswith(family) for key in MODELS) for family in families)
    assert {pair.purpose for pair in PAIRS} == set(Purpose)
    assert min(pair.size for pair in PAIRS) < 2e9
    assert max(pair.target.parameters for pair in PAIRS) > 70e9


def test_smaller_targets_come_first() -> None:
    sizes = [(pair.target.parameters, pair.draft.parameters) for pair in PAIRS]
    assert sizes == sorted(sizes)


@each_model
def test_a_model_says_where_it_lies_and_who_agrees(model: CatalogueModel) -> None:
    assert model.title
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", model.repo)
    assert model.revision is None or re.fullmatch("[0-9a-f]{40}", model.revision)
    assert model.licence
    assert model.context >= 8192
    assert len(model.sources) >= 2


@each_model
def test_files_are_named_sized_and_sealed(model: CatalogueModel) -> None:
    for number, file in enumerate(model.files, start=1):
        assert file.name.endswith(".gguf")
        assert model.quantisation.lower() in file.name.lower()
        assert file.size > 0
        assert file.sha256 is None or re.fullmatch("[0-9a-f]{64}", file.sha256)
        if len(model.files) > 1:
            assert file.name.endswith(f"-{number:05}-of-{len(model.files):05}.gguf")


def test_no_seal_is_given_twice() -> None:
    seals = [file.sha256 for model in MODELS.values() for file in model.files if file.sha256]
    assert len(seals) == len(set(seals))


@each_row
def test_a_body_adds_up_to_its_parameters_and_its_bytes(row: dict[str, Any]) -> None:
    body, model = row["body"], MODELS[row["key"]]
    table = body["vocabulary"] * body["width"]
    # How many heads ask is not told: some number must make up the parameters, the tables in them.
    sums = {
        _matrices(body, heads) + tables * table: _matrices(body, heads)
        for heads in range(1, 65)
        for tables in (1, 2)
    }
    nearest = min(sums, key=lambda total: abs(total - model.parameters))
    assert nearest == pytest.approx(model.parameters, rel=0.001)
    in_file = sums[nearest] + table * (1 + body["output"])
    low, high = BITS[model.quantisation]
    assert low < model.size * 8 / in_file < high


def _matrices(body: dict[str, Any], heads: int) -> int:
    attention = 2 * body["head"] * (heads + body["kv_heads"])
    return int(body["layers"] * body["width"] * (attention + 3 * body["feed_forward"]))


@each_pair
def test_a_pair_could_serve_by_its_vocabularies(pair: CataloguePair) -> None:
    sizes = [model.shape.vocabulary for model in (pair.target, pair.draft)]
    assert abs(sizes[0] - sizes[1]) <= MAX_SIZE_DIFFERENCE


@each_pair
def test_a_pair_says_what_to_expect(pair: CataloguePair) -> None:
    assert pair.ratio > 3
    assert 40 < len(pair.expect) < 240
    assert pair.expect.endswith(".")
    assert pair.size == pair.target.size + pair.draft.size


@each_model
def test_a_shape_weighs_what_its_files_do(model: CatalogueModel) -> None:
    assert model.shape.weights == pytest.approx(model.size, rel=0.001)


@each_pair
def test_a_pair_needs_its_files_and_some_more(pair: CataloguePair) -> None:
    found = pair.needs(Plan(4096))
    assert pair.size < found.memory < pair.size + 3e9
    assert found.memory > pair.target.needs(Plan(4096)).memory
    assert found.held < found.memory


def test_the_starter_pair_is_told_in_one_place_alone() -> None:
    rows = {row["starter"]: row for row in CONTENT["models"] if "starter" in row}
    files = {"target": starter.TARGET, "draft": starter.DRAFT, "small": starter.SMALL}
    assert rows.keys() == files.keys()
    for which, row in rows.items():
        model = MODELS[row["key"]]
        assert (model.title, model.repo, model.licence) == (
            files[which].title,
            files[which].repo,
            files[which].licence,
        )
        assert model.files[0].sha256 == files[which].sha256
    assert any(
        (pair.target.files[0].name, pair.draft.files[0].name)
        == tuple(file.name for file in starter.STARTER_PAIR)
        for pair in PAIRS
    )
