"""The search of the Hub: repositories, and what one holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.icons import icon
from app.jobs import Job, Jobs
from app.models import words
from app.models.finding import Finding
from app.models.room import Models
from app.models.row import Row
from app.models.section import Section
from app.models.token_field import TOKEN_HELPS, TokenField
from app.panel import numbers
from app.sentences import translated
from app.theme import Role, Theme
from engine.errors import ForewordError, RepoGated
from engine.machine import Machine
from engine.models.download import installed
from engine.models.downloads import State
from engine.models.fits import fits_roughly
from engine.models.item import place
from engine.models.listing import Found, Repository
from engine.models.variants import Variant
from engine.models.wanted import USUAL


class HubSection(Section):
    """Nothing is contacted before a person presses Return or the button.

    Signals:
        fetched: The Item that a person wants.
    """

    fetched = Signal(object)

    def __init__(self, theme: Theme, models: Models, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._jobs = models.jobs
        self._job: Job | None = None
        self._library, self._surveyor = models.library, models.surveyor
        self._fetches = models.fetches
        self.finding = Finding(models.jobs, self)
        self._found: list[Found] = []
        self._open: Repository | None = None
        self._asked = ""
        self._question: Callable[[], None] | None = None
        self._build(models.jobs)
        self._introduce()
        self.finding.began.connect(self._wait)
        self.finding.found.connect(self._show_found)
        self.finding.opened.connect(self._look_here)
        self.finding.failed.connect(self._show_failure)
        models.fetches.arrived.connect(lambda _status: self._show_again())
        models.fetches.cleared.connect(self._show_again)

    def open(self, repo: str) -> None:
        """Look what a repository holds."""
        self._asked = repo
        self._ask(lambda: self.finding.open(repo))

    def ask_for_token(self, error: ForewordError, again: Callable[[], None]) -> None:
        """Say why a download is refused, and take a token for it. ``again``: called with it."""
        self._give_up()
        self._question, self._open = again, None
        self.token.explain(
            translated(error.code, error.sentence), str(error.fields.get("page", ""))
        )
        self.token.line.setFocus()

    # Building ------------------------------------------------------------------------------------

    def _build(self, jobs: Jobs) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        self.line = QLineEdit()
        hint = self.tr("Name of a model, or OWNER/REPOSITORY")
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(self.tr("Search the Hugging Face Hub"))
        self.line.setClearButtonEnabled(True)
        self.line.addAction(
            icon(self.theme, "search", Role.FAINT), QLineEdit.ActionPosition.LeadingPosition
        )
        self.line.returnPressed.connect(self._search)
        self.go = QPushButton(self.tr("Search the Hub"))
        self.go.setProperty("look", "primary")
        self.go.clicked.connect(self._search)
        row.addWidget(self.line, 1)
        row.addWidget(self.go)
        self.token = TokenField(self.theme, jobs)
        self.token.hide()
        self.token.given.connect(self._ask_again)
        self.column.addWidget(line)
        self.column.addWidget(self.token)

    def _introduce(self) -> None:
        self.clear(keep=2)
        self.say(
            self.tr(
                "The Hugging Face Hub is asked when you press Return, and at no other time. It "
                "then learns your internet address and what you looked for."
            )
        )

    # Asking --------------------------------------------------------------------------------------

    def _search(self) -> None:
        text = self.line.text().strip()
        if text:
            self._asked = text
            self._surveyor.ask()
            self._ask(lambda: self.finding.search(text))

    def _ask(self, question: Callable[[], None]) -> None:
        self._forget_look()
        self._question, self._open = question, None
        question()

    def _ask_again(self) -> None:
        self.token.hide()
        if self._question is not None:
            self._ask(self._question)

    def _wait(self) -> None:
        self.token.hide()
        self.clear(keep=2)
        self.say(self.tr("Asking the Hub …"))
        stop = self.button(self.tr("Stop asking"))
        stop.clicked.connect(self._give_up)

    def _give_up(self) -> None:
        self._forget_look()
        self._open = None
        self.finding.cancel()
        self._introduce()

    def _show_failure(self, error: ForewordError) -> None:
        self.clear(keep=2)
        sentence = translated(error.code, error.sentence)
        if isinstance(error, TOKEN_HELPS):
            self.token.explain(sentence, str(error.fields.get("page", "")))
        else:
            self.say(sentence, Role.DANGER)
            self.button(self.tr("Try again")).clicked.connect(self._ask_again)
        self._offer_way_back()

    # Repositories --------------------------------------------------------------------------------

    def _show_found(self, found: list[Found]) -> None:
        self._forget_look()
        self._found, self._open = found, None
        self.clear(keep=2)
        if not found:
            told = self.tr("The Hub has no GGUF models by the name of “{text}”.")
            self.say(told.format(text=self._asked))
            return
        self.head(self.tr("REPOSITORIES WITH GGUF FILES, THE MOST FETCHED FIRST"))
        self.list([self._repository(each) for each in found])

    def _repository(self, found: Found) -> Row:
        weights = words.parameters(found.parameters) if found.parameters else ""
        updated = self.tr("changed {date}").format(date=found.updated) if found.updated else ""
        row = Row(
            self.theme,
            found.repo,
            words.joined(
                weights,
                found.architecture,
                self._downloads(found.downloads),
                self._likes(found.likes),
                words.licence(found.licence, gated=found.gated),
                updated,
            ),
        )
        files = row.button(self.tr("Files"))
        files.clicked.connect(lambda: self.open(found.repo))
        page = row.icon("external", self.tr("Open its page"))
        page.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(found.page)))
        return row

    def _downloads(self, count: int) -> str:
        words = self.tr("1 download") if count == 1 else self.tr("{n} downloads")
        return words.format(n=numbers.whole(count))

    def _likes(self, count: int) -> str:
        words = self.tr("1 like") if count == 1 else self.tr("{n} likes")
        return words.format(n=numbers.whole(count))

    # One repository ------------------------------------------------------------------------------

    def _show_again(self) -> None:
        if self._open is not None and not self.finding.is_asking:
            self._look_here(self._open)

    def _look_here(self, there: Repository) -> None:
        """Ask the disk which of its models are here already, and show it."""
        self._forget_look()
        self._open = there
        folder = self._library.folder

        def work(_job: Job) -> tuple[Machine, set[str]]:
            here = {each.name for each in there.variants if _is_here(each, folder)}
            return self._surveyor.machine(folder), here

        def done(told: tuple[Machine, set[str]]) -> None:
            self._job = None
            self._show_repository(there, *told)

        def failed(error: ForewordError) -> None:
            self._job = None
            self._show_failure(error)

        self._job = self._jobs.start(work, done=done, failed=failed)

    def _forget_look(self) -> None:
        if self._job is not None:
            self._job.forget()
            self._job = None

    def _show_repository(self, there: Repository, machine: Machine, here: set[str]) -> None:
        self.clear(keep=2)
        self._offer_way_back()
        licence = words.licence(there.licence, gated=there.gated)
        title = Row(self.theme, there.repo, licence or self.tr("It names no licence."))
        page = title.button(self.tr("Open its page"))
        page.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(there.page)))
        self.list([title])
        if there.gated:
            sentence = RepoGated(repo=there.repo, page=there.page)
            self.token.explain(translated(sentence.code, sentence.sentence), there.page)
        if not there.variants:
            self.say(self.tr("It holds no GGUF model."))
            return
        for name in dict.fromkeys(each.quantisation for each in there.variants):
            self.head(name or self.tr("OTHER FILES"))
            group = [each for each in there.variants if each.quantisation == name]
            self.list([self._variant(v, machine, is_here=v.name in here) for v in group])

    def _variant(self, variant: Variant, machine: Machine, *, is_here: bool) -> Row:
        fits = fits_roughly(variant.size, machine)
        count = self.tr("{n} files").format(n=len(variant.files)) if len(variant.files) > 1 else ""
        usual = self.tr("the usual choice") if variant.quantisation == USUAL else ""
        row = Row(
            self.theme,
            variant.name,
            words.joined(
                numbers.size(variant.size), count, words.size_verdict(variant.size, machine), usual
            ),
            "" if variant.is_whole else self.tr("Some of its parts are missing in the repository."),
        )
        if not fits:
            row.facts.set_role(Role.FAINT)
        if is_here:
            row.button(self.tr("Here")).setEnabled(False)
        elif self._is_coming(variant):
            row.button(self.tr("In the downloads")).setEnabled(False)
        elif variant.is_whole:
            fetch = row.button(self.tr("Download"))
            fetch.clicked.connect(lambda: self._fetch(variant, fetch))
        return row

    def _is_coming(self, variant: Variant) -> bool:
        status = self._fetches.of(variant.item)
        return status is not None and status.state is not State.DONE

    def _fetch(self, variant: Variant, button: QPushButton) -> None:
        button.setEnabled(False)
        button.setText(self.tr("In the downloads"))
        self.fetched.emit(variant.item)

    def _offer_way_back(self) -> None:
        if self._found:
            back = self.button(self.tr("Back to what was found"))
            back.setIcon(icon(self.theme, "chevron-left", Role.SECONDARY))
            back.clicked.connect(lambda: self._show_found(self._found))


def _is_here(variant: Variant, folder: Path) -> bool:
    where = place(variant.item, folder)
    return all(installed(file, where) for file in variant.files)
