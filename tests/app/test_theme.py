"""The look: colours, fonts, sizes, and how it changes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from app.colours import DARK, LIGHT
from app.theme import Role, Theme, Type


def test_a_mode_has_its_colours(qapp) -> None:
    assert Theme("light").color(Role.TEXT).name() == LIGHT[Role.TEXT]
    assert Theme("dark").color(Role.TEXT).name() == DARK[Role.TEXT]
    assert Theme("dark").dark
    assert not Theme("light").dark


def test_a_system_that_says_nothing_is_light(qapp) -> None:
    assert not Theme("system").dark


def test_the_type_scale(theme) -> None:
    sizes = [theme.font(type_).pixelSize() for type_ in Type if type_ is not Type.CODE]
    assert sizes == [40, 24, 18, 14, 14, 12, 11]


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.25, 2.0])
def test_text_and_space_grow_together(qapp, scale: float) -> None:
    theme = Theme("light", scale)
    assert theme.font(Type.BODY).pixelSize() == round(14 * scale)
    assert theme.space(4) == round(16 * scale)


@pytest.mark.parametrize(("asked", "given"), [(0.1, 0.8), (3.0, 2.0), (1.3, 1.3)])
def test_the_scale_has_bounds(qapp, asked: float, given: float) -> None:
    theme = Theme("light", asked)
    assert theme.scale == given
    theme.scale = asked
    assert theme.scale == given


def test_code_is_as_tall_as_text(theme) -> None:
    heights = [QFontMetricsF(theme.font(type_)).xHeight() for type_ in (Type.BODY, Type.CODE)]
    assert heights[1] == pytest.approx(heights[0], abs=1.5)


def test_code_has_no_ligatures(theme) -> None:
    tags = [bytes(tag.toString()).decode() for tag in theme.font(Type.CODE).featureTags()]
    assert {"liga", "calt"} <= set(tags)


def test_a_change_is_told_once(theme, qtbot) -> None:
    told: list[None] = []
    theme.changed.connect(lambda: told.append(None))
    theme.mode = "dark"
    theme.mode = "dark"
    theme.scale = 1.5
    theme.scale = 1.5
    theme.reduced_motion = True
    theme.reduced_motion = True
    assert len(told) == 3
    assert theme.dark
    assert theme.font(Type.BODY).pixelSize() == 21
    assert theme.reduced_motion


def test_reduced_motion_may_be_left_to_the_system(theme) -> None:
    theme.reduced_motion = True
    theme.reduced_motion = None
    assert theme.reduced_motion in (True, False)


def test_installing_dresses_the_application(installed, qapp) -> None:
    label = QLabel("words")
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == LIGHT[Role.TEXT]
    installed.mode = "dark"
    assert QApplication.palette().color(QPalette.ColorRole.Window).name() == DARK[Role.WINDOW]
    installed.scale = 2.0
    assert QApplication.font().pixelSize() == 28
    label.deleteLater()


def test_the_palette_dims_what_is_disabled(theme) -> None:
    color = theme.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert color.name() == LIGHT[Role.DISABLED]
