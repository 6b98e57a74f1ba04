"""What lies on this machine: every model, whose it is, and what is wrong with those that are."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.controls import Text
from app.engine_life import EngineLife
from app.icons import icon
from app.models import in_use, words
from app.models.library import Library
from app.models.row import Row
from app.models.section import Section
from app.panel import numbers
from app.sentences import said
from app.settings.choices import Choices
from app.theme import Role, Theme
from engine.errors import ShardComing
from engine.models.called import told_apart
from engine.models.fits import fits_roughly
from engine.models.local import LocalModel
from engine.models.stores import Origin

_AT_ONCE = 40
"""Rows that are made at a time, so that a thousand models hold nothing up."""


class Installed(Section):
    """The library, to look through.

    Signals:
        used: A LocalModel that a person wants as the target.
        deleted: A LocalModel that a person wants gone.
    """

    used = Signal(object)
    deleted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        library: Library,
        choices: Choices,
        life: EngineLife,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._library, self._choices, self._life = library, choices, life
        self._shown = _AT_ONCE
        self._told: tuple[object, ...] = ()
        self._names: dict[Path, str] = {}
        self._looking: Text | None = None
        self._build_tools()
        library.changed.connect(self.refresh)
        library.progressed.connect(self._tell_look)
        life.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show what is here now; while nobody looks, nothing is made."""
        if not self.isVisible() or self._state() == self._told:
            return
        self._told = self._state()
        self._names = told_apart(self._library.models)
        self._looking = None
        self.clear(keep=1)
        library = self._library
        models = [model for model in library.models if self._is_sought(model)]
        self._list_good([model for model in models if model.ok])
        if library.is_looking and not library.models:
            self._looking = self.say(self.tr("Looking …"))
        elif not library.models:
            self.say(self.tr("There is no model here yet. Fetch one, or add a folder."))
        elif not models:
            self.say(self.tr("No model is called that."))
        self._list_others([model for model in models if not model.ok])
        self._list_folders()

    def _state(self) -> tuple[object, ...]:
        """All that is shown, to tell whether any of it changed."""
        library = self._library
        return (
            library.models,
            library.notes,
            library.machine is None,
            library.is_looking and not library.models,
            self._choices.engine.more_folders,
            self._choices.engine.other_apps,
            library.folder,
            self._life.ready,
            self._life.pair,
            self._life.life,
            self.search.text(),
            self._shown,
        )

    def showEvent(self, event: object) -> None:  # noqa: N802 (Qt's name)
        """What changed meanwhile is shown now."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    # Building ------------------------------------------------------------------------------------

    def _build_tools(self) -> None:
        tools = QWidget()
        row = QHBoxLayout(tools)
        row.setContentsMargins(0, 0, 0, 0)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Filter the models"))
        self.search.setAccessibleName(self.tr("Filter the models"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            icon(self.theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self.search.textChanged.connect(self._seek)
        self.add = self._tool("folder", self.tr("Add a folder…"), self._ask_for_folder)
        self.again = self._tool("restart", self.tr("Look again"), self._library.look)
        for widget in (self.search, self.add, self.again):
            row.addWidget(widget)
        self.column.addWidget(tools)

    def _tool(self, drawing: str, title: str, run: Callable[[], None]) -> QPushButton:
        made = QPushButton(icon(self.theme, drawing, Role.SECONDARY), title)
        made.clicked.connect(run)
        return made

    def _list_good(self, models: list[LocalModel]) -> None:
        total = numbers.size(sum(model.size for model in models))
        told = self.tr("{n} MODELS · {size}") if len(models) > 1 else self.tr("1 MODEL · {size}")
        self._list(told.format(n=len(models), size=total), models)

    def _list_others(self, models: list[LocalModel]) -> None:
        damaged = [model for model in models if model.damaged]
        others = [model for model in models if not model.damaged]
        self._list(self.tr("CANNOT BE USED AS THEY ARE"), damaged)
        self._list(self.tr("MADE FOR SOMETHING ELSE"), others)

    def _list(self, head: str, models: list[LocalModel]) -> None:
        """The first of them, and a way to the others."""
        if not models:
            return
        self.head(head)
        self.list([self._row(model) for model in models[: self._shown]])
        if len(models) > self._shown:
            more = self.button(self.tr("Show {n} more").format(n=len(models) - self._shown))
            more.clicked.connect(self._show_more)

    def _row(self, model: LocalModel) -> Row:
        trouble = "" if model.ok else words.problem(model)
        is_coming = model.code == ShardComing.code
        row = Row(
            self.theme,
            self._names[model.path],
            words.facts(model),
            trouble or self._too_large(model),
            note_role=Role.DANGER if model.damaged and not is_coming else Role.SECONDARY,
        )
        role = self._use(model)
        opener = row.icon("folder", self.tr("Open its folder"))
        opener.clicked.connect(lambda: _show_folder(model.path))
        if model.origin is Origin.OURS:
            remover = row.icon("delete", self.tr("Delete"))
            remover.setEnabled(not role and not is_coming)  # its download needs what is here
            remover.clicked.connect(lambda: self.deleted.emit(model))
        if model.ok:
            use = row.button(role or self.tr("Use"))
            use.setEnabled(not role)
            use.clicked.connect(lambda: self.used.emit(model))
        return row

    def _too_large(self, model: LocalModel) -> str:
        machine = self._library.machine
        if machine is None or not model.ok or fits_roughly(model.size, machine):
            return ""
        told = words.size_verdict(model.size, machine)
        return told[:1].upper() + told[1:] + "."

    def _list_folders(self) -> None:
        self.head(self.tr("WHERE MODELS ARE LOOKED FOR"))
        rows = [self._folder(self._library.folder, self.tr("Models folder"))]
        for folder in self._choices.engine.more_folders:
            row = self._folder(folder, self.tr("Your folder; nothing in it is changed"))
            remover = row.icon("close", self.tr("List it no more"))
            remover.clicked.connect(lambda _on=False, gone=folder: self._drop_folder(gone))
            rows.append(row)
        self.list(rows)
        if self._choices.engine.other_apps:
            self.say(
                self.tr(
                    "The stores of LM Studio, Ollama and the Hugging Face Hub are looked into "
                    "where they are; nothing in them is changed. The settings can turn that off."
                )
            )
        for note in self._library.notes:
            self.say(said(note), Role.DANGER)

    def _folder(self, folder: Path, what: str) -> Row:
        row = Row(self.theme, str(folder), what)
        opener = row.icon("folder", self.tr("Open the folder"))
        opener.setEnabled(os.path.isdir(folder))
        opener.clicked.connect(lambda: _show_folder(folder / "any"))
        return row

    # Doing ---------------------------------------------------------------------------------------

    def add_folder(self, folder: Path) -> None:
        """List what is in ``folder`` too."""
        known = self._choices.engine.more_folders
        if folder != self._library.folder and folder not in known:
            self._choices.choose("more_folders", (*known, folder))

    def _drop_folder(self, folder: Path) -> None:
        kept = tuple(each for each in self._choices.engine.more_folders if each != folder)
        self._choices.choose("more_folders", kept)

    def _ask_for_folder(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Add a folder of models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(lambda chosen: self.add_folder(Path(chosen)))
        dialog.open()

    def _seek(self) -> None:
        self._shown = _AT_ONCE
        self.refresh()

    def _show_more(self) -> None:
        self._shown += _AT_ONCE * 4
        self.refresh()

    def _is_sought(self, model: LocalModel) -> bool:
        text = f"{model.name} {model.title} {words.facts(model)}".casefold()
        return all(word in text for word in self.search.text().casefold().split())

    def _use(self, model: LocalModel) -> str:
        """As what the model is in use, "" where it is not."""
        if in_use.is_target(model, self._life):
            return self.tr("Target in use")
        return self.tr("Draft in use") if in_use.is_draft(model, self._life) else ""

    def _tell_look(self, done: int, name: str) -> None:
        if self.isVisible() and not self._library.models and self._looking:
            self._looking.setText(words.looking(done, name))


def _show_folder(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))
