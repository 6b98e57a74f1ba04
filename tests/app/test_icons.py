"""The icons: all of them draw, in the theme's colours, sharply."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QIcon, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QPushButton

from app import icons
from app.colours import DARK, LIGHT
from app.theme import Role, Theme
from engine import paths
from engine.errors import FileMissing

ROOT = Path(__file__).resolve().parents[2]
ENDING = """
import sys
sys.path.insert(0, ".")
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QApplication, QPushButton
from app.icons import icon
from app.theme import Theme

app = QApplication([])
theme = Theme("light")
button, action = QPushButton(icon(theme, "stop"), ""), QAction(icon(theme, "copy"), "")
copied = QIcon(icon(theme, "check"))
copied.setIsMask(True)
other = QPushButton(copied, "")
del theme
for each in (button, other):
    each.show()
app.processEvents()
"""

NAMES = sorted(path.stem for path in paths.asset("icons").glob("*.svg"))


def colours_of(image: QImage) -> set[str]:
    """The colours of the pixels that are wholly covered."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_ours_valid_and_of_one_colour(name: str, qapp) -> None:
    text = paths.asset(f"icons/{name}.svg").read_text()
    assert QSvgRenderer(text.encode()).isValid()
    assert 'viewBox="0 0 24 24"' in text
    assert "currentColor" in text
    assert not re.search(r"#[0-9a-fA-F]{3,8}|rgb", text)


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_draws_within_its_square(name: str, theme) -> None:
    image = icons.icon(theme, name).pixmap(QSize(48, 48), 1.0).toImage()
    assert colours_of(image) == {LIGHT[Role.TEXT]}
    edges = [image.pixelColor(x, y).alpha() for x in range(48) for y in (0, 47)]
    edges += [image.pixelColor(x, y).alpha() for y in range(48) for x in (0, 47)]
    assert max(edges) == 0


def test_an_icon_follows_the_theme(theme) -> None:
    icon = icons.icon(theme, "stop", Role.SECONDARY)
    assert colours_of(icon.pixmap(24).toImage()) == {LIGHT[Role.SECONDARY]}
    theme.mode = "dark"
    assert colours_of(icon.pixmap(24).toImage()) == {DARK[Role.SECONDARY]}


def test_a_disabled_icon_is_dim(theme) -> None:
    image = icons.icon(theme, "stop").pixmap(QSize(24, 24), QIcon.Mode.Disabled).toImage()
    assert colours_of(image) == {LIGHT[Role.DISABLED]}


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_an_icon_has_the_screens_own_pixels(theme, scale: float) -> None:
    pixmap = icons.icon(theme, "copy").pixmap(QSize(20, 20), scale)
    assert pixmap.devicePixelRatio() == scale
    assert pixmap.width() == round(20 * scale)


def test_an_icon_is_never_stretched(theme) -> None:
    image = QImage(40, 20, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    icons.icon(theme, "stop").paint(painter, QRect(0, 0, 40, 20))
    painter.end()
    covered = [x for x in range(40) if image.pixelColor(x, 10).alpha()]
    assert 14 <= min(covered) <= max(covered) <= 25


def test_icons_survive_being_copied_and_dropped(theme) -> None:
    kept = []
    for _ in range(50):
        one = icons.icon(theme, "check")
        other = QIcon(one)
        other.setIsMask(True)  # has Qt clone the engine
        kept.append(other)
    del one, other
    gc.collect()
    assert all(not icon.pixmap(16).isNull() for icon in kept)


@pytest.mark.parametrize("is_copy", [False, True])
def test_an_icon_may_outlive_its_theme(qapp, is_copy: bool) -> None:
    theme = Theme("light")
    icon = QIcon(icons.icon(theme, "check"))
    if is_copy:
        icon.setIsMask(True)  # has Qt clone the engine
    del theme
    gc.collect()
    assert colours_of(icon.pixmap(24).toImage()) == {LIGHT[Role.TEXT]}


def test_icons_in_garbage_are_collected_without_a_crash(theme) -> None:
    for name in NAMES:
        cycle: list[object] = [icons.icon(theme, name)]
        cycle.append(cycle)
        button = QPushButton(cycle[0], "")
        del cycle
        gc.collect()
        assert not button.icon().pixmap(16).isNull()


def test_copies_of_icons_end_with_their_icon(theme) -> None:
    gc.collect()
    before = sum(isinstance(each, icons._Engine) for each in gc.get_objects())
    for _ in range(50):
        other = QIcon(icons.icon(theme, "check"))
        other.setIsMask(True)
        assert not other.pixmap(16).isNull()
    del other
    gc.collect()
    after = sum(isinstance(each, icons._Engine) for each in gc.get_objects())
    assert after == before


def test_python_ends_well_with_icons_about(tmp_path) -> None:
    script = tmp_path / "ending.py"
    script.write_text(ENDING)
    done = subprocess.run([sys.executable, "-X", "faulthandler", script], cwd=ROOT, check=False)
    assert done.returncode == 0


def test_a_painted_widget_can_draw_one(theme) -> None:
    image = QImage(24, 24, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    icons.draw(painter, QRectF(0, 0, 24, 24), "stop", theme.color(Role.DANGER))
    painter.end()
    assert colours_of(image) == {LIGHT[Role.DANGER]}


def test_an_unknown_icon_is_an_error(theme) -> None:
    with pytest.raises(FileMissing):
        icons.icon(theme, "no-such-icon")


def test_the_app_icon_draws_at_every_size(qapp) -> None:
    icon = QIcon(str(paths.asset("app-icon.svg")))
    for side in (16, 32, 64, 256):
        image = icon.pixmap(side).toImage()
        assert image.pixelColor(side // 2, side // 2).alpha() == 255
        assert image.pixelColor(0, 0).alpha() == 0
