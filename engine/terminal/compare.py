"""``foreword compare``: one prompt, two lanes: drafting ahead and plain."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from engine.errors import BadSetting, PairRefused
from engine.plain import plain as as_plain
from engine.protocol import (
    PLAIN,
    SPECULATIVE,
    Compare,
    Compared,
    Done,
    Emitted,
    End,
    Figures,
    Message,
    Options,
    Ready,
)
from engine.settings import Settings
from engine.terminal import words
from engine.terminal.columns import Columns
from engine.terminal.options import sampling
from engine.terminal.parting import sameness
from engine.terminal.screen import JsonTarget, Screen
from engine.terminal.session import Session
from engine.tunings import temperature_of

PROMPT = (
    "Write a Python function that finds the longest common subsequence of two strings, "
    "with type hints, a docstring and a short example."
)
SEED = 1
MAX_TOKENS = 128

EXACT_GAMMA = 5
"""The largest γ whose passes round alike under exact arithmetic."""


@dataclass(frozen=True)
class Race:
    """A comparison that is over."""

    prompt: str
    options: Options
    exact: bool
    done: dict[str, Done]
    compared: Compared

    @property
    def figures(self) -> tuple[Figures, Figures]:
        """The speculative lane's, and the plain one's."""
        return self.done[SPECULATIVE].figures, self.done[PLAIN].figures


def check(settings: Settings, *, exact: bool) -> None:
    """Raise BadSetting for a γ that --exact cannot keep its promise at."""
    gamma = settings.gamma
    if exact and gamma is not None and gamma > EXACT_GAMMA:
        allowed = f"from 0 to {EXACT_GAMMA} with --exact"
        raise BadSetting(name="--gamma", value=gamma, allowed=allowed)


def compare(
    screen: Screen,
    session: Session,
    settings: Settings,
    prompt: str,
    *,
    exact: bool = False,
    to: JsonTarget | None = None,
) -> int:
    """Write one reply twice, show both, and say what drafting was worth."""
    ready = session.ready
    if ready.draft is None:
        raise PairRefused(reason=ready.verdict.reason)
    options = _options(screen, ready, settings, exact=exact)
    race = _run(screen, session, prompt, options, exact=exact, silent=bool(to and to.to_stdout))
    if not (to and to.to_stdout):
        _report(screen, race)
    if to:
        to.write(_as_json(ready, race))
    return 130 if session.interrupted else 0


def _options(screen: Screen, ready: Ready, settings: Settings, *, exact: bool) -> Options:
    """Every choice made: a seed, a length, and a γ with which there is something to see."""
    gamma = ready.gamma if settings.gamma is None else settings.gamma
    if settings.gamma is None and ready.tuning:
        gamma = ready.tuning.gamma_at(temperature_of(sampling(settings)))
    if settings.gamma is None and gamma == 0:
        gamma = 3
        found = "As tuned," if ready.tuning else "By a first guess"
        screen.note(
            f"{found} drafting does not pay on this machine (γ 0); "
            "γ 3 is used, so that there is something to compare."
        )
    return Options(
        gamma=min(gamma, EXACT_GAMMA) if exact else gamma,
        sampling=sampling(settings),
        rule="coupled",
        seed=SEED if settings.seed is None else settings.seed,
        max_tokens=settings.max_tokens or MAX_TOKENS,
        think=settings.think,
    )


def _run(
    screen: Screen, session: Session, prompt: str, options: Options, *, exact: bool, silent: bool
) -> Race:
    request = Compare((Message("user", prompt),), options, exact)
    columns = Columns(screen, options.gamma or 0)
    live = screen.live and not silent
    done: dict[str, Done] = {}
    compared, told = None, silent
    try:
        with session.ask(request) as asked, columns.drawing() if live else nullcontext():
            for event in asked:
                if not (live or told):
                    screen.note(f"Writing up to {options.max_tokens:,} tokens twice …")
                    told = True
                columns.take(event)
                if isinstance(event, Done):
                    done[event.lane] = event
                elif isinstance(event, Compared):
                    compared = event
                elif isinstance(event, Emitted) and not live and event.lane == SPECULATIVE:
                    asked.ticker.show(columns.lanes[SPECULATIVE].state)
    finally:  # what was written until an error is worth reading too
        if not silent and (compared or any(lane.text for lane in columns.lanes.values())):
            _show_texts(screen, columns, prompt)
    assert compared is not None
    return Race(prompt, options, exact, done, compared)


def _show_texts(screen: Screen, columns: Columns, prompt: str) -> None:
    screen.line(f"> {prompt}", "bold")
    if screen.live:
        screen.out.print(columns.whole())
        return
    before = None
    for lane in columns.lanes.values():
        text = lane.text.plain.strip("\n")
        screen.line(f"\n--- {lane.title}: {lane.state}\n")
        screen.line("(the same text)" if text == before and text else text)
        before = text
    screen.line()


def _report(screen: Screen, race: Race) -> None:
    speculative, plain = race.figures
    for note in dict.fromkeys(note for done in race.done.values() for note in done.notes):
        screen.note(note)
    screen.out.print(_table(race))
    screen.line()
    if any(done.why is End.STOPPED for done in race.done.values()):
        screen.line("It was stopped: the lanes were still on their way, and nothing is decided.")
        return
    screen.line(sameness(race.done, race.compared, race.options, exact=race.exact))
    verdict = words.verdict(speculative, plain)
    screen.line(verdict, "bold green" if words.pays(speculative, plain) else "bold yellow")
    screen.line(_fine_print(race.options), "dim")


def _fine_print(options: Options) -> str:
    drawing = (
        "Both take the likeliest token each time."
        if options.sampling.greedy
        else "Both draw with the same noise (the coupled rule, which accepts slightly less than "
        f"the chat's ratio rule); seed {options.seed}."
    )
    return (
        "The lanes take turns, so on the screen each goes at about half its true pace; "
        f"the figures count each lane's own time alone. {drawing} "
        "One run has no spread: another may differ by a few per cent."
    )


def _table(race: Race) -> Table:
    speculative, plain = race.figures
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", f"drafting, γ {race.options.gamma}", "plain"):
        table.add_column(title, justify="right" if title else "left")
    for name, ours, theirs in (
        ("tokens/s", *(f"{f.tokens_per_second:.1f}" for f in race.figures)),
        ("time to first token", *(words.seconds(f.first_token_seconds) for f in race.figures)),
        ("acceptance rate", words.percent(speculative.acceptance_rate), ""),
        ("α, of those tested", words.percent(speculative.alpha), ""),
        ("tokens per round", *(f"{f.tokens_per_round:.2f}" for f in race.figures)),
        ("time in draft", *(words.part(f.draft_seconds, f) for f in race.figures)),
        ("time in verify", *(words.part(f.verify_seconds, f) for f in race.figures)),
        ("other", *(words.part(f.other_seconds, f) for f in race.figures)),
        ("tokens", *(f"{f.tokens:,}" for f in race.figures)),
    ):
        table.add_row(name, ours, theirs)
    gain = Text(f"{words.speed_up(speculative, plain):.2f}×", style="bold")
    table.add_row(Text("speed-up", style="bold"), gain, "")
    table.add_row("time saved", words.saved_in_words(speculative, plain), "")
    return table


def _as_json(ready: Ready, race: Race) -> dict[str, Any]:
    lanes = {
        name: {
            "text": done.text,
            "end": done.why,
            "seed": done.seed,
            "tokens": list(done.tokens),
            "notes": list(done.notes),
            "figures": done.figures.as_dict(),
        }
        for name, done in race.done.items()
    }
    compared = as_plain(race.compared)
    del compared["id"]
    value: dict[str, Any] = {
        "prompt": race.prompt,
        "pair": pair(ready),
        "options": as_plain(race.options),
        "exact": race.exact,
        "lanes": lanes,
        **compared,
    }
    return value


def pair(ready: Ready) -> dict[str, Any]:
    """Who worked together, and where, for JSON."""
    return {
        "target": asdict(ready.target),
        "draft": asdict(ready.draft) if ready.draft else None,
        "devices": list(ready.devices),
        "n_ctx": ready.n_ctx,
        "threads": ready.threads,
    }
