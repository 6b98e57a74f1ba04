"""A growing text is cut into segments, of which only the last may still change."""

from __future__ import annotations

import copy

from hypothesis import given
from hypothesis import strategies as st

from app.chat.segments import RESTING, Kind, Segmenter

PARTS = [
    "word", " ", "\n", "\n\n", "```", "```python\n", "~~~\n", "    ", "- item\n", "1. one\n",
    "| a | b |\n", "|---|---|\n", "| 1 | 2 |\n", "**bold**", "`code`", "# Head\n", "<think>",
    "</think>", "</think>\n", "<b>", "歪", "👩‍👩‍👧", "a|b", "---\n", "> quote\n", "``",
]  # fmt: skip


def segmented(text: str, step: int = 10_000, **options) -> Segmenter:
    segmenter = Segmenter(**options)
    for at in range(0, len(text), step):
        segmenter.feed(text[at : at + step])
    segmenter.finish()
    return segmenter


def shown(text: str, **options) -> list[tuple[str, str]]:
    return [(each.kind.value, each.text) for each in segmented(text, **options).segments]


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join), st.integers(1, 9))
def test_it_does_not_matter_how_the_text_arrives(text: str, step: int) -> None:
    assert segmented(text, step).segments == segmented(text).segments


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_what_feed_says_has_not_changed_has_not(text: str) -> None:
    segmenter = Segmenter(grain=10)
    for letter in text:
        before = copy.deepcopy(segmenter.segments)
        first = segmenter.feed(letter)
        assert segmenter.segments[:first] == before[:first]


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_every_word_is_shown(text: str) -> None:
    segmenter = segmented(text)
    shown = "".join(segment.text for segment in segmenter.segments)
    for word in ("word", "歪", "👩‍👩‍👧"):
        # A word beside an opening fence names a language; "<think>" begins what is shown apart.
        named = sum(word in segment.language for segment in segmenter.segments)
        hidden = sum(line.lstrip().startswith(("```", "~~~")) for line in text.splitlines())
        assert shown.count(word) + named + hidden >= text.count(word) - hidden


def test_prose_code_and_tables_are_segments_of_their_own() -> None:
    text = "Intro\n\n```python\nx = 1\n```\nthen\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend"
    assert shown(text) == [
        ("prose", "Intro"),
        ("code", "x = 1"),
        ("prose", "then"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("prose", "end"),
    ]


def test_a_fence_names_its_language() -> None:
    assert segmented("```python title=x\n1\n```").segments[0].language == "python"
    assert segmented("~~~ {.rust}\n1\n~~~").segments[0].language == "rust"


def test_an_unclosed_fence_is_shown_as_code_while_it_grows() -> None:
    segmenter = Segmenter()
    segmenter.feed("```python\ndef f():\n    ret")
    assert [(s.kind, s.text, s.open) for s in segmenter.segments] == [
        (Kind.CODE, "def f():\n    ret", True)
    ]
    segmenter.finish()
    assert not segmenter.segments[0].open


def test_growing_code_only_ever_gets_longer() -> None:
    text = "```\n" + "".join(f"line {n} `x` ``y``\n" for n in range(40))
    segmenter, last = Segmenter(), ""
    for letter in text:
        segmenter.feed(letter)
        now = segmenter.segments[0].text if segmenter.segments else ""
        assert now.startswith(last)
        last = now


def test_a_closing_fence_never_shows_its_backticks() -> None:
    segmenter = Segmenter()
    for letter in "```\ncode\n```":
        segmenter.feed(letter)
        assert all("`" not in segment.text for segment in segmenter.segments)


def test_backticks_that_close_nothing_are_code_in_the_end() -> None:
    assert shown("````\n```\n``") == [("code", "```\n``")]


def test_a_fence_in_a_list_item_loses_its_indentation() -> None:
    text = "1. Do:\n\n   ```sh\n   ls\n     -l\n   ```\n\n   Then.\n2. Next"
    assert shown(text) == [
        ("prose", "1. Do:"),
        ("code", "ls\n  -l"),
        ("prose", "Then.\n2. Next"),
    ]


def test_a_table_is_shown_row_by_row_and_never_as_bars() -> None:
    segmenter = Segmenter()
    for letter in "| a | b |\n|---|---|\n| 1 | 2 |\n":
        segmenter.feed(letter)
        assert all(s.kind is Kind.TABLE for s in segmenter.segments), segmenter.segments
    assert segmenter.segments[0].text.count("\n") == 3


def test_a_bar_in_prose_is_prose() -> None:
    assert shown("a | b\nnothing follows") == [("prose", "a | b\nnothing follows")]
    assert shown("| a | b |") == [("prose", "| a | b |")]


def test_reasoning_is_told_apart() -> None:
    segmenter = segmented("<think>\nHm.\n</think>\n\nAnswer")
    assert [(s.text, s.reasoning) for s in segmenter.segments] == [("Hm.", True), ("Answer", False)]
    assert segmenter.answer == "Answer"


def test_reasoning_whose_opening_tag_stood_in_the_prompt_is_told_apart_once_it_ends() -> None:
    segmenter = Segmenter()
    assert segmenter.feed("Hm.\n\n```\nx\n```\n") == 0
    assert segmenter.feed("</think>\nAnswer") == 0
    assert [s.reasoning for s in segmenter.segments] == [True, True, False]


def test_empty_reasoning_is_nothing() -> None:
    assert shown("<think>\n\n</think>\n\nHello") == [("prose", "Hello")]


def test_a_tag_elsewhere_is_text() -> None:
    assert shown("The tag <think> is literal.") == [("prose", "The tag <think> is literal.")]
    assert shown("```\n</think>\n```") == [("code", "</think>")]


def test_a_tag_in_pieces_is_never_shown() -> None:
    segmenter = Segmenter()
    for letter in "<think>a</think>b":
        segmenter.feed(letter)
        assert all("<" not in segment.text for segment in segmenter.segments)


def test_a_character_of_several_tokens_in_reasoning_stays_whole() -> None:
    """Row C2: pieces hold whole characters, and a joined emoji may come in several."""
    family = "👩‍👩‍👧"
    segmenter = segmented("<think>" + family + "歪</think>" + family, step=1)
    assert [s.text for s in segmenter.segments] == [family + "歪", family]


def test_long_prose_is_cut_at_a_blank_line_while_it_grows_and_whole_when_it_rests() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "word " * 50 for n in range(20))
    growing, resting = segmented(text), segmented(text, grain=RESTING)
    assert len(growing.segments) > 2
    assert len(resting.segments) == 1
    assert max(len(s.text) for s in growing.segments) < 2_000


def test_a_list_is_not_cut_before_it_is_very_long() -> None:
    text = "Intro " + "word " * 400 + "\n\n" + "".join(f"- item {n}\n" for n in range(30))
    assert len(segmented(text).segments) == 1


def test_a_line_without_end_is_cut() -> None:
    pieces = segmented("word " * 20_000, step=1_000).segments
    assert max(len(piece.text) for piece in pieces) <= 6_000
    assert "".join(piece.text.replace(" ", "") for piece in pieces) == "word" * 20_000


def test_an_open_segment_says_how_far_it_goes() -> None:
    segmenter = Segmenter()
    segmenter.feed("half a li")
    assert segmenter.segments[0].end == 9


def test_segments_say_where_they_stand() -> None:
    text = "a\n\n```py\nx\n```\n\n| a |\n|---|\n| 1 |\n"
    code, table = segmented(text).segments[1:]
    assert text[code.start : code.end].startswith("x\n")
    assert text[table.start : table.end].startswith("| a |")


def test_what_a_person_typed_is_no_markdown() -> None:
    text = "# not a head\n<this could be HTML>\n| a | b |\n|---|---|\n<think>x</think>"
    assert shown(text, markdown=False) == [("text", text)]


def test_what_a_person_typed_between_fences_is_code() -> None:
    assert shown("see\n```py\nx\n```\nok", markdown=False) == [
        ("text", "see"), ("code", "x"), ("text", "ok"),
    ]  # fmt: skip
