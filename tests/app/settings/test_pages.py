"""Shortcuts, network, about."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow, QPushButton

from app.actions import ACTIONS, Actions
from app.settings import about_page
from app.settings.about_page import AboutPage
from app.settings.choices import Choices
from app.settings.network_page import NetworkPage
from app.settings.shortcuts_page import ShortcutsPage
from engine import __version__, paths


@pytest.fixture
def window(qtbot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def shortcuts(theme, window: QMainWindow, qtbot) -> ShortcutsPage:
    page = ShortcutsPage(theme, Actions(theme, window))
    qtbot.addWidget(page)
    return page


def words(page) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel))


def test_every_action_with_keys_is_on_the_page(shortcuts: ShortcutsPage) -> None:
    titles = [row.title for row in shortcuts.rows()]
    expected = [a.title.replace("&", "").removesuffix("…") for a in ACTIONS if a.keys]
    assert titles[: len(expected)] == expected
    assert "Send the message" in titles
    assert all(row.keys and all(row.keys) for row in shortcuts.rows())


def test_readers_hear_title_and_keys(shortcuts: ShortcutsPage) -> None:
    row = next(row for row in shortcuts.rows() if row.title == "New chat")
    assert row.accessibleName() == f"New chat: {', '.join(row.keys)}"


def test_shortcuts_are_found_by_title_and_by_key(shortcuts: ShortcutsPage, qtbot) -> None:
    line = shortcuts.findChild(QLineEdit)
    line.setText("ctrl+k")
    assert [r.title for r in shortcuts.rows() if not r.isHidden()] == ["Command palette"]
    line.setText("regenerate")
    assert [r.title for r in shortcuts.rows() if not r.isHidden()] == ["Regenerate the reply"]
    line.clear()
    assert all(not row.isHidden() for row in shortcuts.rows())


def test_the_network_page_names_what_is_asked_and_where_things_lie(theme, qtbot) -> None:
    page = NetworkPage(theme, Choices())
    qtbot.addWidget(page)
    said = words(page)
    assert "huggingface.co" in said
    assert "package index" in said
    assert "token" in said
    shown = [
        label.whole_text() for label in page.findChildren(QLabel) if hasattr(label, "whole_text")
    ]
    for folder in (paths.data_folder(), paths.models_folder(), paths.config_folder()):
        assert str(folder) in shown


def test_the_network_page_follows_the_models_folder(theme, qtbot, tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("FOREWORD_MODELS")  # it would hold whatever is chosen
    choices = Choices()
    page = NetworkPage(theme, choices)
    qtbot.addWidget(page)
    choices.choose("models_folder", tmp_path)
    page.show()
    assert str(tmp_path) in [
        label.whole_text() for label in page.findChildren(QLabel) if hasattr(label, "whole_text")
    ]


def test_about_names_the_version_and_copies_what_a_report_needs(theme, qtbot) -> None:
    page = AboutPage(theme)
    qtbot.addWidget(page)
    assert __version__ in words(page)
    page.findChild(QPushButton).click()
    assert f"Foreword {__version__}" in QGuiApplication.clipboard().text()
    assert "PySide6" in QGuiApplication.clipboard().text()


def test_about_opens_the_page_of_new_versions_on_a_click_alone(theme, qtbot, monkeypatch) -> None:
    opened = []
    monkeypatch.setattr(about_page, "home_page", lambda: "https://example.org/foreword")
    monkeypatch.setattr(about_page.QDesktopServices, "openUrl", opened.append)
    page = AboutPage(theme)
    qtbot.addWidget(page)
    assert not opened
    page.findChildren(QPushButton)[-1].click()
    assert opened == [QUrl("https://example.org/foreword")]


def test_about_says_where_new_versions_are_where_no_page_is_named(
    theme, qtbot, monkeypatch
) -> None:
    monkeypatch.setattr(about_page, "home_page", str)
    page = AboutPage(theme)
    qtbot.addWidget(page)
    assert "where you got this one" in words(page)
    assert len(page.findChildren(QPushButton)) == 1
