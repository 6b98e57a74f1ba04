"""What a person does to messages that are there: each can be undone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.cards import Undo
from app.chat.model import ASSISTANT, USER
from app.history import Entry, State
from app.phases import Mode
from app.session import Session
from app.versions import Versions
from engine.errors import ForewordError, HistoryGone
from engine.protocol import SPECULATIVE


class Edits(QObject):
    """Regenerate, edit, continue and delete, in the open conversation.

    Attributes:
        versions: Those of the last reply.

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
        self.versions = Versions(session, self)

    def regenerate(self, entry: int) -> None:
        """Answer the message before a reply anew; the reply stays as another version, what came
        after it goes."""
        prompt = self._message_before(entry)
        if prompt is None or not self._session.may_ask():
            return
        with self._conversations.telling():
            self._session.check(prompt.conversation)
            variants, there = self._session.variants, len(self._store.versions(entry))
            variants[prompt.id] = max(variants[prompt.id] + 1, there)  # not one that is there
            done = self.tr("The reply is being written anew.")
            self._answer_anew(done, prompt)

    def edit(self, entry: int, text: str) -> bool:
        """Change a message. The user's is answered anew, or at last. False where the text is not
        taken: then the message says what it did."""
        if not self._session.may_ask():
            return False
        is_taken = False
        with self._conversations.telling():
            old = self._at_rest(entry)
            is_changed = text != old.content
            if old.role != USER:
                if is_changed:
                    self._edit_reply(old, text)
                return True
            if not is_changed and self._reply_to(old) is not None:
                return True
            self._session.check(old.conversation)
            done = self.tr("The message is being answered.")
            if is_changed:
                done = self.tr("The message was changed.")
            take_back = self._made_room(old, text if is_changed else None)
            is_taken = True
            self._answer(done, self._store.entry(entry), take_back, is_changed=is_changed)
        return is_taken

    def go_on(self, entry: int) -> None:
        """Go on with a reply that was stopped or cut, where it is the last message."""
        if self._session.may_ask():
            with self._conversations.telling():
                reply = self._at_rest(entry)
                if not self._store.entries(reply.conversation, since=entry + 1):
                    self._session.check(reply.conversation)
                    self._session.keep(SPECULATIVE)
                    self._session.reply(reply)

    def delete(self, entry: int) -> None:
        """Delete a message that is not being written. Of a reply, the version that is shown goes,
        and the newest of the others stands in its place."""
        if entry in self._session.being_written():
            return
        with self._conversations.telling():
            within = self._store.shown(entry).conversation
            others = [each for each in self._store.versions(entry) if each != entry]
            if others:
                self._delete_version(entry, others[-1])
                return
            self._store.remove([entry])
            self._offer(
                self.tr("The message is deleted."),
                lambda: self._store.restore_entries([entry]),
                within,
            )
            self.removed.emit([entry])

    def delete_conversation(self, conversation: int) -> None:
        """Delete a conversation; what is being written in it is stopped."""
        if any(self._is_in(entry, conversation) for entry in self._session.being_written()):
            self._session.stop()
        self._conversations.delete(conversation)

    def compare_last(self) -> None:
        """Answer the last message of the user's both ways; its reply stays as another version."""
        session = self._session
        if not session.can_speculate or not session.may_ask():
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
        """Raises HistoryUnsaved."""

        def back() -> None:
            self._store.update(old.id, content=old.content, tokens=old.tokens, sources=old.sources)

        self._store.update(old.id, content=text, tokens=(), sources=None)
        self._offer(self.tr("The reply was changed."), back, old.conversation)
        self._conversations.opened.emit()

    def _delete_version(self, entry: int, other: int) -> None:
        def back() -> None:
            with self._store.whole():
                self._store.restore_entries([entry])
                self._store.choose(entry)

        self._store.give_way(entry, other)
        within = self._store.entry(entry).conversation
        self._offer(self.tr("This version of the reply is deleted."), back, within)
        self.versions.tell(other, in_place_of=entry)

    def _answer_anew(
        self, done: str, prompt: Entry, back: Callable[[], None] = lambda: None
    ) -> None:
        """Answer ``prompt`` in place of all that came after it. Its reply is kept as another
        version. ``back``: what an undo does besides. Raises HistoryUnsaved."""
        room_taken_back = self._made_room(prompt)

        def take_back() -> None:
            room_taken_back()
            back()

        self._answer(done, prompt, take_back)

    def _made_room(self, prompt: Entry, text: str | None = None) -> Callable[[], None]:
        """Take away all that came after ``prompt``, which is to say ``text``, where it is changed;
        else its reply stays as another version. Returns what brings all back. Either is done whole
        or not at all. Raises HistoryUnsaved."""
        store = self._store

        def take_back() -> None:
            with store.whole():
                self._session.withdraw(prompt)
                store.restore_entries(there)
                if reply is not None:
                    store.choose(reply.id)
                if text is not None:
                    store.update(prompt.id, content=prompt.content)

        others, reply = store.aside(prompt.id), self._reply_to(prompt)
        there = [*others, *([] if reply is None else [reply.id])]
        with store.whole():
            if text is not None:
                store.update(prompt.id, content=text)
                store.remove(others)
            if reply is None or text is not None or not reply.content.strip():
                there += store.truncate_after(prompt.id)
            else:
                there += store.set_aside(reply.id, prompt.id)
        return take_back

    def _answer(
        self, done: str, prompt: Entry, take_back: Callable[[], None], *, is_changed: bool = False
    ) -> None:
        """Answer ``prompt``, after which there is room. Raises HistoryUnsaved."""
        self._conversations.opened.emit()
        # Offered first: an answer that cannot be begun must not cost what was there.
        self._offer(done, take_back, prompt.conversation)
        try:
            self._session.answer(prompt)
        except ForewordError:
            if not is_changed:
                take_back()
                self._conversations.opened.emit()
            raise

    def _at_rest(self, entry: int) -> Entry:
        """A message that is shown, and that no other window writes: it would write over what is
        done to it here. Raises HistoryGone, HistoryUnsaved."""
        if entry in self._session.grown():  # the disk refuses its end: it is ours nevertheless
            self._session.save_refused()
        found = self._store.shown(entry)
        if found.state is State.WRITING:
            raise HistoryGone(f"entry {entry} is being written")
        return found

    def _reply_to(self, prompt: Entry) -> Entry | None:
        """The reply that follows a message."""
        later = self._store.entries(prompt.conversation, since=prompt.id + 1)
        return later[0] if later and later[0].role == ASSISTANT else None

    def _offer(self, done: str, take_back: Callable[[], None], within: int) -> None:
        def undo() -> None:
            take_back()
            self._conversations.opened.emit()

        self.undoable.emit(Undo(done, undo, within))

    def _message_before(self, entry: int) -> Entry | None:
        """The message of the user's that a reply answers."""
        with self._conversations.telling():
            conversation = self._store.shown(entry).conversation
            before = self._store.entries(conversation, before=entry + 1)
            return next((each for each in reversed(before) if each.role == USER), None)
        return None
