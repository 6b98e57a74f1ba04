"""Where two replies to one prompt part, and how close the two candidates were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.decoding import Lane, Request, law
from engine.llama.context import Context, common_prefix
from engine.sampling import PENALTY_WINDOW


@dataclass(frozen=True)
class Parting:
    """The first differing token, re-scored after the common words in one context.

    ``index``: within the reply; ``ids``: the speculative and the plain candidate; ``p``: their
    probabilities after the filters, 0 where one was filtered out (of greedy replies, which draw
    nothing, those at temperature 1 without filters); ``gap``: how far their logits are apart, after
    penalties no more than before.
    """

    index: int
    ids: tuple[int, int]
    p: tuple[float, float]
    gap: float

    @property
    def at_the_edge(self) -> bool:
        """Whether one stood at the edge of a filter: in for one lane, out for the other."""
        return 0.0 in self.p


def find_parting(
    context: Context,
    prompt: Sequence[int],
    speculative: Sequence[int],
    plain: Sequence[int],
    request: Request,
) -> Parting | None:
    """None where the replies are the same as far as both go."""
    index = common_prefix(speculative, plain)
    if index == min(len(speculative), len(plain)):
        return None
    tokens = [*prompt, *plain[:index]]
    for _progress in Lane(context).read(tokens, request):
        pass
    context.decode(tokens[-1:], outputs=1)
    row = context.row(0)
    ids = (speculative[index], plain[index])
    chances = law(context, "target", row, tokens[-PENALTY_WINDOW:], _drawing(request))
    gap = abs(float(row[ids[0]]) - float(row[ids[1]]))
    return Parting(index, ids, (chances[ids[0]], chances[ids[1]]), gap)


def _drawing(request: Request) -> Request:
    """The request, with chances for every candidate where it is a greedy one."""
    if not request.sampling.greedy:
        return request
    every = replace(request.sampling, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0)
    return replace(request, sampling=every)
