"""What is shown is found again in the Markdown it came from."""

from __future__ import annotations

import pytest

from app.chat.align import align


def found(shown: str, source: str) -> str:
    """What the places of ``shown`` hold in ``source``; "?" where there is none."""
    return "".join("?" if place < 0 else source[place] for place in align(shown, source))


@pytest.mark.parametrize(
    ("shown", "source"),
    [
        ("a bold word", "a **bold** word"),
        ("unbelievable", "**un**believable"),
        ("use x = 1 here", "use `x = 1` here"),
        ("see the page now", "see [the page](http://the.page/now) now"),
        ("Head text", "# Head text"),
        ("a < b", "a &lt; b".replace("&lt;", "<")),
        ("snake_case", r"snake\_case"),
    ],
)
def test_every_character_is_found(shown: str, source: str) -> None:
    assert found(shown, source) == shown


def test_places_only_go_forward() -> None:
    source = "- **one** `two`\n- [three](http://one.two) four"
    places = [place for place in align("one two\nthree four", source) if place >= 0]
    assert places == sorted(set(places))


def test_a_character_that_the_source_has_not_has_no_place() -> None:
    assert align("•a", "- a") == [-1, 2]
    assert found("© next", "&copy; next") == "??next"
