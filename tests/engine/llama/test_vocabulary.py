"""Text to token ids and back, through the real llama.cpp."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.llama.vocabulary import Vocabulary
from tests.engine.conftest import TinyModel
from tests.support.tiny_models import (
    BOS,
    CONTROLS,
    ENDS,
    EOS,
    IM_END,
    IM_START,
    LONG_PIECE,
    TOOL,
)


@pytest.fixture(scope="session")
def words(tiny_model: TinyModel) -> Vocabulary:
    return tiny_model().vocabulary


@pytest.fixture(scope="session")
def sentence_piece(tiny_model: TinyModel) -> Vocabulary:
    return tiny_model(tokenizer="llama").vocabulary


def joined(vocabulary: Vocabulary, tokens: list[int]) -> bytes:
    return b"".join(vocabulary.piece(token) for token in tokens)


def test_it_knows_what_the_file_says(words: Vocabulary, sentence_piece: Vocabulary) -> None:
    assert (words.kind, sentence_piece.kind) == ("gpt2", "llama")
    assert (words.bos, words.eos) == (BOS, EOS)
    assert (sentence_piece.bos, sentence_piece.eos) == (1, 2)
    assert not words.add_bos
    assert not words.add_eos
    facts = words.facts()
    assert (facts.kind, facts.size, facts.bos) == ("gpt2", words.size, BOS)


def test_whether_a_prompt_begins_with_bos_is_the_files_choice(tiny_model: TinyModel) -> None:
    assert tiny_model(add_bos=True).vocabulary.add_bos


def test_every_end_of_generation_is_known_not_eos_alone(words: Vocabulary) -> None:
    assert words.ends == ENDS
    assert len(words.ends) > 1


def test_control_tokens_are_known_with_their_texts(words: Vocabulary) -> None:
    assert words.control == dict(enumerate(CONTROLS))
    assert TOOL not in words.ends


def test_suppressed_tokens_are_those_the_file_bans(
    words: Vocabulary, tiny_model: TinyModel
) -> None:
    assert words.suppressed == ()
    assert tiny_model(suppressed=(7, 300)).vocabulary.suppressed == (7, 300)


def test_padding_counts_as_part_of_the_vocabulary(words: Vocabulary, tiny_model: TinyModel) -> None:
    padded = tiny_model(padding=128).vocabulary
    assert padded.size == words.size + 128
    assert padded.text(words.size) == "[PAD0]"
    assert padded.ends == words.ends


def test_control_tokens_are_read_as_such_only_where_asked(words: Vocabulary) -> None:
    text = "<|im_start|>user<|im_end|>"
    special = words.tokenize(text, special=True)
    assert special[0] == IM_START
    assert special[-1] == IM_END
    typed = words.tokenize(text, special=False)
    assert not set(typed) & set(words.control)
    assert joined(words, typed) == text.encode()


def test_nothing_is_added_to_a_text(tiny_model: TinyModel) -> None:
    vocabulary = tiny_model(add_bos=True).vocabulary
    assert vocabulary.tokenize("", special=True) == []
    assert BOS not in vocabulary.tokenize("hello", special=True)


@given(text=st.text(max_size=40))
@settings(max_examples=60)
def test_byte_level_text_comes_back_as_it_was(words: Vocabulary, text: str) -> None:
    text = text.encode(errors="replace").decode()
    assert joined(words, words.tokenize(text, special=False)) == text.encode()


def test_half_a_surrogate_is_replaced_not_fatal(words: Vocabulary) -> None:
    assert joined(words, words.tokenize("a\ud83d", special=False)) == b"a?"


def test_sentence_piece_puts_a_space_before_the_first_word(sentence_piece: Vocabulary) -> None:
    text = "the \u65e5 user\n"
    assert joined(sentence_piece, sentence_piece.tokenize(text, special=False)) == (
        f" {text}".encode()
    )


def test_a_character_may_lie_across_tokens(words: Vocabulary) -> None:
    tokens = words.tokenize("\u672c", special=False)
    assert len(tokens) > 1
    with pytest.raises(UnicodeDecodeError):
        words.piece(tokens[0]).decode()


def test_a_long_piece_comes_whole(words: Vocabulary) -> None:
    token = next(i for i in range(words.size) if words.text(i) == LONG_PIECE)
    assert words.piece(token) == LONG_PIECE.encode()
    assert words.piece(words.tokenize("a", special=False)[0]) == b"a"


def test_control_tokens_add_nothing_to_the_text(words: Vocabulary) -> None:
    assert [words.piece(token) for token in words.control] == [b""] * len(CONTROLS)


@pytest.mark.parametrize("token", [-1, 10**6])
def test_a_token_that_is_not_there_has_no_text(words: Vocabulary, token: int) -> None:
    assert words.text(token) == ""
