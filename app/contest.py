"""A comparison under way, whoever looks: one message answered twice, and which reply is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.history import Entry, State, Store
from app.replies import Reply
from engine.protocol import PLAIN, SPECULATIVE, Compared, Done, Emitted


class Contest:
    """Two replies to one message. The speculative one is in the conversation unless the other is
    kept; that one waits in its own entry, taken out of sight.

    Attributes:
        request: The number of the request that writes them.
        prompt: The message that is answered.
        gamma: What the speculative lane drafts with.
        exact: Whether both lanes use kernels that round alike.
        replies: By lane.
        compared: The result, once there is one.
        is_stopping: The user wants no more of it.
        is_discarded: Both replies are gone, whatever still comes of them.
        take_back: Brings back what stood in its place; None where nothing did.
    """

    def __init__(
        self,
        request: int,
        prompt: Entry,
        entries: tuple[Entry, Entry],
        store: Store,
        gamma: int,
        *,
        exact: bool,
    ) -> None:
        """``entries``: for the speculative reply and the plain one. Raises HistoryUnsaved."""
        self.request = request
        self.prompt = prompt
        self.gamma = gamma
        self.exact = exact
        self.compared: Compared | None = None
        self.is_stopping = False
        self.is_discarded = False
        self.take_back: Callable[[], None] | None = None
        self._store = store
        self.replies: Mapping[str, Reply] = {
            lane: Reply(request, entry, store)
            for lane, entry in zip((SPECULATIVE, PLAIN), entries, strict=True)
        }
        self._hide(PLAIN)

    @property
    def entry(self) -> Entry:
        """The entry that the conversation goes on with, unless the other is kept."""
        return self.replies[SPECULATIVE].entry

    @property
    def is_empty(self) -> bool:
        """Whether neither lane has a word."""
        return not any(reply.text.strip() for reply in self.replies.values())

    def write(self, event: Emitted) -> None:
        """Take in what came for one lane."""
        self.replies[event.lane].write(event)

    def finish(self, done: Done, speed_up: float | None) -> None:
        """A lane is over."""
        self.replies[done.lane].finish(done, speed_up)

    def lose(self, state: State = State.LOST) -> None:
        """Nothing more will come of either."""
        lost = [reply for reply in self.replies.values() if reply.state is State.WRITING]
        for reply in lost:  # first: what the disk refuses of one must not leave the other as it is
            reply.state = state
        for reply in lost:
            reply.save()
        if not self.is_discarded and not self.replies[SPECULATIVE].text:
            self.keep(PLAIN)

    def keep(self, lane: str) -> Entry:
        """Go on with the reply of ``lane``; the other is out of sight. Raises HistoryUnsaved."""
        with self._store.whole():
            self._hide(PLAIN if lane == SPECULATIVE else SPECULATIVE)
            self._store.restore_entries([self.replies[lane].entry.id])
        return self._store.entry(self.replies[lane].entry.id)

    def discard(self) -> None:
        """Both replies go, and stay away whatever still comes of them."""
        self.is_discarded = True
        for lane in self.replies:
            self._hide(lane)

    def _hide(self, lane: str) -> None:
        self._store.remove([self.replies[lane].entry.id])
