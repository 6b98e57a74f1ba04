"""Short replies written to be measured: plainly, with the draft looking on, and drafting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

import numpy as np

from engine.accept import Greedy, Ratio
from engine.decoding import Lane, Request, law
from engine.llama.context import Context
from engine.sampling import PENALTY_WINDOW, Sampling
from engine.stats import Figures, Round

SEED = 1


@dataclass(frozen=True)
class Attempt:
    """A prompt, and how the reply to it is to be written; ``tokens`` at the most."""

    kind: str
    prompt: tuple[int, ...]
    sampling: Sampling
    tokens: int


@dataclass(frozen=True)
class Sample:
    """A plain reply, and how the draft would have done along it.

    ``chances``: r of each token, as engine.acceptance has it; ``row``: seconds of our own for one
    row of the draft's logits.
    """

    attempt: Attempt
    figures: Figures
    chances: list[float]
    row: float


@dataclass
class Tryout:
    """Writes with one lane, which has a draft. ``ends``, ``suppressed``: as decoding.Request has
    them; ``told`` after each pass. Every method raises Stopped where the flag is up."""

    lane: Lane
    ends: frozenset[int]
    suppressed: tuple[int, ...]
    limit: int
    told: Callable[[], None]
    _rows: list[float] = field(default_factory=list)

    def plainly(self, attempt: Attempt) -> Sample:
        """Write a plain reply; let the draft read it, and say what it would have proposed."""
        tokens, figures, own = list(attempt.prompt), Figures(), []
        for round_ in self._rounds(tokens, attempt, 0):
            figures.add(round_)
            own += [token.p for token in round_.tokens]
        chances = self._look_on(tokens, attempt, own)
        return Sample(attempt, figures, chances, median(self._rows) if self._rows else 0.0)

    def drafting(self, attempt: Attempt, gamma: int) -> Figures:
        """Write the reply with γ; a greedy one is the plain one again, but for rounding."""
        figures = Figures()
        for round_ in self._rounds(list(attempt.prompt), attempt, gamma):
            figures.add(round_)
        return figures

    def _rounds(self, tokens: list[int], attempt: Attempt, gamma: int) -> Iterator[Round]:
        request = self._request(attempt, gamma)
        for _progress in self.lane.read(tokens, request):
            self.told()
        for round_ in self.lane.write(tokens, request):
            yield round_
            self.told()

    def _request(self, attempt: Attempt, gamma: int) -> Request:
        fresh = np.random.default_rng(SEED).random
        return Request(
            gamma=gamma,
            sampling=attempt.sampling,
            rule=Greedy() if attempt.sampling.greedy else Ratio(fresh),
            limit=self.limit,
            max_tokens=attempt.tokens,
            ends=self.ends,
            suppressed=self.suppressed,
        )

    def _look_on(self, tokens: list[int], attempt: Attempt, own: Sequence[float]) -> list[float]:
        """r = min(1, q ÷ p) of each token after the attempt's prompt; ``own``: its p."""
        draft, request, begun = self.lane.draft, self._request(attempt, 0), len(attempt.prompt)
        assert draft is not None
        readable = self.lane.readable(tokens)
        _read(draft, readable[: begun - 1], self.told)
        chances: list[float] = []
        while len(chances) < len(own):
            at = begun + len(chances)
            fed = readable[at - 1 : len(tokens) - 1][: draft.options.outputs]
            draft.decode(fed, outputs=len(fed))
            for i in range(len(fed)):
                q = self._chance(draft, i, tokens[: at + i + 1], request)
                chances.append(min(1.0, q / own[len(chances)]))
            self.told()
        return chances

    def _chance(self, draft: Context, i: int, tokens: list[int], request: Request) -> float:
        """q of the last of ``tokens``; what a drafted row takes of our own time is noted."""
        started = perf_counter()
        row = draft.row(i)[: self.lane.target.model.vocabulary.size]
        history = tokens[-PENALTY_WINDOW - 1 : -1]
        q = law(draft, "draft", row, history, request)
        _ = q.likeliest if request.sampling.greedy else q.draw(0.5)
        self._rows.append(perf_counter() - started)
        return q[tokens[-1]]


def _read(context: Context, tokens: Sequence[int], told: Callable[[], None]) -> None:
    context.reuse(tokens)
    while chunk := tokens[len(context.tokens) :][: context.options.chunk]:
        context.decode(chunk, outputs=0)
        told()
