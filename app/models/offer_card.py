"""One pair on the first page: what it is, what it takes, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.controls import Card, Text
from app.models import offers, words
from app.models.fetches import Fetches
from app.panel import numbers
from app.theme import Role, Theme, Type
from engine.models.catalogue import CataloguePair
from engine.models.downloads import State, Status
from engine.models.needs import Plan

_PARTS = 1000
_LABEL = 34  # units of space that the names of facts take


class OfferCard(Card):
    """Offers a pair and shows it come.

    Signals:
        wanted: The Item that a person wants.
    """

    wanted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        fetches: Fetches,
        pair: CataloguePair,
        head: str,
        memory: str = "",
        *,
        is_first: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        """``memory``: what it takes of what; ``is_first``: the one to take, told at length."""
        super().__init__(theme, parent=parent)
        self.pair, self.item = pair, offers.pair_item(pair)
        self._fetches = fetches
        self._labels: list[Text] = []
        self._rows = QVBoxLayout(self)
        self._build(is_first=is_first)
        self._lay_out(head, memory, is_first=is_first)
        fetches.changed.connect(self._follow)
        theme.changed.connect(self._measure)
        self._measure()
        self.refresh()

    def refresh(self) -> None:
        """Show how its download stands."""
        status = self._fetches.of(self.item)
        is_leaving = status is not None and self._fetches.is_leaving(status.key)
        state = status.state if status and not is_leaving else None
        is_live = state in (State.RUNNING, State.WAITING)
        rests = state in (State.PAUSED, State.FAILED)
        self.bar.setVisible(status is not None and state is not State.DONE)
        self.far.setVisible(status is not None)
        self.trouble.setVisible(rests and status is not None and status.error is not None)
        self.pause.setVisible(is_live)
        self.cancel.setVisible(is_live or rests)
        self.undo.setVisible(is_leaving)
        self.download.setVisible(not is_live and not is_leaving)
        if status is None:
            words_ = self.tr("Download ({size})")
            self.download.setText(words_.format(size=numbers.size(self.item.size)))
        else:
            self._show(status)

    # Building ------------------------------------------------------------------------------------

    def _build(self, *, is_first: bool) -> None:
        self.bar = QProgressBar()
        self.bar.setRange(0, _PARTS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.item.title)
        self.far = Text(self._theme, "", Type.SECONDARY, Role.SECONDARY, wrap=True)
        self.trouble = Text(self._theme, "", Type.SECONDARY, Role.DANGER, wrap=True)
        self.download = QPushButton()
        if is_first:
            self.download.setProperty("look", "primary")
        self.download.clicked.connect(lambda: self.wanted.emit(self.item))
        self.pause = QPushButton(self.tr("Pause"))
        self.pause.clicked.connect(lambda: self._do(self._fetches.pause))
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.clicked.connect(lambda: self._do(self._fetches.cancel))
        self.undo = QPushButton(self.tr("Undo"))
        self.undo.clicked.connect(lambda: self._do(self._fetches.take_back))

    def _lay_out(self, head: str, memory: str, *, is_first: bool) -> None:
        theme, pair, rows = self._theme, self.pair, self._rows
        told = Text(
            theme, words.expectation(pair.expect), Type.SECONDARY, Role.SECONDARY, wrap=True
        )
        buttons = QHBoxLayout()
        for button in (self.download, self.pause, self.cancel, self.undo):
            buttons.addWidget(button)
        buttons.addStretch(1)
        rows.addWidget(Text(theme, head, Type.STRONG))
        for role, model in ((self.tr("Target"), pair.target), (self.tr("Draft"), pair.draft)):
            rows.addLayout(self._fact(role, model.title, numbers.size(model.size)))
        if is_first:
            rows.addLayout(self._fact(self.tr("Memory needed"), memory or self._memory()))
            rows.addLayout(self._fact(self.tr("Licence"), self._licences()))
            rows.addLayout(self._fact(self.tr("From"), self._origin()))
        for widget in (told, self.bar, self.far, self.trouble):
            rows.addWidget(widget)
        rows.addLayout(buttons)

    def _memory(self) -> str:
        return self.tr("about {n}").format(n=numbers.size(self.pair.needs(Plan()).total))

    def _licences(self) -> str:
        told = (
            words.licence(model.licence, gated=model.gated)
            for model in (self.pair.target, self.pair.draft)
        )
        return ", ".join(dict.fromkeys(told))

    def _origin(self) -> str:
        if offers.is_starter(self.pair):
            return self.tr(
                "the Hugging Face Hub, or a Python package index where that is out of reach"
            )
        return self.tr("the Hugging Face Hub")

    def _fact(self, name: str, fact: str, end: str = "") -> QHBoxLayout:
        row = QHBoxLayout()
        label = Text(self._theme, name, Type.BODY, Role.SECONDARY)
        label.setAlignment(label.alignment() & ~Qt.AlignmentFlag.AlignVCenter)
        self._labels.append(label)
        row.addWidget(label)
        row.addWidget(Text(self._theme, fact, Type.BODY, wrap=True), 1)
        if end:
            row.addWidget(Text(self._theme, end, Type.BODY, Role.SECONDARY))
        return row

    def _measure(self) -> None:
        space = self._theme.space
        self._rows.setContentsMargins(space(5), space(4), space(5), space(4))
        self._rows.setSpacing(space(2))
        self.bar.setFixedHeight(space(1.5))
        for label in self._labels:
            label.setFixedWidth(space(_LABEL))

    # Showing -------------------------------------------------------------------------------------

    def _follow(self, status: Status) -> None:
        if [file.name for file in status.item.files] == [file.name for file in self.item.files]:
            self.refresh()

    def _show(self, status: Status) -> None:
        self.bar.setValue(_PARTS * status.done // status.total if status.total else 0)
        is_leaving = self._fetches.is_leaving(status.key)
        self.far.setText(words.standing(status, is_leaving=is_leaving))
        self.trouble.setText(words.trouble(status))
        if status.state is State.DONE:
            self.download.setText(self.tr("Use it"))
        elif status.error is not None:
            self.download.setText(self.tr("Try again"))
        else:
            size = numbers.size(max(0, status.total - status.done))
            self.download.setText(self.tr("Download the rest ({size})").format(size=size))

    def _do(self, verb: Callable[[str], None]) -> None:
        status = self._fetches.of(self.item)
        if status is not None:
            verb(status.key)
