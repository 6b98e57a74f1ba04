"""The messages between a front end and the worker: one JSON object a line, one dataclass each.

Every message carries the number of the request it belongs to, so that nothing of one reply reaches
another; 0 is nobody's. Whatever arrives is checked against its dataclass, field by field. Numbers
are finite on both sides.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import BinaryIO, ClassVar, Literal, NoReturn, TypeVar

from engine.accept import Source, Token
from engine.devices import Device
from engine.errors import BadMessage, ForewordError
from engine.pairing import Verdict
from engine.plain import FilePath, Mismatch, is_whole, plain, reader
from engine.sampling import Sampling
from engine.stats import End, Figures
from engine.text import Piece
from engine.tunings import Record

__all__ = [
    "CHAT", "LIMIT", "PLAIN", "SPECULATIVE", "VERSION", "Chat", "Compare", "Compared", "Costs",
    "Count", "Counted", "Device", "Done", "Emitted", "End", "Event", "Failed", "Figures", "Hello",
    "Load", "Loading", "Measure", "Measured", "Memory", "Message", "ModelInfo", "Options",
    "Parting", "Piece", "Ping", "Pong", "Prompt", "Quit", "Ready", "Record", "Request",
    "RoundTimes", "Sampling", "Source", "Stop", "Survey", "Surveyed", "Token", "Tune", "Tuned",
    "Tuning", "Unload", "Unloaded", "Verdict", "decode", "encode", "messages",
]  # fmt: skip

VERSION = 2
"""Raised whenever either side would misread the other."""

LIMIT = 64 * 2**20
"""Bytes of one line at the most."""

CHAT, SPECULATIVE, PLAIN = "chat", "speculative", "plain"
"""The lanes: a chat has one, a comparison the other two."""


@dataclass(frozen=True, kw_only=True)
class _Numbered:
    id: int = 0


# To the worker ---------------------------------------------------------------------------------


class Request(_Numbered):
    """What a front end asks. ``final``: the event that ends it, where it does not end in Failed."""

    final: ClassVar[type[Event] | None] = None


@dataclass(frozen=True)
class Message:
    """One message of a conversation. ``tokens``: the ids the engine wrote it with, if it did."""

    role: str
    content: str
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True)
class Options:
    """How to write a reply, field by field engine.engine.ReplyOptions, which says what they mean.

    Told again here, because a front end must not load llama.cpp.
    """

    gamma: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    rule: Literal["ratio", "coupled"] | None = None
    seed: int | None = None
    variant: int = 0
    max_tokens: int | None = None
    stops: tuple[str, ...] = ()
    think: bool | None = None


@dataclass(frozen=True)
class Load(Request):
    """Load a pair, in place of what is loaded; paths of files. → Loading …, Ready."""

    target: FilePath
    draft: FilePath | None = None
    n_ctx: int = 4096
    threads: int = 0
    gpu_layers: int = -1
    recast: bool = True


@dataclass(frozen=True)
class Chat(Request):
    """Write the next reply, or go on with the last message. → Prompt …, Emitted …, Done.

    ``fresh``: with both memories emptied first, so that its times are those of a first message.
    """

    messages: tuple[Message, ...]
    options: Options = field(default_factory=Options)
    fresh: bool = False


@dataclass(frozen=True)
class Compare(Request):
    """Write one reply twice. → Prompt …, Emitted … and a Done for each lane, Compared.

    ``exact``: in a second copy of the pair, loaded for it, whose kernels round alike at any width.
    """

    messages: tuple[Message, ...]
    options: Options = field(default_factory=Options)
    exact: bool = False


@dataclass(frozen=True)
class Measure(Request):
    """Time a draft step, and target passes of these ``widths``, at ``depth`` tokens. → Measured."""

    widths: tuple[int, ...]
    depth: int = 32
    repeats: int = 3


@dataclass(frozen=True)
class Tune(Request):
    """Find the best γ for this machine and pair. → Tuning …, Tuned.

    ``sampling``: as the user chats; ``quick``: a few seconds instead of one to two minutes;
    ``exhaustive``: try every γ in fact, which takes several. What was found is stored, and is in
    force from the next reply on.
    """

    sampling: Sampling = field(default_factory=Sampling)
    quick: bool = False
    exhaustive: bool = False


@dataclass(frozen=True)
class Count(Request):
    """How many tokens would this conversation's prompt have? → Counted.

    ``listed``: name them too, as a reply would begin with them.
    """

    messages: tuple[Message, ...]
    listed: bool = False


@dataclass(frozen=True)
class Survey(Request):
    """What is there to compute with? → Surveyed."""


@dataclass(frozen=True)
class Stop(Request):
    """End the request whose number this carries, with what there is. Nothing if it is over."""


@dataclass(frozen=True)
class Ping(Request):
    """Are you there? Answered at once, whatever else runs. → Pong."""


@dataclass(frozen=True)
class Unload(Request):
    """Stop what runs and give all memory back. → Unloaded."""


@dataclass(frozen=True)
class Quit(Request):
    """Stop what runs and end the process."""


# From the worker -------------------------------------------------------------------------------


class Event(_Numbered):
    """What the worker tells."""


@dataclass(frozen=True)
class Hello(Event):
    """The first message. ``version``: of this protocol."""

    version: int
    pid: int


@dataclass(frozen=True)
class Loading(Event):
    """``fraction`` of the load is done, and ``what`` is being done now."""

    fraction: float
    what: str


@dataclass(frozen=True)
class ModelInfo:
    """A loaded model. ``bytes`` of weights; ``description``: llama.cpp's ("qwen2 1.5B Q4_K …")."""

    name: str
    description: str
    path: FilePath
    bytes: int
    parameters: int
    layers: int


@dataclass(frozen=True)
class Costs:
    """Seconds of one draft step, and of a target pass by its width in tokens.

    ``catch_up``: seconds that a draft's pass over two tokens takes more than over one.
    """

    draft_step: float
    passes: dict[int, float]
    catch_up: float = 0.0


@dataclass(frozen=True)
class Memory:
    """Bytes that llama.cpp took: both models' weights, both caches at the chosen context, and the
    buffers to compute a pass of the widest γ and hold its rows."""

    weights: int
    caches: int
    buffers: int


@dataclass(frozen=True)
class Ready(Event):
    """What is loaded. ``gamma``: the engine's choice; ``notes``: sentences the user should see.

    ``draft`` is None where it cannot serve, and ``verdict`` says why. The choice is that of
    ``tuning``, the stored one of this pair, else a guess from ``costs``.
    """

    target: ModelInfo
    draft: ModelInfo | None
    devices: tuple[str, ...]
    n_ctx: int
    threads: int
    gamma: int
    verdict: Verdict
    notes: tuple[str, ...]
    costs: Costs | None
    memory: Memory | None = None
    tuning: Record | None = None


@dataclass(frozen=True)
class Prompt(Event):
    """So many tokens of the prompt are read, or were known already, in both models together."""

    lane: str
    done: int
    total: int


@dataclass(frozen=True)
class RoundTimes:
    """One round: how many tokens it emitted and drafted, and where its seconds went."""

    emitted: int
    drafted: int
    seconds: float
    draft_seconds: float
    verify_seconds: float


@dataclass(frozen=True)
class Emitted(Event):
    """One round or several. A piece names its token by its place in the reply, counted from 0.

    ``tokens``: in order, the rounds' one after the other; ``figures``: of the reply so far.
    """

    lane: str
    pieces: list[Piece]
    tokens: list[Token]
    rounds: list[RoundTimes]
    figures: Figures


@dataclass(frozen=True)
class Done(Event):
    """A lane's reply is over. ``tokens``: its ids, to be kept with it for the next turn."""

    lane: str
    why: End
    text: str
    tokens: tuple[int, ...]
    figures: Figures
    seed: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parting:
    """Where two replies part: engine.parting.Parting, with the candidates' texts.

    Pairs hold the speculative lane's first. ``gap`` is None where a logit was not finite.
    """

    index: int
    ids: tuple[int, int]
    texts: tuple[str, str]
    p: tuple[float, float]
    gap: float | None
    at_the_edge: bool


@dataclass(frozen=True)
class Compared(Event):
    """A comparison is over.

    ``speed_up``: plain time per token ÷ speculative; ``time_saved``: seconds on this reply, prompt
    included, negative when drafting lost; ``break_even``: tokens of reply from which it gains,
    None for never; ``same_tokens``: how many are the same from the start; ``parting``: None where
    the replies are the same as far as both go, or the comparison was stopped.
    """

    speed_up: float
    time_saved: float
    break_even: float | None
    same_tokens: int
    parting: Parting | None


@dataclass(frozen=True)
class Measured(Event):
    """The answer to Measure: Costs."""

    draft_step: float
    passes: dict[int, float]
    catch_up: float = 0.0


@dataclass(frozen=True)
class Tuning(Event):
    """``fraction`` of a tuning is done, as far as can be told, and ``what`` is being done now."""

    fraction: float
    what: str


@dataclass(frozen=True)
class Tuned(Event):
    """The answer to Tune. ``note``: a sentence where what was found could not be stored."""

    tuning: Record
    note: str = ""


@dataclass(frozen=True)
class Counted(Event):
    """The answer to Count: tokens of the prompt, and of the context; ``prompt``: their ids, where
    they were asked for."""

    tokens: int
    limit: int
    prompt: tuple[int, ...] = ()


@dataclass(frozen=True)
class Surveyed(Event):
    """The answer to Survey: ggml's devices, and what its module for the processor uses of it."""

    devices: tuple[Device, ...]
    features: tuple[str, ...]


@dataclass(frozen=True)
class Pong(Event):
    """The answer to Ping."""


@dataclass(frozen=True)
class Unloaded(Event):
    """Nothing is loaded now."""


@dataclass(frozen=True)
class Failed(Event):
    """A request ended in an error of engine.errors; in 0's name: a line nobody could read, or the
    worker's own death.

    ``unloaded``: a Load failed, and nothing is loaded now; else what was loaded before still is.
    """

    code: str
    sentence: str
    detail: str = ""
    unloaded: bool = False

    @classmethod
    def of(cls, error: ForewordError, request: int) -> Failed:
        """The message that tells ``error``."""
        return cls(error.code, error.sentence, error.detail, id=request)

    @classmethod
    def unforeseen(cls, detail: str, request: int) -> Failed:
        """The message that tells of an error that the catalogue does not know: a fault of ours."""
        sentence = "The engine made a mistake of its own. Try again; start anew if it recurs."
        return cls(ForewordError.code, sentence, detail, id=request)


Load.final = Ready
Chat.final = Done
Compare.final = Compared
Measure.final = Measured
Tune.final = Tuned
Count.final = Counted
Survey.final = Surveyed
Ping.final = Pong
Unload.final = Unloaded

_REQUESTS = (Load, Chat, Compare, Measure, Tune, Count, Survey, Stop, Ping, Unload, Quit)
_EVENTS = (
    *(Hello, Loading, Ready, Prompt, Emitted, Done, Compared),
    *(Measured, Tuning, Tuned, Counted, Surveyed, Pong, Unloaded, Failed),
)
_TYPES: Mapping[tuple[type, str], type] = MappingProxyType(
    {(Request, kind.__name__.lower()): kind for kind in _REQUESTS}
    | {(Event, kind.__name__.lower()): kind for kind in _EVENTS}
)

Kind = TypeVar("Kind", Request, Event)


def encode(message: Request | Event) -> bytes:
    """The message as one line of ASCII.

    Raises BadMessage where it is larger than LIMIT, ValueError where a number is not finite.
    """
    content = {"type": type(message).__name__.lower(), **plain(message)}
    line = json.dumps(content, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > LIMIT:
        raise _bad(f"it is {len(line):,} bytes long; {LIMIT:,} is the most", message.id)
    return line


def decode(line: bytes, family: type[Kind]) -> Kind:
    """The message of ``family`` (Request or Event) that ``line`` holds.

    Raises BadMessage, whose fields give the ``id`` the line carries, if it carries one.
    """
    try:
        content = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _bad("it is not JSON", detail=type(error).__name__) from None
    if not isinstance(content, dict):
        raise _bad("it is not an object")
    given = content.get("id")
    number = given if is_whole(given) else 0
    kind = content.pop("type", None)
    found = _TYPES.get((family, kind)) if isinstance(kind, str) else None
    if found is None:
        raise _bad("its type is unknown", number)
    if "id" not in content:
        raise _bad("it has no id")
    try:
        message: Kind = reader(found)(content)
    except Mismatch as error:
        raise _bad(f"{kind}{error.place} must be {error.wanted}", number) from None
    return message


def messages(stream: BinaryIO, family: type[Kind]) -> Iterator[Kind | BadMessage]:
    """The messages of a stream until it ends; what cannot be read comes as the error it is."""
    while line := stream.readline(LIMIT + 1):
        if not line.endswith(b"\n"):
            if not _skip_line(stream):
                return  # the other side ended in mid-line
            yield _bad(f"it is longer than {LIMIT:,} bytes")
            continue
        try:
            yield decode(line, family)
        except BadMessage as error:
            yield error


def _skip_line(stream: BinaryIO) -> bool:
    """Read on to the end of a line that is too long; False where the stream ends before."""
    while part := stream.readline(2**16):
        if part.endswith(b"\n"):
            return True
    return False


def _bad(reason: str, request: int = 0, detail: str = "") -> BadMessage:
    return BadMessage(detail, reason=reason, id=request)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
