"""The files of a repository, put together to what one may choose from."""

from __future__ import annotations

import pytest

from engine.models.arriving import ModelFile
from engine.models.variants import quantisation_in, variants


def files(*places: str) -> list[ModelFile]:
    return [
        ModelFile(
            place.rpartition("/")[2],
            place,
            "",
            100 + number,
            "0" * 64,
            "MIT",
            "a/b",
            path=place if "/" in place else "",
        )
        for number, place in enumerate(places)
    ]


@pytest.mark.parametrize(
    ("place", "quantisation"),
    [
        ("Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Q4_K_M"),
        ("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", "Q4_K_M"),
        ("Llama-3.2-1B-Instruct-IQ3_XXS.gguf", "IQ3_XXS"),
        ("model-Q4_0_4_4.gguf", "Q4_0_4_4"),
        ("gemma-3-4b-it-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
        ("model.Q6_K.gguf", "Q6_K"),
        ("model_q8_0.gguf", "Q8_0"),
        ("gpt-oss-20b-MXFP4.gguf", "MXFP4"),
        ("model-fp16.gguf", "F16"),
        ("BF16/model-BF16-00001-of-00002.gguf", "BF16"),
        ("Q5_K_S/model.gguf", "Q5_K_S"),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "Q4_1"),
        ("llama-2-7b.gguf", ""),
        ("Q4-is-not-one.gguf", ""),
    ],
)
def test_a_name_tells_its_quantisation(place, quantisation):
    assert quantisation_in(place) == quantisation


def test_parts_are_one_model_in_the_order_of_their_numbers():
    found = variants(files("m-00002-of-00002.gguf", "m-00001-of-00002.gguf"))
    assert len(found) == 1
    assert [file.name for file in found[0].files] == [
        "m-00001-of-00002.gguf",
        "m-00002-of-00002.gguf",
    ]
    assert found[0].is_whole
    assert found[0].size == 201
    assert found[0].item.title == "m"
    assert found[0].item.is_sharded


def test_a_part_that_the_repository_lacks_is_noticed():
    found = variants(files("m-00001-of-00003.gguf", "m-00003-of-00003.gguf"))
    assert [each.is_whole for each in found] == [False]


def test_models_of_two_names_stay_two_though_their_quantisation_is_one():
    found = variants(files("small-Q4_K_M.gguf", "large-Q4_K_M.gguf"))
    assert [each.name for each in found] == ["small-Q4_K_M", "large-Q4_K_M"]


def test_parts_in_two_folders_are_two_models():
    places = (f"{f}/m-0000{n}-of-00002.gguf" for f in ("Q4_0", "Q8_0") for n in (1, 2))
    assert [(v.quantisation, len(v.files)) for v in variants(files(*places))] == [
        ("Q4_0", 2),
        ("Q8_0", 2),
    ]


@pytest.mark.parametrize(
    "place",
    [
        "mmproj-model-f16.gguf",
        "model-MMPROJ.gguf",
        "imatrix.gguf",
        "m.imatrix.gguf",
        "a.bin",
        "README",
    ],
)
def test_what_is_no_model_is_none(place):
    assert variants(files(place)) == ()
