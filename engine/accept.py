"""Which drafted tokens stand: the accept, correct and bonus rules. Pure; no llama.cpp, no I/O.

p is the target's law at a position and q the draft's, as in Leviathan et al. 2023 (arXiv
2211.17192); Chen et al. 2023 swap the letters. Every rule here is exact: whatever q is, the emitted
token has the law p. They differ in how often they accept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from engine.noise import Noise
from engine.sampling import Distribution, residual


class Source(StrEnum):
    """Where an emitted token came from."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    BONUS = "bonus"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Token:
    """One emitted token. ``p`` and ``q`` are the filtered probabilities that decided about the
    drafted token at this position; a bonus and a plain token were never tested and have no ``q``.
    """

    id: int
    source: Source
    p: float
    q: float | None = None


class Rule(Protocol):
    """How a token is drawn and how a drafted one is judged, at position ``index`` of the reply."""

    def draw(self, law: Distribution, index: int) -> int:
        """A token of ``law``: the draft's proposals, plain tokens and the bonus."""

    def judge(self, x: int, p: Distribution, q: Distribution, index: int) -> int | None:
        """None when the drafted ``x`` stands, else the corrected token."""


class Greedy:
    """T = 0: accept while the argmaxes agree. No random number is touched."""

    def draw(self, law: Distribution, index: int) -> int:
        return law.likeliest

    def judge(self, x: int, p: Distribution, q: Distribution, index: int) -> int | None:
        return None if x == p.likeliest else p.likeliest


class Ratio:
    """Accept x with probability min(1, p(x) ÷ q(x)), else draw from norm(max(p − q, 0)).

    Leviathan et al. 2023, algorithm 1. It accepts most: 1 − TV(p, q) on average.
    ``uniform`` returns fresh numbers in [0, 1); none is used twice.
    """

    def __init__(self, uniform: Callable[[], float]) -> None:
        self._uniform = uniform

    def draw(self, law: Distribution, index: int) -> int:
        return law.draw(self._uniform())

    def judge(self, x: int, p: Distribution, q: Distribution, index: int) -> int | None:
        # Multiplied out, so that p(x) = 0 is refused even at u = 0.
        if self._uniform() * q[x] < p[x]:
            return None
        return residual(p, q).draw(self._uniform())


class Coupled:
    """Both models draw argmax(log probability + g) with the same noise g; equal draws stand.

    The emitted token is always the target's own draw, so the text depends on the noise alone, not
    on the draft and not on γ (Daliri, Musco & Suresh 2025, arXiv 2408.07978, "drafter-invariant").
    """

    def __init__(self, noise: Noise) -> None:
        self._noise = noise

    def draw(self, law: Distribution, index: int) -> int:
        return self._noise.pick(law, index)

    def judge(self, x: int, p: Distribution, q: Distribution, index: int) -> int | None:
        own = self._noise.pick(p, index)
        return None if own == x else own


def accept(
    rule: Rule,
    drafted: Sequence[int],
    q: Sequence[Distribution],
    p: Iterator[Distribution],
    index: int,
) -> list[Token]:
    """The tokens one round emits: between 1 and γ + 1.

    ``drafted``: x1 … xγ, drawn by ``rule`` from ``q``; ``p``: the target's γ + 1 laws, each asked
    for only when it is needed; ``index``: the position of x1 within the reply."""
    emitted: list[Token] = []
    for i, (x, q_i) in enumerate(zip(drafted, q, strict=True)):
        p_i = next(p)
        corrected = rule.judge(x, p_i, q_i, index + i)
        if corrected is not None:
            emitted.append(Token(corrected, Source.CORRECTED, p_i[x], q_i[x]))
            return emitted
        emitted.append(Token(x, Source.ACCEPTED, p_i[x], q_i[x]))
    last = next(p)
    token = rule.draw(last, index + len(drafted))
    emitted.append(Token(token, Source.BONUS if drafted else Source.PLAIN, last[token]))
    return emitted
