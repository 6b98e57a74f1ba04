"""What is shown where there is no model yet: what suits this computer, and the other ways."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.controls import Picture, Text
from app.icons import icon
from app.jobs import Job
from app.models import offers, words
from app.models.offer_card import OfferCard
from app.models.room import Models
from app.theme import Role, Theme, Type
from engine.models.suits import Recommendation

_AFTER = 300  # milliseconds: the window is there and answers before this computer is looked at


class FirstStart(QScrollArea):
    """Offers the pair that suits this computer best, the starter pair, and what is here already.

    Signals:
        fetched: The Item that a person wants.
        file_wanted: A person wants to open a file of their own.
        models_wanted: A person wants the page of models: its part "here" or "suiting".
    """

    fetched = Signal(object)
    file_wanted = Signal()
    models_wanted = Signal(str)

    def __init__(self, theme: Theme, models: Models, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._models = models
        self._folder = Path()
        self._job: Job | None = None
        self.best: OfferCard | None = None
        self._build()
        self._lay_out()
        self._look_soon = QTimer(self, singleShot=True, interval=_AFTER)
        self._look_soon.timeout.connect(self._look)
        models.surveyor.done.connect(self._judge)
        models.library.changed.connect(self._count)
        theme.changed.connect(self._measure)
        self._measure()

    def offer(self, folder: Path, note: str = "") -> None:
        """Offer to fetch into ``folder``. ``note``: why there is nothing to chat with."""
        self._folder = folder
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.starter.refresh()
        self._look_soon.start()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """It is there again after a load that came to nothing: look once more."""
        super().showEvent(event)
        self._look_soon.start()

    # Building ------------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._theme
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._drawing = Picture(theme, "app-icon.svg", 12)
        self._title = Text(theme, self.tr("A chat that drafts ahead"), Type.TITLE)
        said = self.tr(
            "A small model guesses the next words and a large one checks them all at once, so the "
            "large one’s own reply comes sooner. Both run on this computer: nothing you write "
            "leaves it."
        )
        self._words = Text(theme, said, Type.BODY, Role.SECONDARY, wrap=True)
        self._note = Text(theme, "", Type.BODY, Role.DANGER, wrap=True)
        self.starter = self._card(offers.starter_pair(), self.tr("The starter pair"))
        self.open = QPushButton(self.tr("Open a GGUF file I have…"))
        self.open.setIcon(icon(theme, "folder", Role.SECONDARY))
        self.open.clicked.connect(self.file_wanted)
        self.here = QPushButton()
        self.here.setIcon(icon(theme, "model", Role.SECONDARY))
        self.here.clicked.connect(lambda: self.models_wanted.emit("here"))
        self.here.hide()
        self.others = QPushButton(self.tr("Other pairs"))
        self.others.setProperty("look", "quiet")
        self.others.clicked.connect(lambda: self.models_wanted.emit("suiting"))

    def _card(self, *of: object, **how: object) -> OfferCard:
        made = OfferCard(self._theme, self._models.fetches, *of, **how)  # type: ignore[arg-type]
        made.wanted.connect(self.fetched)
        return made

    def _lay_out(self) -> None:
        page = QWidget()
        self._column = QVBoxLayout()
        self._offers = QVBoxLayout()
        self._offers.addWidget(self.starter)
        self._column.addWidget(self._drawing, 0, Qt.AlignmentFlag.AlignLeft)
        for widget in (self._title, self._words, self._note):
            self._column.addWidget(widget)
        self._column.addLayout(self._offers)
        self._beside = QHBoxLayout()
        for button in (self.here, self.open, self.others):
            self._beside.addWidget(button)
        self._beside.addStretch()
        self._column.addLayout(self._beside)
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

    def _measure(self) -> None:
        space = self._theme.space
        self._holder.setMaximumWidth(space(140))
        self._column.setSpacing(space(3.5))
        self._offers.setSpacing(space(3))
        self._beside.setSpacing(space(2))

    # Looking at this computer --------------------------------------------------------------------

    def _look(self) -> None:
        """What can compute here, and which models lie here already."""
        if not self.isVisible():
            return
        self._models.surveyor.ask()
        self._models.library.look()
        if self._models.surveyor.is_done:
            self._judge()

    def _judge(self) -> None:
        """Ask which pair suits best; the answer comes in a moment."""
        if not self.isVisible():
            return
        if self._job is not None:
            self._job.forget()
        folder, surveyor = self._folder, self._models.surveyor
        n_ctx = self._models.choices.engine.n_ctx
        self._job = self._models.jobs.start(
            lambda _job: offers.offers(surveyor.machine(folder), folder, n_ctx),
            done=self._show_best,
        )

    def _show_best(self, found: list[Recommendation]) -> None:
        best = found[0] if found else None
        if self.best is not None and best is not None and self.best.pair == best.pair:
            return
        if self.best is not None:
            self.best.hide()
            self.best.deleteLater()
            self.best = None
        if best is None or not best.suits or offers.is_starter(best.pair):
            return
        note = words.amounts(best.fit.needs, best.fit.room)
        self.best = self._card(best.pair, self.tr("Best for this computer"), note)
        self._offers.insertWidget(0, self.best)
        self._offers.removeWidget(self.starter)
        self.starter.deleteLater()
        self.starter = self._card(
            offers.starter_pair(),
            self.tr("The starter pair: small, to have a look"),
            is_first=False,
        )
        self._offers.addWidget(self.starter)

    def _count(self) -> None:
        """How many models there are to choose from without fetching any."""
        usable = sum(model.ok for model in self._models.library.models)
        self.here.setVisible(usable > 0)
        told = (
            self.tr("Use one of {n} models here") if usable > 1 else self.tr("Use the model here")
        )
        self.here.setText(told.format(n=usable))
