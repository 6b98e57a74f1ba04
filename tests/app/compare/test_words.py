"""How two replies compare, in plain words."""

from __future__ import annotations

from dataclasses import replace

from app.compare import words
from app.compare.lane import Outcome, Sameness, outcome
from engine.protocol import End, Parting
from tests.app.compare.test_lane import compared, lane_of

GAP = "\u00a0"
PARTING = Parting(2, (5, 6), (" month", "\n"), (0.41, 0.39), 0.05, at_the_edge=False)


def told(parting: Parting, *, exact: bool = False, tokens: int = 9, why: End = End.END) -> str:
    lane = lane_of(tokens=tokens, why=why)
    found = outcome(compared(2, parting), lane, lane)
    return " ".join(words.sameness(found, lane, lane, exact=exact))


def test_the_same_words_are_said_in_one_sentence() -> None:
    found = Outcome(compared(214), Sameness.SAME, 214)
    lane = lane_of()
    assert words.sameness(found, lane, lane, exact=False) == [
        "Both lanes wrote the same 214 tokens."
    ]
    longer = replace(found, sameness=Sameness.AS_FAR)
    said = words.sameness(longer, lane, lane, exact=False)
    assert said == ["The same as far as both go: 214 tokens."]


def test_a_stopped_comparison_says_that_it_did_not_look() -> None:
    found = Outcome(compared(1), Sameness.UNLOOKED, 1)
    said = words.sameness(found, lane_of(), lane_of(), exact=False)
    assert said[0] == "They part after the same 1 token."
    assert "stopped" in said[1]


def test_a_parting_names_the_place_the_candidates_and_how_close_they_were() -> None:
    said = told(PARTING)
    assert f"at token 3: drafting goes on with “{GAP}month”, plain with “⏎”." in said
    assert f"41{GAP}% and 39{GAP}%: as good as a tie." in said
    assert said.endswith("Neither is less right.")


def test_closeness_follows_the_logits() -> None:
    assert ": close." in told(replace(PARTING, gap=0.5))
    assert "the draw fell just between them" in told(replace(PARTING, gap=3.0))
    assert "the draw fell just between them" in told(replace(PARTING, gap=None))


def test_a_candidate_at_the_edge_of_a_filter_is_named() -> None:
    said = told(replace(PARTING, p=(0.03, 0.0), at_the_edge=True))
    assert "“⏎” stood at the edge of what sampling lets through" in said


def test_the_token_that_ends_a_reply_is_called_its_end() -> None:
    assert "plain with the end of the reply." in told(replace(PARTING, texts=("a", "")))
    ended = told(replace(PARTING, texts=("a", "<|im_end|>")), tokens=3)
    assert "<|im_end|>" not in ended
    cut = told(replace(PARTING, texts=("a", "b")), tokens=3, why=End.LENGTH)
    assert "plain with “b”" in cut


def test_exact_arithmetic_that_parts_all_the_same_is_owned_up_to() -> None:
    assert "Exact arithmetic was on" in told(PARTING, exact=True)


def test_the_button_names_another_gamma() -> None:
    assert words.again(3, 3) == "Run again"
    assert words.again(5, 3) == "Run again with γ 5"
