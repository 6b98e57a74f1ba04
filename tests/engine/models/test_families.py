"""Pairing on the vocabularies of real families, against llama.cpp's own reading of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import permutations
from pathlib import Path

import llama_cpp
import pytest

from engine.llama.library import library
from engine.models.architectures import ARCHITECTURES, BINDING
from engine.models.header import read_header
from engine.models.kinds import can_rewind
from engine.pairing import VocabularyFacts, verdict

SCRIPT = Path(__file__).parents[3] / "packaging" / "wheel" / "vocabularies.py"


@pytest.fixture(scope="module")
def sources() -> Path:
    """The folder of llama.cpp's vocabularies, fetched at the first run: 77 MB."""
    ran = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip(f"llama.cpp's sources cannot be fetched: {ran.stderr.strip()[-200:]}")
    return Path(ran.stdout.splitlines()[-1])


@dataclass(frozen=True)
class Theirs:
    """What llama.cpp makes of a file."""

    kind: int
    add_bos: bool
    bos: int
    add_eos: bool
    eos: int
    texts: list[bytes]


@contextmanager
def loaded(path: Path) -> Iterator[int]:
    params = llama_cpp.llama_model_default_params()
    params.vocab_only = True
    with library().overheard():
        model = llama_cpp.llama_model_load_from_file(bytes(path), params)
    yield model
    llama_cpp.llama_model_free(model)


def theirs(path: Path) -> Theirs:
    with loaded(path) as model:
        vocabulary = llama_cpp.llama_model_get_vocab(model)
        size = llama_cpp.llama_vocab_n_tokens(vocabulary)
        return Theirs(
            kind=llama_cpp.llama_vocab_type(vocabulary),
            add_bos=llama_cpp.llama_vocab_get_add_bos(vocabulary),
            bos=llama_cpp.llama_vocab_bos(vocabulary),
            add_eos=llama_cpp.llama_vocab_get_add_eos(vocabulary),
            eos=llama_cpp.llama_vocab_eos(vocabulary),
            texts=[llama_cpp.llama_vocab_get_text(vocabulary, token) for token in range(size)],
        )


def compatible(target: Theirs, draft: Theirs) -> bool:
    """``common_speculative_are_compatible``, rule by rule."""
    if target.kind != draft.kind:
        return False
    if target.add_bos != draft.add_bos or (target.add_bos and target.bos != draft.bos):
        return False
    if target.add_eos != draft.add_eos or (target.add_eos and target.eos != draft.eos):
        return False
    if abs(len(target.texts) - len(draft.texts)) > 128:
        return False
    shared = min(len(target.texts), len(draft.texts))
    return target.texts[5:shared] == draft.texts[5:shared]


@pytest.fixture(scope="module")
def families(sources: Path) -> dict[str, tuple[VocabularyFacts, Theirs]]:
    paths = sorted(sources.glob("ggml-vocab-*.gguf"))
    return {
        path.stem.removeprefix("ggml-vocab-"): (read_header(path).vocabulary(), theirs(path))
        for path in paths
    }


def test_the_verdict_on_every_pair_of_families_is_llama_cpps(families):
    assert len(families) >= 12
    outlines = {name: ours.outline() for name, (ours, _theirs) in families.items()}
    fitting = set()
    for (target, (ours, reading)), (draft, (other, other_reading)) in permutations(
        families.items(), 2
    ):
        judged = verdict(ours, other)
        assert judged.ok == compatible(reading, other_reading), (target, draft, judged)
        assert judged.ok == verdict(outlines[target], outlines[draft]).ok
        if judged.ok:
            fitting.add(frozenset((target, draft)))
        else:
            assert judged.reason.isprintable()
    assert {frozenset(("llama-spm", "phi-3")), frozenset(("qwen2", "qwen35"))} <= fitting


def test_every_family_fits_itself(families):
    assert all(verdict(ours, ours).ok for ours, _theirs in families.values())


@pytest.mark.parametrize(("padding", "fits"), [(128, True), (129, False)])
def test_a_real_vocabulary_may_be_padded_by_128_rows(families, padding: int, fits: bool):
    plain, _theirs = families["qwen2"]
    rows = [*plain.texts, *(b"[PAD%d]" % number for number in range(padding))]
    padded = VocabularyFacts(
        plain.kind, len(rows), plain.add_bos, plain.bos, plain.add_eos, plain.eos, rows
    )
    assert verdict(plain, padded).ok is fits
    assert verdict(padded.outline(), plain.outline()).ok is fits


def test_the_memories_that_cannot_rewind_are_the_ones_llama_cpp_lists(sources: Path):
    assert version("llama-cpp-python") == BINDING
    source = (sources / "llama-arch.cpp").read_text(encoding="utf-8")
    names = dict(re.findall(r"\{ (LLM_ARCH_\w+),\s+\"([^\"]+)\"", source))

    def listed(function: str) -> set[str]:
        body = re.search(rf"bool {function}\(.*?\n}}", source, re.DOTALL)
        assert body is not None
        return {names[case] for case in re.findall(r"case (LLM_ARCH_\w+):", body[0])}

    recurrent = listed("llm_arch_is_recurrent") | listed("llm_arch_is_hybrid")
    one_pass = listed("llm_arch_supports_rs_rollback")
    architectures = set(names.values())
    never = {name for name in architectures if not can_rewind(name, one_by_one=False)}
    seldom = {name for name in architectures if not can_rewind(name, one_by_one=True)}
    assert never == recurrent - one_pass
    assert seldom == recurrent


def test_the_architectures_are_the_ones_llama_cpp_lists(sources: Path):
    assert version("llama-cpp-python") == BINDING
    source = (sources / "llama-arch.cpp").read_text(encoding="utf-8")
    assert set(re.findall(r"\{ LLM_ARCH_\w+,\s+\"([^\"]+)\"", source)) == ARCHITECTURES | {
        "(unknown)"
    }
