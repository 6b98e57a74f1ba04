"""A tuning under way: the engine is lent to it, and no reply is written meanwhile. No widgets."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from app.cards import Card
from app.engine_life import Life
from app.phases import Phase
from app.sentences import said
from app.session import Session
from engine.errors import Stopped
from engine.protocol import Event, Failed, Record, Tune, Tuned, Tuning


class Stage(StrEnum):
    """What the tuner is at."""

    IDLE = "idle"
    MEASURING = "measuring"
    STOPPING = "stopping"
    FAILED = "failed"


_NONE = -1  # no request's number


class Tuner(QObject):
    """Measures γ for the loaded pair, with the sampling of the open chat.

    Attributes:
        stage: What it is at.
        fraction: How much is done, from 0 to 1.
        what: What is being done, in the engine's words.
        failure: Why the last tuning came to nothing, while that is to be said.
        is_quick: Whether the last one was the quick form.

    Signals:
        changed: The stage is another.
        progressed: ``fraction`` or ``what`` is.
        tuned: A Record was found.
    """

    changed = Signal()
    progressed = Signal()
    tuned = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._life = session.life
        self._request = _NONE
        self.stage = Stage.IDLE
        self.fraction = 0.0
        self.what = ""
        self.failure: Failed | None = None
        self.is_quick = False
        self._life.told.connect(self._hear)
        self._life.died.connect(lambda *_: self._end())
        session.changed.connect(self._follow)

    @property
    def record(self) -> Record | None:
        """What is known of the loaded pair."""
        ready = self._life.ready
        return ready.tuning if ready is not None and ready.draft is not None else None

    @property
    def is_measuring(self) -> bool:
        """Whether the engine is lent."""
        return self.stage in (Stage.MEASURING, Stage.STOPPING)

    @property
    def can_begin(self) -> bool:
        """Whether there is a pair, and nothing else under way."""
        return self._session.can_speculate and self._session.phase is Phase.READY

    def begin(self, *, quick: bool = False) -> None:
        """Measure; nothing happens where it cannot be."""
        if not self.can_begin:
            return
        self.is_quick, self.failure = quick, None
        self.fraction, self.what = 0.0, ""
        self._session.lend(True)
        self._request = self._life.send(Tune(self._session.sampling, quick=quick))
        self._become(Stage.MEASURING)

    def again(self) -> None:
        """Measure once more, in the same form."""
        self.begin(quick=self.is_quick)

    def cancel(self) -> None:
        """Give it up; what was known before stays."""
        if self.stage is Stage.MEASURING:
            self._life.stop()
            self._become(Stage.STOPPING)

    def _hear(self, event: Event) -> None:
        if not self.is_measuring or event.id != self._request:
            return
        match event:
            case Tuning():
                self.fraction, self.what = event.fraction, event.what
                self.progressed.emit()
            case Tuned():
                self._life.adopt(event.tuning)
                self._end()
                self.tuned.emit(event.tuning)
                if event.note:
                    self._session.board.show_also(Card(said(event.note), is_trouble=False))
            case Failed():
                self._end(None if event.code == Stopped.code else event)

    def _end(self, failure: Failed | None = None) -> None:
        if not self.is_measuring:
            return
        self._request, self.failure = _NONE, failure
        self._life.over()
        self._session.lend(False)
        self._become(Stage.FAILED if failure else Stage.IDLE)

    def _follow(self) -> None:
        """Another pair: what kept the last one from being tuned says nothing about it."""
        if self.stage is Stage.FAILED and self._life.life is not Life.READY:
            self.failure = None
            self._become(Stage.IDLE)
        else:
            self.changed.emit()

    def _become(self, stage: Stage) -> None:
        self.stage = stage
        self.changed.emit()
