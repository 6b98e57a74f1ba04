"""Memory is looked at before a load: the draft gives way, and a target that cannot fit is refused
with both numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine import machine, memory
from engine.errors import ContextTooLarge, ModelTooLarge
from engine.llama.library import library
from engine.loading import LoadOptions, load_pair
from engine.memory import judge
from engine.models.arriving import size_in_words
from engine.models.needs import ALL_LAYERS, Plan, copied_types, needs
from engine.models.shape import Layer, Shape, shape_at
from tests.engine.conftest import TinyPath

NAME = Path("large.gguf")
PLAN = Plan(8192)


def shape(layers: int = 10) -> Shape:
    layer = Layer(100_000_000, {12: 90_000_000}, cache=4096)
    return Shape((layer,) * layers, Layer(10**8), Layer(10**8), 64, 256, 1000)


TARGET, DRAFT = shape(), shape(2)


Free = Callable[[int], None]


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Free:
    """Says how much memory is free."""

    def set_free(amount: int) -> None:
        monkeypatch.setattr(machine, "memory", lambda: (10**12, amount))

    return set_free


def test_where_there_is_room_nothing_is_said(free: Free) -> None:
    free(needs(TARGET, DRAFT, PLAN).memory)
    assert judge(NAME, [TARGET, DRAFT], PLAN) == memory.Judgement()


def test_a_draft_too_many_is_left_out_with_both_numbers(free: Free) -> None:
    free(needs(TARGET, DRAFT, PLAN).memory - 1)
    found = judge(NAME, [TARGET, DRAFT], PLAN)
    assert found.draft is not None
    assert (found.draft.ok, found.draft.code) == (False, "no-memory")
    assert found.draft.reason == ("both models together need 2.1 GB of memory and 2.1 GB are free")
    assert found.notes == ()


def test_a_target_that_must_be_read_again_and_again_is_warned_of(free: Free) -> None:
    free(needs(TARGET, None, PLAN).memory - 1)
    found = judge(NAME, [TARGET], PLAN)
    assert found.draft is None
    assert "large.gguf needs 1.6 GB of memory and 1.6 GB are free" in found.notes[0]
    assert "slow" in found.notes[0]


def test_a_context_that_cannot_be_held_is_refused_with_one_that_can(free: Free) -> None:
    free(needs(TARGET, None, Plan(2048)).held)
    with pytest.raises(ContextTooLarge) as caught:
        judge(NAME, [TARGET, DRAFT], PLAN)
    need = size_in_words(needs(TARGET, None, PLAN).held)
    assert caught.value.sentence.startswith(
        f"With a context of 8,192 tokens large.gguf needs {need} of memory, and "
    )
    assert caught.value.sentence.endswith(
        "Choose a context of 2,048 tokens, or close other programs."
    )


def test_copies_that_cannot_be_held_are_refused(free: Free) -> None:
    plan = Plan(1024, copied=frozenset({12}))
    free(500_000_000)
    with pytest.raises(ModelTooLarge, match=r"needs 982 MB of memory, and 500 MB are free"):
        judge(NAME, [TARGET], plan)
    judge(NAME, [TARGET], Plan(1024))


def test_a_graphics_processor_that_shares_the_memory_is_counted_in(free: Free) -> None:
    plan = Plan(1024, ALL_LAYERS)
    free(1_000_000_000)
    assert judge(NAME, [TARGET], plan) == memory.Judgement()
    with pytest.raises(ModelTooLarge):
        judge(NAME, [TARGET], plan, shared=True)


# Through a load ----------------------------------------------------------------------------------

OPTIONS = LoadOptions(n_ctx=512, threads=1)


def test_a_draft_that_does_not_fit_leaves_plain_chat(free: Free, tiny_path: TinyPath) -> None:
    target, draft = tiny_path(), tiny_path(noise=0.04)
    copied = copied_types(library().features)
    free(needs(shape_at(target), None, Plan(512, copied=copied)).memory)
    pair = load_pair(target, draft, OPTIONS)
    assert pair.draft is None
    assert pair.verdict.code == "no-memory"
    assert "both models together need" in pair.verdict.reason
    assert pair.notes == []
    pair.free()


def test_a_target_that_does_not_fit_is_refused_before_anything_is_loaded(
    free: Free, tiny_path: TinyPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    free(1_000_000)
    monkeypatch.setattr("engine.llama.model.Model.load", None)
    with pytest.raises(ModelTooLarge, match=r"needs \d+ MB of memory, and 1\.0 MB are free"):
        load_pair(tiny_path(), None, OPTIONS)
