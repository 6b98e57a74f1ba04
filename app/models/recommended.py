"""The pairs of the catalogue, the best for this machine first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.controls import Text
from app.jobs import Job
from app.models import offers, words
from app.models.room import Models
from app.models.row import Row
from app.models.section import Section
from app.pairs import Pair
from app.panel import numbers
from app.theme import Role, Theme, Type
from engine.machine import Machine
from engine.models.catalogue import CataloguePair, Purpose
from engine.models.downloads import State
from engine.models.item import Item
from engine.models.suits import Recommendation

_EVERY = "all"
_FIRST = 3  # pairs that are shown as the ones to take
_LIVE = (State.WAITING, State.RUNNING, State.PAUSED, State.FAILED)


_Told = tuple[Machine, list[Recommendation], dict[tuple[str, str], Pair]]
"""This computer, what suits it, and the pairs that are here."""


class Recommended(Section):
    """What to fetch, how much it is, what to expect, and why the rest does not fit.

    Signals:
        fetched: The Item that a person wants.
        used: The Pair that is here already and that a person wants.
    """

    fetched = Signal(object)
    used = Signal(object)

    def __init__(self, theme: Theme, models: Models, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._jobs, self._library, self._fetches = models.jobs, models.library, models.fetches
        self._surveyor, self._choices = models.surveyor, models.choices
        self._machine: Machine | None = None
        self._found: list[Recommendation] = []
        self._here: dict[tuple[str, str], Pair] = {}
        self._job: Job | None = None
        self.purpose = QComboBox()
        self.purpose.setAccessibleName(self.tr("What the pair is for"))
        for key, title in (
            (_EVERY, self.tr("For everything")),
            (Purpose.CHAT, self.tr("For chat")),
            (Purpose.CODE, self.tr("For code")),
            (Purpose.REASONING, self.tr("For reasoning")),
        ):
            self.purpose.addItem(title, str(key))
        self.purpose.currentIndexChanged.connect(lambda _index: self.refresh())
        self.about = Text(theme, "", Type.BODY, Role.SECONDARY, wrap=True)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.about, 1)
        row.addWidget(self.purpose)
        self.column.addWidget(line)
        self._states: dict[str, State] = {}
        models.surveyor.done.connect(self._ask)
        models.fetches.changed.connect(self._follow)
        models.library.changed.connect(self._follow_library)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """What suits depends on what is free and what is here: it is asked anew."""
        super().showEvent(event)
        self._surveyor.ask()
        self._follow(None)  # what came, or was cancelled, while this was out of sight
        self._ask()

    def refresh(self) -> None:
        """Show what was found."""
        self.clear(keep=1)
        if self._machine is None:
            self.about.setText(self.tr("Looking at this computer …"))
            return
        self.about.setText(self._about(self._machine))
        purpose = self.purpose.currentData()
        wanted = [each for each in self._found if purpose in (_EVERY, each.pair.purpose)]
        suiting = [each for each in wanted if each.suits]
        self._group(self.tr("BEST FOR THIS COMPUTER"), suiting[:_FIRST], is_first=True)
        self._group(self.tr("SUIT IT TOO"), suiting[_FIRST:])
        self._group(self.tr("DO NOT SUIT IT"), [each for each in wanted if not each.suits])

    def _about(self, machine: Machine) -> str:
        room = numbers.size(words.room_of(machine))
        if machine.gpu is not None:
            told = self.tr("{gpu}, and {room} of memory that models can have.")
            return told.format(gpu=machine.gpu.description, room=room)
        told = self.tr("No graphics processor is used here; {room} of memory that models can have.")
        return told.format(room=room)

    def _ask(self) -> None:
        if not self.isVisible():
            return
        if self._job is not None:
            self._job.forget()
        folder, n_ctx = self._library.folder, self._choices.engine.n_ctx
        models = self._library.models

        def work(_job: Job) -> _Told:
            machine = self._surveyor.machine(folder)
            found = offers.offers(machine, folder, n_ctx, models)
            return machine, found, offers.pairs_here(folder, models)

        self._job = self._jobs.start(work, done=self._take)
        if not self._found:
            self.refresh()

    def _take(self, told: _Told) -> None:
        self._job = None
        before = self._told()
        self._machine, self._found, self._here = told
        if before == self._told():  # a row that is made anew would lose a press on its button
            self.about.setText(self._about(self._machine))
        else:
            self.refresh()

    def _told(self) -> list[tuple[object, ...]]:
        """What the rows say of each pair, free of what changes with every byte on the disk."""
        return [
            (
                each.pair.target.key,
                each.pair.draft.key,
                each.suits,
                words.recommendation(each),
                self._here.get((each.pair.target.key, each.pair.draft.key)),
            )
            for each in self._found
        ]

    def _follow(self, status: object) -> None:
        """A download began, ended or left the list: its button says something else."""
        states = {each.key: each.state for each in self._fetches.statuses}
        if states != self._states and self.isVisible():
            self._states = states
            self.refresh()
            self._ask()

    def _follow_library(self) -> None:
        """Other models lie here than before."""
        if not self._library.is_looking:
            self._ask()

    def _group(self, head: str, group: list[Recommendation], *, is_first: bool = False) -> None:
        if group:
            self.head(head)
            self.list([self._row(each, is_first=is_first and each is group[0]) for each in group])

    def _row(self, found: Recommendation, *, is_first: bool) -> Row:
        pair = found.pair
        item = offers.pair_item(pair)
        row = Row(
            self.theme,
            self.tr("{target} drafted by {draft}").format(
                target=pair.target.title, draft=pair.draft.title
            ),
            words.joined(
                numbers.size(pair.size),
                self.tr("target {n}× its draft").format(n=_ratio(pair)),
                _licences(pair),
            ),
            f"{words.expectation(pair.expect)} {words.recommendation(found)}",
        )
        look = "primary" if is_first else "" if found.suits else "quiet"
        self._offer(row, item, self._here.get((pair.target.key, pair.draft.key)), look)
        return row

    def _offer(self, row: Row, item: Item, here: Pair | None, look: str) -> None:
        """The button that fetches it, or says that it is ``here`` or on its way."""
        status = self._fetches.of(item)
        if here is not None:
            use = row.button(self.tr("Use"), look=look)
            use.clicked.connect(lambda: self.used.emit(here))
        elif status is not None and status.state in _LIVE:
            row.button(self.tr("In the downloads")).setEnabled(False)
        else:
            fetch = row.button(self.tr("Download"), look=look)
            fetch.clicked.connect(lambda: self.fetched.emit(item))


def _ratio(pair: CataloguePair) -> str:
    return numbers.number(pair.ratio, 0 if pair.ratio >= 9.5 else 1)


def _licences(pair: CataloguePair) -> str:
    told = (words.licence(model.licence, gated=model.gated) for model in (pair.target, pair.draft))
    return ", ".join(dict.fromkeys(told))
