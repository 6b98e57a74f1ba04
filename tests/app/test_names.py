"""Names as a person reads them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.names import device_name, devices, draft_name, short_name, weights
from tests.support.stub_bridge import model, ready


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("qwen2.5-coder-1.5b-instruct", "Qwen2.5 Coder 1.5B"),
        ("Qwen2.5 Coder 1.5B Instruct GGUF", "Qwen2.5 Coder 1.5B"),
        ("Llama_3.2-3B-Instruct", "Llama 3.2 3B"),
        ("gemma-3-270m-it", "Gemma 3 270M"),
        ("Instruct", "Instruct"),
        ("小さいモデル", "小さいモデル"),
    ],
)
def test_a_models_name_is_short(given: str, shown: str) -> None:
    assert short_name(model(given, "/x.gguf", 1)) == shown


def test_a_nameless_model_is_called_by_its_path() -> None:
    assert short_name(model("", "/models/x.gguf", 1)) == "/models/x.gguf"


def test_a_draft_is_told_by_what_sets_it_apart() -> None:
    target, draft = model("Qwen2.5 Coder 1.5B", "", 1), model("Qwen2.5 Coder 0.5B", "", 1)
    assert draft_name(target, draft) == "0.5B"
    assert draft_name(target, model("SmolLM2 135M", "", 1)) == "SmolLM2 135M"
    assert draft_name(target, target) == "Qwen2.5 Coder 1.5B"


def test_devices_are_told_by_their_own_names() -> None:
    assert device_name("CPU (Some Processor)") == "CPU"
    assert device_name("CUDA0 (NVIDIA H200)") == "NVIDIA H200"
    assert device_name("Metal") == "Metal"
    both = replace(ready(), devices=("CPU (a)", "CPU (a)", "CUDA0 (b)"))
    assert devices(both) == "CPU, b"


def test_weights_are_those_of_both_models() -> None:
    assert weights(ready()) == 1_117_320_768 + 491_400_064
    assert weights(ready(draft=None)) == 1_117_320_768
