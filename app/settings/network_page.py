"""What touches the network, and what stays on this computer."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.controls import IconButton, Text
from app.settings.choices import Choices
from app.settings.page import Page
from app.theme import Role, Theme, Type
from engine import paths
from engine.settings import models_folder


def _tr(text: str) -> str:
    return QCoreApplication.translate("NetworkPage", text)


class NetworkPage(Page):
    """Two things touch the network. The page says what, when, and where everything else lies."""

    def __init__(self, theme: Theme, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(
            theme,
            _tr("What touches the network"),
            _tr(
                "The search for models and their download, when you ask for it. Nothing else does."
            ),
            parent,
        )
        self._add(
            _tr("WHAT A SEARCH OR A DOWNLOAD DOES"), [self._said(*text) for text in _download()]
        )
        self._add(_tr("WHAT NEVER HAPPENS"), [self._said(*text) for text in _never()])
        self._choices = choices
        self._places: list[tuple[Text, IconButton]] = []
        folders = [self._folder(title) for title, _place in _folders(choices)]
        self._add(_tr("WHAT STAYS ON THIS COMPUTER"), folders)
        self.finish()
        self._say_where()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """The models may lie elsewhere by now."""
        super().showEvent(event)
        self._say_where()

    def _add(self, head: str, rows: list[QWidget]) -> None:
        self.section(head).addWidget(self.card(rows))

    def _said(self, title: str, sentence: str) -> QWidget:
        row, grid = self._row()
        grid.addWidget(Text(self.theme, title, wrap=True), 0, 0)
        grid.addWidget(Text(self.theme, sentence, Type.SECONDARY, Role.SECONDARY, wrap=True), 1, 0)
        return row

    def _folder(self, title: str) -> QWidget:
        """A place on the disk, with a button that shows it."""
        row, grid = self._row()
        grid.addWidget(Text(self.theme, title), 0, 0)
        where = Text(self.theme, "", Type.SECONDARY, Role.SECONDARY, elided=True)
        grid.addWidget(where, 1, 0)
        button = IconButton(self.theme, "folder", _tr("Show the folder: {name}").format(name=title))
        button.clicked.connect(lambda: _show(where.whole_text()))
        grid.addWidget(button, 0, 1, 2, 1)
        self._places.append((where, button))
        return row

    def _say_where(self) -> None:
        for (where, button), (_title, folder) in zip(
            self._places, _folders(self._choices), strict=True
        ):
            where.setText(str(folder))
            button.setEnabled(os.path.isdir(folder))

    def _row(self) -> tuple[QWidget, QGridLayout]:
        row = QWidget()
        grid = QGridLayout(row)
        space = self.theme.space
        grid.setContentsMargins(space(4), space(2.5), space(3), space(2.5))
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        return row, grid


def _download() -> list[tuple[str, str]]:
    return [
        (
            _tr("It begins with your click"),
            _tr(
                "Before a download does, the window shows what will be fetched, how large it is "
                "and from where. You can stop it at any time; what came is kept for the next try."
            ),
        ),
        (
            _tr("It asks huggingface.co, or the mirror that you have set (HF_ENDPOINT)"),
            _tr(
                "The site learns your internet address and what you look for or fetch. No account "
                "is named. If you have given an access token, it is sent to that site alone, and "
                "only where the site refuses to answer without one."
            ),
        ),
        (
            _tr("The starter pair can also come from your Python package index"),
            _tr(
                "Some networks reach only that. It is asked where the site cannot be reached, by "
                "installations from source. The same file comes from there in parts; its checksum "
                "must match before it is used."
            ),
        ),
    ]


def _never() -> list[tuple[str, str]]:
    return [
        (
            _tr("Your messages and the replies never leave this computer"),
            _tr("The models run here, in a process that opens no connection."),
        ),
        (
            _tr("No account, no statistics, no crash reports, no search for updates"),
            _tr("Foreword works the same with the network unplugged."),
        ),
        (
            _tr("A reply loads nothing"),
            _tr("Pictures in it stay unloaded. A link opens in your browser, when you click it."),
        ),
    ]


def _show(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


def _folders(choices: Choices) -> list[tuple[str, Path]]:
    return [
        (_tr("Conversations"), paths.data_folder()),
        (_tr("Models"), models_folder(choices.engine)),
        (_tr("Settings"), paths.config_folder()),
        (_tr("Logs, which hold no message"), paths.log_folder()),
    ]
