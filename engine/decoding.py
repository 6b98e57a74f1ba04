"""The loop: draft, verify, accept, rewind. Plain decoding is γ = 0 of the same loop.

State: ``tokens``, whose last entry is *pending*: in neither memory. Between rounds the target holds
exactly the other len(tokens) − 1; the draft holds a prefix of them (one short after a fully
accepted round, far behind after plain ones)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

from engine.accept import Rule, Token, accept
from engine.errors import BrokenCopy, BrokenLogits, PromptTooLong, RewindFailed
from engine.llama.context import Context, Row
from engine.sampling import PENALTY_WINDOW, Distribution, Sampling, filtered
from engine.stats import End, PromptProgress, Round


@dataclass(frozen=True)
class Request:
    """How to write one reply.

    ``limit``: the context in tokens, the user's own (llama.cpp pads its to a multiple of 256);
    ``max_tokens``: of the reply; ``ends``: end-of-generation ids; ``suppressed``: ids never
    emitted; ``index``: the position within the reply to go on from; ``watch``: told each emitted
    token that is no end, answers whether a stop string is complete."""

    gamma: int
    sampling: Sampling
    rule: Rule
    limit: int
    max_tokens: int
    ends: frozenset[int] = frozenset()
    suppressed: tuple[int, ...] = ()
    index: int = 0
    watch: Callable[[int], bool] = lambda _token: False


class Lane:
    """A target and its draft, each with its own memory. ``draft`` None decodes plainly."""

    def __init__(self, target: Context, draft: Context | None = None) -> None:
        self.target = target
        self.draft = draft

    def warm_up(self) -> None:
        """One widest pass in each memory, so that no buffer grows while a reply is written."""
        for context in (self.target, self.draft):
            if context is not None:
                context.warm_up()

    def read(self, tokens: list[int], request: Request) -> Iterator[PromptProgress]:
        """Bring both memories up to all of ``tokens`` but the last, a chunk a step.

        Only what is new is evaluated. Raises PromptTooLong before anything is.
        """
        if len(tokens) >= request.limit:
            raise PromptTooLong(tokens=len(tokens), limit=request.limit)
        readers = [(self.target, tokens[:-1])]
        if self.draft is not None:
            readable = self.readable(tokens[:-1])
            self.draft.reuse(readable)  # read or not, it holds nothing else: γ may rise later
            if request.gamma:
                readers.append((self.draft, readable))
        total = sum(len(wanted) for _context, wanted in readers)
        done = sum(context.reuse(wanted) for context, wanted in readers)
        yield PromptProgress(done, total, 0.0, 0.0)
        for context, wanted in readers:
            most = context.options.chunk
            while chunk := wanted[len(context.tokens) : len(context.tokens) + most]:
                started = perf_counter()
                context.decode(chunk, outputs=0)
                seconds = perf_counter() - started
                done += len(chunk)
                draft = (seconds, len(chunk)) if context is self.draft else (0.0, 0)
                yield PromptProgress(done, total, seconds, *draft)

    def write(self, tokens: list[int], request: Request) -> Iterator[Round]:
        """The reply, a round a step, appended to ``tokens``; call it after :meth:`read`.

        It may be closed after any round, or fail in any pass: both memories are then as the
        module's first paragraph says, and the next call goes on as a fresh lane would."""
        first = len(tokens) - request.index
        last = min(len(tokens) + request.max_tokens, request.limit)
        end = None
        while end is None and len(tokens) < last:
            round_ = self._round(tokens, request, first, last)
            end = round_.end
            yield round_

    def _round(self, tokens: list[int], request: Request, first: int, last: int) -> Round:
        started = perf_counter()
        gamma = min(request.gamma, last - len(tokens) - 1) if self.draft is not None else 0
        index = len(tokens) - first
        try:
            # 1. Draft: x1 … xγ, each with the law q it was drawn from.
            drafted, q, draft_seconds = self._draft(tokens, gamma, request, index)
            # 2. Verify: one pass over the pending token and the drafted ones.
            verifying = perf_counter()
            self.target.decode([tokens[-1], *drafted], outputs=gamma + 1)
            verify_seconds = perf_counter() - verifying
            # 3. Accept: the target's laws, one row at a time, only as far as they are needed.
            p = self._laws(tokens, drafted, request)
            emitted = accept(request.rule, drafted, q, p, index)
            emitted, end = self._commit(tokens, emitted, request, last)
        finally:
            # 4. Rewind, whatever happened: what was kept decides, not what was tried.
            rewound = self._rewind(len(tokens) - 1)
        if not rewound:  # an error that came before is the one to hear of
            raise RewindFailed
        seconds = perf_counter() - started
        return Round(emitted, gamma, seconds, draft_seconds, verify_seconds, end)

    def _draft(
        self, tokens: list[int], gamma: int, request: Request, index: int
    ) -> tuple[list[int], list[Distribution], float]:
        """x1 … xγ, their laws, and the seconds of the draft's passes; catching up is drafting."""
        drafted: list[int] = []
        q: list[Distribution] = []
        seconds = 0.0
        if self.draft is None or gamma == 0:
            return drafted, q, seconds
        known = self.target.model.vocabulary.size
        unread = tokens[len(self.draft.tokens) :]  # the pending token, and what the draft is behind
        for i in range(gamma):
            started = perf_counter()
            self._catch_up(self.draft, unread)
            seconds += perf_counter() - started
            row = self.draft.row(0)[:known]  # a padded draft must not propose ids past the target's
            q.append(law(self.draft, "draft", row, _history(tokens, drafted), request))
            drafted.append(request.rule.draw(q[i], index + i))
            unread = drafted[i:]
        return drafted, q, seconds

    def _catch_up(self, draft: Context, unread: list[int]) -> None:
        unread = self.readable(unread)
        most = draft.options.chunk
        while len(unread) > most:
            draft.decode(unread[:most], outputs=0)
            unread = unread[most:]
        draft.decode(unread, outputs=1)

    def readable(self, tokens: list[int]) -> list[int]:
        """What the draft is fed: an id its smaller vocabulary lacks is replaced by id 0.

        Whatever the draft reads, the reply is exact; only its guesses get worse.
        """
        assert self.draft is not None
        known = self.draft.model.vocabulary.size
        if known >= self.target.model.vocabulary.size:
            return tokens
        return [token if token < known else 0 for token in tokens]

    def _laws(
        self, tokens: list[int], drafted: list[int], request: Request
    ) -> Iterator[Distribution]:
        for i in range(len(drafted) + 1):
            history = _history(tokens, drafted[:i])
            yield law(self.target, "target", self.target.row(i), history, request)

    def _commit(
        self, tokens: list[int], emitted: list[Token], request: Request, last: int
    ) -> tuple[list[Token], End | None]:
        """Append to ``tokens`` up to the first end; what lies behind it was never said."""
        for count, token in enumerate(emitted, start=1):
            tokens.append(token.id)
            if token.id in request.ends:
                return emitted[:count], End.END
            if request.watch(token.id):
                return emitted[:count], End.STOP
        return emitted, End.LENGTH if len(tokens) >= last else None

    def free(self) -> None:
        """Give both memories back."""
        for context in (self.target, self.draft):
            if context is not None:
                context.free()

    def _rewind(self, length: int) -> bool:
        """Both memories; False where one cannot and was emptied instead.

        That costs the next message a full reading, never a wrong word.
        """
        rewound = True
        for context in (self.target, self.draft):
            if context is None:
                continue
            try:
                context.rewind(length)
            except RewindFailed:
                context.clear()
                rewound = False
        return rewound


def law(
    context: Context, role: str, row: Row, history: list[int], request: Request
) -> Distribution:
    """The law of the next token by a row of ``context``; ``history``: the tokens before it.

    Raises BrokenLogits, which names the ``role`` and the file, or BrokenCopy.
    """
    try:
        return filtered(row, request.sampling, history, suppressed=request.suppressed)
    except BrokenLogits:
        if context.model.is_recast:
            raise BrokenCopy(path=context.model.path) from None
        raise BrokenLogits(path=context.model.path, role=role) from None


def _history(tokens: list[int], drafted: list[int]) -> list[int]:
    """The last tokens before a row, for the penalties."""
    return [*tokens[-PENALTY_WINDOW:], *drafted][-PENALTY_WINDOW:]
