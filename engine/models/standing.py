"""How a download stands: what the queue keeps of each, and what it tells of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from engine.errors import FetchCancelled, ForewordError
from engine.models.arriving import Doing, Progress
from engine.models.item import Item
from engine.models.meter import Meter


class State(StrEnum):
    """How a download stands.

    PAUSED goes on when it is resumed: somebody paused it, an earlier start left it, or its error is
    a passing one. FAILED can be resumed too, once what its error says is done. GONE is told once,
    when it leaves the list.
    """

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"
    GONE = "gone"


@dataclass(frozen=True)
class Status:
    """A download as it stands at one moment.

    Attributes:
        key: What the verbs of `Downloads` take; the same as long as the program runs.
        title: For a person.
        state: How it stands.
        done: Bytes that are here.
        total: Of how many; 0 while the Hub was not asked yet.
        speed: Bytes per second; 0.0 unless bytes come.
        seconds_left: At that speed; None where nobody can say.
        doing: What goes on while it runs.
        source: Where bytes come from, as it stands after "from"; "" unless they come.
        error: Why it is paused or failed; None where a person paused it.
        item: What it is.
        folder: Where it goes.
        paths: Its files once it is done; the first is the one to load.
    """

    key: str
    title: str
    state: State
    done: int
    total: int
    speed: float
    seconds_left: float | None
    doing: Doing
    source: str
    error: ForewordError | None
    item: Item
    folder: Path
    paths: tuple[Path, ...]


@dataclass(eq=False)
class Entry:
    """One download of the queue. All but ``stop`` is only touched under the queue's lock."""

    key: str
    item: Item
    folder: Path
    asked: float
    state: State
    done: int = 0
    error: ForewordError | None = None
    paths: tuple[Path, ...] = ()
    progress: Progress | None = None
    meter: Meter = field(default_factory=Meter)
    stop: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def status(self) -> Status:
        """It as it stands now."""
        comes = self.state is State.RUNNING
        speed = self.meter.speed if comes else 0.0
        left = self.item.size - self.done
        far = self.progress if comes else None
        return Status(
            key=self.key,
            title=self.item.title,
            state=self.state,
            done=self.done,
            total=self.item.size,
            speed=speed,
            seconds_left=left / speed if speed > 0 else None,
            doing=far.doing if far else Doing.CONNECTING,
            source=far.source if far else "",
            error=self.error,
            item=self.item,
            folder=self.folder,
            paths=self.paths,
        )

    def check(self) -> None:
        """Raise FetchCancelled if it is to stop."""
        if self.stop.is_set():
            raise FetchCancelled

    def brings(self, item: Item, folder: Path) -> bool:
        """Whether it brings all of ``item`` there, and nothing else."""
        return self.folder == folder and self.item.names == item.names

    def shared(self, item: Item, folder: Path) -> frozenset[str]:
        """The names of the files of ``item`` that it brings there too."""
        return frozenset(self.item.names).intersection(item.names if self.folder == folder else ())
