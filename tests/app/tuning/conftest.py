"""A desk over a stubbed engine, and the tuner on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QMainWindow

from app.actions import Actions
from app.theme import Theme
from app.tuning.reading import Reading
from app.tuning.tuner import Tuner
from tests.app.windows import Desk
from tests.support.tuned import RECORD


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Numbers as in English, whatever the developer's system speaks."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk.make(tmp_path)
    yield desk
    desk.conversations.close()


@pytest.fixture
def tuner(desk: Desk) -> Tuner:
    return Tuner(desk.session)


@pytest.fixture
def actions(theme: Theme, qtbot) -> Iterator[Actions]:
    window = QMainWindow()
    qtbot.addWidget(window)
    yield Actions(theme, window)  # which live as long as the window
    window.close()


@pytest.fixture
def reading() -> Reading:
    """All kinds together, with γ 5 in force where 3 is best."""
    return Reading(RECORD, 0.7, 5)
