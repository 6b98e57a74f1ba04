"""Everything can be read, and what means something is told apart by everyone."""

from __future__ import annotations

from itertools import combinations

import pytest

from app.colours import DARK, LIGHT, Colours, Role
from tests.support.vision import SEEN_AS, contrast, difference

THEMES = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
EYES = pytest.mark.parametrize("eyes", ["all colours", "protanopia", "deuteranopia"])

SURFACES = (Role.WINDOW, Role.SURFACE, Role.RAISED, Role.MESSAGE, Role.HOVER, Role.CODE_BACKGROUND)
WORDS = (
    *(Role.TEXT, Role.SECONDARY, Role.FAINT, Role.LINK, Role.WARNING, Role.DANGER),
    *(Role.ACCEPTED, Role.CORRECTED, Role.BONUS),
)
CODE = tuple(role for role in Role if role.startswith("code_") and role is not Role.CODE_BACKGROUND)
SOURCES = (Role.ACCEPTED, Role.CORRECTED, Role.BONUS)
TINTS = (Role.ACCEPTED_TINT, Role.CORRECTED_TINT, Role.BONUS_TINT)


@THEMES
def test_every_role_has_a_colour(colours: Colours) -> None:
    assert set(colours) == set(Role)


@THEMES
@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("words", WORDS)
def test_words_can_be_read_on_every_surface(colours: Colours, words: Role, surface: Role) -> None:
    assert contrast(colours[words], colours[surface]) >= 4.5


@THEMES
@pytest.mark.parametrize(
    ("words", "surface"),
    [
        *((role, Role.CODE_BACKGROUND) for role in CODE),
        *((Role.TEXT, tint) for tint in (*TINTS, Role.DANGER_TINT, Role.SELECTION, Role.MARK)),
        *((role, tint) for tint in TINTS for role in CODE),
        *zip(SOURCES, TINTS, strict=True),
        (Role.TEXT, Role.PRESSED),
        (Role.DANGER, Role.DANGER_TINT),
        (Role.ON_ACCENT, Role.ACCENT),
        (Role.TOOLTIP_TEXT, Role.TOOLTIP),
    ],
)
def test_words_can_be_read_where_they_lie(colours: Colours, words: Role, surface: Role) -> None:
    assert contrast(colours[words], colours[surface]) >= 4.5


@THEMES
@pytest.mark.parametrize("mark", [*SOURCES, Role.FOCUS, Role.NEUTRAL, Role.ACCENT])
@pytest.mark.parametrize("surface", [Role.WINDOW, Role.SURFACE, Role.RAISED])
def test_marks_stand_out_from_what_they_lie_on(colours: Colours, mark: Role, surface: Role) -> None:
    assert contrast(colours[mark], colours[surface]) >= 3


@THEMES
@EYES
@pytest.mark.parametrize(("one", "other"), list(combinations((*SOURCES, Role.UNTESTED), 2)))
def test_sources_are_told_apart_by_everyone(
    colours: Colours, one: Role, other: Role, eyes: str
) -> None:
    assert difference(colours[one], colours[other], eyes) >= 10


@THEMES
@pytest.mark.parametrize("eyes", SEEN_AS)
@pytest.mark.parametrize(("one", "other"), list(combinations(TINTS, 2)))
def test_tints_are_told_apart_by_everyone(
    colours: Colours, one: Role, other: Role, eyes: str
) -> None:
    # Less than between solid colours: a corrected word is underlined too.
    assert difference(colours[one], colours[other], eyes) >= 3.5


@THEMES
@EYES
@pytest.mark.parametrize("tint", TINTS)
def test_a_tint_is_seen_on_the_page(colours: Colours, tint: Role, eyes: str) -> None:
    assert difference(colours[tint], colours[Role.WINDOW], eyes) >= 3.5


def test_the_simulation_knows_what_is_hard() -> None:
    red, green = "#c03020", "#608020"
    assert difference(red, green, "deuteranopia") < difference(red, green, "all colours") / 2
    assert difference("#112233", "#112233", "protanopia") == 0
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
