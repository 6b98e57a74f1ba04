"""The history of conversations: what the window asks of it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, Unpack

from app.history import exchange, markdown, versions
from app.history.database import insert
from app.history.find import MOST_HITS, find
from app.history.incoming import Incoming
from app.history.model import (
    Changes,
    Conversation,
    Entry,
    Extras,
    Hit,
    Said,
    State,
    one_line,
    title_of,
)
from app.history.opening import open_database
from app.history.rows import (
    CONVERSATION,
    ENTRY,
    SAID,
    clean,
    columns_of,
    conversation_of,
    dump,
    entry_of,
    said_of,
)
from app.history.versions import COUNTS
from engine.errors import HistoryGone

NOTHING: Mapping[int, Entry] = MappingProxyType({})

_LAST_WAIT_SECONDS = 0.5


class Store:
    """All conversations. Used by the thread that opened it; close it, or use it in a ``with``.

    What is deleted or removed can be restored until the store is closed, which forgets it for good
    (after a crash, the next start does; where several windows have it open, the last one to close).
    Every method that writes may raise HistoryUnsaved, every other HistoryUnread; an id that does
    not exist is HistoryGone. What is written in a conversation that another window deleted brings
    it back.

    Keeping a reply as it streams: ``add`` it with the state "writing", ``update`` its content
    twice a second (it costs a fraction of a millisecond, whatever came before), and its state,
    tokens and figures at the end. After a crash or a power cut it holds what it held less than a
    second before, and is "lost".
    """

    def __init__(self, path: Path) -> None:
        """Open or begin the history at ``path``. ``trouble``: what was wrong with the file."""
        self._database, self.trouble = open_database(path)

    @classmethod
    def open(cls, path: Path) -> tuple[Store, str | None]:
        """The history at ``path``, and a sentence where its file could not be used as it was.

        A damaged file, and one of a newer version, is set aside under another name. Where nothing
        can be saved, what can be read is there, and what is written lasts until the store closes.
        """
        store = cls(path)
        return store, store.trouble.sentence if store.trouble else None

    @property
    def saved(self) -> bool:
        """False where the history is in memory only."""
        return self._database.saved

    @property
    def is_first(self) -> bool:
        """Whether no other window had the history open when this one opened it."""
        return self._database.is_first

    def is_alone(self) -> bool:
        """Whether no other window has the history open. To be asked when it is about to close."""
        return self._database.is_alone()

    def close_soon(self) -> None:
        """The window is gone and there is no later try: wait for another process that is just
        writing."""
        self._database.wait_for_others(_LAST_WAIT_SECONDS)

    def close(self) -> None:
        """Everything is on the disk after this, and what was deleted is not."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """What is done in this block is done whole or not at all."""
        with self._database.writing():
            yield

    # Conversations ---------------------------------------------------------------------------

    def conversations(self) -> list[Conversation]:
        """All that are not deleted, the one with the newest message first."""
        rows = self._database.rows(
            f"SELECT {CONVERSATION} FROM conversations WHERE deleted IS NULL "
            "ORDER BY updated DESC, id DESC"
        )
        return [conversation_of(row) for row in rows]

    def conversation(self, conversation: int) -> Conversation:
        """One of them, be it deleted."""
        return conversation_of(self._database.one(CONVERSATION, "conversations", conversation))

    def listed(self, conversation: int) -> Conversation:
        """One of them that is not deleted: else it is HistoryGone."""
        columns = f"{CONVERSATION}, deleted"
        found = dict(self._database.one(columns, "conversations", conversation))
        if found.pop("deleted") is not None:
            raise HistoryGone(f"conversation {conversation} is deleted")
        return conversation_of(found)

    def create(self, title: str = "") -> Conversation:
        """A new one. Without a title it takes one from its first message."""
        now = time.time()
        columns = {"title": one_line(clean(title)), "created": now, "updated": now}
        with self._database.writing() as connection:
            number = insert(connection, "conversations", columns)
        return self.conversation(number)

    def rename(self, conversation: int, title: str) -> None:
        """Give it a title; an empty one is made from its first message."""
        title = one_line(clean(title)) or self._title_from_messages(conversation)
        self._change(conversation, {"title": title})

    def set_system(self, conversation: int, system: str) -> None:
        """Set what the model is told before this conversation."""
        self._change(conversation, {"system": clean(system)})

    def set_settings(self, conversation: int, settings: Mapping[str, Any]) -> None:
        """Set what of the settings is different in this conversation."""
        self._change(conversation, {"settings": dump(dict(settings))})

    def set_draft(self, conversation: int, text: str, *, is_typed: bool = False) -> None:
        """Keep what was typed and not sent yet. ``is_typed``: just now, in this conversation."""
        change = self._change if is_typed and text else self._change_as_it_is
        change(conversation, {"draft": clean(text)})

    def delete(self, conversation: int) -> None:
        """Take it out of every list and search, until it is restored; closing forgets it."""
        self._change_as_it_is(conversation, {"deleted": time.time()})

    def restore(self, conversation: int) -> None:
        """Undo ``delete``."""
        self._change(conversation, {})

    # Entries ---------------------------------------------------------------------------------

    def entries(
        self,
        conversation: int,
        limit: int | None = None,
        before: int | None = None,
        since: int | None = None,
    ) -> list[Entry]:
        """The entries in order: the last ``limit`` of those before the entry ``before``, from the
        entry ``since`` on."""
        rows = self._database.rows(
            f"SELECT {ENTRY} FROM entries WHERE conversation = ? AND {COUNTS} "
            "AND id < ? AND id >= ? ORDER BY id DESC LIMIT ?",
            conversation,
            2**63 - 1 if before is None else before,
            since or 0,
            -1 if limit is None else limit,
        )
        return [entry_of(row) for row in reversed(rows)]

    def entry(self, entry: int) -> Entry:
        """One of them, be it removed."""
        return entry_of(self._database.one(ENTRY, "entries", entry))

    def shown(self, entry: int) -> Entry:
        """One of them that its conversation consists of: one that is removed, or aside for another
        version, is HistoryGone."""
        found = dict(self._database.one(f"{ENTRY}, {COUNTS} AS counts", "entries", entry))
        if not found.pop("counts"):
            raise HistoryGone(f"entry {entry} is removed or aside")
        return entry_of(found)

    def said(self, conversation: int, last: int) -> list[Said]:
        """What was said up to the entry ``last``, that one included; what is empty is left out."""
        rows = self._database.rows(
            f"SELECT {SAID} FROM entries WHERE conversation = ? AND {COUNTS} AND id <= ? "
            "AND (content <> '' OR attachments <> '[]') ORDER BY id",
            conversation,
            last,
        )
        return [said_of(row) for row in rows]

    def characters(self, conversation: int) -> int:
        """How long all of it is, attachments included."""
        rows = self._database.rows(
            "SELECT total(length(content) + length(attachments)) FROM entries "
            f"WHERE conversation = ? AND {COUNTS}",
            conversation,
        )
        return int(rows[0][0])

    def count(self, conversation: int) -> int:
        """How many entries it has."""
        rows = self._database.rows(
            f"SELECT count(*) FROM entries WHERE conversation = ? AND {COUNTS}", conversation
        )
        count: int = rows[0][0]
        return count

    def has_question(self, conversation: int) -> bool:
        """Whether it has a message of the user's."""
        rows = self._database.rows(
            f"SELECT 1 FROM entries WHERE conversation = ? AND {COUNTS} AND role = 'user' LIMIT 1",
            conversation,
        )
        return bool(rows)

    def add(self, conversation: int, role: str, content: str, **more: Unpack[Extras]) -> Entry:
        """Append an entry, complete unless its ``state`` is given."""
        now = time.time()
        given: Changes = {"state": State.COMPLETE, **more, "role": role, "content": content}
        columns = columns_of(given) | {"conversation": conversation, "created": now}
        title = title_of(clean(content)) if role == "user" else ""
        with self._database.writing() as connection:
            known = connection.execute(
                "UPDATE conversations SET updated = ?, title = iif(title = '', ?, title), "
                "deleted = NULL WHERE id = ?",
                (now, title, conversation),
            )
            if not known.rowcount:
                raise HistoryGone(f"there is no conversation {conversation}")
            number = insert(connection, "entries", columns)
        return self.entry(number)

    def update(self, entry: int, **changes: Unpack[Changes]) -> None:
        """Change an entry, be it removed: a reply may end after its conversation was deleted."""
        self._database.change("entries", entry, columns_of(changes))

    def remove(self, entries: Iterable[int]) -> None:
        """Take entries out, until they are restored; closing forgets them."""
        self._mark_removed(entries, time.time())

    def restore_entries(self, entries: Iterable[int]) -> None:
        """Undo ``remove`` or ``truncate_after``."""
        self._mark_removed(entries, None)

    def truncate_after(self, entry: int) -> list[int]:
        """Remove everything after an entry; returns what was removed, for its undo."""
        with self._database.writing() as connection:
            removed = versions.after(connection, entry)
            versions.remove(connection, removed, time.time())
        return removed

    # Versions of a reply ---------------------------------------------------------------------

    def versions(self, reply: int) -> list[int]:
        """The versions of a reply, that one included, in the order in which they were written."""
        return versions.versions(self._database, reply)

    def aside(self, prompt: int) -> list[int]:
        """The replies to a message that are set aside for the one that counts."""
        return versions.aside(self._database, prompt)

    def set_aside(self, reply: int, prompt: int) -> list[int]:
        """Set a reply aside for another one to ``prompt``, which is to be added, and remove all
        else after ``prompt``; returns what was removed. ``choose`` takes the first part back.

        What is aside is kept, and in no list, search or export, until it is chosen.
        """
        return versions.set_aside(self._database, reply, prompt)

    def choose(self, version: int) -> None:
        """Have a version of a reply count, and the others aside."""
        versions.choose(self._database, version)

    def give_way(self, reply: int, to: int) -> None:
        """Remove a version of a reply, and have another count."""
        versions.give_way(self._database, reply, to)

    def version_before(self, reply: int) -> int | None:
        """The version that counted before this one; None where there is none, or this one is
        removed."""
        return versions.before(self._database, reply)

    # Search ----------------------------------------------------------------------------------

    def search(self, text: str, limit: int = MOST_HITS) -> list[Hit]:
        """Titles, then entries, in which everything that was typed is found; the newest first.

        Any text is a search; app.history.search says what finds what.
        """
        return find(self._database, text, limit)

    # Files -----------------------------------------------------------------------------------

    def export_json(self, conversation: int, grown: Mapping[int, Entry] = NOTHING) -> str:
        """Everything of a conversation, for ``import_json``. ``grown``: entries, by number, of
        which more came than is kept here."""
        return exchange.to_json(self.conversation(conversation), self._whole(conversation, grown))

    def export_markdown(
        self,
        conversation: int,
        grown: Mapping[int, Entry] = NOTHING,
        words: markdown.Words | None = None,
    ) -> str:
        """A conversation to read. ``grown``: as above; ``words``: what stands in it besides,
        translated."""
        whole = self._whole(conversation, grown)
        return markdown.to_markdown(self.conversation(conversation), whole, words)

    def import_json(self, text: str | bytes) -> Conversation:
        """Add an exported conversation at once, whole or not at all. Raises BadImport."""
        *_, number = self.take_in(Incoming(text))
        return self.conversation(number)

    def take_in(self, incoming: Incoming) -> Iterator[int]:
        """Add an exported conversation, whole or not at all, and a piece at each step, which takes
        hardly longer than a frame. Every step gives its id; after the last one it is there."""
        return incoming.written(self._database)

    def _whole(self, conversation: int, grown: Mapping[int, Entry]) -> list[Entry]:
        return [grown.get(entry.id, entry) for entry in self.entries(conversation)]

    def _change(self, conversation: int, columns: Mapping[str, object]) -> None:
        self._change_as_it_is(conversation, {**columns, "deleted": None})

    def _change_as_it_is(self, conversation: int, columns: Mapping[str, object]) -> None:
        """``columns`` alone: deleted or not, it stays that."""
        self._database.change("conversations", conversation, columns)

    def _mark_removed(self, entries: Iterable[int], when: float | None) -> None:
        with self._database.writing() as connection:
            versions.remove(connection, entries, when)

    def _title_from_messages(self, conversation: int) -> str:
        rows = self._database.rows(
            f"SELECT content FROM entries WHERE conversation = ? AND role = 'user' "
            f"AND {COUNTS} ORDER BY id LIMIT 1",
            conversation,
        )
        return title_of(rows[0]["content"]) if rows else ""
