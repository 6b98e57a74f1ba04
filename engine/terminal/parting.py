"""Whether two lanes wrote the same, and where not, in plain words."""

from __future__ import annotations

from collections.abc import Mapping

from engine.protocol import PLAIN, SPECULATIVE, Compared, Done, Options, Parting
from engine.terminal import words

_CLOSE = 1.0  # logits; what rounding can move is well below


def sameness(done: Mapping[str, Done], compared: Compared, options: Options, *, exact: bool) -> str:
    """A few sentences on how far the texts are the same."""
    lengths = [len(done[lane].tokens) for lane in (SPECULATIVE, PLAIN)]
    same = words.count(compared.same_tokens, "token")
    parting = compared.parting
    if parting is None and lengths[0] == lengths[1]:
        return f"Both lanes wrote the same {same}."
    if parting is None:
        return f"Both lanes wrote the same {same}, as far as both went."
    close = _logits(parting) if options.sampling.greedy else _chances(parting)
    cause = "Passes of different widths round differently; both texts are the target's."
    hint = "" if exact else " With --exact the words are the same, at a price in speed."
    return f"{_parted(parting, same)} {close} {cause}{hint}"


def _parted(parting: Parting, same: str) -> str:
    ours, theirs = (words.quoted(text) for text in parting.texts)
    start = f"After the same {same}" if parting.index else "At the first token"
    return f"{start} the lanes part: drafting goes on with {ours}, plain with {theirs}."


def _logits(parting: Parting) -> str:
    if parting.gap is None:
        return "Their logits cannot be compared."
    close = "It was close: their" if parting.gap < _CLOSE else "Their"
    return f"{close} logits are {parting.gap:.2g} apart."


def _chances(parting: Parting) -> str:
    if parting.at_the_edge:
        out = "drafting's" if parting.p[0] == 0 else "plain's"
        return (
            f"{out.capitalize()} candidate stands at the edge of a filter (top-k, top-p or min-p), "
            "inside for one lane and outside for the other."
        )
    ours, theirs = (words.percent(p) for p in parting.p)
    gap = "" if parting.gap is None else f", their logits {parting.gap:.2g} apart"
    return f"They had {ours} and {theirs}{gap}, and the draw fell between them."
