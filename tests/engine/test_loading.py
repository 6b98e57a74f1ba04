"""Which pairs load, and why a draft does not; plain decoding works whatever happens to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from engine.errors import (
    FileIsFolder,
    FileMissing,
    GgufTruncated,
    LoadCancelled,
    LoadFailed,
    NotGguf,
)
from engine.llama.context import MAX_GAMMA, StopFlag
from engine.llama.model import Model
from engine.loading import LoadOptions, Pair, load_pair
from tests.engine.conftest import TinyPath

OPTIONS = LoadOptions(n_ctx=256, threads=1, exact=True)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files whose weights llama.cpp was asked to load."""
    seen: list[Path] = []
    real = Model.load.__func__

    def load(cls: type[Model], path: Path, **options: Any) -> Model:
        seen.append(path)
        model: Model = real(cls, path, **options)
        return model

    monkeypatch.setattr(Model, "load", classmethod(load))
    return seen


def write_plainly(pair: Pair) -> list[int]:
    """Ten tokens of the target alone: whatever became of the draft, it must be able to."""
    lane, tokens = pair.lane(), [7]
    assert (lane.draft is None) == (pair.draft is None)
    for _ in range(10):
        lane.target.decode(tokens[-1:], outputs=1)
        tokens.append(int(lane.target.row(0).argmax()))
    lane.free()
    return tokens


def refused(target: Path, draft: Path) -> tuple[str, str]:
    """The verdict on a pair whose target must work all the same."""
    pair = load_pair(target, draft, OPTIONS)
    assert pair.draft is None
    assert not pair.verdict.ok
    assert len(write_plainly(pair)) == 11
    pair.free()
    return pair.verdict.code, pair.verdict.reason


def cut(path: Path, to: Path, share: float) -> Path:
    content = path.read_bytes()
    to.write_bytes(content[: int(len(content) * share)])
    return to


# The draft ---------------------------------------------------------------------------------------


def test_a_draft_of_the_family_serves(tiny_path: TinyPath) -> None:
    pair = load_pair(tiny_path(), tiny_path(noise=0.04), OPTIONS)
    assert pair.verdict.ok
    assert pair.draft is not None
    assert pair.notes == []
    assert pair.devices
    write_plainly(pair)
    pair.free()


def test_without_a_draft_the_pair_says_so(tiny_path: TinyPath) -> None:
    pair = load_pair(tiny_path(), None, OPTIONS)
    assert (pair.verdict.ok, pair.verdict.code) == (False, "no-draft")
    pair.free()


def test_another_kind_of_tokenizer_is_refused_before_its_weights_are_loaded(
    tiny_path: TinyPath, loads: list[Path]
) -> None:
    target = tiny_path()
    code, reason = refused(target, tiny_path(tokenizer="llama"))
    assert code == "kind"
    assert "byte-level BPE" in reason
    assert "SentencePiece" in reason
    assert loads == [target]


def test_one_token_that_reads_differently_is_refused_and_shown(
    tiny_path: TinyPath, loads: list[Path]
) -> None:
    code, reason = refused(tiny_path(), tiny_path(renamed=((139, "zz"),)))
    assert code == "text"
    assert "token 139 reads" in reason
    assert '"zz"' in reason
    assert len(loads) == 1


@pytest.mark.parametrize("sides", ["target", "draft"])
def test_padding_of_128_rows_serves_and_129_does_not(tiny_path: TinyPath, sides: str) -> None:
    small, padded, too_far = tiny_path(), tiny_path(padding=128), tiny_path(padding=129)
    pair = load_pair(*((padded, small) if sides == "target" else (small, padded)), OPTIONS)
    assert pair.verdict.ok
    pair.free()
    code, reason = refused(*((too_far, small) if sides == "target" else (small, too_far)))
    assert code == "size"
    assert "129 apart" in reason


def test_a_draft_that_begins_prompts_otherwise_is_refused(tiny_path: TinyPath) -> None:
    assert refused(tiny_path(add_bos=True), tiny_path())[0] == "add-bos"


def test_a_draft_that_is_missing_or_broken_leaves_plain_decoding_with_the_reason(
    tiny_path: TinyPath, tmp_path: Path
) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("<!DOCTYPE html>" + " " * 100)
    truncated = cut(tiny_path(), tmp_path / "cut.gguf", 0.6)
    for draft, code, word in (
        (tmp_path / "none.gguf", "file-missing", "no file"),
        (tmp_path, "file-is-folder", "folder"),
        (page, "not-gguf", "web page"),
        (truncated, "gguf-truncated", "incomplete"),
    ):
        got, reason = refused(tiny_path(), draft)
        assert got == code
        assert word in reason


def test_a_draft_that_llama_cpp_will_not_load_leaves_plain_decoding_with_the_reason(
    tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, real = tiny_path(), Model.load.__func__

    def load(cls: type[Model], path: Path, **options: Any) -> Model:
        if path != target:
            raise LoadFailed(path=path, reason="its tensors are odd")
        model: Model = real(cls, path, **options)
        return model

    monkeypatch.setattr(Model, "load", classmethod(load))
    code, reason = refused(target, tiny_path(noise=0.04))
    assert code == "draft-failed"
    assert "its tensors are odd" in reason


@pytest.mark.parametrize("role", ["target", "draft", "both"])
def test_a_memory_that_cannot_rewind_is_found_before_a_word_is_written(
    tiny_path: TinyPath, role: str
) -> None:
    recurrent, plain = tiny_path(architecture="mamba"), tiny_path()
    target = plain if role == "draft" else recurrent
    code, reason = refused(target, plain if role == "target" else recurrent)
    assert code == "cannot-rewind"
    assert "(mamba) cannot take back" in reason
    assert ("draft's" if role == "draft" else "target's") in reason


def test_a_hybrid_target_that_takes_back_a_little_is_given_the_room_for_it(
    tiny_path: TinyPath,
) -> None:
    pair = load_pair(tiny_path(architecture="lfm2", layers=4), tiny_path(), OPTIONS)
    assert pair.verdict.ok
    assert pair.context.rewindable > MAX_GAMMA
    pair.free()


def test_a_hybrid_draft_is_refused_because_it_steps_one_by_one(tiny_path: TinyPath) -> None:
    code, reason = refused(tiny_path(), tiny_path(architecture="lfm2", layers=4))
    assert code == "cannot-rewind"
    assert "the draft's memory (lfm2)" in reason


def test_a_sliding_window_pair_serves(tiny_path: TinyPath) -> None:
    target = tiny_path(architecture="gemma3", layers=6)
    pair = load_pair(target, tiny_path(architecture="gemma3", layers=6, noise=0.02), OPTIONS)
    assert pair.verdict.ok
    pair.free()


# The target --------------------------------------------------------------------------------------


def test_a_target_that_is_missing_or_broken_is_an_error(
    tiny_path: TinyPath, tmp_path: Path
) -> None:
    page = tmp_path / "page.gguf"
    page.write_text("not a model")
    for target, error in (
        (tmp_path / "none.gguf", FileMissing),
        (tmp_path, FileIsFolder),
        (page, NotGguf),
        (cut(tiny_path(), tmp_path / "cut.gguf", 0.6), GgufTruncated),
    ):
        with pytest.raises(error):
            load_pair(target, None, OPTIONS)


def test_a_target_that_llama_cpp_will_not_load_is_an_error_in_its_words(
    tiny_path: TinyPath, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(tiny_path().read_bytes().replace(b"output_norm.weight", b"output_nerm.weight"))
    with pytest.raises(LoadFailed, match="output_norm") as caught:
        load_pair(odd, None, OPTIONS)
    assert caught.value.detail


@pytest.mark.parametrize(
    "name", ["\u7530\u4e2d\u3000 \u017deljko", os.fsdecode(b"no text \xff\xfe")]
)
def test_a_path_of_many_alphabets_or_of_none_loads(
    tiny_path: TinyPath, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name / "a b.gguf"
    try:
        path.parent.mkdir()
    except OSError:
        pytest.skip("this file system takes text alone")
    path.write_bytes(tiny_path().read_bytes())
    pair = load_pair(path, path, OPTIONS)
    assert pair.verdict.ok
    pair.free()


# Options, progress, cancelling -------------------------------------------------------------------


def test_the_context_is_no_larger_than_the_model_was_made_for(tiny_path: TinyPath) -> None:
    path = tiny_path(context_length=300)
    pair = load_pair(path, None, LoadOptions(n_ctx=4096, threads=1))
    assert pair.context.n_ctx == 300
    assert "300 tokens" in pair.notes[0]
    pair.free()


def test_a_draft_made_for_less_gets_the_targets_context(tiny_path: TinyPath) -> None:
    draft = tiny_path(noise=0.04, context_length=128)
    pair = load_pair(tiny_path(), draft, LoadOptions(n_ctx=512, threads=1, exact=True))
    lane = pair.lane()
    assert lane.draft is not None
    for context in (lane.target, lane.draft):
        for _ in range(10):
            context.decode([7] * 30, outputs=1)
        assert context.position == 300
    lane.free()
    pair.free()


def test_a_lane_can_be_had_without_its_draft(tiny_path: TinyPath) -> None:
    pair = load_pair(tiny_path(), tiny_path(noise=0.04), OPTIONS)
    lane = pair.lane(speculative=False)
    assert lane.draft is None
    lane.free()
    pair.free()


def test_a_lane_listens_to_the_flag_that_was_given(tiny_path: TinyPath) -> None:
    flag = StopFlag()
    pair = load_pair(tiny_path(), tiny_path(noise=0.04), OPTIONS, stop=flag)
    lane = pair.lane()
    assert lane.draft is not None
    assert pair.stop is lane.target.stop is lane.draft.stop is flag
    lane.free()
    pair.free()


def test_progress_only_grows_and_names_what_is_loaded(tiny_path: TinyPath) -> None:
    target, draft, told = tiny_path(), tiny_path(noise=0.04), []

    def report(fraction: float, what: str) -> bool:
        told.append((fraction, what))
        return True

    load_pair(target, draft, OPTIONS, report=report).free()
    fractions = [fraction for fraction, _what in told]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] == 1
    assert {what for _fraction, what in told} == {f"Loading {target.name}", f"Loading {draft.name}"}


@pytest.mark.parametrize("at", ["target", "draft"])
def test_loading_can_be_cancelled_at_any_time(tiny_path: TinyPath, at: str) -> None:
    target, draft = tiny_path(), tiny_path(noise=0.04)
    name = (target if at == "target" else draft).name
    with pytest.raises(LoadCancelled):
        load_pair(target, draft, OPTIONS, report=lambda _fraction, what: name not in what)
