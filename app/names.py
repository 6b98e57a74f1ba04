"""Names of models and devices as a person reads them. Pure."""

from __future__ import annotations

import re

from engine.protocol import ModelInfo, Ready

# Words that are in nearly every file's name and tell nobody anything.
_NOISE = frozenset({"awq", "chat", "gguf", "gptq", "hf", "instruct", "it", "model"})
_WORD = re.compile(r"[^\s_\-]+")


def short_name(model: ModelInfo) -> str:
    """Like "Qwen2.5 Coder 1.5B" for "qwen2.5-coder-1.5b-instruct"."""
    words = [_written(word) for word in _WORD.findall(model.name or model.path)]
    telling = [word for word in words if word.lower() not in _NOISE]
    return " ".join(telling or words)


def draft_name(target: ModelInfo, draft: ModelInfo) -> str:
    """What tells the draft from its target: "0.5B" where all else is the same."""
    known = {word.lower() for word in short_name(target).split()}
    words = short_name(draft).split()
    different = [word for word in words if word.lower() not in known]
    return " ".join(different or words)


def device_name(device: str) -> str:
    """Just "CPU", or the graphics processor's own name, of "CUDA0 (NVIDIA H200)"."""
    name, _, description = device.partition(" (")
    return name if name == "CPU" else description.removesuffix(")") or name


def devices(ready: Ready) -> str:
    """Where a pair runs."""
    return ", ".join(dict.fromkeys(map(device_name, ready.devices)))


def weights(ready: Ready) -> int:
    """Bytes of weights of both models: as llama.cpp counts them, else as the files are."""
    if ready.memory is not None:
        return ready.memory.weights
    return ready.target.bytes + (ready.draft.bytes if ready.draft else 0)


def _written(word: str) -> str:
    """Sizes in capitals (1.5B), names with one."""
    if re.fullmatch(r"[\d.]+[bm]", word, re.IGNORECASE):
        return word.upper()
    return word[:1].upper() + word[1:] if word.islower() else word
