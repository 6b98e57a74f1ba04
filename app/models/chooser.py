"""The pair is chosen here: a target, then a draft for it, then one press loads both."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.actions import Actions, plain_title
from app.controls import Rule
from app.engine_life import EngineLife, Life
from app.icons import icon
from app.jobs import Job
from app.models import words
from app.models.choice import Offer
from app.models.choices_list import ChoiceList
from app.models.library import Drafts, Library
from app.models.popover import Popover
from app.models.row import Row
from app.pairs import Pair
from app.panel import numbers
from app.theme import Role, Theme
from engine.models.called import told_apart
from engine.models.catalogue import CatalogueModel
from engine.models.local import LocalModel
from engine.models.partners import Partner

_WIDTH = 190  # units of space
_BESIDE = 130  # units of space below which the drafts stand under the targets
_MANY = 9  # models from which on a field to filter them is worth its room


class Chooser(Popover):
    """Every model here as a target, and for the chosen one every other as a draft.

    Signals:
        chosen: The Pair that is to be loaded.
        fetched: The CatalogueModel that is to come, and the target (LocalModel) it is to draft for.
        models_wanted: A person wants the page of models.
    """

    chosen = Signal(object)
    fetched = Signal(object, object)
    models_wanted = Signal()

    def __init__(
        self, theme: Theme, library: Library, life: EngineLife, actions: Actions, window: QWidget
    ) -> None:
        super().__init__(theme, window, self.tr("Choose the models"), _WIDTH)
        self._library, self._life = library, life
        self._models: list[LocalModel] = []
        self._names: dict[Path, str] = {}
        self._drafts: Drafts | None = None
        self._offered: list[Partner | None] = []
        self._job: Job | None = None
        self._is_wanted = False
        self._build(actions)
        self._lay_out()
        library.changed.connect(self._fill)
        library.progressed.connect(self._tell_look)
        life.changed.connect(self._tell_load)
        theme.changed.connect(self._measure)
        self._measure()

    def open_below(self, anchor: QWidget) -> None:
        """Look at what is here, and show it."""
        is_open = self.isVisible()
        super().open_below(anchor)
        self._is_wanted = False
        if not is_open:
            self.targets.held = self._drafts = None  # the pair in use, not one that was left
            self.search.clear()
            self._library.look()

    @property
    def target(self) -> LocalModel | None:
        """The chosen target."""
        held = self.targets.held
        return None if held is None else self._models[held]

    @property
    def pair(self) -> Pair | None:
        """What would be loaded."""
        if self.target is None:
            return None
        held = self.drafts.held
        partner = self._offered[held] if held is not None else None
        return Pair(self.target.path, partner.model.path if partner else None)

    # Building ------------------------------------------------------------------------------------

    def _build(self, actions: Actions) -> None:
        theme = self.theme
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Filter the models"))
        self.search.setAccessibleName(self.tr("Filter the models"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(
            icon(theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self.search.textChanged.connect(self._filter)
        self.targets = ChoiceList(theme, self.tr("Target"), self.tr("TARGET"))
        self.drafts = ChoiceList(theme, self.tr("Draft"), self.tr("DRAFT"))
        self.targets.chosen.connect(self._choose_target)
        self.drafts.chosen.connect(lambda _number: self._tell_load())
        self.targets.wanted.connect(self._load)
        self.drafts.wanted.connect(self._load)
        self.load = QPushButton()
        self.load.setProperty("look", "primary")
        self.load.clicked.connect(self._load)
        self.more = self._quiet(self.tr("All models"), "model")
        self.more.clicked.connect(self._show_page)
        self.open_file = self._quiet(plain_title(actions["models.open"]) + "…", "folder")
        self.open_file.clicked.connect(self.close_quietly)
        self.open_file.clicked.connect(actions["models.open"].trigger)
        self.unload = self._quiet(self.tr("Unload"), "")
        self.unload.clicked.connect(self._unload)

    def _quiet(self, title: str, drawing: str) -> QPushButton:
        made = QPushButton(title)
        made.setProperty("look", "quiet")
        if drawing:
            made.setIcon(icon(self.theme, drawing, Role.SECONDARY))
        return made

    def _lay_out(self) -> None:
        self._recommended = QWidget()
        self._offer_row = QVBoxLayout(self._recommended)
        self._offer_row.setContentsMargins(0, 0, 0, 0)
        self._recommended.hide()
        self._row: Row | None = None
        self._lists = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lists.addWidget(self.targets, 1)
        self._line = Rule(self.theme, upright=True)
        self._lists.addWidget(self._line)
        self._lists.addWidget(self.drafts, 1)
        self.drafts.column.insertWidget(2, self._recommended)
        self._foot = QHBoxLayout()
        for button in (self.more, self.open_file, self.unload):
            self._foot.addWidget(button)
        self._foot.addStretch(1)
        self._foot.addWidget(self.load)
        self.column.addWidget(self.search)
        self.column.addLayout(self._lists, 1)
        self.column.addWidget(Rule(self.theme))
        self.column.addLayout(self._foot)

    def _measure(self) -> None:
        space = self.theme.space
        self.column.setContentsMargins(space(3), space(3), space(3), space(3))
        self.column.setSpacing(space(2.5))
        self._lists.setSpacing(space(3))
        self._foot.setSpacing(space(1))
        self.search.setFixedHeight(space(8))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Side by side, or one under the other."""
        super().resizeEvent(event)
        is_wide = self.width() >= self.theme.space(_BESIDE)
        direction = QBoxLayout.Direction
        self._lists.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._line.setVisible(is_wide)

    def wanted_height(self, width: int) -> int:
        """The longer list, or both where one stands under the other."""
        space = self.theme.space
        around = space(6) + 3 * space(2.5) + self.load.sizeHint().height() + 1
        around += 0 if self.search.isHidden() else space(8) + space(2.5)
        if width >= space(_BESIDE):
            half = (width - space(12)) // 2
            height = max(self.targets.height_at(half), self.drafts.height_at(half))
            height += self._row.heightForWidth(half) if self._row else 0
        else:
            height = sum(each.height_at(width - space(6)) for each in (self.targets, self.drafts))
        return around + max(height, space(40))

    # Filling -------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """The models are others than before."""
        if not self.isVisible():
            return
        if not self._library.models:
            self.targets.clear()
            self.drafts.clear()
            is_looking = self._library.is_looking
            words_ = self.tr("Looking …") if is_looking else self.tr("There is no model here yet.")
            self.targets.say(words_)
            self._tell_load()
            return
        kept = self.target.path if self.target else self._loaded_target()
        self._models = sorted(self._library.models, key=lambda model: not model.ok)
        self.targets.say("")
        self._names = told_apart(self._models)
        titles = [self._names[model.path] for model in self._models]
        held = self._find(kept)
        self.targets.offer(titles, self._as_target, held)
        self.search.setVisible(len(self._models) >= _MANY)
        self._filter()
        self._judge() if held is not None else self._suggest()

    def _as_target(self, number: int) -> Offer:
        model = self._models[number]
        reason = "" if model.ok else words.problem(model)
        return Offer(self._names[model.path], words.short_facts(model), reason)

    def _find(self, path: Path | None) -> int | None:
        """The number of the model at ``path``; None where it is not here or cannot be used."""
        same = (n for n, model in enumerate(self._models) if model.ok and model.path == path)
        return next(same, None)

    def _suggest(self) -> None:
        """Nothing is chosen yet: ask which target suits; the answer comes in a moment."""
        self._forget_job()
        self.drafts.clear()
        self.drafts.say(self.tr("Looking who may draft for it …"))
        self._job = self._library.suggest(self._take_suggested)
        self._tell_load()

    def _take_suggested(self, model: LocalModel | None) -> None:
        self._job = None
        self.drafts.say("")
        held = self._find(model.path if model else None)
        self.targets.offer(self.targets.titles, self._as_target, held)
        self._judge()

    def _loaded_target(self) -> Path | None:
        pair = self._life.pair
        return pair.target.absolute() if pair else None

    def _choose_target(self, _number: int) -> None:
        judged = self._drafts.target.path if self._drafts and self._job is None else None
        if self.target is None or self.target.path != judged:
            self._judge()

    def _judge(self) -> None:
        """Ask who may draft for the chosen target; the answer comes in a moment."""
        self._forget_job()
        self._is_wanted = False
        if self.target is None:
            self.drafts.clear()
        elif self._drafts is None or self._drafts.target.path != self.target.path:
            self.drafts.clear()
            self.drafts.say(self.tr("Looking who may draft for it …"))
        if self.target is not None:
            self._job = self._library.drafts(self.target, self._show_drafts)
        self._tell_load()

    def _forget_job(self) -> None:
        if self._job is not None:
            self._job.forget()
            self._job = None

    def _show_drafts(self, drafts: Drafts) -> None:
        self._job = None
        kept = self._held_draft(drafts)
        self._drafts = drafts
        self._offered = [None, *drafts.partners]
        self.drafts.say("")
        paths = [partner.model.path if partner else None for partner in self._offered]
        none = self.tr("No draft")
        titles = [self._name(partner.model) if partner else none for partner in self._offered]
        self.drafts.offer(titles, self._as_draft, paths.index(kept) if kept in paths else 0)
        self._offer(drafts.recommended)
        self._filter()
        self._tell_load()
        self.place()
        if self._is_wanted:
            self._load()

    def _held_draft(self, drafts: Drafts) -> Path | None:
        """What is to be chosen among ``drafts``: as it was, as it is loaded, or the best."""
        before = self._drafts
        if before is not None and before.target.path == drafts.target.path and self.pair:
            return self.pair.draft
        loaded = self._life.pair
        if loaded is not None and loaded.target.absolute() == drafts.target.path:
            return loaded.draft.absolute() if loaded.draft else None
        return drafts.best.path if drafts.best else None

    def _as_draft(self, number: int) -> Offer:
        partner = self._offered[number]
        if partner is None:
            return Offer(self.tr("No draft"), self.tr("The target writes alone, token by token"))
        model = partner.model
        worth = words.worth(partner.worth) if partner.worth else ""
        reason = "" if partner.ok else words.why_not(partner)
        return Offer(self._name(model), words.short_facts(model), reason, worth)

    def _name(self, model: LocalModel) -> str:
        return self._names.get(model.path, model.name)  # it may have gone since it was judged

    def _offer(self, model: CatalogueModel | None) -> None:
        """The draft that goes with the target and is not here yet, to be fetched."""
        self._recommended.hide()
        if self._row is not None:
            self._row.hide()
            self._row.deleteLater()
            self._row = None
        if model is None or self.target is None:
            return
        target = self.target
        row = Row(self.theme, model.title, self.tr("The draft that goes with this target"))
        button = row.button(self.tr("Fetch it ({size})").format(size=numbers.size(model.size)))
        button.clicked.connect(lambda: self._fetch(model, target))
        self._offer_row.addWidget(row)
        self._row = row
        self._recommended.show()

    # Doing ---------------------------------------------------------------------------------------

    def _filter(self) -> None:
        self.targets.filter(self.search.text().strip())
        self.place()

    def _tell_load(self) -> None:
        """What the button does now, and whether there is anything to do."""
        pair, loaded = self.pair, self._life.pair
        is_held = self._life.life in (Life.READY, Life.LOADING) and pair == _absolute(loaded)
        self.load.setEnabled(pair is not None and not is_held and self._job is None)
        self.load.setText(self.tr("In use") if is_held and pair else self.tr("Use these"))
        if pair is not None and pair.draft is None and not is_held:
            self.load.setText(self.tr("Use it without a draft"))
        self.unload.setVisible(self._life.ready is not None)

    def _tell_look(self, done: int, name: str) -> None:
        if self.isVisible() and not self._models:
            self.targets.say(words.looking(done, name))

    def _load(self) -> None:
        """At once, or as soon as it is known who may draft for the target."""
        self._is_wanted = self._job is not None
        if self.load.isEnabled() and self.pair is not None:
            pair = self.pair
            self.close_quietly()
            self.chosen.emit(pair)

    def _fetch(self, model: CatalogueModel, target: LocalModel) -> None:
        self.close_quietly()
        self.fetched.emit(model, target)

    def _unload(self) -> None:
        self.close_quietly()
        self._life.unload()

    def _show_page(self) -> None:
        self.close_quietly()
        self.models_wanted.emit()


def _absolute(pair: Pair | None) -> Pair | None:
    if pair is None:
        return None
    return Pair(pair.target.absolute(), pair.draft.absolute() if pair.draft else None)
