"""A look of the test's own, and the application as it was, afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from app.theme import Theme


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


@pytest.fixture
def english() -> Iterator[None]:
    """Numbers as in English, whatever the developer's system speaks."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)
