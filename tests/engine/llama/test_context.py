"""What the engine relies on of llama.cpp's memory: it rewinds, refuses and stops cleanly."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import llama_cpp
import numpy as np
import pytest

from engine.errors import ContextFailed, DecodeFailed, RewindFailed, Stopped
from engine.llama.context import (
    CHUNK,
    Context,
    ContextOptions,
    StopFlag,
    can_rewind,
    common_prefix,
)
from tests.engine.conftest import EXACT, NewContext, TinyModel

RANDOM = np.random.default_rng(5)
TOKENS: list[int] = RANDOM.integers(6, 460, 300).tolist()
OTHERS: list[int] = RANDOM.integers(6, 460, 40).tolist()

RECURRENT = ContextOptions(n_ctx=256)


class StopsAt(StopFlag):
    """Says stop at the n-th node of the graph: in the middle of a pass."""

    def __init__(self, node: int) -> None:
        super().__init__()
        self.left = node
        self.callback = llama_cpp.ggml_abort_callback(self._ask)

    def _ask(self, _data: object) -> bool:
        self.left -= 1
        return self.left < 0


def fill(context: Context, tokens: Sequence[int], width: int = CHUNK) -> np.ndarray:
    """Decode ``tokens`` in passes of ``width``; the last row, copied."""
    for start in range(0, len(tokens), width):
        context.decode(tokens[start : start + width], outputs=1)
    return context.row(0).copy()


def decode_for_ever(context: Context) -> None:
    while True:
        context.decode(TOKENS[:CHUNK], outputs=0)
        context.rewind(0)


@pytest.fixture
def context(new_context: NewContext, tiny_model: TinyModel) -> Context:
    return new_context(tiny_model())


@pytest.fixture
def fresh(new_context: NewContext, tiny_model: TinyModel) -> Context:
    return new_context(tiny_model())


# Rows and rewinding ------------------------------------------------------------------------------


@pytest.mark.parametrize("storage", ["Q8_0", "Q4_0"])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 16, 17, 50])
def test_exact_rows_do_not_depend_on_how_the_tokens_came(
    new_context: NewContext, tiny_model: TinyModel, storage: str, width: int
) -> None:
    model = tiny_model(storage=storage)
    expected = fill(new_context(model), TOKENS)
    assert np.array_equal(fill(new_context(model), TOKENS, width), expected)


@pytest.mark.parametrize("options", [EXACT, ContextOptions(n_ctx=512)], ids=["exact", "default"])
@pytest.mark.parametrize("keep", [1, 2, 127, 255, 256, 257, 299])
def test_a_rewound_memory_is_one_that_never_went_further(
    new_context: NewContext, tiny_model: TinyModel, options: ContextOptions, keep: int
) -> None:
    went, never = new_context(tiny_model(), options), new_context(tiny_model(), options)
    fill(went, TOKENS[:keep])
    fill(went, OTHERS)
    went.rewind(keep)
    assert went.tokens == TOKENS[:keep]
    assert went.position == keep
    fill(never, TOKENS[:keep])
    assert np.array_equal(fill(went, [77], 1), fill(never, [77], 1))


def test_rewinding_to_nothing_and_past_the_end(context: Context, fresh: Context) -> None:
    fill(context, TOKENS)
    context.rewind(1000)
    assert context.tokens == TOKENS
    context.rewind(0)
    assert context.tokens == []
    assert context.position == 0
    assert np.array_equal(fill(context, OTHERS), fill(fresh, OTHERS))


def test_a_sliding_window_rewinds_further_than_the_window(
    new_context: NewContext, tiny_model: TinyModel
) -> None:
    model = tiny_model(architecture="gemma3", layers=6, window=32)
    went, never = new_context(model), new_context(model)
    fill(went, TOKENS)
    went.rewind(100)
    fill(never, TOKENS[:100])
    assert np.array_equal(fill(went, OTHERS), fill(never, OTHERS))
    assert can_rewind(went, 17)


def test_rows_are_those_of_the_last_tokens_of_the_pass(context: Context, fresh: Context) -> None:
    context.decode(TOKENS[:20], outputs=3)
    rows = [context.row(i).copy() for i in range(3)]
    assert rows[0].shape == (context.model.vocabulary.size,)
    for i, row in enumerate(rows):
        fresh.clear()
        assert np.array_equal(fill(fresh, TOKENS[: 18 + i]), row)
    with pytest.raises(AssertionError):
        context.row(3)


def test_a_row_is_a_view_not_a_copy(context: Context) -> None:
    context.decode(TOKENS[:4], outputs=1)
    assert not context.row(0).flags.owndata


def test_reuse_keeps_the_common_beginning(context: Context) -> None:
    fill(context, TOKENS[:50])
    assert context.reuse([*TOKENS[:30], *OTHERS]) == 30
    assert context.tokens == TOKENS[:30]
    assert context.position == 30
    assert context.reuse(TOKENS) == 30
    assert context.reuse(OTHERS) == 0


def test_a_common_beginning_ends_at_the_first_difference_or_the_shorter_end() -> None:
    assert common_prefix([1, 2, 3], [1, 2, 4, 5]) == 2
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([], [1]) == 0


# What llama.cpp refuses --------------------------------------------------------------------------


def test_a_full_context_is_refused_and_leaves_the_memory_usable(
    new_context: NewContext, tiny_model: TinyModel
) -> None:
    context = new_context(tiny_model(), ContextOptions(n_ctx=256).exact())
    fill(context, TOKENS[:250])
    with pytest.raises(DecodeFailed) as caught:
        context.decode(TOKENS[250:260], outputs=1)
    assert caught.value.fields["status"] == 1
    assert context.position == len(context.tokens) == 250
    context.decode(TOKENS[250:256], outputs=1)


@pytest.mark.parametrize("wrong", [462, -1, 10**6])
def test_a_token_that_is_not_there_is_refused_and_leaves_the_memory_usable(
    context: Context, fresh: Context, wrong: int
) -> None:
    fill(context, TOKENS[:10])
    with pytest.raises(DecodeFailed) as caught:
        context.decode([5, wrong], outputs=1)
    assert caught.value.fields["status"] == -1
    assert context.position == len(context.tokens) == 10
    fill(fresh, TOKENS[:10])
    assert np.array_equal(fill(context, [77]), fill(fresh, [77]))


def test_a_forgotten_rewind_is_noticed(context: Context) -> None:
    fill(context, TOKENS[:10])
    del context.tokens[8:]  # the mirror was rewound, the memory was not
    with pytest.raises(DecodeFailed):
        context.decode([77], outputs=1)


@pytest.mark.parametrize(("count", "outputs"), [(0, 0), (CHUNK + 1, 1), (20, 18), (3, 4), (1, -1)])
def test_what_would_abort_the_process_is_an_error_here(
    context: Context, count: int, outputs: int
) -> None:
    with pytest.raises(AssertionError):
        context.decode([7] * count, outputs=outputs)
    assert context.position == 0


def test_a_context_that_llama_cpp_cannot_make_is_an_error_with_its_reason(
    tiny_model: TinyModel,
) -> None:
    impossible = ContextOptions(n_ctx=256, flash_attention=False, kv_q8=True)
    with pytest.raises(ContextFailed, match="256 tokens") as caught:
        Context(tiny_model(), impossible)
    assert "flash_attn" in caught.value.detail


# Stopping ----------------------------------------------------------------------------------------


def test_a_raised_flag_lets_no_pass_begin(context: Context) -> None:
    fill(context, TOKENS[:10])
    context.stop.set()
    assert context.stop
    with pytest.raises(Stopped):
        context.decode([77], outputs=1)
    context.stop.clear()
    assert not context.stop
    assert context.position == 10
    context.decode([77], outputs=1)


@pytest.mark.parametrize("node", [0, 1, 10, 30])
def test_a_flag_raised_in_mid_pass_ends_it_and_the_memory_is_as_before(
    new_context: NewContext, tiny_model: TinyModel, fresh: Context, node: int
) -> None:
    flag = StopsAt(10**6)
    context = new_context(tiny_model(), EXACT, flag)
    fill(context, TOKENS[:10])
    flag.left = node
    with pytest.raises(Stopped):
        context.decode(TOKENS[10:60], outputs=1)
    assert context.position == len(context.tokens) == 10
    flag.left = 10**6
    fill(fresh, TOKENS[:10])
    assert np.array_equal(fill(context, OTHERS), fill(fresh, OTHERS))


def test_another_thread_can_stop_a_pass(context: Context) -> None:
    thread = threading.Thread(target=context.stop.set)
    thread.start()
    with pytest.raises(Stopped):
        decode_for_ever(context)
    thread.join()
    assert context.position == len(context.tokens)


# Memories that cannot rewind ---------------------------------------------------------------------


def test_whether_a_memory_rewinds_is_tried(new_context: NewContext, tiny_model: TinyModel) -> None:
    plain = new_context(tiny_model())
    assert can_rewind(plain, 17)
    assert plain.tokens == []
    recurrent = new_context(tiny_model(architecture="mamba"), RECURRENT)
    assert not can_rewind(recurrent, 17)
    assert recurrent.tokens == []
    assert recurrent.position == 0


def test_a_recurrent_memory_says_so_and_keeps_what_it_has(
    new_context: NewContext, tiny_model: TinyModel
) -> None:
    context = new_context(tiny_model(architecture="mamba"), RECURRENT)
    fill(context, TOKENS[:20])
    with pytest.raises(RewindFailed):
        context.rewind(12)
    assert context.position == len(context.tokens) == 20
    assert context.reuse(TOKENS[:12]) == 0  # it starts afresh instead
    assert context.position == 0


def test_a_hybrid_memory_takes_back_part_of_its_last_pass(
    new_context: NewContext, tiny_model: TinyModel
) -> None:
    model, options = tiny_model(architecture="lfm2", layers=4), replace(EXACT, rewindable=17)
    assert model.recurrent
    for keep in (61, 65, 76):
        went, never = new_context(model, options), new_context(model, options)
        fill(went, TOKENS[:60])
        went.decode(TOKENS[60:77], outputs=1)
        went.rewind(keep)
        fill(never, TOKENS[:keep])
        assert np.array_equal(fill(went, OTHERS), fill(never, OTHERS))
    assert can_rewind(new_context(model, options), 17)
    assert not can_rewind(new_context(model, options), 17, one_by_one=True)
    assert not can_rewind(new_context(model, replace(EXACT, rewindable=0)), 17)


def test_a_hybrid_memory_takes_back_once_and_then_wants_another_pass(
    new_context: NewContext, tiny_model: TinyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    # llama.cpp refuses it too by now; that it ever said yes to it must cost nothing.
    model, options = tiny_model(architecture="lfm2", layers=4), replace(EXACT, rewindable=17)
    context = new_context(model, options)
    fill(context, TOKENS[:60])
    context.decode(TOKENS[60:77], outputs=1)
    context.rewind(70)
    with monkeypatch.context() as patch:
        patch.setattr(llama_cpp, "llama_memory_seq_rm", lambda *_arguments: True)
        with pytest.raises(RewindFailed):
            context.rewind(65)
    assert context.position == len(context.tokens) == 70


@pytest.mark.parametrize(("width", "back"), [(1, 1), (1, 3), (5, 5), (5, 6)])
def test_a_hybrid_memory_does_not_take_back_a_whole_pass(
    new_context: NewContext, tiny_model: TinyModel, width: int, back: int
) -> None:
    # llama.cpp would say yes, and go on from another state.
    model, options = tiny_model(architecture="lfm2", layers=4), replace(EXACT, rewindable=17)
    context, fresh = new_context(model, options), new_context(model, options)
    fill(context, TOKENS[:60], width)
    with pytest.raises(RewindFailed):
        context.rewind(60 - back)
    assert context.reuse(TOKENS[: 60 - back]) == 0
    assert np.array_equal(fill(context, TOKENS[:70]), fill(fresh, TOKENS[:70]))


def test_a_hybrid_memory_is_emptied_by_a_pass_that_fails(
    new_context: NewContext, tiny_model: TinyModel
) -> None:
    flag = StopsAt(10**6)
    model, options = tiny_model(architecture="lfm2", layers=4), replace(EXACT, rewindable=17)
    context = new_context(model, options, flag)
    fill(context, TOKENS[:60])
    flag.left = 5
    with pytest.raises(Stopped):
        context.decode(TOKENS[60:77], outputs=1)
    assert context.position == len(context.tokens)
    flag.left = 10**6
    fresh = new_context(model, options)
    rest = TOKENS[len(context.tokens) : 80]
    assert np.array_equal(fill(context, rest), fill(fresh, TOKENS[:80]))


# The end -----------------------------------------------------------------------------------------


def test_a_context_is_freed_once_however_often_it_is_told(tiny_model: TinyModel) -> None:
    with Context(tiny_model(), EXACT) as context:
        fill(context, [7])
    context.free()
    with pytest.raises(AssertionError):
        context.decode([7], outputs=1)


def test_passes_of_any_width_compute_on_as_many_threads(
    tiny_model: TinyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    real = llama_cpp.llama_init_from_model

    def init(*arguments: object) -> int:
        made.append(real(*arguments))
        return made[-1]

    monkeypatch.setattr(llama_cpp, "llama_init_from_model", init)
    with Context(tiny_model(), replace(EXACT, threads=3)) as context:
        assert llama_cpp.llama_n_threads(made[0]) == 3
        assert llama_cpp.llama_n_threads_batch(made[0]) == 3
        context.set_threads(2)
        assert llama_cpp.llama_n_threads(made[0]) == 2
        assert llama_cpp.llama_n_threads_batch(made[0]) == 2


def test_threads_can_be_changed_between_passes(context: Context, fresh: Context) -> None:
    fill(context, TOKENS[:20])
    context.set_threads(2)
    assert np.array_equal(fill(context, OTHERS), fill(fresh, [*TOKENS[:20], *OTHERS]))
