"""A look of the test's own, and the application as it was, afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.theme import Theme
from tests.app.windows import Desk


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light one; `Theme.install` is not called."""
    return Theme("light")


@pytest.fixture
def installed(qapp: QApplication, theme: Theme) -> Iterator[Theme]:
    """The light one as the whole application's look."""
    palette, font = qapp.palette(), qapp.font()
    theme.install()
    yield theme
    qapp.setStyle("Fusion")
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture(name="desk")
def loaded_desk(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    """A session with a pair loaded, its engine a stand-in that a test speaks for."""
    desk = Desk.make(tmp_path)
    desk.load()
    yield desk
    desk.conversations.close()


@pytest.fixture
def english() -> Iterator[None]:
    """Numbers as in English, whatever the developer's system speaks."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)
