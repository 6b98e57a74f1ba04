"""The conversations: which one is open, what was typed in it, and what can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.cards import Card, Undo
from app.drafts import Drafts, Rows
from app.history import Conversation, Hit, Store
from app.telling import Telling
from engine.errors import ForewordError, HistoryGone, HistoryUnread, HistoryUnsaved

_DRAFT_EVERY = 700  # milliseconds of rest after which what was typed is kept


class Conversations(QObject):
    """The history as the window uses it. Whatever the disk refuses becomes a card.

    Attributes:
        store: Where they are kept.
        drafts: What was typed and has no place there.
        current: The open one; None for a new one, which is made with its first message.

    Signals:
        listed: The list is other than before: its order, its titles.
        leaving: Another one is about to be opened: what was typed is to be told now.
        opened: Another one is open now, or the open one is to be shown anew.
        trouble: A Card.
        made_one: The new one exists from now on (its id), and is open still.
        returned: What the open one's draft holds is to be shown: more than was typed.
        undoable: An Undo, for a while.
        closing: The last of it was written: the history closes.
    """

    listed = Signal()
    leaving = Signal()
    opened = Signal()
    made_one = Signal(int)
    returned = Signal()
    closing = Signal()
    trouble = Signal(object)
    undoable = Signal(object)

    def __init__(self, store: Store, drafts: Drafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.current: Conversation | None = None
        self.drafts = drafts
        self._draft: str | None = None
        self._unkept: dict[int, str] = {}  # by conversation: drafts that the disk does not have
        drafts.tell = self._tell_refused
        drafts.settle(is_first=store.is_first)
        self._rest = QTimer(self, singleShot=True, interval=_DRAFT_EVERY)
        self._rest.timeout.connect(self.keep_draft)

    @property
    def draft(self) -> str:
        """What was typed in the open one and not sent yet."""
        return self.current.draft if self.current else self.drafts.text

    @property
    def unsent(self) -> str:
        """What stands in the box of the open one, as far as is known."""
        return self.draft if self._draft is None else self._draft

    # Opening -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open a new one."""
        self._leave()
        self.current = None
        self.opened.emit()

    def open(self, conversation: int) -> None:
        """Open one of the list."""
        self._leave()
        with self.telling():
            self.current = self._with_typed(self.store.listed(conversation))
            self.opened.emit()

    def made(self) -> Conversation:
        """The open one, which exists from now on, with what was typed. Raises HistoryUnsaved."""
        if self.current is None:
            made, text = self.store.create(), self.drafts.text
            if text:
                self.store.set_draft(made.id, text)
            self.current = replace(made, draft=text)
            self.drafts.move(made.id)
            self.made_one.emit(made.id)
        return self.current

    def refresh(self) -> None:
        """Read the open one's title and settings again, and tell that the list has changed."""
        if self.current is not None:
            with self.telling():
                self.current = self._with_typed(self.store.conversation(self.current.id))
        self.listed.emit()

    # Changing ------------------------------------------------------------------------------------

    def rename(self, conversation: int, title: str) -> None:
        """Give it another title; an empty one is made from its first message."""
        with self.telling():
            self.store.listed(conversation)  # one that another window deleted is told
            self.store.rename(conversation, title)
            self.refresh()

    def delete(self, conversation: int) -> None:
        """Delete it, for as long as nobody undoes it."""
        is_open = self.current is not None and self.current.id == conversation
        if is_open:
            self._leave()
        with self.telling():
            title = self.store.conversation(conversation).title
            self.store.delete(conversation)
            if is_open:
                self.current = None
                self.opened.emit()
            self.listed.emit()
            deleted = self.tr("“{title}” is deleted.").format(title=title or self.tr("New chat"))
            self.undoable.emit(Undo(deleted, lambda: self._restore(conversation)))

    def set_system(self, text: str) -> None:
        """Set what the model is told before the open one."""
        with self.telling():
            self.store.set_system(self.made().id, text)
            self.refresh()

    def set_settings(self, settings: Mapping[str, Any]) -> None:
        """Set what of the settings is different in the open one."""
        with self.telling():
            self.store.set_settings(self.made().id, settings)
            self.refresh()

    def _restore(self, conversation: int) -> None:
        """Raises HistoryUnsaved."""
        self.store.restore(conversation)
        self.listed.emit()
        self.open(conversation)

    # What is typed -------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Something was typed; it is kept when the typing rests."""
        if text != self.unsent:
            self._draft = text
            self._rest.start()

    def keep_draft(self) -> None:
        """Keep what was typed, now."""
        self._rest.stop()
        text, self._draft = self._draft, None
        if text is not None and self.current is None:
            self.drafts.keep_text(text)
        elif text is not None and self.current is not None:
            self.current = replace(self.current, draft=text)
            self._unkept[self.current.id] = text
        with self.telling():
            for conversation, draft in list(self._unkept.items()):
                is_open = self.current is not None and self.current.id == conversation
                self.store.set_draft(conversation, draft, is_typed=is_open)
                del self._unkept[conversation]

    def give_back(self, conversation: int, text: str, attachments: Rows) -> None:
        """A message that no reply can follow waits in its conversation again, before what was typed
        since. Raises HistoryUnsaved."""
        self._leave()  # what is in the box is told and kept first
        since = self._with_typed(self.store.conversation(conversation)).draft
        draft = "\n\n".join(filter(None, (text, since)))
        self.store.set_draft(conversation, draft)
        self._unkept.pop(conversation, None)
        self.drafts.keep(conversation, [*attachments, *self.drafts.attachments(conversation)])
        if self.current is not None and self.current.id == conversation:
            self.current = replace(self.current, draft=draft)
            self.returned.emit()

    # Finding, taking elsewhere -------------------------------------------------------------------

    def search(self, text: str) -> list[Hit]:
        """Where something is found."""
        with self.telling():
            return self.store.search(text)
        return []

    def take_in(self, text: bytes) -> bool:
        """Add an exported conversation and open it; False where it is refused."""
        with self.telling():
            added = self.store.import_json(text)
            self.listed.emit()
            self.open(added.id)
            return True
        return False

    def undo(self, undo: Undo) -> None:
        """Take back what was done. Where the disk refuses it now, it is offered again."""

        def tell(error: ForewordError) -> None:
            self._tell(error)
            if isinstance(error, HistoryUnsaved):
                self.undoable.emit(undo)

        with Telling(tell):
            undo.take_back()

    def close(self) -> None:
        """Everything is on the disk after this."""
        self._leave()
        self.drafts.save_refused()
        self.closing.emit()
        self._forget_gone()
        self.store.close()

    def _leave(self) -> None:
        self.leaving.emit()
        self.keep_draft()

    def _with_typed(self, found: Conversation) -> Conversation:
        """With what was typed in it, be that on the disk or not."""
        return replace(found, draft=self._unkept.get(found.id, found.draft))

    def _forget_gone(self) -> None:
        """What was to go with a message of a conversation that is deleted goes for good with it."""
        if self.store.saved and self.store.is_alone():  # else it is not known which there are
            with suppress(HistoryUnread):
                self.drafts.keep_only({each.id for each in self.store.conversations()})

    def _tell_refused(self, error: ForewordError) -> None:
        if self.store.saved:  # else it was said at the start that nothing is kept
            self.trouble.emit(Card.of(error))

    def telling(self) -> Telling:
        """A block in which whatever is refused becomes a card."""
        return Telling(self._tell)

    def _tell(self, error: ForewordError) -> None:
        self.trouble.emit(Card.of(error))
        if isinstance(error, HistoryGone):
            self.listed.emit()  # what is there now
