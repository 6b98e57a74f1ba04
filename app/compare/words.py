"""What came of a comparison, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.compare.lane import Lane, Outcome, Sameness
from app.panel import numbers
from app.panel import words as panel_words
from app.panel.worth import ENOUGH_TOKENS, Worth
from app.sentences import said
from engine.protocol import End, Parting

translate = QCoreApplication.translate

_TIE, _CLOSE = 0.1, 1.0
"""Logits so close are a tie, or close, in plain words."""

_VISIBLE = str.maketrans({"\n": "⏎", "\t": "⇥", " ": numbers.GAP})
"""White space that is seen, and at which no line is broken."""


def promise() -> str:
    """What there will be to see, before the first message."""
    return translate(
        "Compare",
        "Write a message below. One column drafts, the other is plain; at the end you see which "
        "was faster, by how much, and whether the words are the same.",
    )


def unjudged(speculative: Lane, plain: Lane) -> str:
    """Why there is no verdict."""
    counts = [lane.figures.tokens for lane in (speculative, plain)]
    if not any(counts):
        return translate("Compare", "It was stopped before a word was written.")
    if not all(counts):
        return translate(
            "Compare", "It was stopped before both lanes wrote: there is nothing to compare."
        )
    return translate(
        "Compare", "Too short to judge drafting by: that takes {tokens} in each lane."
    ).format(tokens=numbers.tokens(ENOUGH_TOKENS))


def counted(worth: Worth, speculative: Lane, plain: Lane) -> str:
    """Time saved and break-even, and where the lanes' clocks count something else."""
    said = [panel_words.saved(worth), panel_words.pays_from(worth)]
    drafted, other = speculative.figures, plain.figures
    if drafted.tokens != other.tokens:
        count = numbers.tokens(drafted.tokens)
        said.append(translate("Compare", "Both are counted for {tokens}.").format(tokens=count))
    if drafted.target_prompt_evaluated != other.target_prompt_evaluated:
        said.append(
            translate(
                "Compare",
                "The chat’s lane knew a part of the prompt already, and only the plain one read "
                "it; that is not counted as saved.",
            )
            if drafted.target_prompt_evaluated < other.target_prompt_evaluated
            else translate(
                "Compare", "The target read more of the prompt when drafting; that is not counted."
            )
        )
    return " ".join(said)


def notes(*lanes: Lane) -> str:
    """What the engine wants to be known of the replies, each thing once."""
    told = dict.fromkeys(note for lane in lanes if lane.done for note in lane.done.notes)
    return " ".join(map(said, told))


def sameness(found: Outcome, speculative: Lane, plain: Lane, *, exact: bool) -> list[str]:
    """Whether the two replies are the same; where they part, a sentence for each thing to know.
    None where a lane wrote nothing."""
    if not (speculative.figures.tokens and plain.figures.tokens):
        return []
    count = numbers.tokens(found.count)
    match found.sameness:
        case Sameness.SAME:
            return [
                translate("Compare", "Both lanes wrote the same {tokens}.").format(tokens=count)
            ]
        case Sameness.AS_FAR:
            said = translate("Compare", "The same as far as both go: {tokens}.")
            return [said.format(tokens=count)]
        case Sameness.UNLOOKED:
            said = translate("Compare", "They part after the same {tokens}.")
            why = translate("Compare", "It was stopped before that place could be looked at.")
            return [said.format(tokens=count), why]
    assert found.compared.parting is not None
    return _parted(found.compared.parting, speculative, plain, exact=exact)


def _parted(parting: Parting, speculative: Lane, plain: Lane, *, exact: bool) -> list[str]:
    names = [candidate(parting, i, lane) for i, lane in enumerate((speculative, plain))]
    return [
        _place(parting, names),
        _closeness(parting, names),
        _cause(parting, exact=exact),
    ]


def _place(parting: Parting, names: list[str]) -> str:
    return translate(
        "Compare", "They part at token {place}: drafting goes on with {first}, plain with {second}."
    ).format(place=numbers.whole(parting.index + 1), first=names[0], second=names[1])


def candidate(parting: Parting, which: int, lane: Lane) -> str:
    """One of the two tokens as a person reads it, its white space visible."""
    last = lane.done is not None and parting.index == len(lane.done.tokens) - 1
    text = parting.texts[which].translate(_VISIBLE)
    if not text or (last and lane.done is not None and lane.done.why is End.END):
        return translate("Compare", "the end of the reply")
    return translate("Compare", "“{text}”").format(text=text)


def _closeness(parting: Parting, names: list[str]) -> str:
    first, second = (numbers.percent(p) for p in parting.p)
    if parting.at_the_edge:
        out = 0 if not parting.p[0] else 1
        return translate(
            "Compare",
            "{name} stood at the edge of what sampling lets through: one lane had it among its "
            "candidates, the other did not.",
        ).format(name=names[out][:1].upper() + names[out][1:])
    said = {
        True: translate("Compare", "The target gave them {first} and {second}: as good as a tie."),
        False: translate("Compare", "The target gave them {first} and {second}: close."),
        None: translate(
            "Compare",
            "The target gave them {first} and {second}, and the draw fell just between them.",
        ),
    }
    return said[_nearness(parting.gap)].format(first=first, second=second)


def _nearness(gap: float | None) -> bool | None:
    """True for a tie, False for close, None for neither."""
    if gap is None or gap >= _CLOSE:
        return None
    return gap < _TIE


def _cause(parting: Parting, *, exact: bool) -> str:
    if exact:
        return translate(
            "Compare",
            "Exact arithmetic was on, but here the kernels still round differently.",
        )
    return translate(
        "Compare",
        "Passes of different width round a little differently, and that tipped it. Neither is "
        "less right.",
    )


def again(gamma: int, last: int) -> str:
    """What the button says that runs the same message once more."""
    if gamma == last:
        return translate("Compare", "Run again")
    return translate("Compare", "Run again with γ {gamma}").format(gamma=gamma)
