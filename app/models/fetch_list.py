"""All downloads, a row each, as they stand."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.controls import Card, Rule
from app.models.fetch_row import FetchRow
from app.models.fetches import Fetches, pair_in
from app.models.token_field import OF_ITS_TERMS
from app.theme import Role, Theme
from engine.errors import ForewordError
from engine.models.downloads import Status


class FetchList(QWidget):
    """Follows the queue by itself.

    Signals:
        used: The Pair of a finished download that a person wants to use.
        moved: The folder that a person chose in place of one that takes nothing.
        failed: The ForewordError that kept a download from being moved.
        token_wanted: The key of a download that the Hub refuses, and the ForewordError that says
            so: a person wants to give a token for it.
        resized: It has another number of rows.
    """

    used = Signal(object)
    moved = Signal(object)
    failed = Signal(object)
    token_wanted = Signal(str, object)
    resized = Signal()

    def __init__(
        self, theme: Theme, fetches: Fetches, *, framed: bool, parent: QWidget | None = None
    ) -> None:
        """``framed``: with a line around all of it."""
        super().__init__(parent)
        self._fetches = fetches
        self._theme = theme
        self.rows: dict[str, FetchRow] = {}
        self._lines: dict[str, Rule] = {}
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        card = Card(theme, line=Role.LINE if framed else Role.RAISED)
        whole.addWidget(card)
        self._column = QVBoxLayout(card)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        fetches.changed.connect(self._follow)
        for status in fetches.statuses:
            self._follow(status)

    def _follow(self, status: Status) -> None:
        key = status.key
        if not any(each.key == key for each in self._fetches.statuses):
            self._drop(key)
            return
        if key not in self.rows:
            self._add(status)
        self.rows[key].show_status(status, is_leaving=self._fetches.is_leaving(key))

    def _add(self, status: Status) -> None:
        key, fetches = status.key, self._fetches
        row = FetchRow(self._theme, status)
        row.pause.connect(lambda: fetches.pause(key))
        row.resume.connect(lambda: fetches.resume(key))
        row.cancel.connect(lambda: fetches.cancel(key))
        row.undo.connect(lambda: fetches.take_back(key))
        row.use.connect(lambda: self.used.emit(pair_in(self._now(key))))
        row.elsewhere.connect(lambda: self._ask_for_folder(key))
        row.page.connect(lambda: self._open_page(key))
        row.token.connect(lambda: self.token_wanted.emit(key, self._now(key).error))
        if self.rows:
            self._lines[key] = Rule(self._theme)
            self._column.addWidget(self._lines[key])
        self.rows[key] = row
        self._column.addWidget(row)
        self.resized.emit()

    def _drop(self, key: str) -> None:
        gone: list[QWidget | None] = [self.rows.pop(key, None), self._lines.pop(key, None)]
        first = next(iter(self.rows), None)
        gone.append(self._lines.pop(first, None) if first else None)  # nothing stands above it
        for widget in filter(None, gone):
            widget.hide()
            widget.deleteLater()
        self.resized.emit()

    def _now(self, key: str) -> Status:
        return next(status for status in self._fetches.statuses if status.key == key)

    def _ask_for_folder(self, key: str) -> None:
        dialog = QFileDialog(self.window(), self.tr("Choose a folder for models"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(lambda folder: self.move_to(key, Path(folder)))
        dialog.open()

    def move_to(self, key: str, folder: Path) -> None:
        """Go on in ``folder``, which models are kept in from now on, if it takes them."""
        status, moved = self._now(key), lambda: self.moved.emit(folder)
        self._fetches.move(status, folder, self._tell, moved)

    def _tell(self, error: ForewordError) -> None:
        self.failed.emit(error)

    def _open_page(self, key: str) -> None:
        error = self._now(key).error
        if isinstance(error, OF_ITS_TERMS):
            QDesktopServices.openUrl(QUrl(str(error.fields["page"])))
