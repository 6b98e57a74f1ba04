"""On screens of 1.25, 1.5 and 2 pixels a point: crisp, and nothing cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage, QPixmap

from app.controls import Picture
from app.theme import Theme
from tests.support.workers import ROOT


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0])
def test_the_window_is_crisp_and_whole(ratio: float) -> None:
    """Row E18."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.scaled_window"],
        cwd=ROOT,
        env=os.environ | {"QT_SCALE_FACTOR": str(ratio)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == {"ratio": ratio, "faults": [], "icons": [ratio]}


def test_a_picture_is_crisp_on_another_screen(theme: Theme, qtbot) -> None:
    picture = Picture(theme, "app-icon.svg", 12)
    qtbot.addWidget(picture)
    picture.show()
    coarse, fine = (rendered(picture, scale) for scale in (1, 4))
    assert fine.size() == coarse.size() * 4
    assert fine != coarse.scaled(fine.size())
    blocks = range(0, fine.width(), 4)
    edges = [fine.copy(x, y, 4, 4) for x in blocks for y in blocks]
    assert any(block.pixel(0, 0) != block.pixel(3, 3) for block in edges)


def rendered(picture: Picture, scale: int) -> QImage:
    drawn = QPixmap(picture.size() * scale)
    drawn.setDevicePixelRatio(scale)
    drawn.fill("white")
    picture.render(drawn)
    return drawn.toImage()
