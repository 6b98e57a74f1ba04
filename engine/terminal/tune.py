"""``foreword tune``: measure this machine, show the curve, recommend γ."""

from __future__ import annotations

from typing import Any

from engine import __version__, machine
from engine.errors import MachineBusy, PairRefused
from engine.protocol import Record, Tune, Tuned, Tuning
from engine.settings import Settings
from engine.terminal import curve, failures, words
from engine.terminal.compare import pair
from engine.terminal.failures import RequestFailed
from engine.terminal.options import sampling
from engine.terminal.screen import JsonTarget, Screen
from engine.terminal.session import Session
from engine.tunings import EVERYDAY

_LEGEND = (
    "speed-up: plain time per token ÷ drafting's, as predicted from what was timed; │ is where "
    "they are even. target pass: of γ + 1 tokens, in plain ones; ~ was not timed. s1: the chance "
    "that the first drafted token of a round passes, s2 the first two."
)


def tune(
    screen: Screen,
    session: Session,
    settings: Settings,
    *,
    quick: bool = False,
    exhaustive: bool = False,
    to: JsonTarget | None = None,
) -> int:
    """Tune the loaded pair and show what was found; where the machine is busy, offer to repeat.

    Raises PairRefused where there is no draft, RequestFailed where the tuner fails.
    """
    if session.ready.draft is None:
        raise PairRefused(reason=session.ready.verdict.reason)
    request = Tune(sampling(settings), quick=quick, exhaustive=exhaustive)
    tuned = _measured(screen, session, request)
    if to:
        to.write(_as_json(session, tuned.tuning))
    if not (to and to.to_stdout):
        _show(screen, tuned)
    if tuned.note:
        screen.say(tuned.note, "yellow")
    return failures.OK


def _measured(screen: Screen, session: Session, request: Tune) -> Tuned:
    while True:
        try:
            return _asked(session, request)
        except RequestFailed as error:
            if error.code != MachineBusy.code or not screen.interactive:
                raise
            screen.say(str(error), "yellow")
            if not screen.yes("Tune again now?"):
                raise


def _asked(session: Session, request: Tune) -> Tuned:
    with session.ask(request) as asked:
        for event in asked:
            if isinstance(event, Tuning):
                asked.ticker.show(f"{100 * event.fraction:.0f} % · {event.what}")
            elif isinstance(event, Tuned):
                return event
    raise AssertionError("a tuning ends in a Tuned")


def _show(screen: Screen, tuned: Tuned) -> None:
    record = tuned.tuning
    screen.out.print(curve.chart(record))
    screen.line()
    screen.out.print(curve.kinds(record))
    screen.line(_LEGEND, "dim")
    screen.line()
    for sentence in verdict(record):
        screen.line(sentence, "bold")
    stored = "" if tuned.note else " and stored for this pair"
    screen.note(f"Measured in {words.seconds(record.took)}{stored}.")


def verdict(record: Record) -> list[str]:
    """What to do, in a sentence or a few."""
    everyday = record.curve()
    assert everyday is not None
    gamma = record.gamma
    how = "greedily" if record.temperature == 0 else f"at temperature {record.temperature:g}"
    said = [
        f"γ = {gamma} is best here for everyday use, written {how}: "
        f"about {everyday.speed_up[gamma]:.2f}× as fast as plain decoding."
        if gamma
        else f"γ = 0 is best here for everyday use, written {how}: plain decoding is faster than "
        "drafting with this pair."
    ]
    if gamma and everyday.low[gamma] <= 1:
        said.append(
            f"It may be no faster: nine times in ten it is {everyday.low[gamma]:.2f}× to "
            f"{everyday.high[gamma]:.2f}×."
        )
    said += _exceptions(record)
    if record.by_threads and record.threads != max(record.by_threads):
        are = f"{words.count(record.threads, 'thread')} {'is' if record.threads == 1 else 'are'}"
        said.append(f"{are} faster than {max(record.by_threads)} here.")
    return said


def _exceptions(record: Record) -> list[str]:
    """The kinds of text that another γ is better for by more than a little."""
    found = []
    for kind in record.kinds:
        curve = record.curve(kind)
        if curve is None or curve.gamma == record.gamma:
            continue
        gamma, best = curve.gamma, curve.speed_up[curve.gamma]
        if best > 1.03 * curve.speed_up[record.gamma]:
            band = f"{curve.low[gamma]:.2f} to {curve.high[gamma]:.2f}"
            found.append(f"{kind}: γ = {gamma}, {best:.2f}×" + (f" ({band})" if gamma else ""))
    return [f"Other γ are best for: {'; '.join(found)}."] if found else []


def _as_json(session: Session, record: Record) -> dict[str, Any]:
    ready = session.ready
    return (
        {
            "foreword": __version__,
            "machine": machine.describe() | {"devices": list(ready.devices)},
            "pair": pair(ready),
        }
        | record.as_dict()
        | {"exhaustive": _exhaustive(record) if record.sweep else None}
    )


def _exhaustive(record: Record) -> dict[str, Any]:
    """How near to the best of a sweep the recommendation comes: measured ÷ measured best."""
    by_kind = {
        kind: _nearness(record, kind) for kind in dict.fromkeys(p.kind for p in record.sweep)
    }
    return {"everyday": _nearness(record, EVERYDAY), "by_kind": by_kind}


def _nearness(record: Record, kind: str) -> dict[str, Any]:
    points = [p for p in record.sweep if kind in (p.kind, EVERYDAY)]
    gammas = dict.fromkeys(p.gamma for p in points)
    rates = {g: [p.measured for p in points if p.gamma == g] for g in gammas}
    speeds = {g: len(each) / sum(1 / speed for speed in each) for g, each in rates.items()}
    best = max(speeds, key=lambda gamma: speeds[gamma])
    curve = record.curve(kind)
    chosen = curve.gamma if curve else record.gamma
    return {
        "gamma": chosen,
        "best_gamma": best,
        "speed_up": speeds[chosen],
        "best_speed_up": speeds[best],
        "nearness": speeds[chosen] / speeds[best],
    }
