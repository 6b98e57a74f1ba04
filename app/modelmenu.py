"""The menu under the pair: what is in the models folder, what fits, and files from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.actions import Actions
from app.jobs import Jobs
from app.pairs import Candidate, Pair, candidates
from app.panel import numbers
from app.session import Session
from engine.settings import models_folder

_LONGEST_REASON = 120  # characters of why a file cannot be used; the tool tip has all of it


class ModelMenu(QMenu):
    """Made anew each time it is opened; the files are looked into while it is open."""

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        actions: Actions,
        choose: Callable[[Pair], None],
        parent: QWidget,
    ) -> None:
        """``choose``: loads a pair."""
        super().__init__(parent)
        self._session = session
        self._choose = choose
        self.setToolTipsVisible(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._looking = self.addAction(self.tr("Looking into the models folder …"))
        self._looking.setEnabled(False)
        self._rest = self.addSeparator()
        self.addActions([actions["models.open"], actions["models.reload"]])
        if session.life.ready is not None:
            self.addAction(self.tr("Unload"), session.life.unload)
        pair = session.life.pair
        folder = models_folder(session.settings)
        target = pair.target if pair else None
        self._job = jobs.start(lambda _job: candidates(folder, target), done=self._fill)
        self.aboutToHide.connect(self._job.forget)

    def open_below(self, widget: QWidget) -> None:
        """Open it at the lower edge of ``widget``."""
        self.popup(widget.mapToGlobal(QPoint(0, widget.height())))

    def _fill(self, found: tuple[list[Candidate], list[Candidate]]) -> None:
        targets, drafts = found
        pair = self._session.life.pair
        self._looking.setVisible(not targets)
        self._looking.setText(self.tr("There is no model in the models folder"))
        if targets:
            self._section(self.tr("Target: the model whose words you read"))
            group = QActionGroup(self)
            for each in targets:
                is_held = pair is not None and _same(each.path, pair.target)
                self._row(each, group, is_held, self._choose_target)
        if pair is not None:
            self._fill_drafts(drafts, pair)

    def _fill_drafts(self, drafts: list[Candidate], pair: Pair) -> None:
        self._section(self.tr("Draft: the small model that guesses ahead"))
        group = QActionGroup(self)
        for each in drafts:
            is_held = pair.draft is not None and _same(each.path, pair.draft)
            self._row(each, group, is_held, self._choose_draft)
        none = QAction(self.tr("None: write plainly"), self, checkable=True)
        none.setChecked(pair.draft is None)
        none.triggered.connect(lambda: self._choose(Pair(pair.target)))
        group.addAction(none)
        self.insertAction(self._rest, none)

    def _section(self, title: str) -> None:
        head = QAction(title, self)
        head.setEnabled(False)
        self.insertAction(self._rest, head)

    def _row(
        self, each: Candidate, group: QActionGroup, is_held: bool, choose: Callable[[Path], None]
    ) -> None:
        row = QAction(_line(each), self, checkable=True)
        row.setChecked(is_held)
        row.setEnabled(each.ok)
        row.setToolTip(each.reason or str(each.path))
        row.triggered.connect(lambda: choose(each.path))
        group.addAction(row)
        self.insertAction(self._rest, row)

    def _choose_target(self, path: Path) -> None:
        pair = self._session.life.pair
        self._choose(Pair(path, pair.draft if pair else None))

    def _choose_draft(self, path: Path) -> None:
        pair = self._session.life.pair
        if pair is not None:
            self._choose(Pair(pair.target, path))


def _line(each: Candidate) -> str:
    title = each.title.replace("&", "&&")
    if each.ok:
        return f"{title}   {numbers.size(each.size)}"
    reason = each.reason.replace("&", "&&")
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[: _LONGEST_REASON - 1].rstrip()}…"
    return f"{title}:  {reason}"


def _same(path: Path, other: Path) -> bool:
    return path.absolute() == other.absolute()
