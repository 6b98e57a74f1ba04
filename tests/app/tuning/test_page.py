"""The page of the curve."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app.actions import Actions
from app.theme import Theme
from app.tuning.page import GammaPage
from app.tuning.tuner import Tuner
from engine.protocol import Tuned
from tests.app.windows import Desk
from tests.support.tuned import RECORD


@pytest.fixture
def page(theme: Theme, actions: Actions, desk: Desk, tuner: Tuner, qtbot) -> GammaPage:
    page = GammaPage(theme, actions, desk.session, tuner)
    qtbot.addWidget(page)
    page.resize(760, 900)
    page.show()
    return page


@pytest.fixture
def tuned(page: GammaPage, desk: Desk, tuner: Tuner) -> GammaPage:
    desk.load()
    tuner.begin()
    desk.bridge.tell(Tuned(RECORD))
    return page


def test_before_a_tuning_there_is_only_the_way_to_one(page: GammaPage, desk: Desk) -> None:
    assert "choose a pair first" in page.box.detail.text()
    desk.load()
    assert page.box.tune.isVisible()
    assert not page.pictures.isVisible()
    assert not page.png.isVisible()


def test_a_tuning_fills_it(tuned: GammaPage) -> None:
    assert all(chart.isVisible() for chart in tuned.charts)
    assert all(chart.reading is not None for chart in tuned.charts)
    assert tuned.summary.text().startswith("γ\u00a03 is best for all kinds: 1.28× plain.")
    tuned.grab()


def test_another_kind_shows_its_own_curve(tuned: GammaPage) -> None:
    names = [tuned.kinds.itemText(i) for i in range(tuned.kinds.count())]
    assert names == ["all kinds", "code", "everyday", "story"]
    tuned.kinds.setCurrentIndex(1)
    assert tuned.curve.reading is not None
    assert tuned.curve.reading.kind == "code"
    assert "for code" in tuned.summary.text()


def test_moving_gamma_on_the_curve_puts_it_in_force(tuned: GammaPage, desk: Desk) -> None:
    tuned.curve.gamma_chosen.emit(6)
    assert desk.session.settings.gamma == 6
    assert tuned.curve.reading is not None
    assert tuned.curve.reading.gamma == 6
    assert tuned.bytes.reading is not None
    assert tuned.bytes.reading.gamma == 6


def test_the_curve_follows_how_the_chat_chooses_its_tokens(tuned: GammaPage, desk: Desk) -> None:
    desk.session.choices.choose("temperature", 0.0)
    assert tuned.curve.reading is not None
    assert tuned.curve.reading.curve.temperature == 0.0


def test_all_of_it_can_be_read_as_text(tuned: GammaPage) -> None:
    tuned.as_text.click()
    assert tuned.table.isVisible()
    assert not tuned.pictures.isVisible()
    assert not tuned.png.isEnabled()
    assert "1.28×" in tuned.table.as_text()
    tuned.as_text.click()
    assert tuned.pictures.isVisible()


def test_both_files_are_made(tuned: GammaPage, qtbot) -> None:
    with qtbot.waitSignal(tuned.file_made) as picture:
        tuned.png.click()
    assert picture.args[0] == "png"
    assert bytes(picture.args[1]).startswith(b"\x89PNG")
    with qtbot.waitSignal(tuned.file_made) as table:
        tuned.csv.click()
    assert bytes(table.args[1]).startswith(b"kind,temperature,gamma")


def test_another_pair_takes_the_curve_away(tuned: GammaPage, desk: Desk) -> None:
    desk.life.reload()
    desk.bridge.be_ready()
    assert not tuned.pictures.isVisible()
    assert not tuned.summary.isVisible()


def test_every_control_has_a_name(tuned: GammaPage) -> None:
    assert tuned.kinds.accessibleName()
    assert all(chart.accessibleName() for chart in tuned.charts)
    assert not [
        label for label in tuned.findChildren(QLabel) if label.text() == "" and label.isVisible()
    ]


@pytest.mark.parametrize("scale", [0.8, 2.0])
def test_it_can_be_read_in_small_and_in_large_letters(
    tuned: GammaPage, theme: Theme, scale: float, tmp_path: Path
) -> None:
    theme.scale = scale
    tuned.resize(640, 480)
    tuned.grab()
    assert all(chart.frame().width() > 100 for chart in tuned.charts)
