"""What drafting is worth: expected tokens per round, predicted speed-up, the best γ, break-even.

S(γ) = E / (γ·c + v(γ + 1) + o), everything measured on the machine:
c, a draft step; v(n), a target pass over n tokens; o, the engine's own time in a round; each as a
multiple of a plain target step. With v = 1 and o = 0 this is theorem 3.8 of Leviathan et al. 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


def expected_tokens(survival: Sequence[float]) -> float:
    """E = 1 + Σ s_i, tokens per round; ``survival``: s_1 … s_γ, the first i all pass."""
    return 1.0 + sum(survival)


def independent_survival(alpha: float, gamma: int) -> list[float]:
    """s_i = α^i: every drafted token passes with the same chance, whatever came before."""
    return [alpha**i for i in range(1, gamma + 1)]


def predicted_speed_up(
    survival: Sequence[float],
    *,
    draft_cost: float,
    pass_cost: float,
    overhead: float = 0.0,
    catch_up: float = 0.0,
) -> float:
    """S(γ) for γ = len(survival).

    ``draft_cost`` is c, ``pass_cost`` v(γ + 1), ``overhead`` o; ``catch_up``: what a draft's pass
    over two tokens costs more than over one, for after a fully accepted round (chance s_γ) the
    draft reads its own last token along with the next.
    """
    spent = len(survival) * draft_cost + pass_cost + overhead
    spent += (survival[-1] if survival else 0.0) * catch_up
    return expected_tokens(survival) / spent


@dataclass(frozen=True)
class Pace:
    """What a round takes on one machine, in seconds.

    ``passes``: of the target by width, from 1; ``catch_up``: what the draft's first pass takes more
    after a fully accepted round; ``step``: the engine's own in a plain round; ``row``: its own for
    each further row of logits; ``scale``: how much faster drafting was in fact than all of these
    together say.
    """

    draft_step: float
    passes: tuple[float, ...]
    catch_up: float = 0.0
    step: float = 0.0
    row: float = 0.0
    scale: float = 1.0

    @property
    def plain(self) -> float:
        """Seconds of a plain round, which writes one token."""
        return self.passes[0] + self.step

    @property
    def gammas(self) -> range:
        """The γ whose pass it knows."""
        return range(len(self.passes))

    def overhead(self, survival: Sequence[float]) -> float:
        """The engine's own seconds in a round: the draft's rows, and the target's as tested."""
        return self.step + self.row * (len(survival) + sum(survival))

    def speed_up(self, survival: Sequence[float]) -> float:
        """S(γ) for γ = len(survival)."""
        if not survival:
            return 1.0
        return self.scale * predicted_speed_up(
            survival,
            draft_cost=self.draft_step / self.plain,
            pass_cost=self.passes[len(survival)] / self.plain,
            overhead=self.overhead(survival) / self.plain,
            catch_up=self.catch_up / self.plain,
        )

    def seconds(self, survival: Sequence[float]) -> float:
        """A token of γ = len(survival), on average."""
        return self.plain / self.speed_up(survival)


def best_gamma(speed_up: Callable[[int], float], gammas: Iterable[int]) -> int:
    """The γ with the largest predicted speed-up, the smaller of equals; 0 where none exceeds 1."""
    best, fastest = 0, 1.0
    for gamma in sorted(set(gammas) - {0}):
        if (value := speed_up(gamma)) > fastest:
            best, fastest = gamma, value
    return best


def time_saved(*, plain_token: float, token: float, tokens: int, draft_prompt: float) -> float:
    """Seconds a reply came sooner than plain, prompt included; negative when it came later.

    ``plain_token``, ``token``: seconds a token takes plain and speculative; ``draft_prompt``:
    seconds the draft took to read the prompt, which plain decoding does not spend."""
    return tokens * (plain_token - token) - draft_prompt


def break_even(*, plain_token: float, token: float, draft_prompt: float) -> float:
    """Tokens of reply from which on drafting saves time; infinite when it never does."""
    gain = plain_token - token
    return draft_prompt / gain if gain > 0 else float("inf")
