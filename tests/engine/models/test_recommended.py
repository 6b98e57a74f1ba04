"""The catalogue's draft for a target that lies here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.machine import Machine
from engine.models import local
from engine.models.catalogue import CatalogueModel, CataloguePair, catalogue
from engine.models.local import LocalModel
from engine.models.recommended import draft_for
from engine.models.suits import recommendations
from tests.support.ggufs import write_gguf

GIB = 2**30


@pytest.fixture
def lying(tmp_path: Path):
    """A model here by a file name, a title and a number of parameters."""

    def model(name: str, title: str, parameters: int) -> LocalModel:
        found = local.check_file(write_gguf(tmp_path / "any.gguf", general__name=title))
        assert found.about is not None
        about = replace(found.about, parameters=parameters)
        return replace(found, path=tmp_path / name, name=Path(name).stem, about=about)

    return model


def pair(target: str) -> CataloguePair:
    return next(each for each in catalogue() if each.target.key == target)


def recommended(model: LocalModel) -> CatalogueModel | None:
    return draft_for(model, catalogue())


@pytest.mark.parametrize("each", catalogue(), ids=lambda each: each.target.key)
def test_every_target_of_the_catalogue_is_known_by_its_file(lying, each: CataloguePair):
    name = each.target.files[0].name.rpartition("/")[2]
    found = recommended(lying(name, "whatever", each.target.parameters))
    drafts = [other.draft for other in catalogue() if other.target == each.target]
    assert found in drafts


@pytest.mark.parametrize(
    ("name", "title", "parameters", "key"),
    [
        ("x.gguf", "Qwen2.5 Coder 7B Instruct", 7.6e9, "qwen2.5-coder-7b"),
        ("qwen2.5-coder-14b-instruct-q8_0.gguf", "47b6801b24d15f", 14.8e9, "qwen2.5-coder-14b"),
        ("Qwen2.5-7B-Instruct-Q5_K_M.gguf", "Qwen2.5 7B Instruct", 7.6e9, "qwen2.5-7b"),
        ("Qwen3-14B-UD-Q4_K_XL.gguf", "Qwen3-14B", 14.8e9, "qwen3-14b"),
        ("gemma-3-27b-it-Q4_K_M.gguf", "Gemma 3 27b It", 27e9, "gemma-3-27b"),
    ],
)
def test_another_file_of_a_known_model_is_known_by_its_name(
    lying, name: str, title: str, parameters: float, key: str
):
    assert recommended(lying(name, title, int(parameters))) == pair(key).draft


@pytest.mark.parametrize(
    ("name", "title", "parameters"),
    [
        ("dolphin-qwen2.5-7b.gguf", "Dolphin Qwen2.5 7B", 7.6e9),  # trained further by somebody
        ("mistral.gguf", "Mistral 7B Instruct", 7.2e9),
        ("qwen2.5-0.5b-instruct-q4_k_m.gguf", "Qwen2.5 0.5B Instruct", 0.5e9),  # a draft itself
    ],
)
def test_for_other_models_nothing_is_recommended(lying, name: str, title: str, parameters: float):
    assert recommended(lying(name, title, int(parameters))) is None


def test_for_a_damaged_file_nothing_is_recommended(tmp_path: Path):
    (tmp_path / "qwen2.5-7b-instruct-q4_k_m.gguf").write_text("<!DOCTYPE html>")
    damaged = local.check_file(tmp_path / "qwen2.5-7b-instruct-q4_k_m.gguf")
    assert recommended(damaged) is None


@pytest.mark.parametrize("each", catalogue(), ids=lambda each: each.target.key)
def test_the_draft_for_a_target_is_the_one_of_the_recommended_pair(lying, each: CataloguePair):
    machine = Machine(512 * GIB, 500 * GIB, 64, 999 * GIB, (), ("AVX2", "REPACK"))
    pairs = [other for other in catalogue() if other.target == each.target]
    first = recommendations(pairs, machine)[0]
    name = each.target.files[0].name.rpartition("/")[2]
    assert recommended(lying(name, "whatever", each.target.parameters)) == first.pair.draft
