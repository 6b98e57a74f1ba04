"""What a run counts, and the figures that follow by their definitions."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.accept import Source, Token
from engine.stats import End, Figures, PromptProgress, Round

A, C, B, P = Source.ACCEPTED, Source.CORRECTED, Source.BONUS, Source.PLAIN


def round_of(*sources: Source, drafted: int, seconds: float = 1.0) -> Round:
    tokens = [Token(i, source, 0.5) for i, source in enumerate(sources)]
    return Round(tokens, drafted, seconds, seconds * 0.25, seconds * 0.5)


def figures_of(*rounds: Round) -> Figures:
    figures = Figures()
    for each in rounds:
        figures.add(each)
    return figures


def test_a_round_counts_what_stood_and_what_fell() -> None:
    assert (round_of(A, A, C, drafted=4).accepted, round_of(A, A, C, drafted=4).rejected) == (2, 1)
    assert (round_of(A, A, B, drafted=2).accepted, round_of(A, A, B, drafted=2).rejected) == (2, 0)
    assert (round_of(P, drafted=0).accepted, round_of(P, drafted=0).rejected) == (0, 0)
    assert round_of(P, drafted=0, seconds=4).other_seconds == 1


def test_nothing_divides_by_zero_before_the_first_round() -> None:
    figures = Figures()
    values = figures.as_dict()
    assert values["tokens_per_second"] == values["alpha"] == values["acceptance_rate"] == 0
    assert figures.survival() == []
    json.dumps(values)


def test_the_acceptance_rate_is_by_drafted_and_alpha_by_tested() -> None:
    figures = figures_of(round_of(A, A, C, drafted=4), round_of(A, A, A, A, B, drafted=4))
    assert figures.acceptance_rate == 6 / 8
    assert figures.alpha == 6 / 7  # what lay behind the rejection was never tested
    assert figures.tokens_per_round == 4
    assert (figures.rounds, figures.tokens, figures.gamma) == (2, 8, 4)


def test_tokens_per_second_leaves_the_prompt_out() -> None:
    figures = Figures()
    figures.read(PromptProgress(0, 10, 0.0, 0.0))
    figures.read(PromptProgress(10, 10, 5.0, 1.0))
    figures.add(round_of(A, B, drafted=1, seconds=0.5))
    assert figures.tokens_per_second == 4
    assert figures.prompt_seconds == 5
    assert figures.draft_prompt_seconds == 1
    assert figures.first_token_seconds == 5.5


def test_the_first_step_of_reading_tells_what_was_reused() -> None:
    figures = Figures()
    for done in (70, 128, 160):
        figures.read(PromptProgress(done, 160, 0.1, 0.0))
    assert figures.prompt_reused == 70
    assert figures.prompt_evaluated == 90


def test_the_times_of_a_run_add_up() -> None:
    figures = figures_of(round_of(A, B, drafted=1), round_of(P, drafted=0, seconds=3))
    assert figures.seconds == 4
    assert figures.draft_seconds + figures.verify_seconds + figures.other_seconds == 4
    assert figures.other_share == 0.25


def test_tokens_cut_off_behind_an_end_count_as_nothing() -> None:
    cut = Round([Token(1, A, 0.5), Token(2, A, 0.5)], 4, 1.0, 0.0, 0.0, End.END)
    figures = figures_of(cut)
    assert (figures.tokens, figures.accepted, figures.rejected) == (2, 2, 0)
    assert figures.acceptance_rate == 0.5
    assert figures.alpha == 1


def test_survival_by_position_is_not_biased_by_rounds_cut_short() -> None:
    figures = figures_of(
        round_of(A, A, B, drafted=2), round_of(A, C, drafted=2), round_of(A, B, drafted=1)
    )
    assert figures.tested_by_position == [3, 2]
    assert figures.accepted_by_position == [3, 1]
    assert figures.survival() == [1, 0.5]


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    gamma = draw(st.integers(0, 16))
    accepted = draw(st.integers(0, gamma))
    last = C if accepted < gamma else B if gamma else P
    return round_of(*[A] * accepted, last, drafted=gamma)


@given(st.lists(rounds(), min_size=1))
def test_every_figure_stays_within_its_bounds(run: list[Round]) -> None:
    figures = figures_of(*run)
    assert 1 <= figures.tokens_per_round <= figures.gamma + 1
    assert 0 <= figures.acceptance_rate <= 1
    assert figures.acceptance_rate <= figures.alpha <= 1
    assert figures.tokens == sum(len(each.tokens) for each in run)
    assert figures.accepted == sum(figures.accepted_by_position)
    assert figures.accepted + figures.rejected == sum(figures.tested_by_position)
    survival = figures.survival()
    assert survival == sorted(survival, reverse=True)
    assert all(0 <= chance <= 1 for chance in survival)


@given(gamma=st.integers(1, 16), accepted=st.lists(st.integers(0, 16), min_size=1))
def test_expected_tokens_from_survival_are_the_tokens_per_round(
    gamma: int, accepted: list[int]
) -> None:
    # With γ the same in every round the product of the rates telescopes to s_i itself.
    counts = [min(n, gamma) for n in accepted]
    run = [round_of(*[A] * n, C if n < gamma else B, drafted=gamma) for n in counts]
    figures = figures_of(*run)
    assert 1 + sum(figures.survival()) == pytest.approx(figures.tokens_per_round)


def test_what_was_read_anew_is_counted_for_each_model() -> None:
    figures = Figures()
    figures.read(PromptProgress(70, 160, 0.0, 0.0))
    figures.read(PromptProgress(110, 160, 0.1, 0.0))
    figures.read(PromptProgress(160, 160, 0.1, 0.1, draft_read=50))
    assert figures.prompt_evaluated == 90
    assert figures.target_prompt_evaluated == 40
    assert figures.draft_prompt_evaluated == 50
