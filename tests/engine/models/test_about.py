"""What a list of models and pairing need of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import gguf
import pytest

from engine.errors import GgufDamaged, GgufUnsupported, ShardsJoined
from engine.models import about as about_module
from engine.models import architectures
from engine.models.about import QUANTISATIONS, About, about, joined
from engine.models.architectures import BINDING
from engine.models.header import Header, read_header
from engine.models.kinds import Kind
from engine.pairing import verdict
from tests.support.ggufs import WORDS, write_gguf, write_parts


def look(path: Path, known: dict[str, tuple[bytes, ...]] | None = None) -> About:
    return about(read_header(path), {} if known is None else known)


def test_it_says_what_the_file_says(tmp_path: Path):
    tensors = {"token_embd.weight": (300, 8), "output.weight": (300, 8), "blk.0.x": (8, 8)}
    metadata = {"general__name": "Mine", "general__file_type": 15, "llama__context_length": 4096}
    template = {"tokenizer__chat_template": "{{ messages }}"}
    found = look(write_gguf(tmp_path / "m.gguf", tensors=tensors, **metadata, **template))
    assert (found.title, found.architecture, found.quantisation) == ("Mine", "llama", "Q4_K_M")
    assert (found.context_length, found.has_template) == (4096, True)
    assert found.parameters == 300 * 8 * 2 + 64
    assert found.split == (1, 1)


def test_a_file_that_says_little_is_no_trouble(tmp_path: Path):
    found = look(write_gguf(tmp_path / "little.gguf"))
    assert (found.title, found.quantisation, found.context_length) == ("little", "", None)
    assert not found.has_template


def test_quantisations_are_named_as_llama_cpp_numbers_them():
    named = {number: name for number, name in QUANTISATIONS.items() if number < 38}
    numbered = {kind.value: kind.name for kind in gguf.LlamaFileType}
    assert {n: numbered[n].removeprefix("MOSTLY_").removeprefix("ALL_") for n in named} == named


def test_a_step_reads_all_but_the_rows_of_other_tokens(tmp_path: Path):
    tied = {"token_embd.weight": (300, 8), "blk.0.x": (8, 8)}
    own = {**tied, "output.weight": (300, 8)}
    assert look(write_gguf(tmp_path / "own.gguf", tensors=own)).bytes_per_token == 4 * (2400 + 64)
    assert look(write_gguf(tmp_path / "tied.gguf", tensors=tied)).bytes_per_token == 4 * (2400 + 64)


def test_a_step_of_a_mixture_reads_the_experts_it_uses(tmp_path: Path):
    tensors = {"blk.0.ffn_up_exps.weight": (8, 4, 4), "output.weight": (4, 4)}
    experts = {"llama__expert_count": 8, "llama__expert_used_count": 2}
    found = look(write_gguf(tmp_path / "moe.gguf", tensors=tensors, **experts))
    assert found.bytes_per_token == 4 * (32 + 16)
    assert found.parameters == 128 + 16


def test_a_vocabulary_is_read_once_for_all_files_that_share_it(tmp_path: Path, monkeypatch):
    known: dict[str, tuple[bytes, ...]] = {}
    first = look(write_gguf(tmp_path / "a.gguf"), known)
    monkeypatch.setattr("engine.models.header.Header.vocabulary", None)
    second = look(write_gguf(tmp_path / "b.gguf", general__name="B"), known)
    assert len(known) == 1
    assert first.vocabulary == second.vocabulary
    assert first.vocabulary is not None
    assert verdict(first.vocabulary, first.vocabulary).ok


def test_parts_make_a_whole_that_the_first_describes(tmp_path: Path):
    parts = [look(path) for path in write_parts(tmp_path)]
    assert [part.split for part in parts] == [(1, 3), (2, 3), (3, 3)]
    whole = joined(parts)
    assert (whole.title, whole.parameters, whole.streamed) == ("Big", 96, 4 * 96)
    assert whole.vocabulary is not None


@pytest.fixture
def bind(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have another llama-cpp-python be the installed one."""
    return lambda number: monkeypatch.setattr(architectures, "version", lambda _name: number)


@pytest.mark.parametrize("shape", [(8, 4), (7,)], ids=["aligned", "padded"])
def test_parts_joined_with_cat_are_refused(tmp_path: Path, shape):
    joint = tmp_path / "big.gguf"
    parts = write_parts(tmp_path, shape=shape)
    joint.write_bytes(b"".join(path.read_bytes() for path in parts))
    with pytest.raises(ShardsJoined, match="llama-gguf-split"):
        look(joint)


def test_bytes_after_the_last_tensor_are_no_fault(tmp_path: Path):
    path = write_gguf(tmp_path / "m.gguf")
    with path.open("ab") as file:
        file.write(b"\0" * 100)
    assert look(path).title == "m"


def test_a_file_without_an_architecture_is_damaged(tmp_path: Path):
    with pytest.raises(GgufDamaged, match="what architecture"):
        look(write_gguf(tmp_path / "m.gguf", architecture=""))


def test_a_vocabulary_that_repeats_a_text_is_damaged(tmp_path: Path):
    with pytest.raises(GgufDamaged, match="are there twice"):
        look(write_gguf(tmp_path / "m.gguf", words=[*WORDS, "t7"]))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (4, "quantised as Q4_2, which was removed"),
        (31, "quantised as Q4_0_4_4, which was removed"),
        (38, "quantised as IQ4_NL_8_8, which was removed"),
        (43, "its tensor type 43 needs a newer llama.cpp"),
    ],
)
def test_weights_that_llama_cpp_cannot_read_are_no_model_to_load(tmp_path: Path, kind, said, bind):
    bind(BINDING)
    header = read_header(write_gguf(tmp_path / "m.gguf"))
    tensors = tuple(replace(tensor, type=kind) for tensor in header.tensors)
    with pytest.raises(GgufUnsupported, match=said):
        about(replace(header, tensors=tensors), {})


def test_an_architecture_that_llama_cpp_does_not_know_needs_a_newer_one(tmp_path: Path, bind):
    bind(BINDING)
    with pytest.raises(GgufUnsupported, match="its architecture llama99 needs a newer"):
        look(write_gguf(tmp_path / "m.gguf", architecture="llama99"))


def test_what_another_llama_cpp_may_know_is_left_to_it(tmp_path: Path, bind):
    bind("0.3.99")
    path = write_gguf(tmp_path / "m.gguf", architecture="llama99")
    assert look(path).kind is Kind.CHAT
    header = read_header(path)
    removed, new = ([replace(each, type=n) for each in header.tensors] for n in (4, 43))
    assert about(replace(header, tensors=tuple(new)), {}).kind is Kind.CHAT
    with pytest.raises(GgufUnsupported):
        about(replace(header, tensors=tuple(removed)), {})


def test_what_is_no_language_model_is_not_said_to_need_a_newer_llama_cpp(tmp_path: Path):
    found = look(write_gguf(tmp_path / "m.gguf", architecture="flux", tokenizer=None))
    assert found.kind is Kind.OTHER


def test_a_further_part_of_a_split_model_need_not_say_its_architecture(tmp_path: Path):
    # llama-gguf-split writes none into them.
    header = read_header(write_parts(tmp_path)[1])
    metadata = {k: v for k, v in header.metadata.items() if k != "general.architecture"}
    assert about(replace(header, metadata=metadata), {}).split == (2, 3)


def test_the_end_of_a_file_is_looked_at_in_two_small_reads(tmp_path: Path, monkeypatch):
    path = write_gguf(tmp_path / "m.gguf", tensors={"token_embd.weight": (7,)})
    with path.open("ab") as file:
        file.write(b"\0" * 100)
    lengths: list[int] = []

    def noted(header: Header, offset: int, length: int) -> bytes:
        lengths.append(length)
        return read(header, offset, length)

    read = about_module._read
    monkeypatch.setattr(about_module, "_read", noted)
    look(path, {})
    assert lengths[:2] == [4, 4]
