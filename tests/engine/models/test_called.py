"""Models by short names."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import AmbiguousModel, NoSuchModel
from engine.models.called import called
from engine.models.local import LocalModel
from engine.models.stores import Origin


def model(path: str, name: str = "", problem: str = "") -> LocalModel:
    file = Path(path)
    return LocalModel(file, (file,), name or file.stem, Origin.OURS, 1, None, "", problem)


HERE = [
    model("/m/qwen2.5-0.5b.gguf"),
    model("/m/qwen2.5-7b.gguf"),
    model("/m/qwen2.5-7b-coder.gguf"),
    model("/store/sha256-abc", "llama3.2:1b"),
    model("/m/smol-damaged.gguf", problem="It is damaged."),
    model("/m/smollm2.gguf"),
]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("qwen2.5-0.5b", "/m/qwen2.5-0.5b.gguf"),
        ("qwen2.5-0.5b.gguf", "/m/qwen2.5-0.5b.gguf"),
        ("QWEN2.5-0", "/m/qwen2.5-0.5b.gguf"),
        ("qwen2.5-7b", "/m/qwen2.5-7b.gguf"),  # whole, though another goes on
        ("qwen2.5-7b-", "/m/qwen2.5-7b-coder.gguf"),
        ("llama3.2:1b", "/store/sha256-abc"),
        ("llama", "/store/sha256-abc"),
        ("/store/sha256-abc", "/store/sha256-abc"),
        ("smol", "/m/smollm2.gguf"),  # the other one cannot be used
        ("smol-d", "/m/smol-damaged.gguf"),
    ],
)
def test_a_name_or_its_beginning_means_one_model(name: str, path: str):
    assert called(name, HERE).path == Path(path)


def test_a_folder_s_name_alone_means_no_model():
    here = [model("/x/models/mistral.gguf"), model("/x/models/qwen.gguf")]
    assert called("m", here).path == here[0].path
    assert called("models/q", here).path == here[1].path


def test_a_name_that_could_be_several_is_refused_with_the_candidates():
    with pytest.raises(AmbiguousModel) as caught:
        called("qwen", HERE)
    assert str(caught.value) == (
        "qwen may be any of these: qwen2.5-0.5b, qwen2.5-7b, qwen2.5-7b-coder. "
        "Write more of the name, or the path."
    )


def test_models_of_one_name_are_told_apart_by_their_paths():
    with pytest.raises(AmbiguousModel, match=r"/a/m\.gguf, /b/m\.gguf"):
        called("m", [model("/a/m.gguf"), model("/b/m.gguf")])


def test_many_candidates_are_counted():
    with pytest.raises(AmbiguousModel, match="and 14 more"):
        called("m", [model(f"/m/m{number}.gguf") for number in range(20)])


@pytest.mark.parametrize("name", ["mistral", "", "wen2.5"])
def test_a_name_of_none_is_refused(name: str):
    with pytest.raises(NoSuchModel, match="No model here is called"):
        called(name, HERE)
