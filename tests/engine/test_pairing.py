"""Which draft may serve which target."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from engine.pairing import VocabularyFacts, verdict

TEXTS = [b"<s>", b"</s>", b"<unk>", b"<pad>", b"<mask>", *(b"t%d" % i for i in range(5, 300))]


def facts(**changes) -> VocabularyFacts:
    base = VocabularyFacts(
        kind="gpt2", size=300, add_bos=True, bos=0, add_eos=False, eos=1, texts=TEXTS
    )
    changed = replace(base, **changes)
    return replace(changed, size=changes.get("size", len(changed.texts)))


def test_a_model_pairs_with_its_like():
    judged = verdict(facts(), facts())
    assert judged.ok
    assert (judged.code, judged.reason) == ("", "")


def test_different_tokenizers_are_refused_and_both_are_named():
    judged = verdict(facts(kind="llama", size=32_000), facts(kind="gpt2", size=50_257))
    assert not judged.ok
    assert judged.code == "kind"
    assert judged.reason == (
        'the target\'s tokenizer is SentencePiece ("llama", 32,000 tokens) '
        'and the draft\'s is byte-level BPE ("gpt2", 50,257 tokens)'
    )


def test_two_names_of_one_kind_of_tokenizer_are_the_same_kind():
    assert verdict(facts(kind="gemma4"), facts(kind="gpt2")).ok


def test_kinds_of_the_future_pair_with_themselves_alone():
    assert verdict(facts(kind="octal"), facts(kind="octal")).ok
    judged = verdict(facts(kind="octal"), facts(kind="gpt2"))
    assert 'of an unknown kind ("octal", 300 tokens)' in judged.reason


@pytest.mark.parametrize("kind", ["", "none"])
def test_a_file_without_a_vocabulary_pairs_with_nothing(kind):
    empty = facts(kind=kind, texts=[])
    assert verdict(facts(), empty).reason == "the draft has no vocabulary in its file"
    assert verdict(empty, empty).code == "no-vocabulary"


def test_adding_bos_on_one_side_alone_is_refused():
    judged = verdict(facts(add_bos=True), facts(add_bos=False))
    assert judged.code == "add-bos"
    assert judged.reason == (
        "the target begins its prompts with a BOS token (add_bos is true) "
        "and the draft adds no BOS token (add_bos is false)"
    )


def test_adding_eos_on_one_side_alone_is_refused():
    assert verdict(facts(add_eos=False), facts(add_eos=True)).code == "add-eos"


def test_another_bos_is_refused_with_both_ids():
    judged = verdict(facts(bos=0), facts(bos=2))
    assert judged.code == "bos"
    assert judged.reason == "the BOS token is 0 in the target and 2 in the draft"


def test_another_eos_is_refused_only_where_it_is_added():
    assert verdict(facts(eos=1), facts(eos=2)).ok
    judged = verdict(facts(add_eos=True, eos=1), facts(add_eos=True, eos=2))
    assert judged.code == "eos"


@pytest.mark.parametrize("field", ["add_bos", "bos", "add_eos", "eos"])
def test_what_a_file_leaves_to_llama_cpp_is_taken_to_agree(field):
    assert verdict(facts(), facts(**{field: None})).ok
    assert verdict(facts(**{field: None}), facts()).ok


def test_another_bos_is_refused_even_where_one_file_does_not_say_whether_it_is_added():
    # Whatever the draft's add_bos turns out to be, llama.cpp would refuse: for it, or for the id.
    assert verdict(facts(add_bos=True, bos=0), facts(add_bos=None, bos=2)).code == "bos"


def test_padding_of_128_rows_is_accepted_and_129_refused():
    texts = [b"x%d" % i for i in range(400)]
    target = facts(texts=texts)
    assert verdict(target, facts(texts=texts[:272])).ok
    assert verdict(facts(texts=texts[:272]), target).ok
    judged = verdict(target, facts(texts=texts[:271]))
    assert judged.code == "size"
    assert "400 tokens" in judged.reason
    assert "271, 129 apart" in judged.reason


def test_one_ordinary_token_that_differs_is_refused_and_shown():
    other = list(TEXTS)
    other[139] = b"b"
    judged = verdict(facts(), facts(texts=other))
    assert judged.code == "text"
    assert judged.reason == (
        'token 139 reads "t139" in the target (300 tokens) and "b" in the draft (300 tokens)'
    )


@pytest.mark.parametrize("token", [5, 299])
def test_texts_are_compared_from_id_5_to_the_last(token):
    other = list(TEXTS)
    other[token] = b"else"
    assert verdict(facts(), facts(texts=other)).reason.startswith(f"token {token} ")


def test_the_first_five_tokens_may_be_named_differently():
    other = [b"a", b"b", b"c", b"d", b"e", *TEXTS[5:]]
    assert verdict(facts(), facts(texts=other)).ok


def test_texts_end_at_a_zero_byte_as_they_do_for_llama_cpp():
    other = list(TEXTS)
    other[20] = b"t20\0more"
    assert verdict(facts(), facts(texts=other)).ok


def test_a_hostile_text_is_shown_harmlessly():
    other = list(TEXTS)
    other[7] = b"\x1b[31m\xff" + b"x" * 500
    reason = verdict(facts(), facts(texts=other)).reason
    assert reason.isprintable()
    assert r"\x1b[31m\xff" in reason
    assert len(reason) < 200


def test_152_000_equal_texts_are_compared_in_a_moment():
    texts = [b"%d" % i for i in range(152_064)]
    same = [bytes(bytearray(text)) for text in texts]
    begin = time.perf_counter()
    assert verdict(facts(texts=texts), facts(texts=same)).ok
    assert time.perf_counter() - begin < 2


# Outlines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 5, 6, 100, 133, 134, 300])
@pytest.mark.parametrize("longer", [0, 1, 128])
def test_an_outline_is_judged_as_the_texts_are(size: int, longer: int):
    texts = [b"x%d" % i for i in range(size + longer)]
    for changed in (None, 0, 4, 5, size - 1, size, size + longer - 1):
        other = texts[:size]
        if changed is not None and 0 <= changed < size:
            other[changed] = b"else"
        one, two = facts(texts=texts), facts(texts=other)
        whole = verdict(one, two)
        for a, b in ((one.outline(), two.outline()), (one, two.outline()), (two.outline(), one)):
            judged = verdict(a, b)
            if one.texts and two.texts:
                assert (judged.ok, judged.code) == (whole.ok, whole.code)


def test_an_outline_ends_its_texts_where_llama_cpp_does():
    other = list(TEXTS)
    other[20] = b"t20\0more"
    assert verdict(facts().outline(), facts(texts=other).outline()).ok
    other[20], other[21] = b"t2", b"0t21"
    assert not verdict(facts().outline(), facts(texts=other).outline()).ok


def test_an_outline_of_152_000_texts_is_made_in_a_moment():
    large = facts(texts=[b"%d" % i for i in range(152_064)])
    begin = time.perf_counter()
    outline = large.outline()
    assert time.perf_counter() - begin < 1
    assert sum(map(len, outline.digests)) < 2100
    assert outline.texts == ()
