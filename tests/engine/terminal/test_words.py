"""Figures in words."""

from __future__ import annotations

import pytest

from engine.protocol import PLAIN, SPECULATIVE, Compared, Done, Options, Parting, Sampling
from engine.stats import End, Figures
from engine.terminal import words
from engine.terminal.parting import sameness


def figures(tokens: int, seconds: float, **more: float) -> Figures:
    return Figures(tokens=tokens, rounds=tokens, seconds=seconds, **more)


PLAIN_RUN = figures(100, 10.0)
SAME = "Drafting makes no difference here:"
LATER = "Drafting writes 2.00× faster, but the draft reads the prompt too: it pays"


@pytest.mark.parametrize(
    ("speculative", "said", "pays"),
    [
        (figures(100, 5.0), "Drafting pays here: 2.00× faster.", True),
        (figures(100, 12.5), "Drafting costs time here: plain is 25 % faster.", False),
        (figures(100, 9.9), f"{SAME} both lanes are as fast, within 3 %.", True),
        (
            figures(100, 5.0, draft_prompt_seconds=6.0),
            f"{LATER} from 120 tokens of reply on.",
            False,
        ),
        (figures(0, 0.0), "Nothing to judge by: a lane wrote no token.", False),
    ],
)
def test_the_verdict_is_one_honest_sentence(speculative, said, pays):
    assert words.verdict(speculative, PLAIN_RUN) == said
    assert words.pays(speculative, PLAIN_RUN) is pays


def test_time_saved_comes_with_the_length_it_breaks_even_at():
    fast = figures(100, 5.0, draft_prompt_seconds=1.0)
    slow = figures(100, 12.0, draft_prompt_seconds=1.0)
    assert words.saved_in_words(fast, PLAIN_RUN) == "4.0 s, breaks even at 20 tokens"
    assert words.saved_in_words(slow, PLAIN_RUN) == "−3.0 s, never breaks even"


def test_the_line_after_a_reply():
    run = Figures(gamma=3, tokens=42, rounds=12, drafted=36, accepted=30, rejected=4, seconds=3.0)
    assert words.summary(run, End.END) == (
        "14.0 tokens/s · 83 % accepted · 3.5 tokens per round · γ 3 · finished"
    )
    assert words.summary(figures(5, 1.0), End.LENGTH) == "5.0 tokens/s · plain · cut at 5"
    assert words.summary(Figures(), End.STOPPED) == "stopped before the first token"


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0421, "42 ms"), (-0.5, "−500 ms"), (1.25, "1.2 s"), (99.0, "99.0 s"), (150.0, "2.5 min")],
)
def test_times_for_a_person(value, said):
    assert words.seconds(value) == said


@pytest.mark.parametrize(("share", "said"), [(0.0, "0 %"), (0.0123, "1.2 %"), (0.666, "67 %")])
def test_shares_for_a_person(share, said):
    assert words.percent(share) == said


# Where two texts part ----------------------------------------------------------------------------


def said(parting: Parting | None, lengths: tuple[int, int] = (5, 5), **options: float) -> str:
    done = {
        lane: Done(lane, End.LENGTH, "", tuple(range(length)), Figures(), seed=1)
        for lane, length in zip((SPECULATIVE, PLAIN), lengths, strict=True)
    }
    same = parting.index if parting else min(lengths)
    compared = Compared(1.0, 0.0, None, same, parting)
    return sameness(done, compared, Options(sampling=Sampling(**options)), exact=False)


def test_the_same_text_is_said_in_few_words():
    assert said(None) == "Both lanes wrote the same 5 tokens."
    assert said(None, (5, 3)) == "Both lanes wrote the same 3 tokens, as far as both went."


def test_a_parting_by_rounding_names_both_candidates_and_how_close_they_were():
    parting = Parting(3, (1, 2), (" a", "\n"), (0.41, 0.395), 0.0372, at_the_edge=False)
    text = said(parting)
    assert "After the same 3 tokens the lanes part" in text
    assert "drafting goes on with “ a”, plain with “⏎”" in text
    assert "They had 41 % and 40 %, their logits 0.037 apart" in text
    assert "--exact" in text


def test_a_parting_at_the_edge_of_a_filter_says_whose():
    parting = Parting(0, (1, 2), ("a", "b"), (0.2, 0.0), 1.5, at_the_edge=True)
    text = said(parting)
    assert text.startswith("At the first token the lanes part")
    assert "Plain's candidate stands at the edge of a filter" in text


@pytest.mark.parametrize(("gap", "start"), [(0.02, "It was close: their"), (3.5, "Their")])
def test_greedy_candidates_are_compared_by_their_logits(gap, start):
    parting = Parting(1, (1, 2), ("a", "b"), (1.0, 0.0), gap, at_the_edge=True)
    assert f"{start} logits are {gap} apart." in said(parting, temperature=0.0)
