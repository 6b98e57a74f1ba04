"""The pairs of the catalogue, the best for this machine first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.controls import Segments
from app.jobs import Job, Jobs
from app.models import offers, words
from app.models.fetches import Fetches
from app.models.library import Library
from app.models.row import Row
from app.models.section import Section
from app.models.surveyor import Surveyor
from app.panel import numbers
from app.settings.choices import Choices
from app.theme import Theme
from engine.models.catalogue import CataloguePair, Purpose
from engine.models.download import installed
from engine.models.downloads import State
from engine.models.item import Item, place
from engine.models.suits import Recommendation

_EVERY = "all"
_FIRST = 3  # pairs that are shown as the ones to take
_LIVE = (State.WAITING, State.RUNNING, State.PAUSED, State.FAILED)


class Recommended(Section):
    """What to fetch, how much it is, what to expect, and why the rest does not fit.

    Signals:
        fetched: The Item that a person wants.
        used: The CataloguePair that is here already and that a person wants.
    """

    fetched = Signal(object)
    used = Signal(object)

    def __init__(
        self,
        theme: Theme,
        jobs: Jobs,
        library: Library,
        fetches: Fetches,
        surveyor: Surveyor,
        choices: Choices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._jobs, self._library, self._fetches = jobs, library, fetches
        self._surveyor, self._choices = surveyor, choices
        self._found: list[Recommendation] = []
        self._job: Job | None = None
        kinds = [
            (_EVERY, self.tr("Everything")),
            (Purpose.CHAT, self.tr("Chat")),
            (Purpose.CODE, self.tr("Code")),
            (Purpose.REASONING, self.tr("Reasoning")),
        ]
        self.purpose = Segments(theme, kinds, self.tr("What the pair is for"))
        self.purpose.choose(_EVERY)
        self.purpose.chosen.connect(lambda _purpose: self.refresh())
        self.column.addWidget(self.purpose)
        self._states: dict[str, State] = {}
        surveyor.done.connect(self._ask)
        fetches.changed.connect(self._follow)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """What suits depends on what is free and what is here: it is asked anew."""
        super().showEvent(event)
        self._surveyor.ask()
        self._ask()

    def refresh(self) -> None:
        """Show what was found."""
        self.clear(keep=1)
        if not self._found:
            self.say(self.tr("Looking at this computer …"))
            return
        machine = self._library.machine
        if machine is not None:
            self.say(self._about(machine.gpu.description if machine.gpu else ""))
        purpose = self.purpose.choice()
        wanted = [each for each in self._found if purpose in (_EVERY, each.pair.purpose)]
        suiting = [each for each in wanted if each.suits]
        self._group(self.tr("BEST FOR THIS COMPUTER"), suiting[:_FIRST], is_first=True)
        self._group(self.tr("SUIT IT TOO"), suiting[_FIRST:])
        self._group(self.tr("DO NOT SUIT IT"), [each for each in wanted if not each.suits])

    def _about(self, gpu: str) -> str:
        machine = self._library.machine
        assert machine is not None
        room = numbers.size(words.room_of(machine))
        if gpu:
            told = self.tr("{gpu}, and {room} of memory that models can have.")
            return told.format(gpu=gpu, room=room)
        told = self.tr("No graphics processor is used here; {room} of memory that models can have.")
        return told.format(room=room)

    def _ask(self) -> None:
        if not self.isVisible():
            return
        if self._job is not None:
            self._job.forget()
        folder, n_ctx = self._library.folder, self._choices.engine.n_ctx

        def work(_job: Job) -> list[Recommendation]:
            return offers.offers(self._surveyor.machine(folder), folder, n_ctx)

        self._job = self._jobs.start(work, done=self._take)
        if not self._found:
            self.refresh()

    def _take(self, found: list[Recommendation]) -> None:
        self._job = None
        self._found = found
        self.refresh()

    def _follow(self, status: object) -> None:
        """A download began, ended or left the list: its button says something else."""
        states = {each.key: each.state for each in self._fetches.statuses}
        if states != self._states and self.isVisible():
            self._states = states
            self.refresh()

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
        self._offer(row, pair, item, is_first=is_first)
        return row

    def _offer(self, row: Row, pair: CataloguePair, item: Item, *, is_first: bool) -> None:
        """The button that fetches it, or says that it is here or on its way."""
        status = self._fetches.of(item)
        folder = place(item, self._library.folder)
        if all(installed(file, folder) for file in item.files):
            use = row.button(self.tr("Use"), look="primary" if is_first else "")
            use.clicked.connect(lambda: self.used.emit(pair))
        elif status is not None and status.state in _LIVE:
            row.button(self.tr("In the downloads")).setEnabled(False)
        else:
            look = "primary" if is_first else ""
            fetch = row.button(self.tr("Download"), look=look)
            fetch.clicked.connect(lambda: self.fetched.emit(item))


def _ratio(pair: CataloguePair) -> str:
    return numbers.number(pair.ratio, 0 if pair.ratio >= 9.5 else 1)


def _licences(pair: CataloguePair) -> str:
    told = (words.licence(model.licence, gated=model.gated) for model in (pair.target, pair.draft))
    return ", ".join(dict.fromkeys(told))
