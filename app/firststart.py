"""What is shown where there is no model yet: what to fetch, how much it is, and the other way."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.controls import Card, Rule, Text
from app.fetching import Far, Fetch
from app.icons import icon
from app.panel import numbers
from app.theme import Role, Theme, Type
from engine import paths
from engine.errors import ForewordError
from engine.models.arriving import ModelFile

_MEMORY_BEYOND_WEIGHTS = 1.0e9  # weights in another order, caches, buffers: as measured


class FirstStart(QScrollArea):
    """Offers the starter pair, shows it come, and takes a file that somebody has.

    Signals:
        file_wanted: A person wants to open a file of their own.
    """

    file_wanted = Signal()

    def __init__(self, theme: Theme, fetch: Fetch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fetch = fetch
        self._folder = Path()
        self._build()
        self._lay_out()
        fetch.progressed.connect(self._show_far)
        fetch.done.connect(lambda _pair: self._show_offer())
        fetch.failed.connect(self._show_failure)
        theme.changed.connect(self._measure)
        self._measure()
        self._show_offer()

    def offer(self, folder: Path, note: str = "") -> None:
        """Offer to fetch into ``folder``. ``note``: why there is nothing to chat with."""
        self._folder = folder
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._show_offer()

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._drawing = QLabel()
        self._title = Text(theme, self.tr("A chat that drafts ahead"), Type.TITLE)
        words = self.tr(
            "A small model guesses the next words and a large one checks them all at once, so the "
            "large one’s own reply comes sooner. Both run on this computer: nothing you write "
            "leaves it."
        )
        self._words = Text(theme, words, Type.BODY, Role.SECONDARY, wrap=True)
        self._note = Text(theme, "", Type.BODY, Role.DANGER, wrap=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Download"))
        self._far = Text(theme, "", Type.SECONDARY, Role.SECONDARY, wrap=True)
        self._trouble = Text(theme, "", Type.SECONDARY, Role.DANGER, wrap=True)
        self.download = QPushButton()
        self.download.setProperty("look", "primary")
        self.download.clicked.connect(self._start)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.clicked.connect(self._fetch.cancel)
        self.open = QPushButton(self.tr("Open a GGUF file I have…"))
        self.open.setIcon(icon(theme, "folder", Role.SECONDARY))
        self.open.clicked.connect(self.file_wanted)

    def _lay_out(self) -> None:
        page = QWidget()
        self._column = QVBoxLayout()
        for widget in (self._drawing, self._title, self._words, self._note, self._offer()):
            self._column.addWidget(widget)
        beside = QHBoxLayout()
        beside.addWidget(self.open)
        beside.addStretch()
        self._column.addLayout(beside)
        middle = QVBoxLayout(page)
        middle.addStretch(2)
        across = QHBoxLayout()
        across.addStretch(1)
        self._holder = QWidget()
        self._holder.setLayout(self._column)
        across.addWidget(self._holder, 100)
        across.addStretch(1)
        middle.addLayout(across)
        middle.addStretch(3)
        self.setWidget(page)

    def _offer(self) -> Card:
        """The card with the pair, and the button that fetches it."""
        theme, files = self._theme, self._fetch.files
        card = Card(theme)
        rows = QVBoxLayout(card)
        self._rows = rows
        rows.addWidget(Text(theme, self.tr("The starter pair"), Type.STRONG))
        for file in files:
            rows.addLayout(self._line(self._role(file), f"{file.title}", file.size))
        rows.addWidget(Rule(theme))
        size = sum(file.size for file in files)
        memory = numbers.size(round(size + _MEMORY_BEYOND_WEIGHTS))
        rows.addLayout(self._pair(self.tr("Memory needed"), self.tr("about {n}").format(n=memory)))
        licences = ", ".join(sorted({file.licence for file in files}))
        rows.addLayout(self._pair(self.tr("Licence"), licences))
        rows.addLayout(self._pair(self.tr("From"), self._origin()))
        rows.addWidget(self._bar)
        rows.addWidget(self._far)
        rows.addWidget(self._trouble)
        buttons = QHBoxLayout()
        buttons.addWidget(self.download)
        buttons.addWidget(self.cancel)
        buttons.addStretch()
        rows.addLayout(buttons)
        return card

    def _origin(self) -> str:
        return self.tr(
            "the Hugging Face Hub, or a Python package index where that is out of reach; only the "
            "published bytes are taken"
        )

    def _role(self, file: ModelFile) -> str:
        return self.tr("Target") if file.role == "target" else self.tr("Draft")

    def _line(self, name: str, title: str, size: int) -> QHBoxLayout:
        row = self._pair(name, title)
        row.addWidget(Text(self._theme, numbers.size(size), Type.BODY, Role.SECONDARY))
        return row

    def _pair(self, name: str, words: str) -> QHBoxLayout:
        row = QHBoxLayout()
        label = Text(self._theme, name, Type.BODY, Role.SECONDARY)
        label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._labels = [*getattr(self, "_labels", []), label]
        row.addWidget(label)
        row.addWidget(Text(self._theme, words, Type.BODY, wrap=True), 1)
        return row

    def _measure(self) -> None:
        space = self._theme.space
        side = space(14)
        drawing = QIcon(str(paths.asset("app-icon.svg")))
        self._drawing.setPixmap(drawing.pixmap(QSize(side, side), self.devicePixelRatioF()))
        self._holder.setMaximumWidth(space(140))
        self._column.setSpacing(space(4))
        self._rows.setContentsMargins(space(5), space(4), space(5), space(4))
        self._rows.setSpacing(space(2.5))
        self._bar.setFixedHeight(space(1.5))
        for label in self._labels:
            label.setFixedWidth(space(34))

    # Showing -------------------------------------------------------------------------------------

    @Slot()
    def _start(self) -> None:
        self._trouble.hide()
        self._fetch.start(self._folder)
        self._show_running(running=True)
        self._far.setText(self.tr("Looking for the files …"))

    def _show_offer(self) -> None:
        self._trouble.hide()
        self._show_running(running=self._fetch.is_running)

    def _show_running(self, *, running: bool) -> None:
        total = sum(file.size for file in self._fetch.files)
        here = self._fetch.here(self._folder)
        self._bar.setVisible(running or here > 0)
        self._bar.setValue(1000 * here // total)
        self._far.setVisible(running or here > 0)
        if not running and here:
            words = self.tr("{here} of {total} are here already.")
            self._far.setText(words.format(here=numbers.size(here), total=numbers.size(total)))
        size = numbers.size(total - here)
        words = self.tr("Download the rest ({size})") if here else self.tr("Download ({size})")
        self.download.setText(words.format(size=size))
        self.download.setVisible(not running)
        self.cancel.setVisible(running)

    def _show_far(self, far: Far) -> None:
        self._bar.setValue(round(1000 * far.done / far.total))
        parts = [
            self.tr("{done} of {total}").format(
                done=numbers.size(far.done), total=numbers.size(far.total)
            )
        ]
        if far.speed > 0:
            parts.append(self.tr("{speed}/s").format(speed=numbers.size(round(far.speed))))
        if far.seconds_left is not None:
            parts.append(self._left(far.seconds_left))
        if far.source:
            parts.append(self.tr("from {source}").format(source=far.source))
        self._far.setText(" · ".join(parts))

    def _left(self, seconds: float) -> str:
        if seconds < 90:
            return self.tr("{n} s left").format(n=round(seconds))
        return self.tr("{n} min left").format(n=round(seconds / 60))

    def _show_failure(self, error: ForewordError | None) -> None:
        self._show_running(running=False)
        self._trouble.setVisible(error is not None)
        if error is not None:
            self._trouble.setText(error.sentence)
