"""The models that lie here, as the window lists them, and who may draft for whom."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Jobs
from app.models.surveyor import Surveyor
from app.pairs import Pair
from app.settings.choices import Choices
from engine.errors import ForewordError
from engine.machine import Machine
from engine.models import local, partners, removing
from engine.models.catalogue import CatalogueModel, catalogue
from engine.models.fits import fits_roughly
from engine.models.handiest import best_target
from engine.models.local import LocalModel, Scan
from engine.models.partners import Partner
from engine.models.recommended import draft_for
from engine.models.stores import places
from engine.settings import Settings, models_folder

_REPORT_EVERY = 0.1  # seconds
_WHERE = frozenset({"models_folder", "more_folders", "other_apps"})


@dataclass(frozen=True)
class Drafts:
    """Every other model as a draft for ``target``, the best first.

    ``recommended``: the catalogue's draft for it, where that is not here yet.
    """

    target: LocalModel
    partners: tuple[Partner, ...]
    recommended: CatalogueModel | None

    @property
    def best(self) -> LocalModel | None:
        """The draft that helps most, if one does."""
        first = self.partners[0] if self.partners else None
        helps = first is not None and first.worth is not None and first.worth.gamma > 0
        return first.model if first is not None and helps else None


@dataclass(frozen=True)
class Opened:
    """A file that somebody opened, and the pair to load, None where it cannot be used."""

    model: LocalModel
    pair: Pair | None


class Library(QObject):
    """Looks into the folders on threads of the pool; nothing is loaded and nothing contacted.

    Attributes:
        models: What was found, less what a person has just deleted.
        notes: A sentence for each place that could not be read.
        machine: This computer at the last look; None before.
        is_looking: Whether a look is under way.

    Signals:
        changed: Any of these did.
        progressed: Files looked at so far, and the name of the next.
    """

    changed = Signal()
    progressed = Signal(int, str)

    def __init__(
        self, jobs: Jobs, choices: Choices, surveyor: Surveyor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.notes: tuple[str, ...] = ()
        self.machine: Machine | None = None
        self._jobs = jobs
        self._choices = choices
        self._surveyor = surveyor
        self._found: tuple[LocalModel, ...] = ()
        self._hidden: set[Path] = set()
        self._job: Job | None = None
        choices.changed.connect(self._follow)
        surveyor.done.connect(self.look_again)

    @property
    def folder(self) -> Path:
        """Where models are kept."""
        return models_folder(self._choices.engine)

    @property
    def models(self) -> list[LocalModel]:
        return [model for model in self._found if model.path not in self._hidden]

    @property
    def is_looking(self) -> bool:
        return self._job is not None

    def look(self) -> None:
        """Look at everything anew; files that did not change cost next to nothing."""
        if self._job is not None:
            self._job.forget()
        settings, folder = self._choices.engine, self.folder

        def work(job: Job) -> tuple[Scan, Machine]:
            scan = local.scan(places(settings), progress=_seldom(job), cancelled=job.cancelled)
            return _with_chosen(scan, settings), self._surveyor.machine(folder)

        self._job = self._jobs.start(
            work, done=self._take, failed=self._fail, progressed=lambda told: self._tell(*told)
        )
        self.changed.emit()

    def look_again(self) -> None:
        """Only where somebody has looked: a window that needs no list reads no folders."""
        if self.machine is not None or self.is_looking:
            self.look()

    def drafts(self, target: LocalModel, done: Callable[[Drafts], None]) -> Job:
        """Judge every model as a draft for ``target``; `Job.forget` it when it is not wanted."""
        models = self.models
        return self._jobs.start(lambda _job: judged(target, models), done=done)

    def suggest(self, done: Callable[[LocalModel | None], None]) -> Job:
        """The model that this machine had best have as its target; `Job.forget` it as above."""
        models, known = self.models, self.machine

        def work(_job: Job) -> LocalModel | None:
            machine = known or self._surveyor.machine(self.folder)
            return best_target(
                models,
                machine,
                fits=lambda size: fits_roughly(size, machine),
                best_draft=lambda target: judged(target, models).best,
            )

        return self._jobs.start(work, done=done)

    def open(
        self,
        path: Path,
        done: Callable[[Opened], None],
        failed: Callable[[ForewordError], None],
    ) -> None:
        """Look at a file that somebody opened, and for the draft here that helps it most."""
        settings = self._choices.engine

        def work(job: Job) -> Opened:
            model = local.check_file(path)
            if not model.ok:
                return Opened(model, None)
            found = local.scan(places(settings), cancelled=job.cancelled).models
            best = judged(model, list(found)).best
            return Opened(model, Pair(model.path, best.path if best else None))

        self._jobs.start(work, done=done, failed=failed)

    # Deleting ------------------------------------------------------------------------------------

    def hide(self, model: LocalModel) -> None:
        """List it no more, until `show` or `delete`. Raises NotOurs."""
        removing.check_ours(model, self.folder)
        self._hidden.add(model.path)
        self.changed.emit()

    def show(self, model: LocalModel) -> None:
        """List it again."""
        self._hidden.discard(model.path)
        self.changed.emit()

    def delete(self, model: LocalModel) -> None:
        """Take a hidden one off the disk. Raises NotOurs, FolderNotWritable; then it is listed."""
        try:
            removing.remove(model, self.folder)
        except ForewordError:
            self.show(model)
            raise
        self._found = tuple(each for each in self._found if each.path != model.path)
        self._hidden.discard(model.path)

    # Reacting ------------------------------------------------------------------------------------

    def _take(self, told: tuple[Scan, Machine]) -> None:
        scan, self.machine = told
        self._found, self.notes, self._job = scan.models, scan.notes, None
        self.changed.emit()

    def _fail(self, error: ForewordError) -> None:
        self.notes, self._job = (error.sentence,), None
        self.changed.emit()

    def _tell(self, done: int, name: str) -> None:
        if self.is_looking:
            self.progressed.emit(done, name)

    def _follow(self, setting: str) -> None:
        if setting in _WHERE:
            self.look_again()


def judged(target: LocalModel, models: list[LocalModel]) -> Drafts:
    """Every one of ``models`` but the target itself as a draft for it. Takes a moment."""
    from engine.models.measured import Tuned  # only here: a start needs none of it

    found = partners.of(target, models, measured=Tuned())
    others = tuple(each for each in found if each.verdict.code != "itself")
    here = {file.name for model in models for file in model.files}
    wanted = draft_for(target, catalogue())
    is_here = wanted is not None and here.issuperset(file.name for file in wanted.files)
    return Drafts(target, others, None if is_here else wanted)


def _with_chosen(scan: Scan, settings: Settings) -> Scan:
    """With the pair in use, wherever somebody opened it from."""
    known = {model.path for model in scan.models}
    chosen = [path for path in (settings.target, settings.draft) if path and path not in known]
    # Path's own way raises where a folder may not be entered.
    there = [path for path in dict.fromkeys(chosen) if os.path.isfile(path)]
    return replace(scan, models=(*scan.models, *map(local.check_file, there)))


def _seldom(job: Job) -> Callable[[int, str], None]:
    """Reports, but not for each of a thousand files."""
    last = 0.0

    def told(done: int, name: str) -> None:
        nonlocal last
        if time.monotonic() - last >= _REPORT_EVERY:
            last = time.monotonic()
            job.report((done, name))

    return told
