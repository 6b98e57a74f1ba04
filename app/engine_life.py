"""The engine's life behind the window: loading, being ready, dying, starting again."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import PATIENCE, Bridge
from app.names import short_name
from app.pairs import Pair
from engine.errors import LoadCancelled, Stopped
from engine.protocol import (
    Costs,
    Count,
    Counted,
    Event,
    Failed,
    Load,
    Loading,
    Message,
    Ready,
    Record,
    Request,
    Unload,
    Unloaded,
)
from engine.settings import Settings


class Life(StrEnum):
    """Where the engine stands."""

    EMPTY = "empty"
    LOADING = "loading"
    READY = "ready"
    LOST = "lost"


class Death(StrEnum):
    """How it goes on after the engine ended by itself."""

    LOST = "lost"
    """The user says when to load it again."""
    RESTARTED = "restarted"
    """It is being loaded again: nothing was under way, and it is the first time."""
    FORCED = "forced"
    """The user ended it, and it is being loaded again."""


_NONE = -1  # no request's number


class _Asked(NamedTuple):
    """What a load was asked for."""

    pair: Pair
    settings: Settings


class EngineLife(QObject):
    """At most one loaded pair, and what becomes of it.

    Attributes:
        life: Where it stands.
        pair: What is loaded, being loaded, or was loaded last.
        ready: What is loaded, as the engine tells it; None where nothing is.

    Signals:
        changed: ``life`` did, or what is loaded.
        loading: So much of the load is done (0 to 1), and what is being done.
        load_failed: The Failed that ended a load; what was loaded before it may still be.
        told: What else the engine tells.
        counted: A Counted, where nothing came in between.
        died: It ended by itself; the Failed, and the Death.
        force_offered: Whether it would have to be forced to stop.
    """

    changed = Signal()
    loading = Signal(float, str)
    load_failed = Signal(object)
    told = Signal(object)
    counted = Signal(object)
    died = Signal(object, object)
    force_offered = Signal(bool)

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.life = Life.EMPTY
        self.pair: Pair | None = None
        self.ready: Ready | None = None
        self._bridge = bridge
        self._settings = Settings()
        self._asked: dict[int, _Asked] = {}
        self._held: _Asked | None = None
        self._load = _NONE
        self._working = _NONE
        self._count = _NONE
        self._may_restart = True
        self._forcing = False
        self._names: dict[Path, str] = {}
        self._overdue = QTimer(self, singleShot=True, interval=round(PATIENCE * 1000))
        self._overdue.timeout.connect(lambda: self.force_offered.emit(True))
        bridge.told.connect(self._hear)
        bridge.died.connect(self._bury)
        bridge.silent.connect(self.force_offered)

    @property
    def name(self) -> str:
        """What the target is called, as far as is known."""
        if self.pair is None:
            return ""
        return self._names.get(self.pair.target.absolute(), self.pair.target.stem)

    @property
    def loaded_with(self) -> Settings | None:
        """The settings that hold for what is loaded; None where nothing is."""
        return self._held.settings if self._held else None

    def load(self, pair: Pair, settings: Settings) -> None:
        """Load a pair in place of what is loaded, with a user's context, threads and GPU layers."""
        self.pair, self._settings = pair, settings
        self._drop_count()
        if self._load != _NONE:
            self._bridge.stop(self._load)
        number = self._bridge.send(
            Load(
                target=str(pair.target.absolute()),
                draft=str(pair.draft.absolute()) if pair.draft else None,
                n_ctx=settings.n_ctx,
                threads=settings.threads,
                gpu_layers=settings.gpu_layers,
                recast=settings.recast,
            )
        )
        self._load, self._asked[number] = number, _Asked(pair, settings)
        self._become(Life.LOADING)

    def reload(self, settings: Settings | None = None) -> None:
        """Load the same pair again, in a new process where the last one died."""
        if self.pair is not None:
            self._may_restart = True
            self.load(self.pair, settings or self._settings)

    def cancel_load(self) -> None:
        """Give a load up."""
        if self._load != _NONE:
            self._bridge.stop(self._load)
            self._overdue.start()

    def adopt(self, record: Record) -> None:
        """A tuning found this of the loaded pair; the engine goes by it from now on."""
        if self.ready is not None:
            passes = dict(enumerate(record.passes, start=1))
            self.ready = replace(
                self.ready,
                gamma=record.gamma,
                threads=record.threads,
                costs=Costs(record.draft_step, passes, record.catch_up),
                tuning=record,
                notes=(),  # which were said, and one may be that there is no tuning
            )
            self.changed.emit()

    def unload(self) -> None:
        """Give all memory back."""
        self._bridge.send(Unload())

    def send(self, request: Request) -> int:
        """Ask something of the loaded pair; the number of the request."""
        self._drop_count()
        self._working = self._bridge.send(request)
        return self._working

    def count(self, messages: tuple[Message, ...]) -> None:
        """Have the tokens of a conversation counted, unless something else is wanted meanwhile."""
        self._drop_count()
        self._count = self._bridge.send(Count(messages))

    def stop(self) -> None:
        """End what was asked last with what there is."""
        self._bridge.stop(self._working)
        self._overdue.start()

    def force_stop(self) -> None:
        """End a process that does not listen, and load the pair anew."""
        self._forcing = True
        self._bridge.kill()

    def close(self) -> None:
        """End the process; its last words are heard before this returns."""
        self._overdue.stop()
        self._bridge.close()

    def over(self) -> None:
        """What was asked last is answered."""
        self._working = _NONE
        self._overdue.stop()
        self.force_offered.emit(False)

    def _hear(self, event: Event) -> None:
        if event.id in self._asked:
            self._hear_load(event)
        elif event.id == self._count:
            self._count = _NONE
            if isinstance(event, Counted):
                self.counted.emit(event)
        elif isinstance(event, Unloaded):
            self.ready = self._held = None
            self._become(Life.EMPTY)
        else:
            self.told.emit(event)

    def _hear_load(self, event: Event) -> None:
        """Of a load that another took the place of, only what is loaded after it matters."""
        is_wanted = event.id == self._load
        match event:
            case Loading() if is_wanted:
                self.loading.emit(event.fraction, event.what)
            case Ready():
                self.ready, self._held = event, self._asked.pop(event.id)
                self._names[Path(event.target.path).absolute()] = short_name(event.target)
            case Failed():
                del self._asked[event.id]
                if event.unloaded:
                    self.ready = self._held = None
        if is_wanted and event.id not in self._asked:
            self._end_load(event)

    def _drop_count(self) -> None:
        """A request that comes while one is at work is refused, unless that was told to stop."""
        if self._count != _NONE:
            self._bridge.stop(self._count)
            self._count = _NONE

    def _end_load(self, event: Event) -> None:
        """With what was asked for, with what was loaded before, or with nothing."""
        self._load = _NONE
        self.over()
        if self._held is not None:
            self.pair, self._settings = self._held
        self._become(Life.EMPTY if self.ready is None else Life.READY)
        if isinstance(event, Failed) and event.code not in (LoadCancelled.code, Stopped.code):
            self.load_failed.emit(event)

    def _bury(self, death: Failed) -> None:
        """Start again by itself once, and only where nothing was under way that killed it."""
        ending = self._ending()
        if ending is Death.RESTARTED:
            self._may_restart = False
        self._forcing = False
        self._load = self._count = _NONE
        self._asked.clear()
        self.over()
        self.ready = self._held = None
        self.life = Life.LOST
        self.died.emit(death, ending)
        if ending is Death.LOST or self.pair is None:
            self.changed.emit()
        else:
            self.load(self.pair, self._settings)

    def _ending(self) -> Death:
        if self._forcing:
            return Death.FORCED
        was_idle = self.life is Life.READY and self._working == _NONE
        return Death.RESTARTED if was_idle and self._may_restart else Death.LOST

    def _become(self, life: Life) -> None:
        self.life = life
        self.changed.emit()
