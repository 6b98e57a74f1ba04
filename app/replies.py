"""A reply as it is written, whoever looks: its text, its tokens, and its place on the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.chat.model import EntryView, Span, Writing, spans_of
from app.history import Changes, Entry, State, Store
from app.sentences import said
from engine.protocol import Done, Emitted, End

_STATES: Mapping[End, State] = {
    End.END: State.COMPLETE,
    End.STOP: State.COMPLETE,
    End.LENGTH: State.LENGTH,
    End.STOPPED: State.STOPPED,
}


class Reply:
    """One reply on its way into the entry of a conversation.

    Attributes:
        request: The number of the request that writes it.
        entry: The entry it grows in, as it was at the beginning: not empty where one is gone on
            with.
        tokens: Its ids so far.
        gamma: What it was asked for with.
        is_stopping: The user wants no more of it.
        by_auto: Auto chose its γ.
        notes: What the engine wants to be known of it, in the user's language.
    """

    def __init__(
        self, request: int, entry: Entry, store: Store, *, gamma: int = 0, by_auto: bool = False
    ) -> None:
        self.request = request
        self.entry = entry
        self.gamma = gamma
        self.by_auto = by_auto
        self.is_stopping = False
        self.tokens: tuple[int, ...] = entry.tokens
        self.state = State.WRITING
        self._store = store
        self._begun = entry.content
        self._writing = Writing()
        self.figures: dict[str, Any] | None = None
        self.notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, with what was there before."""
        return self._begun + self._writing.text

    @property
    def spans(self) -> list[Span]:
        """Where its text came from, in characters of the whole."""
        before = spans_of(self.entry.sources)
        offset = len(self._begun)
        moved = (s._replace(start=s.start + offset, end=s.end + offset) for s in self._spans)
        return [*before, *moved]

    @property
    def count(self) -> int:
        """How many tokens came since it was begun, or gone on with."""
        return len(self.tokens) - len(self.entry.tokens)

    @property
    def _spans(self) -> list[Span]:
        return self._writing.spans

    def write(self, event: Emitted) -> None:
        """Take in what came. It is not saved yet."""
        self._writing.take(event.pieces, event.tokens)
        self.tokens += tuple(token.id for token in event.tokens)

    def finish(self, done: Done, speed_up: float | None) -> None:
        """It is over: keep it with its tokens and figures."""
        self._writing.text = done.text
        self.tokens = done.tokens
        self.state = _STATES[done.why]
        self.notes = tuple(map(said, done.notes))
        self.figures = done.figures.as_dict()
        if speed_up is not None:
            self.figures["speed_up"] = speed_up
        if self.by_auto:
            self.figures |= {"gamma": self.gamma, "by_auto": True}
        self.save()

    def lose(self, state: State = State.LOST) -> None:
        """Nothing more will come of it."""
        self.state = state
        self.save()

    def save(self) -> None:
        """Bring the entry up to date. Raises HistoryUnsaved."""
        changes: Changes = {"content": self.text, "state": self.state}
        if self.state is not State.WRITING:
            changes |= {"tokens": self.tokens, "sources": self.spans, "figures": self.figures}
        self._store.update(self.entry.id, **changes)

    @property
    def now(self) -> Entry:
        """Its entry as it stands now, be that on the disk or not."""
        return replace(
            self.entry,
            content=self.text,
            tokens=self.tokens,
            state=self.state,
            figures=self.figures,
            sources=self.spans,
        )

    def view(self) -> EntryView:
        """As it stands now, for a transcript."""
        return view_of(self.now, self.notes)


def view_of(entry: Entry, notes: Sequence[str] = ()) -> EntryView:
    """A stored entry, for a transcript."""
    return EntryView(
        id=entry.id,
        role=entry.role,
        text=entry.content,
        state=entry.state,
        figures=entry.figures,
        sources=entry.sources,
        attachments=entry.attachments,
        notes=notes,
    )
