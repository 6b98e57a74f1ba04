"""What a person means who asks for a model to be fetched."""

from __future__ import annotations

import pytest

from engine.errors import AmbiguousModel, NotFetchable
from engine.models.catalogue import catalogue
from engine.models.wanted import OnHub, in_catalogue, matching, on_hub

REPO = "Qwen/Qwen2.5-7B-Instruct-GGUF"
FILE = "qwen2.5-7b-instruct-q4_k_m.gguf"


@pytest.mark.parametrize(
    ("what", "place"),
    [
        (REPO, OnHub(REPO)),
        (f"{REPO}:Q8_0", OnHub(REPO, "", "Q8_0")),
        (f"{REPO}/{FILE}", OnHub(REPO, "", FILE)),
        (f"{REPO}/sub/folder/{FILE}", OnHub(REPO, "", f"sub/folder/{FILE}")),
        (f"hf.co/{REPO}:IQ2_M", OnHub(REPO, "", "IQ2_M")),
        (f"https://huggingface.co/{REPO}/", OnHub(REPO)),
        (f"https://huggingface.co/{REPO}/tree/main", OnHub(REPO, "main")),
        (f"https://huggingface.co/{REPO}/blob/main/{FILE}", OnHub(REPO, "main", FILE)),
        (f"https://huggingface.co/{REPO}/resolve/v2/{FILE}?download=true", OnHub(REPO, "v2", FILE)),
        (f"https://hf.co/{REPO}/blob/main/a%20b%2B.gguf", OnHub(REPO, "main", "a b+.gguf")),
        (f"{REPO}/a%20b.gguf", OnHub(REPO, "", "a%20b.gguf")),
    ],
)
def test_places_on_the_hub_are_written_in_many_ways(what: str, place: OnHub):
    assert on_hub(what) == place


@pytest.mark.parametrize(
    "what", ["", "starter", "a b/c", "https://example.org/a/b.gguf", "a/b/c", "/a/b", "a/b:c/d"]
)
def test_other_words_name_no_place(what: str):
    assert on_hub(what) is None


@pytest.mark.parametrize(
    ("what", "key"),
    [
        ("qwen2.5-7b", "qwen2.5-7b"),
        ("QWEN2.5-Coder-7", "qwen2.5-coder-7b"),
        ("qwen3-4b", "qwen3-4b"),
    ],
)
def test_a_model_of_the_catalogue_is_known_by_the_beginning_of_its_name(what: str, key: str):
    assert in_catalogue(what, catalogue()).key == key


def test_a_beginning_of_several_names_them():
    with pytest.raises(AmbiguousModel, match=r"qwen2\.5-coder-1\.5b, .*qwen2\.5-coder-14b"):
        in_catalogue("qwen2.5-coder-1", catalogue())


@pytest.mark.parametrize("what", ["", " ", "mistral"])
def test_what_is_in_no_catalogue_is_refused(what: str):
    with pytest.raises(NotFetchable):
        in_catalogue(what, catalogue())


def test_words_are_looked_for_in_names_and_titles():
    keys = [model.key for model in matching("coder 7B", catalogue())]
    assert keys == ["qwen2.5-coder-7b"]
    assert matching("no such", catalogue()) == []
