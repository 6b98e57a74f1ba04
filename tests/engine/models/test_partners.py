"""Who may draft for a target, who may not and why, and what each would bring."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.loading import LoadOptions, load_pair
from engine.models import local, partners
from engine.models.about import About
from engine.models.kinds import Kind
from engine.models.local import LocalModel
from engine.models.partners import Partner, Worth
from engine.models.stores import Origin
from engine.pairing import VocabularyFacts
from tests.engine.conftest import TinyPath
from tests.support.ggufs import WORDS, write_gguf

BIG = {"output.weight": (300, 64), "blk.0.x": (64, 64)}
SMALL = {"output.weight": (300, 8)}

Make = Callable[..., LocalModel]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A model of a few weights on the disk; takes what `write_gguf` does."""

    def model(name: str, *arguments: Any, **changes: Any) -> LocalModel:
        path = write_gguf(tmp_path / f"{name}.gguf", *arguments, **{"tensors": SMALL, **changes})
        return local.check_file(path)

    return model


def only(target: LocalModel, draft: LocalModel) -> Partner:
    (partner,) = partners.of(target, [draft])
    return partner


def test_a_small_model_with_the_same_words_fits_and_the_guess_is_called_one(make):
    partner = only(make("target", tensors=BIG), make("draft"))
    assert partner.ok
    assert partner.worth is not None
    assert partner.worth.speed_up > 1
    assert 1 <= partner.worth.gamma <= 16
    assert not partner.worth.measured


REFUSED = [
    ({"tokenizer": "llama"}, "kind", 'SentencePiece ("llama", 300 tokens)'),
    ({"tokenizer__ggml__add_bos_token": True}, "add-bos", "begins its prompts with a BOS token"),
    ({"words": [*WORDS, *(f"x{i}" for i in range(129))]}, "size", "129 apart"),
    ({"words": [*WORDS[:139], "b", *WORDS[140:]]}, "text", 'token 139 reads "t139" in the target'),
    ({"architecture": "mamba"}, "cannot-rewind", "the draft's memory (mamba) cannot take back"),
    ({"tensors": BIG}, "too-large", "it is not much smaller than the target"),
    ({"architecture": "clip"}, "not-for-chat", "it is a projector"),
]


@pytest.mark.parametrize(("changes", "code", "said"), REFUSED, ids=[row[1] for row in REFUSED])
def test_every_other_model_is_refused_with_its_exact_reason(make, changes, code, said):
    target = make("target", tensors=BIG, tokenizer__ggml__add_bos_token=False)
    partner = only(target, make("draft", **changes))
    assert not partner.ok
    assert partner.verdict.code == code
    assert said in partner.verdict.reason
    assert partner.worth is None


def test_the_target_itself_is_no_draft_under_any_name(make, tmp_path: Path):
    target = make("target", tensors=BIG)
    (tmp_path / "link.gguf").symlink_to(target.path)
    for path in (target.path, tmp_path / "link.gguf"):
        assert only(target, local.check_file(path)).verdict.code == "itself"


def test_a_damaged_file_is_refused_with_what_is_wrong(make, tmp_path: Path):
    (tmp_path / "page.gguf").write_text("<!DOCTYPE html>")
    judged = only(make("target", tensors=BIG), local.check_file(tmp_path / "page.gguf")).verdict
    assert judged.code == "not-gguf"
    assert judged.reason.startswith("it is not a GGUF model: it looks like a web page")


def test_a_target_that_cannot_rewind_or_be_read_has_no_drafts(make, tmp_path: Path):
    judged = only(make("target", "rwkv7", tensors=BIG), make("draft")).verdict
    assert judged.reason == "the target's memory (rwkv7) cannot take back a rejected token"
    (tmp_path / "cut.gguf").write_bytes(b"")
    judged = only(local.check_file(tmp_path / "cut.gguf"), make("draft")).verdict
    assert judged.reason.startswith("the target is not a GGUF model: it is empty")


@pytest.mark.parametrize(("padding", "fits"), [(0, True), (128, True), (129, False)])
def test_vocabularies_padded_to_different_sizes_fit(make, padding: int, fits: bool):
    # 151,936 and 152,064 in one family: 128 rows apart, which stand for no text
    padded = [*WORDS, *(f"[PAD{number}]" for number in range(padding))]
    assert only(make("target", tensors=BIG, words=padded), make("draft")).ok is fits


def test_the_verdict_of_the_list_is_the_engines(tiny_path: TinyPath):
    target = local.check_file(tiny_path(layers=4, width=128))
    for changes in (
        {"seed": 2, "padding": 128},
        {"renamed": ((139, "unheard of"),)},
        {"tokenizer": "llama"},
        {"architecture": "mamba"},
        {"architecture": "lfm2"},
    ):
        draft = local.check_file(tiny_path(**changes))
        pair = load_pair(target.path, draft.path, LoadOptions(n_ctx=128))
        try:
            judged = only(target, draft).verdict
            assert (judged.ok, judged.code) == (pair.verdict.ok, pair.verdict.code)
            assert judged.reason == pair.verdict.reason
        finally:
            pair.free()


# Order and worth ---------------------------------------------------------------------------------


def model(name: str, size: int, **changes: Any) -> LocalModel:
    """A model of ``size`` bytes a step that lies nowhere."""
    facts = VocabularyFacts("gpt2", 300, None, None, None, None, [b"%d" % i for i in range(300)])
    about = About(
        title=name,
        architecture="llama",
        kind=Kind.CHAT,
        why_not="",
        parameters=size,
        quantisation="Q8_0",
        context_length=None,
        has_template=True,
        streamed=size,
        embedding=0,
        has_output=True,
        vocabulary=facts.outline(),
        split=(1, 1),
    )
    path = Path(f"/models/{name}.gguf")
    return LocalModel(path, (path,), name, Origin.OURS, size, replace(about, **changes))


def test_those_that_fit_come_first_and_the_most_helpful_at_the_top():
    target = model("target", 1000)
    others = [model("half", 500), model("large", 900), model("tiny", 20), model("tenth", 100)]
    found = partners.of(target, [target, *others])
    assert [each.model.name for each in found] == ["tiny", "tenth", "half", "large", "target"]
    assert [each.ok for each in found] == [True, True, True, False, False]


def test_what_was_measured_here_goes_before_a_guess():
    target, slow, unknown = model("target", 1000), model("slow", 20), model("unknown", 100)

    def measured(_target: LocalModel, draft: LocalModel) -> Worth | None:
        return Worth(1.05, 1, measured=True) if draft is slow else None

    found = partners.of(target, [slow, unknown], measured=measured)
    assert [each.model.name for each in found] == ["unknown", "slow"]
    assert found[1].worth == Worth(1.05, 1, measured=True)


def test_the_guess_is_the_formula_with_passes_that_cost_no_more_than_one_token():
    # c = 1/8, α = 0.75: S(γ) = (1 − α^(γ + 1)) / (1 − α) / (γ·c + 1), largest at γ = 4
    worth = partners.guess(_about(model("t", 800)), _about(model("d", 100)))
    assert worth.gamma == 4
    assert worth.speed_up == pytest.approx((1 - 0.75**5) / 0.25 / 1.5)


def test_a_draft_of_three_quarters_of_the_target_cannot_help():
    assert partners.guess(_about(model("t", 1000)), _about(model("d", 740))).gamma == 1
    assert partners.guess(_about(model("t", 1000)), _about(model("d", 760))).gamma == 0


def _about(each: LocalModel) -> About:
    assert each.about is not None
    return each.about


def test_500_models_are_judged_in_a_moment():
    target = model("target", 1000)
    drafts = [model(f"draft {number}", 10 + number) for number in range(500)]
    began = time.perf_counter()
    assert len(partners.of(target, drafts)) == 500
    assert time.perf_counter() - began < 1


def test_a_vocabulary_that_differs_is_read_once_for_all_that_share_it(make, monkeypatch):
    target = make("target", tensors=BIG)
    other = [*WORDS[:139], "b", *WORDS[140:]]
    drafts = [make(f"draft {number}", words=other) for number in range(4)]
    read: list[Path] = []
    real = partners.read_header
    monkeypatch.setattr(partners, "read_header", lambda path: read.append(path) or real(path))
    reasons = {each.verdict.reason for each in partners.of(target, drafts)}
    assert len(reasons) == 1
    assert len(read) == 2


def test_a_file_that_went_away_is_still_refused(make):
    target = make("target", tensors=BIG)
    draft = make("draft", words=[*WORDS[:139], "b", *WORDS[140:]])
    draft.path.unlink()
    judged = only(target, draft).verdict
    assert judged.code == "text"
    assert judged.reason == "some tokens read otherwise in the target than in the draft"
