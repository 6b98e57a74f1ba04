"""What a person does to messages that are there: each can be undone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.cards import Undo
from app.chat.model import USER
from app.history import Entry
from app.phases import Mode, Phase
from app.session import Session
from engine.protocol import SPECULATIVE


class Edits(QObject):
    """Regenerate, edit, continue and delete, in the open conversation.

    Signals:
        removed: Messages are gone (a list of entries' ids).
        undoable: An Undo, for a while.
    """

    removed = Signal(list)
    undoable = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._conversations = session.conversations
        self._store = session.conversations.store

    def regenerate(self, entry: int) -> None:
        """Answer the message before a reply anew; the reply goes, and all that came after it."""
        prompt = self._message_before(entry)
        if prompt is None or self._session.phase is not Phase.READY:
            return
        with self._conversations.telling():
            self._session.check(prompt.conversation)
            self._session.variants[prompt.id] += 1
            done = self.tr("The reply is being written anew.")
            self._answer_anew(done, prompt, lambda: None)

    def edit(self, entry: int, text: str) -> None:
        """Change a message. The user's is answered anew."""
        old = self._store.entry(entry)
        if text == old.content or self._session.phase is not Phase.READY:
            return
        if old.role != USER:
            self._edit_reply(old, text)
            return
        with self._conversations.telling():
            self._session.check(old.conversation)
            self._store.update(entry, content=text)
            back = lambda: self._store.update(entry, content=old.content)  # noqa: E731
            changed = self._store.entry(entry)
            self._answer_anew(self.tr("The message was changed."), changed, back)

    def go_on(self, entry: int) -> None:
        """Go on with a reply that was stopped or cut, where it is the last message."""
        if self._session.phase is Phase.READY:
            with self._conversations.telling():
                reply = self._store.entry(entry)
                if not self._store.entries(reply.conversation, since=entry + 1):
                    self._session.check(reply.conversation)
                    self._session.keep(SPECULATIVE)
                    self._session.reply(reply)

    def delete(self, entry: int) -> None:
        """Delete a message that is not being written."""
        if entry in self._session.being_written():
            return
        with self._conversations.telling():
            self._store.remove([entry])
            self._offer(
                self.tr("The message is deleted."),
                lambda: self._store.restore_entries([entry]),
                self._store.entry(entry).conversation,
            )
            self.removed.emit([entry])

    def delete_conversation(self, conversation: int) -> None:
        """Delete a conversation; what is being written in it is stopped."""
        if any(self._is_in(entry, conversation) for entry in self._session.being_written()):
            self._session.stop()
        self._conversations.delete(conversation)

    def compare_last(self) -> None:
        """Answer the last message of the user's both ways; what came after it goes."""
        session = self._session
        if session.phase is not Phase.READY or not session.can_speculate:
            return
        with self._conversations.telling():
            prompt, before = self._last_message(), session.mode
            if prompt is not None:
                session.check(prompt.conversation)
            session.choose_mode(Mode.COMPARE)
            if prompt is not None:
                done = self.tr("The last message is being answered both ways.")
                self._answer_anew(done, prompt, lambda: session.choose_mode(before))

    def _last_message(self) -> Entry | None:
        current = self._conversations.current
        entries = self._store.entries(current.id) if current else []
        return next((each for each in reversed(entries) if each.role == USER), None)

    def _is_in(self, entry: int, conversation: int) -> bool:
        with self._conversations.telling():
            return self._store.entry(entry).conversation == conversation
        return False

    def _edit_reply(self, old: Entry, text: str) -> None:
        def back() -> None:
            self._store.update(old.id, content=old.content, tokens=old.tokens, sources=old.sources)

        with self._conversations.telling():
            self._store.update(old.id, content=text, tokens=(), sources=None)
            self._offer(self.tr("The reply was changed."), back, old.conversation)
            self._conversations.opened.emit()

    def _answer_anew(self, done: str, prompt: Entry, back: Callable[[], None]) -> None:
        """Answer ``prompt`` in place of all that came after it. Raises HistoryUnsaved."""

        def take_back() -> None:
            self._session.withdraw(prompt)
            self._store.restore_entries(removed)
            back()

        removed = self._store.truncate_after(prompt.id)
        self._conversations.opened.emit()
        if removed:  # offered first: an answer that cannot be begun must not cost what was there
            self._offer(done, take_back, prompt.conversation)
        self._session.answer(prompt)

    def _offer(self, done: str, take_back: Callable[[], None], within: int) -> None:
        def undo() -> None:
            take_back()
            self._conversations.opened.emit()

        self.undoable.emit(Undo(done, undo, within))

    def _message_before(self, entry: int) -> Entry | None:
        """The message of the user's that a reply answers."""
        with self._conversations.telling():
            conversation = self._store.entry(entry).conversation
            before = self._store.entries(conversation, before=entry + 1)
            return next((each for each in reversed(before) if each.role == USER), None)
        return None
