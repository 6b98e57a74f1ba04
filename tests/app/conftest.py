"""A look of the test's own, and the application as it was, afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication

from app.theme import Theme
from tests.app.windows import Desk, delete_now


@pytest.fixture(autouse=True)
def no_qt_leaks() -> Iterator[None]:
    """Fails the test if a window of it is still shown, or a timer of it still beats, after it."""
    yield
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    delete_now()
    if shown := _shown(app):
        pytest.fail(f"windows left open: {shown}", pytrace=False)
    if _beating():
        gc.collect()
        if beating := _beating():
            pytest.fail(f"timers left running: {beating}", pytrace=False)


def _shown(app: QApplication) -> list[str]:
    """Qt takes its time to hide a tool tip: that is none."""
    widgets = (each for each in app.topLevelWidgets() if each.isVisible())
    return [type(each).__name__ for each in widgets if not each.inherits("QTipLabel")]


def _beating() -> list[str]:
    timers = (each for each in gc.get_objects() if isinstance(each, QTimer))
    return [
        f"{type(each.parent()).__name__}, every {each.interval()} ms"
        for each in timers
        if shiboken6.isValid(each) and each.isActive() and not each.isSingleShot()
    ]


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
