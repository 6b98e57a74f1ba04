"""What Foreword is, and whose work it stands on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.controls import Picture, Text
from app.settings.page import Page
from app.settings.publisher import home_page
from app.theme import Role, Theme, Type
from engine import __version__

_PARTS = ("llama-cpp-python", "PySide6-Essentials", "numpy", "huggingface-hub", "Jinja2")


def _tr(text: str) -> str:
    return QCoreApplication.translate("AboutPage", text)


class AboutPage(Page):
    """Name, version, licence, and the versions that a report should name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, _tr("About Foreword"), parent=parent)
        self.column.addLayout(self._name())
        said = _tr(
            "A private desktop chat that drafts ahead. A small model proposes a few words, the "
            "large one checks them all at once; the reply is the large one’s own, only sooner."
        )
        self.column.addWidget(Text(theme, said, wrap=True))
        licence = _tr("Foreword is free software under the Apache licence, version 2.0.")
        self.column.addWidget(Text(theme, licence, role=Role.SECONDARY, wrap=True))
        self.section(_tr("WHAT RUNS HERE")).addWidget(self._versions())
        self.column.addLayout(self._copying())
        self._newer()
        self.finish()

    def _name(self) -> QHBoxLayout:
        drawing = Picture(self.theme, "app-icon.svg", 16)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(Text(self.theme, "Foreword", Type.HEADING))
        number = _tr("Version {number}").format(number=__version__)
        words.addWidget(Text(self.theme, number, role=Role.SECONDARY))
        words.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(self.theme.space(4))
        row.addWidget(drawing)
        row.addLayout(words, 1)
        return row

    def _versions(self) -> Text:
        shown = Text(self.theme, "\n".join(versions()), Type.SECONDARY, Role.SECONDARY, wrap=True)
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return shown

    def _copying(self) -> QHBoxLayout:
        button = QPushButton(_tr("Copy for a report"))
        button.clicked.connect(lambda: QGuiApplication.clipboard().setText("\n".join(versions())))
        row = QHBoxLayout()
        row.addWidget(button)
        row.addStretch(1)
        return row

    def _newer(self) -> None:
        """Where new versions are. Nothing is asked over the network before a click."""
        column = self.section(_tr("NEW VERSIONS"))
        page = home_page()
        where = _tr("Foreword never looks for them by itself.")
        if not page:
            where += " " + _tr("They come from where you got this one.")
        column.addWidget(Text(self.theme, where, role=Role.SECONDARY, wrap=True))
        if page:
            button = QPushButton(_tr("Open the page they are on"))
            button.setToolTip(page)
            button.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(page)))
            row = QHBoxLayout()
            row.addWidget(button)
            row.addStretch(1)
            column.addLayout(row)


def versions() -> list[str]:
    """What runs here, a line each."""
    lines = [f"Foreword {__version__}", f"Python {platform.python_version()}", platform.platform()]
    for part in _PARTS:
        try:
            lines.append(f"{part} {version(part)}")
        except PackageNotFoundError:  # a frozen build may leave the metadata out
            continue
    return lines
