"""The bridge without a process behind it: a test says what the engine tells, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from engine.accept import Source, Token
from engine.errors import ForewordError, WorkerDied
from engine.protocol import (
    CHAT,
    PLAIN,
    SPECULATIVE,
    Compared,
    Costs,
    Done,
    Emitted,
    End,
    Event,
    Failed,
    Figures,
    Load,
    ModelInfo,
    Piece,
    Ready,
    Request,
    RoundTimes,
    Verdict,
)

Kind = TypeVar("Kind", bound=Request)


class StubBridge(QObject):
    """Keeps what is asked; has the same signals as `app.bridge.Bridge`."""

    told = Signal(object)
    died = Signal(object)
    silent = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []
        self.stopped: list[int] = []
        self.killed = False
        self.closed = False
        self.last_words: list[Event] = []
        self.pid: int | None = 1

    # What the window calls -----------------------------------------------------------------------

    def send(self, request: Request) -> int:
        self.sent.append(replace(request, id=len(self.sent) + 1))
        return len(self.sent)

    def stop(self, number: int) -> None:
        self.stopped.append(number)

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        self.closed = True
        for event in self.last_words:
            self.told.emit(event)

    # What a test calls ---------------------------------------------------------------------------

    @property
    def last(self) -> Any:
        """The request that was sent last."""
        return self.sent[-1]

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Every request of a kind."""
        return [request for request in self.sent if isinstance(request, kind)]

    def tell(self, event: Event) -> None:
        """The engine says this, of the last request."""
        self.told.emit(replace(event, id=event.id or self.last.id))

    def be_ready(self, **changes: Any) -> Ready:
        """The load that was asked for last is done."""
        load = self.of(Load)[-1]
        event = replace(ready(load.target, load.draft), id=load.id, **changes)
        self.told.emit(event)
        return event

    def write(self, text: str, lane: str = CHAT) -> None:
        """One round brings ``text``, in one token."""
        self.tell(emitted(text, lane))

    def finish(self, text: str, lane: str = CHAT, **changes: Any) -> None:
        """The reply is over."""
        self.tell(replace(done(text, lane), **changes))

    def finish_comparison(self, text: str, plain: str | None = None, why: End = End.END) -> None:
        """Both lanes and the comparison are over."""
        self.finish(text, SPECULATIVE, why=why)
        self.finish(text if plain is None else plain, PLAIN, why=why, figures=plain_figures())
        self.tell(Compared(1.3, 1.0, 12.0, 3, None))

    def fail(self, error: ForewordError, **changes: Any) -> None:
        """The last request ends in an error."""
        self.tell(replace(Failed.of(error, self.last.id), **changes))

    def die(self, reason: str = "signal 9 (killed)") -> None:
        """The worker ends by itself."""
        self.died.emit(Failed.of(WorkerDied("the last words", reason=reason), 0))


def ready(target: str = "/models/target.gguf", draft: str | None = "/models/draft.gguf") -> Ready:
    """A pair that speculates, or a target alone where there is no draft."""
    no_draft = Verdict(ok=False, code="no-draft", reason="no draft is chosen")
    return Ready(
        target=model("Qwen2.5 Coder 1.5B Instruct GGUF", target, 1_117_320_768),
        draft=model("Qwen2.5 Coder 0.5B Instruct GGUF", draft, 491_400_064) if draft else None,
        devices=("CPU (Some Processor)",),
        n_ctx=4096,
        threads=2,
        gamma=3 if draft else 0,
        verdict=Verdict(ok=True) if draft else no_draft,
        notes=(),
        costs=Costs(0.012, {1: 0.03, 4: 0.04}) if draft else None,
    )


def model(name: str, path: str, size: int) -> ModelInfo:
    return ModelInfo(name, "qwen2 Q4_K", path, size, size * 2, 28)


def emitted(text: str, lane: str = CHAT, place: int = 0) -> Emitted:
    """One round with one token."""
    figures = Figures(gamma=3, tokens=1, rounds=1, drafted=3, accepted=1, seconds=0.05)
    times = RoundTimes(1, 3, 0.05, 0.02, 0.03)
    token = Token(len(text), Source.ACCEPTED, 0.9, 0.8)
    return Emitted(lane, [Piece(text, place)], [token], [times], figures)


def done(text: str, lane: str = CHAT) -> Done:
    figures = Figures(gamma=3, tokens=40, rounds=12, drafted=36, accepted=28, seconds=2.0)
    return Done(lane, End.END, text, (1, 2, 3), figures, seed=7)


def plain_figures(tokens: int = 40) -> Figures:
    """Of a reply that drafted nothing, at 10 tokens/s."""
    return Figures(tokens=tokens, rounds=tokens, seconds=tokens / 10)
