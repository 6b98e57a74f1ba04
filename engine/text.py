"""Bytes → text as it streams: whole characters only, and no stop string ever shown."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to show, and which token of the reply (counted from 0) it came with.

    A character split over several tokens comes with the token that completes it.
    """

    text: str
    token: int


class TextStream:
    """The text of one reply (``text``: all that is ready so far). What might still become a stop
    string is held back until it is settled."""

    def __init__(self, piece: Callable[[int], bytes], stops: Sequence[str] = ()) -> None:
        """``piece``: a token's bytes; ``stops``: strings that end the reply, not part of it."""
        self._piece = piece
        self._stops = tuple(stop for stop in stops if stop)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._held: list[Piece] = []
        self._ready: list[Piece] = []
        self._count = 0
        self.stopped = False
        self.text = ""

    def push(self, token: int) -> bool:
        """Take one token in; True when it completes a stop string: nothing may follow."""
        self._hold(self._decoder.decode(self._piece(token)))
        self._count += 1
        if not self._stops:
            self._release(sum(len(piece.text) for piece in self._held))
            return False
        text = "".join(piece.text for piece in self._held)
        found = [at for stop in self._stops if (at := text.find(stop)) >= 0]
        self.stopped = bool(found)
        self._release(min(found) if found else len(text) - self._undecided(text))
        return self.stopped

    def finish(self, *, cut: bool = False) -> None:
        """The reply is over: what was held back is text after all, unless a stop string cut it.

        ``cut``: it might have gone on, and still may. Half a character at its end is left out then:
        going on from the text brings the whole one.
        """
        if not self.stopped:
            self._count -= 1  # an unfinished character came with the last token
            self._hold("" if cut else self._decoder.decode(b"", final=True))
            self._release(sum(len(piece.text) for piece in self._held))

    def take(self) -> list[Piece]:
        """What has become ready since the last call."""
        ready, self._ready = self._ready, []
        return ready

    def _hold(self, text: str) -> None:
        if text:
            self._held.append(Piece(text, self._count))

    def _undecided(self, text: str) -> int:
        """How many characters at the end could be the beginning of a stop string."""
        return max(
            (
                n
                for stop in self._stops
                for n in range(1, min(len(stop) - 1, len(text)) + 1)
                if text.endswith(stop[:n])
            ),
            default=0,
        )

    def _release(self, length: int) -> None:
        """Make the first ``length`` held characters ready."""
        while length > 0:
            piece = self._held.pop(0)
            now, later = piece.text[:length], piece.text[length:]
            self._ready.append(Piece(now, piece.token))
            self.text += now
            if later:
                self._held.insert(0, Piece(later, piece.token))
            length -= len(now)
