"""The chat itself: what was said, what went wrong, and the box to write in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app.cards import Card, Undo
from app.chat.composer import Composer, ComposerState
from app.chat.controls import once, page_width
from app.chat.figures import figures_line
from app.chat.model import COMPLETE, LENGTH, USER, Attachment, EntryView
from app.chat.pager import version_words
from app.chat.transcript import Transcript
from app.compare.view import CompareView
from app.compare.words import promise
from app.contest import Contest
from app.counting import Counting
from app.edits import Edits
from app.firststart import FirstStart
from app.models.room import Models
from app.notices import CardBar, UndoBar
from app.phases import Mode, Phase
from app.replies import Reply
from app.sentences import translated
from app.session import Session
from app.theme import Theme
from engine.protocol import SPECULATIVE, Compared, Done, Emitted, Event, Loading, Prompt

_ASKED = "https", "http"
_EDITS_EVERY = 700  # milliseconds of rest after which messages that are being changed are kept
_MOVES = QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move, QEvent.Type.Resize


class ChatPane(QWidget):
    """Transcript, comparison or first start above; cards and the composer below.

    Signals:
        announced: A sentence for screen readers.
        dropped: Files that were dropped on the composer, or pasted into it (paths).
    """

    announced = Signal(str)
    dropped = Signal(list)

    def __init__(
        self,
        theme: Theme,
        session: Session,
        edits: Edits,
        models: Models,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._session = session
        self._conversations = session.conversations
        self._edits = edits
        self._versions = edits.versions
        self._shift = 0  # tokens of the reply under way that the transcript does not know
        self._opened: int | None = None
        self._lacks_models = False  # none could be loaded at the start, and none was since
        self._is_empty = True
        self._edits_rest = once(self, _EDITS_EVERY, self._keep_edits)
        self.transcript = Transcript(theme)
        self.compare = CompareView(theme)
        self.first = FirstStart(theme, models)
        self.cards = CardBar(theme)
        self.composer = Composer(theme)
        self.undo_bar = UndoBar(theme, self)
        self.counting = Counting(session, self)
        self._lay_out()
        self._connect()
        self._show_draft()
        self.reload()
        self.refresh()

    def _lay_out(self) -> None:
        self.stack = QStackedWidget()
        for page in (self.transcript, self.compare, self.first):
            self.stack.addWidget(page)
        # Where the window is low and the letters large, a card's words come first.
        self.stack.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._card_row = QHBoxLayout()
        self._card_row.addWidget(self.cards)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack, 1)
        column.addLayout(self._card_row)
        column.addWidget(self.composer)
        for floor in (self.cards, self.composer):
            floor.installEventFilter(self)

    def _connect(self) -> None:
        session, transcript, edits = self._session, self.transcript, self._edits
        self.composer.send.connect(self._send)
        self.composer.stop.connect(session.stop)
        # Among what is dropped here may be a model, which is no attachment.
        self.composer.box.dropped.disconnect(self.composer.attach_files)
        self.composer.box.dropped.connect(self.dropped)
        self.composer.draft_changed.connect(self._note_draft)
        self.counting.counted.connect(self.composer.set_counts)
        transcript.regenerate.connect(edits.regenerate)
        transcript.edit.connect(self._edit)
        transcript.edits_changed.connect(self._edits_rest.start)
        transcript.continue_.connect(edits.go_on)
        transcript.delete.connect(edits.delete)
        transcript.turn.connect(edits.versions.turn)
        transcript.told.connect(self.announced)
        transcript.link_activated.connect(_open_link)
        transcript.focus_left.connect(self.composer.focus)
        self.compare.keep.connect(session.keep)
        self.compare.again.connect(lambda gamma, exact: session.compare_again(gamma, exact=exact))
        self.compare.exact_chosen.connect(session.choose_exact)
        self.compare.stop.connect(session.stop)
        self.compare.link_activated.connect(_open_link)
        self._conversations.leaving.connect(self._keep_draft)
        self._conversations.opened.connect(self.reload)
        self._conversations.made_one.connect(self._note_made)
        self._conversations.returned.connect(self._show_draft)
        session.appended.connect(self._append)
        session.begun.connect(self._begin)
        session.told.connect(self._hear)
        session.finished.connect(self._finish)
        session.compared.connect(self._begin_contest)
        session.compare_failed.connect(self.compare.failed)
        session.changed.connect(self.refresh)
        session.card.connect(self.cards.show_card)
        self.cards.shown.connect(self._announce_card)
        self.cards.close_button.clicked.connect(session.board.put_away)
        edits.removed.connect(self._remove)
        edits.versions.turned.connect(self._show_version)
        edits.undoable.connect(self._offer_undo)
        self._conversations.undoable.connect(self._offer_undo)
        self.undo_bar.taken_back.connect(self._conversations.undo)

    def take(self, line: QWidget) -> None:
        """Another room has a line of its own to show above the composer."""
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(self.composer), line)

    def place_cards(self, below: QVBoxLayout | None = None) -> None:
        """Have the card at the end of ``below`` while a page lies over the chat; None: here."""
        edge = 0 if below is None else self._theme.space(4)
        self.cards.setContentsMargins(edge, edge, edge, edge)
        (self._card_row if below is None else below).addWidget(self.cards)
        self.cards.setVisible(self.cards.card is not None)

    # Showing how things stand --------------------------------------------------------------------

    def reload(self) -> None:
        """Show the open conversation, whatever is going on in it."""
        self._take_up_draft()
        views = self._session.views()
        self._is_empty = not views
        self.transcript.show_entries(views)
        self.composer.set_recall([view.text for view in views if view.role == USER])
        work = self._session.work
        if isinstance(work, Reply) and self._is_open(work.entry.conversation):
            self._shift = work.count
            self.transcript.begin_reply(work.entry.id)
        self.transcript.set_version(self._versions.shown)
        self._turn()

    def refresh(self) -> None:
        """Show what the engine is at."""
        phase = self._session.phase
        if self._session.life.ready is not None:
            self._lacks_models = False
        self.transcript.set_idle(phase is Phase.READY)
        will_compare = self._session.mode is Mode.COMPARE and self._session.can_speculate
        self.transcript.set_placeholder(promise() if will_compare else "")
        self.compare.hinder(self._hindrance(phase))
        self.composer.set_state(self._composer_state(phase))
        self.transcript.set_version(self._versions.shown)
        self._turn()

    def offer_models(self, folder: Path, note: str) -> None:
        """Offer models to be fetched into ``folder``, in place of an empty chat, until one is
        loaded; also after a load that came to nothing. ``note``: why there is none."""
        self.first.offer(folder, note)
        self._lacks_models = True
        self._turn()

    def _turn(self) -> None:
        contest = self._session.contest
        page: QWidget = self.transcript
        if contest is not None and self._is_open(contest.prompt.conversation):
            page = self.compare
        elif self._lacks_models and self._is_empty and self._session.phase is not Phase.LOADING:
            page = self.first
        self.stack.setCurrentWidget(page)
        self.composer.setVisible(page is not self.first)

    def _composer_state(self, phase: Phase) -> ComposerState:
        match phase:
            case Phase.READY:
                return ComposerState.idle()
            case Phase.REPLYING | Phase.COMPARING:
                return ComposerState.busy()
            case Phase.STOPPING:
                return ComposerState.stopping()
            case Phase.TUNING:
                words = self.tr("γ is being measured. Esc ends it.")
                return ComposerState.disabled(words)
            case Phase.LOADING:
                return ComposerState.disabled(self.tr("The models are being loaded."))
            case Phase.LOST:
                return ComposerState.disabled(self.tr("Reload the models to go on."))
        return ComposerState.disabled(self.tr("Choose a model first: press its name above."))

    def _hindrance(self, phase: Phase) -> str:
        """Why nothing can be compared now; "" where it can."""
        ready = self._session.life.ready
        if phase is not Phase.READY or ready is None:
            why = self._composer_state(phase).reason
            return why or self.tr("A reply is being written. Esc stops it.")
        if ready.verdict.ok:
            return ""
        sentence = self.tr("There is nothing to compare without a draft: {reason}.")
        reason = translated(ready.verdict.code, ready.verdict.reason).rstrip(".")
        return sentence.format(reason=reason)

    def edit_message(self, entry: int) -> None:
        """Let a person change what a message says, as its own button does."""
        if self.stack.currentWidget() is self.compare:
            self._session.keep(SPECULATIVE)
        self.transcript.edit_entry(entry)

    # What a person does --------------------------------------------------------------------------

    def _send(self, text: str, attachments: Sequence[Attachment]) -> None:
        if not self._session.send(text, attachments):
            self.composer.set_draft(text, attachments)

    def _edit(self, entry: int, text: str) -> None:
        if not self._edits.edit(entry, text):
            self.transcript.edit_entry(entry, text)

    def _note_draft(self, text: str) -> None:
        self._conversations.typed(text)
        self._keep_attachments()
        self.counting.typed(text, self.composer.attachments)

    def _keep_draft(self) -> None:
        """What is typed, and what goes with it, waits with its conversation; so do messages that
        are being changed."""
        self._conversations.typed(self.composer.text)
        self._keep_attachments()
        self._keep_edits()

    def _take_up_draft(self) -> None:
        current = self._conversations.current
        now = current.id if current else None
        if now != self._opened:
            self._opened = now
            self._show_draft()
            self.transcript.take_up_edits(self._conversations.drafts.edits(now))

    def _show_draft(self) -> None:
        conversations = self._conversations
        rows = conversations.drafts.attachments(self._opened)
        self.composer.set_draft(conversations.draft, [Attachment.of(row) for row in rows])

    def _note_made(self, conversation: int) -> None:
        """What is in the box goes with it."""
        self._opened = conversation
        self._keep_draft()

    def _keep_attachments(self) -> None:
        rows = [each.as_dict() for each in self.composer.attachments]
        self._conversations.drafts.keep(self._opened, rows)

    def _keep_edits(self) -> None:
        """A crash must not cost more than the last word of a message that is being changed."""
        self._edits_rest.stop()
        self._conversations.drafts.keep_edits(self._opened, self.transcript.edits)

    def _remove(self, entries: Sequence[int]) -> None:
        self.transcript.remove(entries)
        self.transcript.set_version(self._versions.shown)

    def _show_version(self, old: int, view: EntryView) -> None:
        self.transcript.show_version(old, view)
        if version := self._versions.shown:
            self.announced.emit(version_words(version))

    # What the engine does ------------------------------------------------------------------------

    def _append(self, conversation: int, view: EntryView) -> None:
        if view.role == USER:
            self.undo_bar.forget(conversation)
        if self._is_open(conversation):
            self._is_empty = False
            self.transcript.append(view)
            self._turn()

    def _begin(self, conversation: int, view: EntryView, _gamma: int) -> None:
        if view.text:  # an undo of what it goes on from would come to nothing
            self.undo_bar.forget(conversation)
        if self._is_open(conversation):
            self._shift = 0
            self.transcript.begin_reply(view.id)
            self._turn()

    def _begin_contest(self, contest: Contest) -> None:
        text = contest.prompt.content
        self.compare.begin(text, contest.gamma, contest.exact)
        self._turn()

    def _hear(self, event: Event) -> None:
        work = self._session.work
        if isinstance(work, Contest):
            self._hear_contest(work, event)
        elif isinstance(work, Reply) and self._is_open(work.entry.conversation):
            if isinstance(event, Emitted):
                pieces = event.pieces
                if self._shift:
                    pieces = [replace(each, token=each.token - self._shift) for each in pieces]
                self.transcript.write(work.entry.id, pieces, event.tokens)
            elif isinstance(event, Prompt) and event.total:
                percent = 100 * event.done // event.total
                words = self.tr("Reading the prompt: {percent} %").format(percent=percent)
                self.transcript.set_status(work.entry.id, words)

    def _hear_contest(self, contest: Contest, event: Event) -> None:
        match event:
            case Prompt():
                self.compare.prompt(event.lane, event.done, event.total)
            case Emitted():
                self.compare.emitted(event)
            case Done():
                self.compare.lane_done(event)
            case Compared():
                self.compare.result(event)
                if not contest.is_stopping:
                    self.announced.emit(self.tr("The comparison is finished"))
            case Loading():
                self.compare.loading(event.fraction)

    def _finish(self, conversation: int, view: EntryView, notes: Sequence[str]) -> None:
        if view.state in (COMPLETE, LENGTH):
            self.announced.emit(self.tr("The reply is finished"))
        if self._is_open(conversation):
            line = figures_line(view.figures)
            self.transcript.finish(view.id, view.state, line, notes)

    def _announce_card(self, card: Card) -> None:
        if card.is_trouble:
            self.announced.emit(card.sentence)

    # Measures ------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Cards are as wide as the text; the undo bar floats above them and the composer."""
        super().resizeEvent(event)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """What the undo bar floats above came, went or moved."""
        if event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        width = page_width(self._theme, self.width())
        side = max(0, (self.width() - width) // 2)
        is_elsewhere = self.cards.isHidden() or self.cards.parentWidget() is not self
        floor = self.composer if is_elsewhere else self.cards
        self.undo_bar.place(floor.y() - self._theme.space(2))
        self._card_row.setContentsMargins(side, self._theme.space(2), side, self._theme.space(1))

    def _offer_undo(self, undo: Undo) -> None:
        self.undo_bar.offer(undo)
        self._place()

    def _is_open(self, conversation: int) -> bool:
        current = self._conversations.current
        return current is not None and current.id == conversation


def _open_link(address: str) -> None:
    url = QUrl(address)
    if url.scheme() in _ASKED:
        QDesktopServices.openUrl(url)
