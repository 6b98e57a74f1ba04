"""The panel's facts in words: the value of every figure, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication

from app.names import weights
from app.panel import numbers
from app.panel.account import entries
from app.panel.explain import Key
from app.panel.facts import Act, Advice, Facts, Kind
from app.panel.run import Run
from app.panel.worth import Judgement, Ledger, Worth
from app.sentences import translated

translate = QCoreApplication.translate


# Values ----------------------------------------------------------------------------------------


def values(facts: Facts) -> dict[Key, str]:
    """Every figure that is known, as short text; what is not known is left out."""
    found = _of_run(facts.run) | _of_pair(facts)
    if facts.worth is not None:
        found |= _of_worth(facts.worth)
    if facts.ledger is not None:
        found |= _of_ledger(facts.ledger)
    return found


def _of_run(run: Run) -> dict[Key, str]:
    figures = run.figures
    if not figures.tokens:
        return {}
    found = {
        Key.SPEED: speed(figures.tokens_per_second),
        Key.TOKENS: numbers.whole(figures.tokens),
        Key.FIRST_TOKEN: numbers.seconds(figures.first_token_seconds),
    }
    if run.drafting:
        found |= {
            Key.ACCEPTANCE: numbers.percent(figures.acceptance_rate),
            Key.ALPHA: numbers.number(figures.alpha, 2),
            Key.PER_ROUND: numbers.number(figures.tokens_per_round, 1),
            Key.PLACES: places(run),
            Key.LENGTHS: lengths(run),
            Key.ROUNDS: rounds(run),
        }
    return found


def speed(tokens_per_second: float) -> str:
    """A speed with its unit."""
    return translate("Panel", "{number} tokens/s").format(number=numbers.rate(tokens_per_second))


def places(run: Run) -> str:
    """Acceptance by position, each with its place."""
    known = [(i, share) for i, share in enumerate(run.by_position(), 1) if share is not None]
    return ", ".join(f"{i}: {numbers.percent(share)}" for i, share in known)


def lengths(run: Run) -> str:
    """How many rounds accepted 0 … γ."""
    said = translate("Panel", "{accepted} accepted: {rounds}")
    return ", ".join(
        said.format(accepted=k, rounds=numbers.whole(count)) for k, count in enumerate(run.lengths)
    )


def rounds(run: Run) -> str:
    """The newest rounds of the strip, the newest first."""
    newest = [shape for shape in reversed(run.shapes) if shape.drafted][:8]
    said = translate("Panel", "{accepted} of {drafted}")
    return ", ".join(said.format(accepted=one.accepted, drafted=one.drafted) for one in newest)


def _of_pair(facts: Facts) -> dict[Key, str]:
    ready = facts.ready
    if ready is None:
        return {}
    found = {Key.WEIGHTS: numbers.size(weights(ready))}
    if ready.memory is not None:
        found[Key.CACHES] = numbers.size(ready.memory.caches)
        found[Key.BUFFERS] = numbers.size(ready.memory.buffers)
    limit = numbers.whole(ready.n_ctx)
    if facts.context_used:
        said = translate("Panel", "{used} of {limit} tokens")
        found[Key.CONTEXT] = said.format(used=numbers.whole(facts.context_used), limit=limit)
    else:
        found[Key.CONTEXT] = translate("Panel", "up to {limit} tokens").format(limit=limit)
    return found


def _of_worth(worth: Worth) -> dict[Key, str]:
    never = translate("Panel", "never")
    least = worth.break_even
    return {
        Key.SPEED_UP: numbers.times(worth.speed_up),
        Key.SAVED: numbers.seconds(worth.saved),
        Key.BREAK_EVEN: never if least is None else numbers.tokens(max(1, round(least))),
    }


def _of_ledger(ledger: Ledger) -> dict[Key, str]:
    """As it is painted, and what a round and its pass took in all."""
    times = {Key.ROUND: ledger.total, Key.CHECKING: ledger.checking, Key.REST: ledger.rest}
    found = {key: numbers.milliseconds(time) for key, time in times.items()}
    return found | {entry.key: entry.amount for entry in entries(ledger)}


# Phrases ---------------------------------------------------------------------------------------


def saved(worth: Worth) -> str:
    """Time saved or lost, as a phrase that needs no label."""
    if worth.saved < 0:
        return translate("Panel", "Lost {time}, prompt included.").format(
            time=numbers.seconds(-worth.saved)
        )
    return translate("Panel", "Saved {time}, prompt included.").format(
        time=numbers.seconds(worth.saved)
    )


def pays_from(worth: Worth) -> str:
    """The break-even, as a phrase that needs no label."""
    if worth.break_even is None:
        return translate("Panel", "Loses at any length of reply.")
    least = numbers.tokens(max(1, round(worth.break_even)))
    return translate("Panel", "Breaks even at {tokens} of reply.").format(tokens=least)


def verdict(worth: Worth) -> str:
    """Does drafting pay? One sentence."""
    match worth.judgement:
        case Judgement.SAME:
            return translate(
                "Panel", "Drafting makes no difference here: plain is as fast, within 3 %."
            )
        case Judgement.COSTS:
            return translate("Panel", "Drafting costs time here: plain is {much} faster.").format(
                much=_faster(1 / worth.speed_up)
            )
        case Judgement.LATER:
            return translate(
                "Panel",
                "Drafting writes {times} faster, but the draft reads the prompt too: it pays "
                "from {tokens} of reply on.",
            ).format(
                times=numbers.times(worth.speed_up),
                tokens=numbers.tokens(max(1, round(worth.break_even or 0))),
            )
    return translate("Panel", "Drafting pays here: {times} faster.").format(
        times=numbers.times(worth.speed_up)
    )


def _faster(factor: float) -> str:
    """By how much, as one says it: a share, or so many times from twice on."""
    return numbers.percent(factor - 1) if factor < 1.995 else numbers.times(factor)


# The verdict -----------------------------------------------------------------------------------


def said(advice: Advice, facts: Facts) -> str:
    """What the panel says about the pair and the run."""
    if advice.kind in (Kind.PAYS, Kind.LATER, Kind.SAME, Kind.COSTS):
        assert facts.worth is not None
        return verdict(facts.worth)
    return _SAID[advice.kind](facts)


def _waiting(facts: Facts) -> str:
    assert facts.ready is not None
    if facts.ready.tuning is not None:
        return translate(
            "Panel",
            "Send a message: its figures appear here. γ {gamma} was found best by tuning.",
        ).format(gamma=facts.ready.gamma)
    return translate(
        "Panel",
        "Send a message: its figures appear here. γ {gamma} is a guess from a short timing "
        "when the pair was loaded.",
    ).format(gamma=facts.ready.gamma)


def _no_gain(facts: Facts) -> str:
    assert facts.ready is not None
    if facts.ready.tuning is not None:
        return translate("Panel", "Tuning found that drafting does not pay here.")
    return translate(
        "Panel",
        "A short timing when the pair was loaded says that drafting will not pay here. "
        "Compare once to know.",
    )


def _no_draft(facts: Facts) -> str:
    assert facts.ready is not None
    verdict = facts.ready.verdict
    reason = translated(verdict.code, verdict.reason).rstrip(".")
    return translate("Panel", "Drafting is off: {reason}.").format(reason=reason)


def _reading(facts: Facts) -> str:
    if facts.run.gamma:
        return translate("Panel", "First both models read the prompt.")
    return translate("Panel", "First the target reads the prompt.")


def _too_short(facts: Facts) -> str:
    if facts.run.busy:
        return translate("Panel", "Measuring …")
    return translate("Panel", "This reply is too short to judge drafting by.")


def _tuned(facts: Facts) -> str:
    assert facts.ready is not None
    if facts.ready.gamma:
        return translate(
            "Panel",
            "This reply was written before the tuning, which found γ {gamma} best. The next reply "
            "shows whether drafting pays.",
        ).format(gamma=facts.ready.gamma)
    return translate(
        "Panel",
        "This reply was written before the tuning, which found that drafting does not pay here.",
    )


_SAID: Mapping[Kind, Callable[[Facts], str]] = MappingProxyType(
    {
        Kind.NO_MODEL: lambda _facts: translate(
            "Panel", "Load a model, and the figures of each reply appear here."
        ),
        Kind.NO_DRAFT: _no_draft,
        Kind.NO_GAIN_GUESSED: _no_gain,
        Kind.WAITING: _waiting,
        Kind.READING: _reading,
        Kind.LOST: lambda _facts: translate(
            "Panel", "The engine stopped. These are the figures up to then."
        ),
        Kind.PLAIN: lambda _facts: translate("Panel", "This reply is plain: nothing is drafted."),
        Kind.TOO_SHORT: _too_short,
        Kind.BEFORE_TUNING: _tuned,
        Kind.UNMEASURED: lambda _facts: translate(
            "Panel", "Whether drafting pays here is not measured yet: compare once."
        ),
    }
)


def waits() -> str:
    """Why the button cannot be pressed yet."""
    return translate(
        "Panel", "A comparison needs the engine to itself: wait until this reply is written."
    )


def label(advice: Advice, *, is_writing: bool = False) -> str:
    """What the button says; "" for no button. ``is_writing``: a reply is, which goes on as it
    began."""
    if is_writing and advice.act is Act.GO_PLAIN:
        return translate("Panel", "Plain from the next reply on")
    if is_writing and advice.act in (Act.DRAFT, Act.SET_GAMMA):
        said = translate("Panel", "γ {gamma} from the next reply on")
        return said.format(gamma=advice.gamma)
    match advice.act:
        case Act.COMPARE if advice.kind is Kind.UNMEASURED:
            return translate("Panel", "Compare once")
        case Act.COMPARE:
            return translate("Panel", "Compare side by side")
        case Act.GO_PLAIN:
            return translate("Panel", "Go on plain")
        case Act.DRAFT:
            return translate("Panel", "Draft with γ {gamma}").format(gamma=advice.gamma)
        case Act.SET_GAMMA:
            return translate("Panel", "Try γ {gamma}").format(gamma=advice.gamma)
    return ""
