"""A loaded pair behind the worker's pipe, and Ctrl-C while it works."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.control import Control
from rich.segment import ControlType

from engine.client import Client, Exchange
from engine.errors import LoadCancelled, Stopped
from engine.protocol import Event, Failed, Load, Loading, Ready, Request
from engine.settings import Settings
from engine.terminal.choosing import Chosen
from engine.terminal.failures import Interrupted, RequestFailed
from engine.terminal.interrupt import Interrupt
from engine.terminal.lines import unechoed
from engine.terminal.screen import Screen, redraws, safe

_EVERY = 0.1  # seconds between two looks of a line that is redrawn
_LOOK = 0.2  # seconds between two looks at whether the engine obeys
_PATIENCE = 2.0  # seconds that an engine at work may take to stop: on a processor it takes 0.3


class Ticker:
    """One line beside the replies that is redrawn while something takes long, and then gone.

    Nothing is drawn where nobody watches, nor in the first moment.
    """

    def __init__(self, screen: Screen, patience: float = 0.4) -> None:
        self._console = screen.err if redraws(screen.err) else None
        self._due = time.monotonic() + patience
        self._drawn = False

    def show(self, text: str, *, at_once: bool = False) -> None:
        """Say ``text`` in place of what stood there."""
        now = time.monotonic()
        if self._console is None or (now < self._due and not at_once):
            return
        self._due = now + _EVERY
        self.clear()
        room = self._console.width - 1
        self._console.out(safe(text)[:room], style="dim", end="", highlight=False)
        self._drawn = True

    def clear(self) -> None:
        """Leave the line as if nothing had been there."""
        if self._console is not None and self._drawn:
            self._console.control(
                Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2))
            )
            self._drawn = False


class Asked:
    """A request under way: iterate over its events, once.

    ``ticker``: a line for what takes long; it goes away with the request.
    """

    def __init__(self, exchange: Exchange, screen: Screen) -> None:
        self.ticker = Ticker(screen)
        self._exchange = exchange
        self._screen = screen
        self._interrupt = Interrupt(self.stop)
        self._due: float | None = None  # when an engine that was told to stop should have

    def __iter__(self) -> Iterator[Event]:
        """Raises RequestFailed in place of a Failed."""
        for event in self._events():
            if isinstance(event, Failed):
                self.ticker.clear()
                raise RequestFailed(event.code, event.sentence, event.detail)
            if isinstance(event, Loading):
                self.ticker.show(f"{event.what} {100 * event.fraction:.0f} %")
            else:
                yield event

    def _events(self) -> Iterator[Event]:
        """The events up to the final one; an engine that does not stop is told of, once."""
        is_told = False
        while True:
            event = self._exchange.next(_LOOK)
            if event is not None:
                yield event
                if self._exchange.is_ended_by(event):
                    return
            if self._due is not None and time.monotonic() > self._due and not is_told:
                is_told = True
                self.ticker.clear()
                leave = "Ctrl-C again quits." if self._interrupt.count else "Ctrl-C twice quits."
                self._screen.say(f"\nThe engine does not answer. {leave}", "yellow")

    def stop(self) -> None:
        """End it with what there is; its last event still comes."""
        if self._due is None:
            self._due = time.monotonic() + _PATIENCE
        self._exchange.stop()

    @contextmanager
    def heeding(self) -> Iterator[Interrupt]:
        """While it is open, Ctrl-C ends the request early, and a second one the program."""
        with self._interrupt as interrupt:
            try:
                yield interrupt
            finally:
                self.ticker.clear()


class Session:
    """A worker with a pair in it, asked one thing at a time.

    Attributes:
        screen: Where to say what happens.
        ready: What is loaded.
        interrupted: Whether Ctrl-C ended the last request.
    """

    ready: Ready

    def __init__(self, screen: Screen, client: Client, chosen: Chosen, settings: Settings) -> None:
        self.screen = screen
        self.interrupted = False
        self._client = client
        self._load = Load(
            target=str(chosen.target.absolute()),
            draft=str(chosen.draft.absolute()) if chosen.draft else None,
            n_ctx=settings.n_ctx,
            threads=settings.threads,
            gpu_layers=settings.gpu_layers,
            recast=settings.recast,
        )

    def restart(self) -> None:
        """Begin anew after the worker died. Raises as `load` does."""
        self._client.restart()
        self.load()

    def tell_notes(self) -> None:
        """What the user must know of the pair, whether or not someone watches."""
        for note in self.ready.notes:
            self.screen.note(note)

    def load(self) -> None:
        """Load the pair. Raises RequestFailed and Interrupted."""
        with self.ask(self._load) as asked:
            for event in asked:
                if isinstance(event, Ready):
                    self.ready = event

    @contextmanager
    def ask(self, request: Request) -> Iterator[Asked]:
        """Send a request; Ctrl-C ends it early, and a second one the program.

        Raises Interrupted where Ctrl-C left nothing of it.
        """
        asked = Asked(self._client.request(request), self.screen)
        with unechoed(self.screen.terminal), asked.heeding() as interrupt:
            try:
                yield asked
            except RequestFailed as error:
                if interrupt.count and error.code in (LoadCancelled.code, Stopped.code):
                    raise Interrupted from error
                raise
            finally:
                self.interrupted = interrupt.count > 0


@contextmanager
def open_session(screen: Screen, chosen: Chosen, settings: Settings) -> Iterator[Session]:
    """A session with its pair loaded."""
    with Client() as client:
        session = Session(screen, client, chosen, settings)
        session.load()
        yield session
